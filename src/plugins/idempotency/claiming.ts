// Recording beside the effect: a request claims its key before the action, and replaces the claim by its answer afterwards.
import type { OutgoingResponse, PolicyRequest, PolicyResult, PolicySteps } from '../../extend.ts'
import { fingerprintOf } from './fingerprint.ts'
import { claimOf, lostRecord, readRecord, recordOf } from './record.ts'
import { down, keyOf, ownHeaders, repeated, type Site, underWay } from './site.ts'

interface Claim {
  readonly key: string
  readonly request: string
  readonly claim: string
}

const CLAIM = Symbol('idempotency')

/** The work of the policy in an action whose effect is not in the store. */
export function claiming(site: Site): PolicySteps {
  const { store, settings, patience } = site
  const isOwn = ownHeaders(site.action)
  const claim = async (request: PolicyRequest, key: string): Promise<PolicyResult> => {
    const fingerprint = await fingerprintOf(request)
    const own = claimOf(fingerprint)
    const known = await claimed(site, key, own).catch((error: unknown) => Promise.reject(down(error)))
    if (known !== 'claimed') return known === undefined ? underWay() : repeated(readRecord(known), fingerprint)
    request.state[CLAIM] = { key, request: fingerprint, claim: own } satisfies Claim
    return undefined
  }
  const complete = async (own: Claim, response: OutgoingResponse, request: PolicyRequest): Promise<void> => {
    const write = (record: string): Promise<void> =>
      written(request, async () => store.set(own.key, record, settings.keep, own.claim))
    try {
      const record = await recordOf(own.request, response, isOwn, patience)
      if (record === undefined) request.warn({}, 'An answer was not recorded: it is a stream that is too long')
      await write(record ?? lostRecord(own.request))
    } catch (error) {
      // The effect has happened, and must not happen again.
      await write(lostRecord(own.request))
      throw error
    }
  }
  return {
    // A request without a key waits for nothing.
    before(request) {
      const key = keyOf(site, request)
      return key === undefined ? undefined : claim(request, key)
    },
    answer(response, request) {
      const own = request.state[CLAIM] as Claim | undefined
      return own === undefined ? undefined : complete(own, response, request)
    },
  }
}

/** Claims a key, or gives what is there. */
async function claimed({ store, lease }: Site, key: string, claim: string): Promise<'claimed' | string | undefined> {
  // Only a plain true is a claim: with anything else, two requests could have one effect each.
  return (await store.set(key, claim, lease, null)) === true ? 'claimed' : store.get(key)
}

// The effect has happened: its answer goes out, and the claim keeps others away as long as it stands.
async function written(request: PolicyRequest, write: () => Promise<boolean>): Promise<void> {
  try {
    if (!(await write())) request.warn({}, 'An answer was not recorded: its key was claimed again meanwhile')
  } catch (err) {
    request.warn({ err }, 'An answer was not recorded: the store does not answer')
  }
}
