// Credentials are read from a request and verified before anything else of it is read.
import { isThenable, type PolicyRequest, type PolicyResult, type PolicySteps, problem } from '../../extend.ts'
import { codes } from './codes.ts'
import { readerOf, repetitionOf } from './credentials.ts'
import { type CrossSite, crossSiteRefusal } from './cross-site.ts'
import type { Need } from './types.ts'
import { forbidden, type Verifier, type VerifierContext } from './verifier.ts'

interface AcceptedScheme {
  readonly read: (request: PolicyRequest) => unknown
  readonly check: (credentials: unknown, asked: VerifierContext) => unknown
  readonly scopes: readonly string[]
  readonly crossSite: CrossSite | undefined
}

/** The decisions about a request so far. */
interface Decision {
  readonly anonymous: boolean
  readonly challenge: string
  /** Whether credentials were sent, and whether some were known but did not suffice. */
  readonly tried: boolean
  readonly forbidden: boolean
}

/** Makes the step that lets clients in. */
export function admission(
  needs: readonly Need[],
  verifiers: readonly Verifier[],
  realm: string,
): Required<Pick<PolicySteps, 'admission'>> {
  const ways = needs.flatMap((need): AcceptedScheme[] => {
    const found = need === null ? undefined : verifiers.find(({ scheme }) => scheme === need.scheme)
    if (need === null || found === undefined) return []
    const { scheme, scopes } = need
    const check = found.check as AcceptedScheme['check']
    return [{ read: readerOf(scheme), check, scopes, crossSite: scheme.crossSite }]
  })
  const repeated = needs.flatMap((need) => (need === null ? [] : [repetitionOf(need.scheme)]))
  const start = {
    anonymous: needs.includes(null),
    challenge: challengeOf(needs, realm),
    tried: false,
    forbidden: false,
  }
  return {
    admission: (request) =>
      // A proxy that forwards the request may have read the other one.
      repeated.some((isRepeated) => isRepeated(request))
        ? problem(codes.failures['repeated-credentials'])
        : enter(request, ways, 0, start),
  }
}

function enter(
  request: PolicyRequest,
  ways: readonly AcceptedScheme[],
  from: number,
  decision: Decision,
): PolicyResult | Promise<PolicyResult> {
  for (let i = from; i < ways.length; i++) {
    const way = ways[i] as AcceptedScheme
    const credentials = way.read(request)
    if (credentials === undefined) continue
    const refusal = way.crossSite === undefined ? undefined : crossSiteRefusal(request, way.crossSite)
    if (refusal) return refusal
    const { url, headers, action } = request
    const verdict = way.check(credentials, { scopes: way.scopes, url, headers, action })
    const judge = (one: unknown): PolicyResult | Promise<PolicyResult> => {
      if (one !== undefined && one !== null && one !== forbidden) return request.add('principal', one)
      const refused = decision.forbidden || one === forbidden
      return enter(request, ways, i + 1, { ...decision, tried: true, forbidden: refused })
    }
    return isThenable(verdict) ? verdict.then(judge) : judge(verdict)
  }
  if (decision.anonymous && !decision.tried) return undefined
  if (decision.forbidden) return problem(codes.failures.forbidden)
  const headers = { 'WWW-Authenticate': decision.challenge }
  return problem({ ...codes.failures.unauthorized, headers })
}

function challengeOf(needs: readonly Need[], realm: string): string {
  const quoted = `realm="${realm.replace(/[^\x20-\x7e]|["\\]/g, '')}"`
  const kinds = needs.flatMap((need) => {
    if (need === null) return []
    const { form } = need.scheme
    return form.type === 'apiKey' ? ['ApiKey'] : [form.type === 'http' && form.scheme === 'basic' ? 'Basic' : 'Bearer']
  })
  return [...new Set(kinds)].map((kind) => `${kind} ${quoted}`).join(', ')
}
