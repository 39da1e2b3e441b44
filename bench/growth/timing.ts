// Times functions in one process: in turns, so that a busy machine disturbs all of them alike.
import { median, progress } from './report.ts'

/** Something to time; what it returns is used, so that the engine cannot leave the work out. */
export interface Timed {
  readonly name: string
  readonly work: () => unknown
}

/** Nanoseconds for one call. */
export interface Timing {
  readonly name: string
  readonly lowest: number
  readonly median: number
}

let sink: unknown

// Shorter than what the system gives a process before another has its turn, so that some turns are not interrupted.
const MILLIS = 4

/** Times all of them in so many turns of a few milliseconds each. */
export function time(title: string, timed: readonly Timed[], rounds: number): Timing[] {
  progress(title)
  const calls = timed.map(({ work }) => callsIn(work))
  const samples: number[][] = timed.map(() => [])
  for (let round = 0; round < rounds; round++) {
    // Each round begins with another one, so that none always follows the same neighbour.
    for (let i = 0; i < timed.length; i++) {
      const at = (i + round) % timed.length
      samples[at]!.push(batch(timed[at]!.work, calls[at]!))
    }
  }
  return timed.map(({ name }, i) => ({ name, lowest: Math.min(...samples[i]!), median: median(samples[i]!) }))
}

/** How many calls fill the time, found out while the engine warms up. */
function callsIn(work: () => unknown): number {
  let calls = 1
  for (let spent = 0; spent < MILLIS * 10; ) {
    const each = batch(work, calls)
    spent += (each * calls) / 1e6
    calls = Math.max(1, Math.min(calls * 4, Math.round((MILLIS * 1e6) / each)))
  }
  return calls
}

function batch(work: () => unknown, calls: number): number {
  const start = process.hrtime.bigint()
  for (let i = 0; i < calls; i++) sink = work()
  const spent = Number(process.hrtime.bigint() - start)
  if (sink === batch) throw new Error('never')
  return spent / calls
}
