// Authenticates requests: reads and verifies credentials before anything else of the request is read.
import { isThenable, type PolicyRequest, type PolicyResult, type PolicySteps, problem } from '../extend.ts'
import { codes } from './codes.ts'
import { createCredentialReader, createRepetitionTest } from './credentials.ts'
import { type CrossSite, crossSiteRefusal } from './cross-site.ts'
import type { SchemeRequirement, SecurityAlternative } from './types.ts'
import { forbidden, type Verifier, type VerifierContext } from './verifier.ts'

interface AcceptedScheme {
  readonly read: (request: PolicyRequest) => unknown
  readonly check: (credentials: unknown, context: VerifierContext) => unknown
  readonly scopes: readonly string[]
  /** The rules for writes from other sites, if the credentials are in a cookie. */
  readonly crossSite: readonly CrossSite[]
}

/** The state of the decision about a request. */
interface AdmissionState {
  readonly anonymous: boolean
  readonly challenge: string
  /** Whether credentials were sent. */
  readonly tried: boolean
  readonly forbidden: boolean
}

/** Receives the principal of a client that is admitted. */
type Admit = (request: PolicyRequest, principal: unknown) => void

/** The schemes of an action, tried in order. */
interface Admission {
  readonly schemes: readonly AcceptedScheme[]
  readonly admit: Admit
}

const addPrincipal: Admit = (request, principal) => request.add('principal', principal)

/** Creates the policy step that authenticates clients. */
export function createAdmission(
  alternatives: readonly SecurityAlternative[],
  verifiers: readonly Verifier[],
  realm: string,
): Required<Pick<PolicySteps, 'admission' | 'recheck'>> {
  const schemes = alternatives.flatMap((alternative): AcceptedScheme[] => {
    const parts = (alternative ?? []).flatMap((part) => findAcceptedScheme(part, verifiers))
    if (alternative === null || parts.length < alternative.length) return []
    const names = alternative.flatMap(({ name }) => name ?? [])
    return names.length === 0 ? parts : [combineSchemes(names, parts)]
  })
  const admission: Admission = { schemes, admit: addPrincipal }
  const repetitionTests = alternatives.flatMap((alternative) =>
    (alternative ?? []).map(({ scheme }) => createRepetitionTest(scheme)),
  )
  const initialState = {
    anonymous: alternatives.includes(null),
    challenge: buildChallenge(alternatives, realm),
    tried: false,
    forbidden: false,
  }
  return {
    admission(request) {
      // A proxy in front may have read the other value.
      if (repetitionTests.some((isRepeated) => isRepeated(request)))
        return problem(codes.failures['repeated-credentials'])
      return admitClient(request, admission, 0, initialState)
    },
    // The stream was opened for one principal, and shows only what that one may see.
    async recheck(request) {
      let principal: unknown
      const admit: Admit = (_, found) => {
        principal = found
      }
      const refusal = await admitClient(request, { schemes, admit }, 0, initialState)
      return refusal === undefined && isSamePrincipal(principal, request.principal)
    },
  }
}

function isSamePrincipal(a: unknown, b: unknown): boolean {
  const toText = (value: unknown): string | undefined =>
    JSON.stringify(value, (_, one: unknown) => (typeof one === 'bigint' ? String(one) : one))
  return a === b || toText(a) === toText(b)
}

function findAcceptedScheme({ scheme, scopes }: SchemeRequirement, verifiers: readonly Verifier[]): AcceptedScheme[] {
  const found = verifiers.find((one) => one.scheme === scheme)
  if (found === undefined) return []
  const check = found.check as AcceptedScheme['check']
  return [
    {
      read: createCredentialReader(scheme),
      check,
      scopes,
      crossSite: scheme.crossSite === undefined ? [] : [scheme.crossSite],
    },
  ]
}

/** Combines schemes that must all be satisfied; their credentials are verified in sequence. */
function combineSchemes(names: readonly string[], parts: readonly AcceptedScheme[]): AcceptedScheme {
  return {
    read(request) {
      const credentials = parts.map(({ read }) => read(request))
      return credentials.every((one) => one === undefined) ? undefined : credentials
    },
    async check(credentials, context) {
      const all = credentials as readonly unknown[]
      if (all.includes(undefined)) return undefined
      const principals: (readonly [string, unknown])[] = []
      for (const [i, { check, scopes }] of parts.entries()) {
        const principal = await check(all[i], { ...context, scopes })
        if (!isPrincipal(principal)) return principal
        principals.push([names[i] as string, principal])
      }
      return Object.fromEntries(principals)
    },
    scopes: [],
    crossSite: parts.flatMap(({ crossSite }) => crossSite),
  }
}

// A check may return whether credentials are valid: `false` is not a principal. Nor is the result of a failed lookup: an
// empty value, or what a plain object inherits under the name that the client sent.
const isPrincipal = (verdict: unknown): boolean => !NON_PRINCIPALS.has(verdict) && typeof verdict !== 'function'

const NON_PRINCIPALS: ReadonlySet<unknown> = new Set([
  undefined,
  null,
  false,
  '',
  Number.NaN,
  Object.prototype,
  forbidden,
])

function admitClient(
  request: PolicyRequest,
  admission: Admission,
  from: number,
  decision: AdmissionState,
): PolicyResult | Promise<PolicyResult> {
  const { schemes, admit } = admission
  for (let i = from; i < schemes.length; i++) {
    const scheme = schemes[i] as AcceptedScheme
    const credentials = scheme.read(request)
    if (credentials === undefined) continue
    for (const sites of scheme.crossSite) {
      const refusal = crossSiteRefusal(request, sites)
      if (refusal) return refusal
    }
    const verdict = scheme.check(credentials, createContext(request, scheme.scopes))
    const conclude = (result: unknown): PolicyResult | Promise<PolicyResult> => {
      if (isPrincipal(result)) return admit(request, result) as undefined
      const isForbidden = decision.forbidden || result === forbidden
      return admitClient(request, admission, i + 1, { ...decision, tried: true, forbidden: isForbidden })
    }
    return isThenable(verdict) ? verdict.then(conclude) : conclude(verdict)
  }
  if (decision.anonymous && !decision.tried) return undefined
  if (decision.forbidden) return problem(codes.failures.forbidden)
  const headers = { 'WWW-Authenticate': decision.challenge }
  return problem({ ...codes.failures.unauthorized, headers })
}

function createContext(request: PolicyRequest, scopes: readonly string[]): VerifierContext {
  const { method, url, target, scheme, headers, repeats, body, action } = request
  const expiresAt = (time: Date): void => request.recheckAt(time.getTime())
  return { scopes, method, url, target, scheme, headers, repeats, body, action, expiresAt }
}

function buildChallenge(alternatives: readonly SecurityAlternative[], realm: string): string {
  const quoted = `realm="${realm.replace(/[^\x20-\x7e]|["\\]/g, '')}"`
  const names = alternatives
    .flatMap((alternative) => alternative ?? [])
    .map(({ scheme: { prefix = 'ApiKey' } }) => prefix)
  const isFirst = (name: string, i: number): boolean =>
    names.findIndex((one) => one.toLowerCase() === name.toLowerCase()) === i
  return names
    .filter(isFirst)
    .map((name) => `${name} ${quoted}`)
    .join(', ')
}
