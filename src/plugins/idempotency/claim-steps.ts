// Records responses outside a transaction: a request claims its key before the action, and its response replaces the
// claim.
import type { OutgoingResponse, PolicyRequest, PolicyResult, PolicySteps } from '../../extend.ts'
import { computeFingerprint } from './fingerprint.ts'
import {
  buildStoreKey,
  createHeaderFilter,
  createKeyInUse,
  createUnavailable,
  type IdempotentAction,
  respondToKnownKey,
} from './idempotent-action.ts'
import { createClaim, createLostRecord, createRecord, readRecord } from './key-record.ts'

interface Claim {
  readonly key: string
  readonly request: string
  readonly claim: string
}

const CLAIM_STATE = Symbol('idempotency')

/** Creates the policy steps of an action whose effect is not in the store. */
export function createClaimSteps(context: IdempotentAction): PolicySteps {
  const { store, settings, streamTimeout } = context
  const isRecordedHeader = createHeaderFilter(context.action)
  const claim = async (request: PolicyRequest, key: string): Promise<PolicyResult> => {
    const fingerprint = await computeFingerprint(request)
    const claimText = createClaim(fingerprint)
    const known = await claimKey(context, key, claimText).catch((error: unknown) =>
      Promise.reject(createUnavailable(error)),
    )
    if (known !== 'claimed')
      return known === undefined ? createKeyInUse() : respondToKnownKey(readRecord(known), fingerprint)
    request.state[CLAIM_STATE] = { key, request: fingerprint, claim: claimText } satisfies Claim
    return undefined
  }
  const complete = async (claimed: Claim, response: OutgoingResponse, request: PolicyRequest): Promise<void> => {
    const write = (record: string): Promise<void> =>
      saveRecord(request, async () => store.set(claimed.key, record, settings.keep, claimed.claim))
    try {
      const record = await createRecord(claimed.request, response, isRecordedHeader, streamTimeout)
      if (record === undefined) request.warn({}, 'A response was not recorded: it is a stream that is too long')
      await write(record ?? createLostRecord(claimed.request))
    } catch (error) {
      // The effect has happened, and must not happen again.
      await write(createLostRecord(claimed.request))
      throw error
    }
  }
  return {
    // A request without a key does not wait.
    before(request) {
      const key = buildStoreKey(context, request)
      return key === undefined ? undefined : claim(request, key)
    },
    response(response, request) {
      const claimed = request.state[CLAIM_STATE] as Claim | undefined
      return claimed === undefined ? undefined : complete(claimed, response, request)
    },
  }
}

/** Claims a key, or returns its value. */
async function claimKey(
  { store, lease }: IdempotentAction,
  key: string,
  claim: string,
): Promise<'claimed' | string | undefined> {
  // Only `true` is a claim. With anything else, two requests could both have an effect.
  return (await store.set(key, claim, lease, null)) === true ? 'claimed' : store.get(key)
}

// The effect has happened, so the response is sent in any case. Until it expires, the claim blocks other requests.
async function saveRecord(request: PolicyRequest, write: () => Promise<boolean>): Promise<void> {
  try {
    if (!(await write())) request.warn({}, 'A response was not recorded: its key was claimed again meanwhile')
  } catch (err) {
    request.warn({ err }, 'A response was not recorded: the store does not respond')
  }
}
