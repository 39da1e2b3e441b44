// The subjects of the micro benchmarks: ways to do one thing, whose results are checked before they are timed.
import assert from 'node:assert'
import type { Timed } from '../growth/timing.ts'

/** Ways to do the same. */
export interface Subject {
  readonly title: string
  readonly ways: readonly Timed[]
}

/** Makes a subject; every way has to come to the same result when it is brought into one shape. */
export function subject(title: string, ways: Readonly<Record<string, () => unknown>>, expected: unknown): Subject {
  for (const [name, work] of Object.entries(ways))
    assert.deepStrictEqual(plain(work()), plain(expected), `${title}: ${name} comes to another result`)
  return { title, ways: Object.entries(ways).map(([name, work]) => ({ name, work })) }
}

// Without prototypes and without names that have no value, which JSON does not know.
function plain(value: unknown): unknown {
  return value === undefined ? undefined : JSON.parse(JSON.stringify(value))
}

/** Calls with one after another of many texts, as a server sees another one each time. */
export function inTurn<T, R>(values: readonly T[], work: (value: T) => R): () => R {
  let at = 0
  return () => {
    at = at + 1 < values.length ? at + 1 : 0
    return work(values[at] as T)
  }
}
