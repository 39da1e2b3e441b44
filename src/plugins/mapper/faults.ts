// Faults: translates errors of a datastore to responses without details; the error itself is logged.
import { isRefusal, type ProblemInit, Refusal } from '../../extend.ts'
import { createContentionRefusal, UNAVAILABLE } from '../query/contention.ts'
import type { Datastore, Fault } from '../query/query.ts'
import { codes } from './codes.ts'
import { UnfitValueError } from './plan/operand.ts'

const PROBLEMS: Readonly<Record<Fault, ProblemInit>> = {
  value: codes.failures['unfit-value'],
  conflict: codes.failures.conflict,
  unavailable: UNAVAILABLE,
}

/** The maximum attempts of a write while others insert, update and delete the same element. */
const MAX_ATTEMPTS = 8

/** Retries a write until it succeeds or fails; an attempt returns undefined if another write interfered. */
export async function retryUntilDecided<V>(attempt: () => Promise<V | undefined>): Promise<V> {
  for (let round = 0; round < MAX_ATTEMPTS; round++) {
    const result = await attempt()
    if (result !== undefined) return result
  }
  throw createContentionRefusal()
}

/** Runs a part of a request in a datastore; errors that are not server errors become refusals. */
export function translateFaults<V>(datastore: Datastore, work: () => Promise<V>): Promise<V> {
  try {
    return work().then(undefined, (error: unknown) => {
      throw toRefusal(datastore, error)
    })
  } catch (error) {
    return Promise.reject(toRefusal(datastore, error))
  }
}

/** Converts a datastore's error to a refusal without details; returns a server error as it is. */
export function toRefusal(datastore: Datastore, error: unknown): unknown {
  if (isRefusal(error)) return error
  if (error instanceof UnfitValueError) return new Refusal(PROBLEMS.value, { cause: error })
  const fault = datastore.classifyError(error)
  return fault === undefined ? error : new Refusal(PROBLEMS[fault], { cause: error })
}

/**
 * Runs a transaction, or other work that is safe to repeat. Retries it a few times if the datastore has certainly rolled it
 * back, as after a deadlock or a serialization failure. If it still fails, the response is a 503 with `Retry-After`.
 */
export function retry<V>(datastore: Datastore, work: () => Promise<V>): Promise<V> {
  return translateFaults(datastore, () => datastore.retry?.(work) ?? work())
}

/** Returns whether a write failed because of another row: its key exists, or a reference is missing or in use. */
export const isConflict = (error: unknown): boolean => isRefusal(error) && error.code === codes.failures.conflict.code
