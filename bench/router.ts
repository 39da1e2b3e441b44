// Measures the router: time per lookup, growth with the number of routes, growth with the length of hostile paths.
// Run: npx tsx bench/router.ts
import { compilePattern } from '../src/path/index.ts'
import { captured, createRouter, type Found, type RouteEntry, type Router } from '../src/routing/router.ts'

const WORDS = ['blogs', 'posts', 'authors', 'comments', 'tags', 'users', 'orders', 'items', 'carts', 'prices', 'events', 'rooms']

/** Five routes per resource: list, create, show, update, and a collection below one member. */
function table(count: number): RouteEntry<number>[] {
  const entries: RouteEntry<number>[] = []
  for (let i = 0; entries.length < count; i++) {
    const name = `${WORDS[i % WORDS.length]}${i < WORDS.length ? '' : i}`
    const routes: [string, string][] = [['GET', `/api/${name}`], ['POST', `/api/${name}`], ['GET', `/api/${name}/:id`], ['PATCH', `/api/${name}/:id`], ['GET', `/api/${name}/:id/${WORDS[(i + 1) % WORDS.length]}/:other`]]
    for (const [verb, path] of routes) entries.push({ verb, pattern: compilePattern(path), value: entries.length })
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

function nanoseconds(work: (i: number) => number, rounds: number): number {
  let best = Number.POSITIVE_INFINITY
  for (let run = 0; run < 9; run++) {
    const start = process.hrtime.bigint()
    for (let i = 0; i < rounds; i++) sink += work(i)
    best = Math.min(best, Number(process.hrtime.bigint() - start) / rounds)
  }
  return best
}

function use(found: Found<number> | null): number {
  if (found === null) return 1
  let sum = found.value
  for (let i = 0; i < found.pattern.names.length; i++) sum += captured(found, i)?.length ?? 0
  return sum
}

function lookups(count: number): Map<string, number> {
  const router = createRouter(table(count))
  const times = new Map<string, number>()
  for (const { name, make } of CASES) {
    const total = nanoseconds((i) => use(router.find('GET', make(i))), 300_000)
    const making = nanoseconds((i) => make(i).charCodeAt(3), 300_000)
    times.set(name, total)
    console.log(`${String(count).padStart(5)} routes  ${name.padEnd(18)} ${total.toFixed(0).padStart(5)} ns, of which the string ${making.toFixed(0).padStart(4)} ns`)
  }
  return times
}

function hostile(name: string, router: Router<number>, make: (size: number) => string): void {
  const times = [50_000, 100_000, 200_000].map((size) => nanoseconds(() => use(router.find('GET', make(size))), 3) / 1e6)
  const ratios = times.slice(1).map((time, i) => (time / (times[i] ?? time)).toFixed(2))
  console.log(`hostile ${name.padEnd(34)} 50/100/200 KB: ${times.map((time) => time.toFixed(2)).join(' / ')} ms, ratios ${ratios.join(', ')}`)
}

function route(path: string): RouteEntry<number> {
  return { verb: 'GET', pattern: compilePattern(path), value: 1 }
}

const ten = lookups(10)
lookups(200)
const thousand = lookups(1000)
for (const { name } of CASES) console.log(`1,000 against 10 routes  ${name.padEnd(18)} ${((thousand.get(name) ?? 0) / (ten.get(name) ?? 1)).toFixed(2)}`)

const wild = createRouter([route('/*/x/*/y/*/z'), route('/:a/x/:b')])
hostile('/x/x/x… against /*/x/*/y/*/z', wild, (size) => '/x'.repeat(size / 2))
hostile('/xxxx… against the same', wild, (size) => `/${'x'.repeat(size)}`)
const deep = createRouter(['a', ':p'].flatMap((one) => ['a', ':q'].flatMap((two) => ['a', ':r'].flatMap((three) => ['b', ':s'].map((four) => route(`/${one}/${two}/${three}/${four}/end`))))))
hostile('/a/a/a… against 16 crossed routes', deep, (size) => '/a'.repeat(size / 2))
hostile('long segments against the same', deep, (size) => `/${'a'.repeat(size / 4)}`.repeat(4))
hostile('%2F%2F… against /:a/x/:b', wild, (size) => `/${'%2F'.repeat(size / 3)}`)

const started = process.hrtime.bigint()
createRouter(table(1000))
console.log(`boot: 1,000 routes compiled and placed in ${(Number(process.hrtime.bigint() - started) / 1e6).toFixed(1)} ms (warm)`)
if (Number.isNaN(sink)) console.log(sink)
