// The policy that schemes make: the credentials of an action, as documents, contracts, mocks and caches see them.
import { type Policy, type PolicyDocument, type PolicyResponse, policy, type Term, type AlternativeTerm } from '../extend.ts'
import { createAdmission } from './admit-client.ts'
import { codes } from './codes.ts'
import type { SecurityAlternative, SchemeRequirement, SchemeForm } from './types.ts'
import { type Verifier, verifier } from './verifier.ts'

/** Responses of actions that ask clients for credentials. */
const RESPONSES: readonly PolicyResponse[] = [
  { ...codes.failures.unauthorized, headers: ['WWW-Authenticate'] },
  codes.failures.forbidden,
]

/** Makes the policy of the ways in, the first that fits being taken; undefined when anonymous clients are all there is. */
export function createSecurityPolicy(needs: readonly SecurityAlternative[]): Policy | undefined {
  const parts = needs.flatMap((need) => need ?? [])
  if (parts.length === 0) return undefined
  const carriers = [...new Set(parts.flatMap(({ scheme }) => getCarrierHeaders(scheme.form)))]
  return policy({
    name: 'security',
    plugin: 'security',
    readsSecrets: true,
    remedy: "add verifier(scheme, …) to the application's verifiers",
    settings: needs,
    reads: parts.flatMap(({ scheme: { form } }) => (form.type === 'apiKey' && form.in === 'query' ? [form.name] : [])),
    readsHeaders: carriers,
    secretHeaders: carriers,
    responses: RESPONSES,
    responseHeaders: buildCacheHeaders(parts.map(({ scheme }) => scheme.form)),
    document: (document) => ({ security: needs.map((need) => buildRequirement(need, document)) }),
    terms: { security: buildAlternativeTerms(needs) },
    mock: (mode) => createAdmission(mode === 'open' ? [...needs, null] : needs, parts.map(createOpenVerifier), 'Mock'),
  })
}

const createOpenVerifier = ({ scheme }: SchemeRequirement): Verifier => verifier(scheme, () => MOCK_PRINCIPAL)

/** The client that actions of a mock know when credentials were sent. */
const MOCK_PRINCIPAL: Readonly<Record<string, unknown>> = Object.freeze({ id: 1, name: 'Ada Lovelace' })

const AUTHORIZATION = 'Authorization'

/** Answers may differ from client to client: no cache keeps them, unless the action says otherwise. */
function buildCacheHeaders(forms: readonly SchemeForm[]): string[] {
  const carriers = new Set(forms.flatMap(getCarrierHeaders))
  return ['Cache-Control', 'private, no-store', ...[...carriers].flatMap((name) => ['Vary', name])]
}

// A key in the query is part of what caches go by already.
function getCarrierHeaders(form: SchemeForm): string[] {
  if (form.type !== 'apiKey') return [AUTHORIZATION]
  if (form.in === 'query') return []
  return [form.in === 'cookie' ? 'Cookie' : form.name]
}

function buildRequirement(need: SecurityAlternative, document: PolicyDocument): Readonly<Record<string, readonly string[]>> {
  const parts = (need ?? []).map(({ scheme, scopes }) => {
    const { form, description } = scheme
    const described = { ...form, ...(description !== undefined && { description }) }
    return [document.scheme(scheme, scheme.name, () => described), scopes] as const
  })
  return Object.fromEntries(parts)
}

// An alternative that requires more than another one admits no further clients; `none` admits everybody.
function buildAlternativeTerms(needs: readonly SecurityAlternative[]): Extract<Term, { ways: unknown }> {
  const ways = needs.flatMap((need) => (need === null ? [] : [buildAlternativeTerm(need)]))
  const least = ways.filter((way, i) => !ways.some((other, j) => i !== j && isStricter(way, other, i > j)))
  const sorted = least.sort((a, b) => compareText(JSON.stringify(a), JSON.stringify(b)))
  return { ways: needs.includes(null) ? [...sorted, null] : sorted, words: { way: 'scheme', demands: 'scopes' } }
}

const compareText = (a: string, b: string): number => Number(a > b) - Number(a < b)

function buildAlternativeTerm(need: NonNullable<SecurityAlternative>): AlternativeTerm {
  const [first, ...along] = need.map(buildSchemeTerm).sort((a, b) => compareText(JSON.stringify(a.form), JSON.stringify(b.form)))
  return { ...(first as AlternativeTerm), ...(along.length > 0 && { along }) }
}

const buildSchemeTerm = ({ scheme, scopes }: SchemeRequirement): AlternativeTerm => ({
  name: scheme.name,
  form: { ...scheme.form },
  described: ['bearerFormat', 'flows'],
  demands: [...new Set(scopes)].sort(compareText),
})

// Of equal ones, the first stays.
function isStricter(way: AlternativeTerm, other: AlternativeTerm, later: boolean): boolean {
  const demands = (all: AlternativeTerm): number => countDemands(all.demands, ...(all.along ?? []).map((one) => one.demands))
  return doesImply(way, other) && (later || demands(way) > demands(other))
}

const countDemands = (...lists: readonly (readonly string[])[]): number => lists.reduce((sum, one) => sum + 1 + one.length, 0)

/** Whether whoever meets a way meets the other one, too. */
const doesImply = (way: AlternativeTerm, other: AlternativeTerm): boolean =>
  [other, ...(other.along ?? [])].every((part) =>
    [way, ...(way.along ?? [])].some(
      (one) => getSchemeKey(one) === getSchemeKey(part) && part.demands.every((each) => one.demands.includes(each)),
    ),
  )

const getSchemeKey = ({ name, form }: Pick<AlternativeTerm, 'name' | 'form'>): string => JSON.stringify([name, form])
