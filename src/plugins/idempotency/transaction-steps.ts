// Records responses in the transaction of the action: the key is locked, and the response is committed with the effect.
import {
  type OutgoingResponse,
  type PolicyRequest,
  type PolicyResult,
  type PolicySteps,
  Refusal,
} from '../../extend.ts'
import type { Store, StoreTransaction } from '../stores/index.ts'
import { codes } from './codes.ts'
import { computeFingerprint } from './fingerprint.ts'
import {
  buildStoreKey,
  createHeaderFilter,
  createKeyInUse,
  createUnavailable,
  type IdempotentAction,
  respondToKnownKey,
} from './idempotent-action.ts'
import { createLostRecord, createRecord, readRecord } from './key-record.ts'

interface LockedKey {
  readonly key: string
  readonly request: string
  readonly transaction: StoreTransaction
}

const LOCK_STATE = Symbol('idempotency')

/** Creates the policy steps of an action whose need is a transaction. */
export function createTransactionSteps(context: IdempotentAction): PolicySteps {
  const { store, settings, connection, streamTimeout } = context
  const isRecordedHeader = createHeaderFilter(context.action)
  const within = store.within as NonNullable<Store['within']>
  const warmUp = createStoreWarmUp(store)
  const lock = async (request: PolicyRequest, key: string): Promise<PolicyResult> => {
    const fingerprint = await computeFingerprint(request)
    const transaction = within(connection(request.get(settings.within as string)))
    const known = await warmUp()
      .then(() => lockKey(transaction, key))
      .catch((error: unknown) => Promise.reject(createUnavailable(error)))
    if (known === null) return createKeyInUse()
    if (known !== undefined) return respondToKnownKey(readRecord(known), fingerprint)
    request.state[LOCK_STATE] = { key, request: fingerprint, transaction } satisfies LockedKey
    return undefined
  }
  const record = async ({ key, transaction, request }: LockedKey, response: OutgoingResponse): Promise<void> => {
    const recorded =
      (await createRecord(request, response, isRecordedHeader, streamTimeout)) ?? createLostRecord(request)
    if ((await transaction.add(key, recorded, settings.keep)) === true) return
    throw new Refusal({ ...codes.failures['idempotency-key-in-use'], headers: { 'Retry-After': '1' } })
  }
  return {
    before(request) {
      const key = buildStoreKey(context, request)
      return key === undefined ? undefined : lock(request, key)
    },
    settle(response, request) {
      const lockedKey = request.state[LOCK_STATE] as LockedKey | undefined
      // A failed request is rolled back, and the client may repeat it with the same key.
      return lockedKey === undefined || response.status >= 400 ? undefined : record(lockedKey, response)
    },
  }
}

/** Locks a key and reads it; null if another transaction holds it. */
async function lockKey(transaction: StoreTransaction, key: string): Promise<string | null | undefined> {
  return (await transaction.lock(key)) === true ? transaction.get(key) : null
}

// A store may create its table on first use, which must not be part of a transaction. This happens once, because a
// request that holds a connection and waits for another could deadlock.
function createStoreWarmUp(store: Store): () => Promise<unknown> {
  let firstUse: Promise<unknown> | undefined
  return () => {
    firstUse ??= Promise.resolve()
      // A store may throw as well as reject.
      .then(() => store.get('first use'))
      .catch((error: unknown) => {
        firstUse = undefined
        throw error
      })
    return firstUse
  }
}
