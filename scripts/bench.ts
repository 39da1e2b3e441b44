// `npm run bench -- <name>`: runs measurements. Those that count instructions or ratios are guards; the others print tables.
import { fileURLToPath } from 'node:url'
import { type NamedProgram, runNamed } from './named.ts'

const build = ['tsx', 'scripts/build.ts'] as const
const install = (folder: string) => ['npm', 'ci', '--prefix', folder, '--silent'] as const

/** All measurements, keyed by name. */
export const benches: Readonly<Record<string, NamedProgram>> = {
  peers: {
    does: 'Compares the CPU time of a request with that of other frameworks.',
    runs: [build, install('bench'), ['node', 'bench/run.js']],
  },
  quick: {
    does: 'Guards the speed: compares short ratios and counted instructions with the recorded ones.',
    runs: [build, install('bench'), ['node', 'bench/quick/run.js']],
  },
  plugins: {
    does: 'Counts the instructions that each plugin for browsers and caches adds to a request.',
    runs: [build, ['node', 'bench/plugins/run.js']],
  },
  production: {
    does: 'Compares edict and Fastify with what a service in production has: CORS, headers, tags, a limit, a log.',
    runs: [build, install('bench'), ['node', 'bench/production/run.js']],
  },
  cold: {
    does: 'Measures cold starts: CPU until the first response with 200 routes, and memory.',
    runs: [build, ['tsx', 'bench/cold/run.ts']],
  },
  types: {
    does: 'Measures what the same 200 actions cost the compiler in edict and in its peers.',
    runs: [build, install('bench'), install('bench/types'), ['tsx', 'bench/types/run.ts']],
  },
  editor: {
    does: 'Measures how long an editor waits after an edit, at 100 endpoints; `--quick` only tells that it works.',
    runs: [build, ['tsx', 'bench/editor/run.ts']],
  },
  growth: {
    does: 'Measures how cost grows with routes, attributes, items, depth and connections.',
    runs: [['tsx', 'bench/growth/plain.ts', 'bench/growth/run.ts']],
  },
  micro: {
    does: 'Measures the router, payloads, bodies and queries by themselves against those of others.',
    runs: [install('bench'), ['tsx', 'bench/growth/plain.ts', 'bench/micro/run.ts']],
  },
  router: {
    does: 'Measures the router: time per lookup, and growth with routes and with hostile paths; `--short` takes two seconds.',
    runs: [['tsx', 'bench/router.ts']],
  },
  lists: {
    does: 'Measures lists from databases against an endpoint written by hand.',
    runs: [
      build,
      ...['run', 'shapes', 'related', 'conventions', 'bulk'].map((name) => ['tsx', `bench/lists/${name}.ts`] as const),
    ],
  },
  streams: {
    does: 'Measures 10,000 open streams of events in one process: memory, CPU of one publish to all, and other requests meanwhile.',
    runs: [build, ['node', 'bench/streams/run.js']],
  },
  exports: {
    does: "Measures exports of a million rows against the driver's own cursor, and their memory.",
    runs: [build, ['tsx', 'bench/exports/run.ts']],
  },
}

if (process.argv[1] === fileURLToPath(import.meta.url)) runNamed('bench', benches, process.argv.slice(2))
