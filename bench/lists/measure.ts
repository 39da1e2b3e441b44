// Rounds of load: every contestant at every place in turn, each round beginning with another, so that none always follows
// the same neighbour.
import { load } from '../load.js'
import { type Paths, PLACES, type Place } from './checks.ts'
import { type Contestant, type Name, requestFor } from './contestants.ts'
import type { Bench } from './engines.ts'

/** What one contestant spends at one place, in microseconds per request, for each round. */
export interface Cost {
  readonly contestant: Name
  readonly place: Place
  readonly node: readonly number[]
  /** What the database's own processes spend. */
  readonly database: readonly number[]
}

export interface Rounds {
  readonly rounds: number
  readonly seconds: number
  readonly title: string
}

const CONNECTIONS = 8
const WARMUP = 3000

/** Measures all contestants at all places. */
export async function measure(
  bench: Bench,
  contestants: readonly Contestant[],
  paths: Paths,
  { rounds, seconds, title }: Rounds,
): Promise<Cost[]> {
  const runs = contestants.flatMap((contestant) =>
    PLACES.map((place) => ({ contestant, place, request: requestFor(paths[place].get(contestant.name) as string) })),
  )
  const costs = runs.map(({ contestant, place }) => ({
    contestant: contestant.name,
    place,
    node: [] as number[],
    database: [] as number[],
  }))
  const counts: number[] = []
  for (const { contestant, request } of runs) {
    await load(contestant.port, request, WARMUP, CONNECTIONS)
    const { seconds: taken } = await load(contestant.port, request, WARMUP, CONNECTIONS)
    counts.push(Math.max(200, Math.round((WARMUP / taken) * seconds)))
  }
  for (let round = 0; round < rounds; round++) {
    process.stderr.write(`\r${title}: round ${round + 1} of ${rounds}   `)
    for (let i = 0; i < runs.length; i++) {
      const at = (i + round) % runs.length
      const { contestant, request } = runs[at]!
      const before = [await contestant.cpu(), await bench.cpu(contestant.name)] as const
      await load(contestant.port, request, counts[at]!, CONNECTIONS)
      costs[at]!.node.push(((await contestant.cpu()) - before[0]) / counts[at]!)
      const database = await bench.cpu(contestant.name)
      costs[at]!.database.push(((database ?? 0) - (before[1] ?? 0)) / counts[at]!)
    }
  }
  process.stderr.write('\n')
  return costs
}
