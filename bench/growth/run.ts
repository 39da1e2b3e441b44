// Measures how edict's cost grows with routes, attributes, items, depth and connections, and checks that it takes no steps.
// `npm run bench -- growth [--quick] [--json file] [--write]`; ends with 1 when a cost grows otherwise than it should.
import { CASES, type Case } from './cases.ts'
import { connectionCosts } from './connections.ts'
import { finish, options, type Report, short, type Table, type Verdict } from './report.ts'
import { type Timing, time } from './timing.ts'

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

/** How often a case is timed at most before a miss counts. */
const ATTEMPTS = 3

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
  // Other work on the machine only ever adds: what misses is timed again, and the lowest of all turns counts.
  let timings = time(title, timed, rounds)
  for (let attempt = 1; ; attempt++) {
    const found = growth === 'linear' ? linearly(title, sizes, timings) : flatly(title, sizes, timings)
    const judged = growth === 'linear' ? noStep(found, unit) : flat(found)
    if (judged.met || attempt === ATTEMPTS)
      return { tables: [table(found, unit, growth === 'linear')], verdicts: [judged], data: found }
    const again = time(`${title}, again`, timed, rounds)
    timings = timings.map((one, i) => ({ ...one, lowest: Math.min(one.lowest, again[i]!.lowest) }))
  }
}

function flatly(title: string, sizes: readonly number[], timings: readonly Timing[]): Found {
  const points = sizes.map((size, i): Point => {
    const { lowest, median } = timings[i]!
    return { size, lowest: lowest / 1000, median: median / 1000, unit: lowest / 1000 }
  })
  return { title, fixed: 0, points }
}

/** The first timing is that of nothing: the fixed part. */
function linearly(title: string, sizes: readonly number[], [nothing, ...timings]: readonly Timing[]): Found {
  const fixed = nothing!.lowest / 1000
  const { points } = flatly(title, sizes, timings)
  return { title, fixed, points: points.map((one) => ({ ...one, unit: (one.lowest - fixed) / one.size })) }
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

/** The most that a value rises from one size to the next, and the most that it falls. */
function steps(points: readonly Point[], value: (point: Point) => number): { rise: number; fall: number } {
  const ratios = points.slice(1).map((point, i) => value(point) / value(points[i]!))
  // A cost below the fixed part is noise that no ratio describes.
  if (ratios.some((ratio) => !(ratio > 0))) return { rise: Infinity, fall: Infinity }
  return { rise: Math.max(1, ...ratios), fall: Math.max(1, ...ratios.map((ratio) => 1 / ratio)) }
}

// A fall is told but not judged: it says that one unit needs something that none does not, which is then shared by more.
function noStep({ title, points }: Found, unit: string): Verdict {
  const { rise, fall } = steps(points, (point) => point.unit)
  const text = `${title}: from one size to the next the cost per ${unit} rises by ${rise.toFixed(2)} at most (at most ${STEP}), and falls by ${fall.toFixed(2)}`
  return { text, met: rise <= STEP }
}

function flat({ title, points }: Found): Verdict {
  const ratio = points.at(-1)!.lowest / points[0]!.lowest
  return {
    text: `${title}: with ${points.at(-1)!.size} the cost is ${ratio.toFixed(2)} times that with ${points[0]!.size} (at most ${STEP})`,
    met: ratio <= STEP,
  }
}

// More connections may make a request cheaper, since more is read and written at once.
function rising({ title, points }: Found): Verdict {
  const { rise } = steps(points, ({ lowest }) => lowest)
  const text = `${title}: from one size to the next the cost rises by ${rise.toFixed(2)} at most (at most ${STEP})`
  return { text, met: rise <= STEP }
}
