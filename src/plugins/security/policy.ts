// The policy that schemes make: the credentials of an action, as documents, contracts, mocks and caches see them.
import { type Policy, type PolicyDocument, type PolicyResponse, policy, type Term, type WayTerm } from '../../extend.ts'
import { admission } from './admission.ts'
import { codes } from './codes.ts'
import type { Need, SchemeForm } from './types.ts'
import { type Verifier, verifier } from './verifier.ts'

/** Responses of actions that ask clients for credentials. */
const RESPONSES: readonly PolicyResponse[] = [
  { ...codes.failures.unauthorized, headers: ['WWW-Authenticate'] },
  codes.failures.forbidden,
]

/** Makes the policy of the ways in, the first that fits being taken; undefined when anonymous clients are all there is. */
export function securityPolicy(needs: readonly Need[]): Policy | undefined {
  const ways = needs.filter((need) => need !== null)
  if (ways.length === 0) return undefined
  const carriers = [...new Set(ways.flatMap(({ scheme }) => carrierOf(scheme.form)))]
  return policy({
    name: 'security',
    plugin: 'security',
    remedy: "add verifier(scheme, …) to the application's verifiers",
    settings: needs,
    reads: ways.flatMap(({ scheme: { form } }) => (form.type === 'apiKey' && form.in === 'query' ? [form.name] : [])),
    readsHeaders: carriers,
    secretHeaders: carriers,
    responses: RESPONSES,
    answerHeaders: cacheHeaders(ways.map(({ scheme }) => scheme.form)),
    document: (document) => ({ security: needs.map((need) => requirement(need, document)) }),
    terms: { security: wayTerms(needs) },
    mock: (mode) => admission(mode === 'open' ? [...needs, null] : needs, ways.map(openVerifier), 'Mock'),
  })
}

const openVerifier = ({ scheme }: NonNullable<Need>): Verifier => verifier(scheme, () => MOCKED)

/** The client that actions of a mock know when credentials were sent. */
const MOCKED: Readonly<Record<string, unknown>> = Object.freeze({ id: 1, name: 'Ada Lovelace' })

const AUTHORIZATION = 'Authorization'

/** Answers may differ from client to client: no cache keeps them, unless the action says otherwise. */
function cacheHeaders(forms: readonly SchemeForm[]): string[] {
  const carriers = new Set(forms.flatMap(carrierOf))
  return ['Cache-Control', 'private, no-store', ...[...carriers].flatMap((name) => ['Vary', name])]
}

// A key in the query is part of what caches go by already.
function carrierOf(form: SchemeForm): string[] {
  if (form.type !== 'apiKey') return [AUTHORIZATION]
  if (form.in === 'query') return []
  return [form.in === 'cookie' ? 'Cookie' : form.name]
}

function requirement(need: Need, document: PolicyDocument): Readonly<Record<string, readonly string[]>> {
  if (need === null) return {}
  const { scheme, scopes } = need
  const { form, description } = scheme
  const described = { ...form, ...(description !== undefined && { description }) }
  return { [document.scheme(scheme, scheme.name, () => described)]: scopes }
}

// An alternative that requires more than another one of its scheme admits no further clients; `none` admits everybody.
function wayTerms(needs: readonly Need[]): Extract<Term, { ways: unknown }> {
  const ways = needs.flatMap((need) => (need === null ? [] : [wayTerm(need)]))
  const least = ways.filter((way, i) => !ways.some((other, j) => i !== j && isMore(way, other, i > j)))
  const sorted = least.sort((a, b) => byText(JSON.stringify(a), JSON.stringify(b)))
  return { ways: needs.includes(null) ? [...sorted, null] : sorted, words: { way: 'scheme', demands: 'scopes' } }
}

const byText = (a: string, b: string): number => Number(a > b) - Number(a < b)

const wayTerm = ({ scheme, scopes }: NonNullable<Need>): WayTerm => ({
  name: scheme.name,
  form: { ...scheme.form },
  described: ['bearerFormat', 'flows'],
  demands: [...new Set(scopes)].sort(byText),
})

// Of equal ones, the first stays.
function isMore(way: WayTerm, other: WayTerm, later: boolean): boolean {
  if (way.name !== other.name || !other.demands.every((one) => way.demands.includes(one))) return false
  return way.demands.length > other.demands.length || later
}
