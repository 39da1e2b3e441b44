// What integers and numbers share: the check of their limits, and an example within them.
import type { Bounds } from './checks.ts'
import type { ExampleSeed } from './example.ts'
import type { Reporter } from './issue.ts'

/** Makes the check of a number's limits. */
export function checkOf({
  min = Number.NEGATIVE_INFINITY,
  max = Number.POSITIVE_INFINITY,
}: Bounds): (value: number, reporter: Reporter) => boolean {
  return function checkNumber(value: number, reporter: Reporter): boolean {
    if (value < min) reporter.fail('min', { limit: min })
    else if (value > max) reporter.fail('max', { limit: max })
    else return true
    return false
  }
}

/** A small number that keeps to the limits. */
export function exampleNumber({ min, max }: Bounds, seed: ExampleSeed): number {
  const least = Math.ceil(min ?? Math.min(1, max ?? 1))
  const most = Math.floor(Math.min(max ?? least + 99, least + 99))
  return most < least ? (min ?? 0) : least + seed.pick(most - least + 1)
}
