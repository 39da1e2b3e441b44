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
import { fingerprintOf } from './fingerprint.ts'
import { lostRecord, readRecord, recordOf } from './record.ts'
import { down, keyOf, ownHeaders, repeated, type Site, underWay } from './site.ts'

interface Locked {
  readonly key: string
  readonly request: string
  readonly keys: StoreTransaction
}

const LOCKED = Symbol('idempotency')

/** The work of the policy in an action whose need is a transaction. */
export function transacted(site: Site): PolicySteps {
  const { store, settings, connection, patience } = site
  const isOwn = ownHeaders(site.action)
  const within = store.within as NonNullable<Store['within']>
  const ready = firstUse(store)
  const lock = async (request: PolicyRequest, key: string): Promise<PolicyResult> => {
    const fingerprint = await fingerprintOf(request)
    const keys = within(connection(request.get(settings.within as string)))
    const known = await ready()
      .then(() => locked(keys, key))
      .catch((error: unknown) => Promise.reject(down(error)))
    if (known === null) return underWay()
    if (known !== undefined) return repeated(readRecord(known), fingerprint)
    request.state[LOCKED] = { key, request: fingerprint, keys } satisfies Locked
    return undefined
  }
  const record = async ({ key, keys, request }: Locked, response: OutgoingResponse): Promise<void> => {
    const recorded = (await recordOf(request, response, isOwn, patience)) ?? lostRecord(request)
    if ((await keys.add(key, recorded, settings.keep)) === true) return
    throw new Refusal({ ...codes.failures['idempotency-key-in-use'], headers: { 'Retry-After': '1' } })
  }
  return {
    before(request) {
      const key = keyOf(site, request)
      return key === undefined ? undefined : lock(request, key)
    },
    settle(response, request) {
      const own = request.state[LOCKED] as Locked | undefined
      // A failed request is rolled back, and the client may repeat it with the same key.
      return own === undefined || response.status >= 400 ? undefined : record(own, response)
    },
  }
}

/** Locks a key and reads it; null when another transaction has it. */
async function locked(keys: StoreTransaction, key: string): Promise<string | null | undefined> {
  return (await keys.lock(key)) === true ? keys.get(key) : null
}

// A store may make its table when it is first used, which must not be part of a transaction. Once is enough: a request that
// has a connection and waits for another one could wait for itself.
function firstUse(store: Store): () => Promise<unknown> {
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
