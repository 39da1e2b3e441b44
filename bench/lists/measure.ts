// Rounds of load: every contestant at every place in turn, each round beginning with another, so that none always follows
// the same neighbour.
import { load } from '../load.js'
import { type Contestant, type Name, requestFor } from './contestants.ts'
import type { Bench } from './engines.ts'

/** The CPU time of one contestant at one place, in microseconds per request, for each round. */
export interface Cost {
  readonly contestant: Name
  readonly place: string
  readonly node: readonly number[]
  /** The CPU time of the database's own processes. */
  readonly database: readonly number[]
}

export interface Rounds {
  readonly rounds: number
  readonly seconds: number
  readonly title: string
}

const CONNECTIONS = 8

/** The warm-up of a contestant at a place: so many requests, or as many as so many seconds allow. */
const [WARMUP, LONGEST, SLICE] = [9000, 5, 300]

/** Warms a contestant up, and tells how many requests it takes in a second. */
async function warmed(port: number, request: Buffer): Promise<number> {
  let [sent, spent, last] = [0, 0, 0]
  while (sent < WARMUP && spent < LONGEST) {
    const { seconds } = await load({ port, asks: [{ request, status: 200 }], count: SLICE, connections: CONNECTIONS })
    sent += SLICE
    spent += seconds
    last = seconds
  }
  return SLICE / last
}

/** The path of the page at each place, for each contestant. */
type Paths = Readonly<Record<string, ReadonlyMap<Name, string>>>

/** Measures all contestants at all places. */
export async function measure(
  bench: Bench,
  contestants: readonly Contestant[],
  paths: Paths,
  { rounds, seconds, title }: Rounds,
): Promise<Cost[]> {
  // Those that are compared follow one another: a machine's speed changes by the second.
  const runs = Object.entries(paths).flatMap(([place, path]) =>
    contestants.map((contestant) => ({
      contestant,
      place,
      request: requestFor(path.get(contestant.name) as string),
    })),
  )
  const costs = runs.map(({ contestant, place }) => ({
    contestant: contestant.name,
    place,
    node: [] as number[],
    database: [] as number[],
  }))
  const counts: number[] = []
  for (const { contestant, request } of runs) {
    const rate = await warmed(contestant.port, request)
    counts.push(Math.max(50, Math.round(rate * seconds)))
  }
  for (let round = 0; round < rounds; round++) {
    process.stderr.write(`\r${title}: round ${round + 1} of ${rounds}   `)
    for (let i = 0; i < runs.length; i++) {
      const at = (i + round) % runs.length
      const { contestant, request } = runs[at]!
      const before = [await contestant.cpu(), await bench.cpu(contestant.name)] as const
      await load({
        port: contestant.port,
        asks: [{ request, status: 200 }],
        count: counts[at]!,
        connections: CONNECTIONS,
      })
      costs[at]!.node.push(((await contestant.cpu()) - before[0]) / counts[at]!)
      const database = await bench.cpu(contestant.name)
      costs[at]!.database.push(((database ?? 0) - (before[1] ?? 0)) / counts[at]!)
    }
  }
  process.stderr.write('\n')
  return costs
}
