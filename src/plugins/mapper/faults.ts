// Faults: an error of a datastore becomes a response without its details; the error itself goes into the log.
import { isRefusal, type ProblemInit, Refusal } from '../../extend.ts'
import { createContentionRefusal, UNAVAILABLE } from '../query/contention.ts'
import { codes } from './codes.ts'
import { UnfitValueError } from './plan/operand.ts'
import type { Datastore, Fault } from '../query/query.ts'

const PROBLEMS: Readonly<Record<Fault, ProblemInit>> = {
  value: codes.failures['unfit-value'],
  conflict: codes.failures.conflict,
  unavailable: UNAVAILABLE,
}

/** How often a write is tried while others add, change and remove the same element. */
const MAX_ATTEMPTS = 8

/** Tries a write until it is decided; attempts give undefined where another write came between their statements. */
export async function retryUntilDecided<V>(attempt: () => Promise<V | undefined>): Promise<V> {
  for (let round = 0; round < MAX_ATTEMPTS; round++) {
    const result = await attempt()
    if (result !== undefined) return result
  }
  throw createContentionRefusal()
}

/** Runs a part of a request in a datastore; faults that are not ours become refusals. */
export function translateFaults<V>(datastore: Datastore, work: () => Promise<V>): Promise<V> {
  try {
    return work().then(undefined, (error: unknown) => {
      throw toRefusal(datastore, error)
    })
  } catch (error) {
    return Promise.reject(toRefusal(datastore, error))
  }
}

/** The part of a datastore's error that a client may know; a fault of the server stays as it is. */
export function toRefusal(datastore: Datastore, error: unknown): unknown {
  if (isRefusal(error)) return error
  if (error instanceof UnfitValueError) return new Refusal(PROBLEMS.value, { cause: error })
  const fault = datastore.fault(error)
  return fault === undefined ? error : new Refusal(PROBLEMS[fault], { cause: error })
}

/**
 * Runs a transaction, or other work that is safe to run again: a few times where the datastore has certainly undone it, as
 * after a deadlock or a serialization failure. A datastore that still cannot is a 503 with `Retry-After`.
 */
export function retry<V>(datastore: Datastore, work: () => Promise<V>): Promise<V> {
  return translateFaults(datastore, () => datastore.retry?.(work) ?? work())
}

/** Returns whether a write failed because of another row: its key exists, or it refers to this one. */
export const isConflict = (error: unknown): boolean => isRefusal(error) && error.code === codes.failures.conflict.code
