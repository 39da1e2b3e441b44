// Measures lists against other frameworks: numbered pages and places, with and without the count of all, next to endpoints of
// Fastify and Hono with queries by hand through Drizzle. `tsx bench/lists/peers.ts [--rows n] [--engine name] [--rounds n]
// [--seconds s] [--write] [--json file] [--profile folder]` after a build; ends with 1 when a bound is broken.
import { writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { type Contestant, type Name, PEERS, start, TITLES } from './contestants.ts'
import { type Bench, type EngineName, OPEN } from './engines.ts'
import { type Cost, measure } from './measure.ts'
import { ENGINES, median, ratio, writeNotes } from './report.ts'

const { values: options } = parseArgs({
  options: {
    rows: { type: 'string', default: '100000' },
    engine: { type: 'string', multiple: true, default: ['sqlite', 'postgres'] },
    rounds: { type: 'string', default: '9' },
    seconds: { type: 'string', default: '1' },
    json: { type: 'string' },
    profile: { type: 'string' },
    write: { type: 'boolean', default: false },
  },
})

const NAMES: readonly Name[] = ['drizzle', 'kysely', 'raw', ...PEERS]
const WORKLOADS = ['page', 'page, count', 'cursor', 'cursor, count'] as const
type Workload = (typeof WORKLOADS)[number]

/** The page in the middle of what a client walks through by hand. */
const PAGE = 20
const ITEMS = 50
const [HAND, PEER] = [1.15, 0.8]

interface Result {
  readonly engine: EngineName
  readonly costs: readonly Cost[]
}

const results: Result[] = []
for (const engine of options.engine as EngineName[]) results.push(await contest(engine))

console.log(`\n${table()}\n`)
const judged = results.flatMap(verdicts)
for (const { text, holds } of judged) console.log(`${holds ? 'holds ' : 'BROKEN'} ${text}`)
if (options.write) writeNotes(table(), 'peers.ts')
if (options.json !== undefined) writeFileSync(options.json, `${JSON.stringify(results, null, 2)}\n`)
process.exitCode = judged.every(({ holds }) => holds) ? 0 : 1

async function contest(engine: EngineName): Promise<Result> {
  const bench: Bench = await OPEN[engine](Number(options.rows))
  const contestants: Contestant[] = []
  try {
    for (const name of NAMES) contestants.push(await start(name, engine, bench.url, options.profile))
    const paths = await findPaths(contestants)
    const costs = await measure(bench, contestants, paths, {
      rounds: Number(options.rounds),
      seconds: Number(options.seconds),
      title: engine,
    })
    return { engine, costs }
  } finally {
    for (const contestant of contestants) await contestant.stop()
    await bench.close()
  }
}

// --- what is asked for -----------------------------------------------------------------

function isPeer(name: Name): boolean {
  return (PEERS as readonly Name[]).includes(name)
}

/** The first request of a workload, in each contestant's own words. */
function firstPath(name: Name, workload: Workload): string {
  const order = 'order=-created_at,id'
  const [mode, counted] = [workload.startsWith('page') ? 'page' : 'cursor', workload.endsWith('count')]
  if (isPeer(name))
    return `/items?${order}&items=${ITEMS}${mode === 'page' ? `&page=${PAGE}` : ''}${counted ? '&count=true' : ''}`
  const part = mode === 'page' ? `page=${PAGE}` : 'by=created_at'
  return `/items?${order}&pagination=${part},items=${ITEMS}${counted ? ',total_count=true' : ''}`
}

/** Finds the path of each workload: a numbered page as it is, and the page that a link leads to after the first. */
async function findPaths(contestants: readonly Contestant[]): Promise<Record<Workload, ReadonlyMap<Name, string>>> {
  const paths: Partial<Record<Workload, ReadonlyMap<Name, string>>> = {}
  for (const workload of WORKLOADS) {
    const found = new Map<Name, string>()
    for (const contestant of contestants) {
      const path = firstPath(contestant.name, workload)
      const next = workload.startsWith('page') ? path : (await contestant.get(path)).links['next']
      if (next === undefined) throw new Error(`${contestant.name} gives no link from ${path}`)
      found.set(contestant.name, next)
    }
    await checkAnswers(contestants, found, workload)
    paths[workload] = found
  }
  return paths as Record<Workload, ReadonlyMap<Name, string>>
}

/** Everybody gives the same elements, the same count, and links of the same relations that lead to the same elements. */
async function checkAnswers(
  contestants: readonly Contestant[],
  paths: ReadonlyMap<Name, string>,
  workload: Workload,
): Promise<void> {
  const [page, count] = [workload.startsWith('page'), workload.endsWith('count')]
  const relations = ['first', 'prev', 'next', ...(page && count ? ['last'] : [])]
  let expected: string | undefined
  for (const contestant of contestants) {
    const path = paths.get(contestant.name) as string
    const { status, body, links, total } = await contestant.get(path)
    const tell = (problem: string) => new Error(`${contestant.name}, ${workload}: ${problem}`)
    if (status !== 200) throw tell(`${status} ${body.slice(0, 300)}`)
    if (Object.keys(links).join() !== relations.join()) throw tell(`links to ${Object.keys(links)}`)
    if (total !== (count ? options.rows : undefined)) throw tell(`the count is ${total}`)
    const around = await Promise.all(relations.map((relation) => contestant.get(links[relation] as string)))
    const all = JSON.stringify([body, ...around.map((one) => one.body)])
    expected ??= all
    if (all !== expected) throw tell('other elements')
    if ((JSON.parse(body) as unknown[]).length !== ITEMS) throw tell('another number of items')
  }
}

// --- what it comes to ------------------------------------------------------------------

function nodeCosts({ costs }: Result, name: Name, workload: Workload): readonly number[] {
  return (costs.find(({ contestant, place }) => contestant === name && place === workload) as Cost).node
}

/** The cost of a contestant compared to the peer with the lowest. */
function toBestPeer(result: Result, name: Name, workload: Workload): number {
  const own = nodeCosts(result, name, workload)
  return Math.max(...PEERS.map((peer) => ratio(own, nodeCosts(result, peer, workload))))
}

function table(): string {
  const head = ['Engine', 'Workload', 'Endpoint', 'CPU µs', 'to by hand', 'to the best peer']
  const lines = results.flatMap((result) =>
    WORKLOADS.flatMap((workload) =>
      NAMES.map((name) => [
        ENGINES[result.engine],
        workload,
        TITLES[name],
        median(nodeCosts(result, name, workload)).toFixed(0),
        ratio(nodeCosts(result, name, workload), nodeCosts(result, 'raw', workload)).toFixed(2),
        toBestPeer(result, name, workload).toFixed(2),
      ]),
    ),
  )
  return [head, head.map(() => '---'), ...lines].map((cells) => `| ${cells.join(' | ')} |`).join('\n')
}

function verdicts(result: Result): { readonly text: string; readonly holds: boolean }[] {
  return WORKLOADS.flatMap((workload) => {
    const title = `${ENGINES[result.engine]}, ${workload}`
    const hand = ratio(nodeCosts(result, 'drizzle', workload), nodeCosts(result, 'raw', workload))
    const peer = toBestPeer(result, 'drizzle', workload)
    return [
      { text: `${title}: ${hand.toFixed(2)} times the endpoint by hand (at most ${HAND})`, holds: hand <= HAND },
      { text: `${title}: ${peer.toFixed(2)} times the best peer (at most ${PEER})`, holds: peer <= PEER },
    ]
  })
}
