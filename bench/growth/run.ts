// Measures how edict's cost grows with routes, attributes, items, depth and connections, and checks that it takes no steps.
// `npm run bench:growth -- [--quick] [--json file] [--write]`; ends with 1 when a cost grows otherwise than it should.
import { CASES, type Case } from './cases.ts'
import { connectionCosts } from './connections.ts'
import { finish, options, type Report, short, type Table, type Verdict } from './report.ts'
import { time } from './timing.ts'

interface Point {
  readonly size: number
  /** Microseconds for one request, the lowest of the rounds: what is left when the machine does nothing else. */
  readonly lowest: number
  readonly median: number
  /** Microseconds for one unit, without the fixed part. */
  readonly unit: number
}

interface Found {
  readonly title: string
  readonly fixed: number
  readonly points: readonly Point[]
}

/** The most that neighbours may differ in their cost per unit, or in their cost where it should stay the same. */
const STEP = 1.5

const rounds = options.quick ? 60 : 200

const reports = CASES.filter(({ title }) => options.only === undefined || title.includes(options.only)).map(grow)
if (options.only === undefined) reports.push(await connections())
finish('growth', {
  tables: reports.flatMap(({ tables }) => tables),
  verdicts: reports.flatMap(({ verdicts }) => verdicts),
  data: reports.map(({ data }) => data),
})

function grow(one: Case): Report {
  const { title, unit, growth, sizes } = one
  const all = growth === 'linear' ? [0, ...sizes] : sizes
  const timed = all.map((size) => ({ name: String(size), work: one.work(size) }))
  const timings = time(title, timed, rounds).map(({ lowest, median }) => ({ lowest: lowest / 1000, median: median / 1000 }))
  const fixed = growth === 'linear' ? timings[0]!.lowest : 0
  const points = sizes.map((size, i): Point => {
    const { lowest, median } = timings[growth === 'linear' ? i + 1 : i]!
    return { size, lowest, median, unit: (lowest - fixed) / size }
  })
  const found: Found = { title, fixed, points }
  const judged = growth === 'linear' ? noStep(found, unit) : flat(found, unit)
  return { tables: [table(found, unit, growth === 'linear')], verdicts: [judged], data: found }
}

async function connections(): Promise<Report> {
  const title = 'Connections at once, over a socket'
  const points = (await connectionCosts(options.quick)).map(
    ({ size, lowest, median }): Point => ({ size, lowest, median, unit: lowest }),
  )
  const found: Found = { title, fixed: 0, points }
  return { tables: [table(found, 'request', false)], verdicts: [rising(found)], data: found }
}

function table({ title, fixed, points }: Found, unit: string, linear: boolean): Table {
  const rows = points.map(({ size, lowest, median, unit }) => [
    size.toLocaleString('en'),
    short(lowest),
    short(median),
    ...(linear ? [short(unit * 1000)] : []),
  ])
  const head = ['Size', 'µs per request, lowest', 'median', ...(linear ? [`ns per ${unit}`] : [])]
  return { title: linear ? `${title} (fixed part ${short(fixed)} µs)` : title, head, rows }
}

/** The neighbours that differ most, and by which factor. */
function widest(points: readonly Point[], value: (point: Point) => number): { factor: number; text: string } {
  let worst = { factor: 1, text: 'all alike' }
  for (const [i, point] of points.entries()) {
    const before = points[i - 1]
    if (before === undefined) continue
    const ratio = value(point) / value(before)
    const factor = ratio > 0 ? Math.max(ratio, 1 / ratio) : Infinity
    if (factor > worst.factor) worst = { factor, text: `from ${before.size} to ${point.size}` }
  }
  return worst
}

function noStep({ title, points }: Found, unit: string): Verdict {
  const { factor, text } = widest(points, ({ unit }) => unit)
  return {
    text: `${title}: the cost per ${unit} of neighbours differs by ${factor.toFixed(2)} at most (${text}; at most ${STEP})`,
    met: factor <= STEP,
  }
}

function flat({ title, points }: Found, unit: string): Verdict {
  const ratio = points.at(-1)!.lowest / points[0]!.lowest
  return {
    text: `${title}: with ${points.at(-1)!.size} the cost is ${ratio.toFixed(2)} times that with ${points[0]!.size} (at most ${STEP}, whatever the number of each ${unit})`,
    met: ratio <= STEP,
  }
}

// More connections may make a request cheaper, since more is read and written at once.
function rising({ title, points }: Found): Verdict {
  const rises = points.slice(1).map((point, i) => point.lowest / points[i]!.lowest)
  const most = Math.max(...rises)
  return { text: `${title}: the cost rises by ${most.toFixed(2)} at most between neighbours (at most ${STEP})`, met: most <= STEP }
}
