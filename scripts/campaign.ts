// `npm run campaign -- <name>`: runs tests that take minutes or hours; `npm test` runs short versions of them.
import { fileURLToPath } from 'node:url'
import { type NamedProgram, runNamed } from './named.ts'

/** All campaigns, keyed by name. */
export const campaigns: Readonly<Record<string, NamedProgram>> = {
  hostile: {
    does: 'Sends the corpus of hostile requests to edict, Fastify and Hono; `PCT JSN` sends these groups only.',
    runs: [['tsx', 'test/campaigns/hostile/run.ts']],
  },
  fuzz: {
    does: 'Sends generated requests to generated applications, from a new seed; `--minutes 10` for longer, `--seed 7` to repeat one.',
    runs: [['node', '--import', './test/support/guard/preload.js', '--import', 'tsx', 'test/campaigns/fuzz/run.ts']],
  },
  laws: {
    does: 'Runs the tests of generated cases with many more of them; `test/lists` runs those of a folder.',
    runs: [['tsx', 'scripts/laws.ts']],
  },
  faults: {
    does: 'Runs faults and load against a server; `--without <safeguard>` takes a safeguard out and expects failures, `--protocol h2` asks in HTTP/2, `--protocol tls` over TLS.',
    runs: [['tsx', 'test/campaigns/faults/run.ts']],
  },
  compat: {
    does: 'Runs every case of the compatibility suite on every runtime, and through nginx.',
    runs: [['tsx', 'test/campaigns/compat/run.ts']],
  },
  large: {
    does: 'Sends and receives 200 MB by the client as streams, and measures the memory; `1000` for more.',
    runs: [['tsx', 'test/campaigns/large/run.ts']],
  },
  mutation: {
    does: 'Puts faults into the sources that changed and asks the tests to notice them; `src/client --sample 0.1` for a tenth of a folder, `--all` for all.',
    runs: [['tsx', 'test/campaigns/mutation/run.ts']],
  },
  bare: {
    does: 'Clones HEAD and runs the commands of the README and every cheap script there, as on a machine with Node and nothing else.',
    runs: [['tsx', 'scripts/bare.ts']],
  },
}

if (process.argv[1] === fileURLToPath(import.meta.url)) runNamed('campaign', campaigns, process.argv.slice(2))
