// Faults: what a datastore throws becomes what a client may know of it; the error itself goes into the log.
import { type Failure, type FailureCode, RefusedError } from '../../extend.ts'
import type { Datastore, Fault } from './query.ts'

const CODES: Readonly<Record<Fault, FailureCode>> = {
  value: 'unfit-value',
  conflict: 'conflict',
  unavailable: 'unavailable',
}

/** Seconds after which a client may ask a datastore again that could not answer. */
const RETRY_AFTER = '1'

/** Runs a part of a request in a datastore; faults that are not ours become refusals. */
export function guarded<V>(datastore: Datastore, work: () => Promise<V>): Promise<V> {
  try {
    return work().then(undefined, (error: unknown) => {
      throw refusal(datastore, error)
    })
  } catch (error) {
    return Promise.reject(refusal(datastore, error))
  }
}

function refusal(datastore: Datastore, error: unknown): unknown {
  if (error instanceof RefusedError) return error
  const fault = datastore.fault(error)
  return fault === undefined ? error : new RefusedError(failureOf(fault), { cause: error })
}

function failureOf(fault: Fault): Failure {
  const code = CODES[fault]
  return fault === 'unavailable' ? { code, headers: ['Retry-After', RETRY_AFTER] } : { code }
}

/** Tells whether a write was refused because another row stands in the way: its key exists, or something refers to it. */
export const isConflict = (error: unknown): boolean =>
  error instanceof RefusedError && error.failure.code === 'conflict'
