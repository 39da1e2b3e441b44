// Recording beside the effect: a request claims its key before the action, and replaces the claim by its answer afterwards.
import type { OutgoingResponse, PolicyRequest, PolicyResult, PolicySteps } from '../../extend.ts'
import { computeFingerprint } from './fingerprint.ts'
import { createClaim, createLostRecord, readRecord, createRecord } from './key-record.ts'
import { createUnavailable, buildStoreKey, createHeaderFilter, respondToKnownKey, type IdempotentAction, createKeyInUse } from './idempotent-action.ts'

interface Claim {
  readonly key: string
  readonly request: string
  readonly claim: string
}

const CLAIM_STATE = Symbol('idempotency')

/** The work of the policy in an action whose effect is not in the store. */
export function createClaimSteps(site: IdempotentAction): PolicySteps {
  const { store, settings, streamTimeout: patience } = site
  const isOwn = createHeaderFilter(site.action)
  const claim = async (request: PolicyRequest, key: string): Promise<PolicyResult> => {
    const fingerprint = await computeFingerprint(request)
    const own = createClaim(fingerprint)
    const known = await claimKey(site, key, own).catch((error: unknown) => Promise.reject(createUnavailable(error)))
    if (known !== 'claimed') return known === undefined ? createKeyInUse() : respondToKnownKey(readRecord(known), fingerprint)
    request.state[CLAIM_STATE] = { key, request: fingerprint, claim: own } satisfies Claim
    return undefined
  }
  const complete = async (own: Claim, response: OutgoingResponse, request: PolicyRequest): Promise<void> => {
    const write = (record: string): Promise<void> =>
      saveRecord(request, async () => store.set(own.key, record, settings.keep, own.claim))
    try {
      const record = await createRecord(own.request, response, isOwn, patience)
      if (record === undefined) request.warn({}, 'An answer was not recorded: it is a stream that is too long')
      await write(record ?? createLostRecord(own.request))
    } catch (error) {
      // The effect has happened, and must not happen again.
      await write(createLostRecord(own.request))
      throw error
    }
  }
  return {
    // A request without a key waits for nothing.
    before(request) {
      const key = buildStoreKey(site, request)
      return key === undefined ? undefined : claim(request, key)
    },
    answer(response, request) {
      const own = request.state[CLAIM_STATE] as Claim | undefined
      return own === undefined ? undefined : complete(own, response, request)
    },
  }
}

/** Claims a key, or gives what is there. */
async function claimKey({ store, lease }: IdempotentAction, key: string, claim: string): Promise<'claimed' | string | undefined> {
  // Only a plain true is a claim: with anything else, two requests could have one effect each.
  return (await store.set(key, claim, lease, null)) === true ? 'claimed' : store.get(key)
}

// The effect has happened: its answer goes out, and the claim keeps others away as long as it stands.
async function saveRecord(request: PolicyRequest, write: () => Promise<boolean>): Promise<void> {
  try {
    if (!(await write())) request.warn({}, 'An answer was not recorded: its key was claimed again meanwhile')
  } catch (err) {
    request.warn({ err }, 'An answer was not recorded: the store does not answer')
  }
}
