// Recording beside the effect: a request claims its key before the action, and replaces the claim by its answer afterwards.
import type { PolicyRequest, PolicyResult, PolicySteps } from '../../extend.ts'
import { fingerprintOf } from './fingerprint.ts'
import { claimOf, readRecord, recordOf } from './record.ts'
import { down, keyOf, ownHeaders, repeated, type Site, underWay } from './site.ts'

interface Claim {
  readonly key: string
  readonly request: string
  readonly claim: string
}

const CLAIM = Symbol('idempotency')

/** The work of the policy in an action whose effect is not in the store. */
export function claiming(site: Site): PolicySteps {
  const { store, settings } = site
  const isOwn = ownHeaders(site.action)
  return {
    async before(request): Promise<PolicyResult> {
      const key = keyOf(site, request)
      if (key === undefined) return undefined
      const fingerprint = await fingerprintOf(request)
      const claim = claimOf(fingerprint)
      const known = await claimed(site, key, claim).catch((error: unknown) => Promise.reject(down(error)))
      if (known === 'claimed') {
        request.state[CLAIM] = { key, request: fingerprint, claim } satisfies Claim
        return undefined
      }
      return known === undefined ? underWay() : repeated(readRecord(known), fingerprint)
    },
    async answer(response, request): Promise<void> {
      const own = request.state[CLAIM] as Claim | undefined
      if (own === undefined) return
      const record = await recordOf(own.request, response, isOwn)
      await written(request, async () => store.set(own.key, record, settings.keep, own.claim))
    },
  }
}

/** Claims a key, or gives what is there. */
async function claimed({ store, lease }: Site, key: string, claim: string): Promise<'claimed' | string | undefined> {
  return (await store.set(key, claim, lease, null)) ? 'claimed' : store.get(key)
}

// The effect has happened: its answer goes out, and the claim keeps others away as long as it stands.
async function written(request: PolicyRequest, write: () => Promise<boolean>): Promise<void> {
  try {
    if (!(await write())) request.warn({}, 'An answer was not recorded: its key was claimed again meanwhile')
  } catch (err) {
    request.warn({ err }, 'An answer was not recorded: the store does not answer')
  }
}
