// Recording with the effect: the key is locked and the answer written in the transaction of the action, which is all or nothing.
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
import { createLostRecord, readRecord, createRecord } from './key-record.ts'
import { createUnavailable, buildStoreKey, createHeaderFilter, respondToKnownKey, type IdempotentAction, createKeyInUse } from './idempotent-action.ts'

interface LockedKey {
  readonly key: string
  readonly request: string
  readonly transaction: StoreTransaction
}

const LOCK_STATE = Symbol('idempotency')

/** The work of the policy in an action whose need is a transaction. */
export function createTransactionSteps(site: IdempotentAction): PolicySteps {
  const { store, settings, connection, streamTimeout: patience } = site
  const isOwn = createHeaderFilter(site.action)
  const within = store.within as NonNullable<Store['within']>
  const ready = createStoreWarmUp(store)
  const lock = async (request: PolicyRequest, key: string): Promise<PolicyResult> => {
    const fingerprint = await computeFingerprint(request)
    const keys = within(connection(request.get(settings.within as string)))
    const known = await ready()
      .then(() => lockKey(keys, key))
      .catch((error: unknown) => Promise.reject(createUnavailable(error)))
    if (known === null) return createKeyInUse()
    if (known !== undefined) return respondToKnownKey(readRecord(known), fingerprint)
    request.state[LOCK_STATE] = { key, request: fingerprint, transaction: keys } satisfies LockedKey
    return undefined
  }
  const record = async ({ key, transaction: keys, request }: LockedKey, response: OutgoingResponse): Promise<void> => {
    const recorded = (await createRecord(request, response, isOwn, patience)) ?? createLostRecord(request)
    if ((await keys.add(key, recorded, settings.keep)) === true) return
    throw new Refusal({ ...codes.failures['idempotency-key-in-use'], headers: { 'Retry-After': '1' } })
  }
  return {
    before(request) {
      const key = buildStoreKey(site, request)
      return key === undefined ? undefined : lock(request, key)
    },
    settle(response, request) {
      const own = request.state[LOCK_STATE] as LockedKey | undefined
      // A failed request is rolled back, and the client may repeat it with the same key.
      return own === undefined || response.status >= 400 ? undefined : record(own, response)
    },
  }
}

/** Locks a key and reads it; null when another transaction has it. */
async function lockKey(keys: StoreTransaction, key: string): Promise<string | null | undefined> {
  return (await keys.lock(key)) === true ? keys.get(key) : null
}

// A store may make its table when it is first used, which must not be part of a transaction. Once is enough: a request that
// has a connection and waits for another one could wait for itself.
function createStoreWarmUp(store: Store): () => Promise<unknown> {
  let used: Promise<unknown> | undefined
  return () => {
    used ??= Promise.resolve()
      // A store may throw as well as reject.
      .then(() => store.get('first use'))
      .catch((error: unknown) => {
        used = undefined
        throw error
      })
    return used
  }
}
