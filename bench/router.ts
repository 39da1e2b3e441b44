// Measures the router: time per lookup, growth with the number of routes, growth with the length of hostile paths.
// `--short` looks only whether it runs.
import { compilePathPattern } from '../src/path/index.ts'
import {
  createRouter,
  type RouteEntry,
  type RouteMatch,
  type Router,
  readRouteCapture,
} from '../src/routing/router/router.ts'

const TURNS = process.argv.includes('--short') ? { lookups: 1, hostile: 1 } : { lookups: 40, hostile: 30 }
const WORDS = [
  'blogs',
  'posts',
  'authors',
  'comments',
  'tags',
  'users',
  'orders',
  'items',
  'carts',
  'prices',
  'events',
  'rooms',
]

/** Five routes per resource: list, create, show, update, and a collection below one member. */
function table(count: number): RouteEntry<number>[] {
  const entries: RouteEntry<number>[] = []
  for (let i = 0; entries.length < count; i++) {
    const name = `${WORDS[i % WORDS.length]}${i < WORDS.length ? '' : i}`
    const routes: [string, string][] = [
      ['GET', `/api/${name}`],
      ['POST', `/api/${name}`],
      ['GET', `/api/${name}/:id`],
      ['PATCH', `/api/${name}/:id`],
      ['GET', `/api/${name}/:id/${WORDS[(i + 1) % WORDS.length]}/:other`],
    ]
    for (const [verb, path] of routes) entries.push({ verb, pattern: compilePathPattern(path), value: entries.length })
  }
  return entries.slice(0, count)
}

interface Case {
  readonly name: string
  readonly make: (i: number) => string
}

// Each path is a fresh string, as a server sees it; what its making costs is measured and printed beside.
const CASES: readonly Case[] = [
  { name: 'static', make: (i) => `/api/${WORDS[i % 2]}` },
  { name: '1 param', make: (i) => `/api/${WORDS[i % 2]}/${i & 1023}` },
  { name: '2 params', make: (i) => `/api/${WORDS[i % 2]}/${i & 1023}/${WORDS[(i % 2) + 1]}/${i & 63}` },
  { name: 'miss', make: (i) => `/api/${WORDS[i % 2]}x/${i & 1023}` },
  { name: '1 param, encoded', make: (i) => `/api/${WORDS[i % 2]}/a%20b${i & 1023}` },
]

let sink = 0

/** The fastest of many short runs: what is left when the machine does nothing else. */
function nanoseconds(work: (i: number) => number, rounds: number, runs: number): number {
  let best = Number.POSITIVE_INFINITY
  for (let run = 0; run < runs; run++) {
    const start = process.hrtime.bigint()
    for (let i = 0; i < rounds; i++) sink += work(i)
    best = Math.min(best, Number(process.hrtime.bigint() - start) / rounds)
  }
  return best
}

function use(found: RouteMatch<number> | null): number {
  if (found === null) return 1
  let sum = found.value
  for (let i = 0; i < found.pattern.names.length; i++) sum += readRouteCapture(found, i)?.length ?? 0
  return sum
}

/** Time per lookup for each number of routes; the tables take turns, so that a busy machine disturbs all alike. */
function lookups({ name, make }: Case, routers: ReadonlyMap<number, Router<number>>): void {
  const best = new Map<number, number>()
  for (let turn = 0; turn < TURNS.lookups; turn++) {
    for (const [count, router] of routers) {
      const time = nanoseconds((i) => use(router.find('GET', make(i))), 20_000, 2)
      best.set(count, Math.min(best.get(count) ?? time, time))
    }
  }
  const making = nanoseconds((i) => make(i).charCodeAt(3), 20_000, TURNS.lookups)
  const times = [...best].map(([count, time]) => `${count}: ${time.toFixed(0)}`).join(', ')
  const growth = ((best.get(1000) ?? 0) / (best.get(10) ?? 1)).toFixed(2)
  console.log(
    `${name.padEnd(18)} ns by routes ${times}; the string alone ${making.toFixed(0)}; 1,000 against 10: ${growth}`,
  )
}

function hostile(name: string, router: Router<number>, make: (size: number) => string): void {
  const cases = [50_000, 100_000, 200_000].map((size) => ({ path: Buffer.from(make(size)).toString(), time: Infinity }))
  for (let turn = 0; turn < TURNS.hostile; turn++) {
    for (const each of cases)
      each.time = Math.min(
        each.time,
        nanoseconds(() => use(router.find('GET', each.path)), 1, 1),
      )
  }
  const ratios = cases.slice(1).map(({ time }, i) => (time / (cases[i]?.time ?? time)).toFixed(2))
  const figures = cases.map(({ time }) => (time / 1e6).toFixed(3)).join(' / ')
  console.log(`hostile ${name.padEnd(34)} 50/100/200 KB: ${figures} ms, ratios ${ratios.join(', ')}`)
}

function route(path: string): RouteEntry<number> {
  return { verb: 'GET', pattern: compilePathPattern(path), value: 1 }
}

const first = process.cpuUsage()
createRouter(table(200))
const { user, system } = process.cpuUsage(first)
console.log(`boot: the first 200 routes in ${((user + system) / 1000).toFixed(1)} ms of CPU, cold`)
const routers = new Map([10, 200, 1000].map((count) => [count, createRouter(table(count))]))
for (const each of CASES) lookups(each, routers)

const wild = createRouter([route('/*/x/*/y/*/z'), route('/:a/x/:b')])
hostile('/x/x/x… against /*/x/*/y/*/z', wild, (size) => '/x'.repeat(size / 2))
hostile('/xxxx… against the same', wild, (size) => `/${'x'.repeat(size)}`)
const deep = createRouter(
  ['a', ':p'].flatMap((one) =>
    ['a', ':q'].flatMap((two) =>
      ['a', ':r'].flatMap((three) => ['b', ':s'].map((four) => route(`/${one}/${two}/${three}/${four}/end`))),
    ),
  ),
)
hostile('/a/a/a… against 16 crossed routes', deep, (size) => '/a'.repeat(size / 2))
hostile('long segments against the same', deep, (size) => `/${'a'.repeat(size / 4)}`.repeat(4))
hostile('%2F%2F… against /:a/x/:b', wild, (size) => `/${'%2F'.repeat(size / 3)}`)

const boots = Array.from({ length: 8 }, () => {
  const before = process.cpuUsage()
  createRouter(table(1000))
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
})
console.log(`boot: 1,000 routes compiled and placed in ${Math.min(...boots).toFixed(1)} ms of CPU (best of 8)`)
if (Number.isNaN(sink)) console.log(sink)
