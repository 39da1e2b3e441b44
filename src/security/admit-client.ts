// Credentials are read from a request and verified before anything else of it is read.
import { isThenable, type PolicyRequest, type PolicyResult, type PolicySteps, problem } from '../extend.ts'
import { codes } from './codes.ts'
import { createCredentialReader, createRepetitionTest } from './credentials.ts'
import { type CrossSite, crossSiteRefusal } from './cross-site.ts'
import type { SecurityAlternative, SchemeRequirement } from './types.ts'
import { forbidden, type Verifier, type VerifierContext } from './verifier.ts'

interface AcceptedScheme {
  readonly read: (request: PolicyRequest) => unknown
  readonly check: (credentials: unknown, asked: VerifierContext) => unknown
  readonly scopes: readonly string[]
  /** What cookies of it say of requests from other sites. */
  readonly crossSite: readonly CrossSite[]
}

/** The decisions about a request so far. */
interface AdmissionState {
  readonly anonymous: boolean
  readonly challenge: string
  /** Whether credentials were sent, and whether some were known but did not suffice. */
  readonly tried: boolean
  readonly forbidden: boolean
}

/** Makes the step that lets clients in. */
export function createAdmission(
  needs: readonly SecurityAlternative[],
  verifiers: readonly Verifier[],
  realm: string,
): Required<Pick<PolicySteps, 'admission'>> {
  const ways = needs.flatMap((need): AcceptedScheme[] => {
    const parts = (need ?? []).flatMap((part) => findAcceptedScheme(part, verifiers))
    if (need === null || parts.length < need.length) return []
    const names = need.flatMap(({ name }) => name ?? [])
    return names.length === 0 ? parts : [combineSchemes(names, parts)]
  })
  const repeated = needs.flatMap((need) => (need ?? []).map(({ scheme }) => createRepetitionTest(scheme)))
  const start = {
    anonymous: needs.includes(null),
    challenge: buildChallenge(needs, realm),
    tried: false,
    forbidden: false,
  }
  return {
    admission: (request) =>
      // A proxy that forwards the request may have read the other one.
      repeated.some((isRepeated) => isRepeated(request))
        ? problem(codes.failures['repeated-credentials'])
        : admitClient(request, ways, 0, start),
  }
}

function findAcceptedScheme({ scheme, scopes }: SchemeRequirement, verifiers: readonly Verifier[]): AcceptedScheme[] {
  const found = verifiers.find((one) => one.scheme === scheme)
  if (found === undefined) return []
  const check = found.check as AcceptedScheme['check']
  return [
    { read: createCredentialReader(scheme), check, scopes, crossSite: scheme.crossSite === undefined ? [] : [scheme.crossSite] },
  ]
}

/** Schemes of which the credentials of all have to be there and valid; they are verified one after the other. */
function combineSchemes(names: readonly string[], parts: readonly AcceptedScheme[]): AcceptedScheme {
  return {
    read(request) {
      const sent = parts.map(({ read }) => read(request))
      return sent.every((one) => one === undefined) ? undefined : sent
    },
    async check(credentials, asked) {
      const sent = credentials as readonly unknown[]
      if (sent.includes(undefined)) return undefined
      const principals: (readonly [string, unknown])[] = []
      for (const [i, { check, scopes }] of parts.entries()) {
        const one = await check(sent[i], { ...asked, scopes })
        if (!isPrincipal(one)) return one
        principals.push([names[i] as string, one])
      }
      return Object.fromEntries(principals)
    },
    scopes: [],
    crossSite: parts.flatMap(({ crossSite }) => crossSite),
  }
}

// A check that returns whether credentials are valid must not let in those that are not: `false` is no principal. Nor is
// what a failed lookup gives: an empty value, or what a plain object inherits under the name that the client sent.
const isPrincipal = (verdict: unknown): boolean => !NON_PRINCIPALS.has(verdict) && typeof verdict !== 'function'

const NON_PRINCIPALS: ReadonlySet<unknown> = new Set([undefined, null, false, '', Number.NaN, Object.prototype, forbidden])

function admitClient(
  request: PolicyRequest,
  ways: readonly AcceptedScheme[],
  from: number,
  decision: AdmissionState,
): PolicyResult | Promise<PolicyResult> {
  for (let i = from; i < ways.length; i++) {
    const way = ways[i] as AcceptedScheme
    const credentials = way.read(request)
    if (credentials === undefined) continue
    for (const sites of way.crossSite) {
      const refusal = crossSiteRefusal(request, sites)
      if (refusal) return refusal
    }
    const { url, headers, action } = request
    const verdict = way.check(credentials, { scopes: way.scopes, url, headers, action })
    const judge = (one: unknown): PolicyResult | Promise<PolicyResult> => {
      if (isPrincipal(one)) return request.add('principal', one)
      const refused = decision.forbidden || one === forbidden
      return admitClient(request, ways, i + 1, { ...decision, tried: true, forbidden: refused })
    }
    return isThenable(verdict) ? verdict.then(judge) : judge(verdict)
  }
  if (decision.anonymous && !decision.tried) return undefined
  if (decision.forbidden) return problem(codes.failures.forbidden)
  const headers = { 'WWW-Authenticate': decision.challenge }
  return problem({ ...codes.failures.unauthorized, headers })
}

function buildChallenge(needs: readonly SecurityAlternative[], realm: string): string {
  const quoted = `realm="${realm.replace(/[^\x20-\x7e]|["\\]/g, '')}"`
  const kinds = needs
    .flatMap((need) => need ?? [])
    .map(({ scheme: { form } }) => {
      if (form.type === 'apiKey') return 'ApiKey'
      return form.type === 'http' && form.scheme === 'basic' ? 'Basic' : 'Bearer'
    })
  return [...new Set(kinds)].map((kind) => `${kind} ${quoted}`).join(', ')
}
