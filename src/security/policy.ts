// The security policy of an action, for documents, contracts, mocks and caches.
import {
  type AlternativeTerm,
  type Policy,
  type PolicyDocument,
  type PolicyResponse,
  policy,
  type Term,
} from '../extend.ts'
import { createAdmission } from './admit-client.ts'
import { codes } from './codes.ts'
import type { SchemeForm, SchemeRequirement, SecurityAlternative, SecurityScheme } from './types.ts'
import { verifier } from './verifier.ts'

/** Responses of actions that require credentials. */
const RESPONSES: readonly PolicyResponse[] = [
  { ...codes.failures.unauthorized, headers: ['WWW-Authenticate'] },
  codes.failures.forbidden,
]

/** Creates the policy of the given alternatives, tried in order; undefined if there are only anonymous clients. */
export function createSecurityPolicy(alternatives: readonly SecurityAlternative[]): Policy | undefined {
  const parts = alternatives.flatMap((need) => need ?? [])
  if (parts.length === 0) return undefined
  const carriers = [...new Set(parts.flatMap(({ scheme }) => getCarrierHeaders(scheme.form)))]
  return policy({
    name: 'security',
    plugin: 'security',
    readsSecrets: true,
    remedy: "add verifier(scheme, …) to the application's verifiers",
    settings: alternatives,
    reads: parts.flatMap(({ scheme: { form } }) => (form.type === 'apiKey' && form.in === 'query' ? [form.name] : [])),
    readsHeaders: carriers,
    secretHeaders: carriers,
    responses: RESPONSES,
    responseHeaders: buildCacheHeaders(parts.map(({ scheme }) => scheme.form)),
    document: (document) => ({ security: alternatives.map((need) => buildRequirement(need, document)) }),
    terms: { security: buildAlternativeTerms(alternatives) },
    mock: (mode, identify) =>
      createAdmission(
        mode === 'open' ? [...alternatives, null] : alternatives,
        parts.map(({ scheme }) => verifier<unknown, unknown>(scheme, identify)),
        'Mock',
      ),
  })
}

const AUTHORIZATION = 'Authorization'

/** Returns headers that prevent shared caching, because responses may differ by client. The action may override them. */
function buildCacheHeaders(forms: readonly SchemeForm[]): string[] {
  const carriers = new Set(forms.flatMap(getCarrierHeaders))
  return ['Cache-Control', 'private, no-store', ...[...carriers].flatMap((name) => ['Vary', name])]
}

// A key in the query is already part of the cache key.
function getCarrierHeaders(form: SchemeForm): string[] {
  if (form.type !== 'apiKey') return [AUTHORIZATION]
  if (form.in === 'query') return []
  return [form.in === 'cookie' ? 'Cookie' : form.name]
}

function buildRequirement(
  alternative: SecurityAlternative,
  document: PolicyDocument,
): Readonly<Record<string, readonly string[]>> {
  const parts = (alternative ?? []).map(({ scheme, scopes }) => {
    const { form, prefix, description } = scheme
    const hasHiddenPrefix = form.type === 'apiKey' && prefix !== undefined
    const words = description ?? (hasHiddenPrefix ? `The header is \`${prefix}\`, a space, and the key.` : undefined)
    const described = { ...form, ...(words !== undefined && { description: words }) }
    return [document.scheme(scheme, scheme.name, () => described), scopes] as const
  })
  return Object.fromEntries(parts)
}

// An alternative that is stricter than another admits no additional clients, and is dropped. `none` admits all clients.
function buildAlternativeTerms(alternatives: readonly SecurityAlternative[]): Extract<Term, { ways: unknown }> {
  const ways = alternatives.flatMap((need) => (need === null ? [] : [buildAlternativeTerm(need)]))
  const minimal = ways.filter((way, i) => !ways.some((other, j) => i !== j && isStricter(way, other, i > j)))
  const sorted = minimal.sort((a, b) => compareText(JSON.stringify(a), JSON.stringify(b)))
  return { ways: alternatives.includes(null) ? [...sorted, null] : sorted, words: { way: 'scheme', demands: 'scopes' } }
}

const compareText = (a: string, b: string): number => Number(a > b) - Number(a < b)

function buildAlternativeTerm(alternative: NonNullable<SecurityAlternative>): AlternativeTerm {
  const [first, ...along] = alternative
    .map(buildSchemeTerm)
    .sort((a, b) => compareText(JSON.stringify(a.form), JSON.stringify(b.form)))
  return { ...(first as AlternativeTerm), ...(along.length > 0 && { sentWith: along }) }
}

const buildSchemeTerm = ({ scheme, scopes }: SchemeRequirement): AlternativeTerm => ({
  name: scheme.name,
  form: buildComparedForm(scheme),
  described: ['bearerFormat', 'flows'],
  demands: [...new Set(scopes)].sort(compareText),
})

// RFC 9110, section 11.1: names of schemes are compared without regard to case.
const buildComparedForm = ({ form, prefix }: SecurityScheme): AlternativeTerm['form'] =>
  prefix !== undefined && (form.type === 'http' || form.type === 'apiKey')
    ? { ...form, scheme: prefix.toLowerCase() }
    : { ...form }

// Of equal alternatives, the first is kept.
function isStricter(way: AlternativeTerm, other: AlternativeTerm, isLater: boolean): boolean {
  const count = (all: AlternativeTerm): number =>
    countDemands(all.demands, ...(all.sentWith ?? []).map((one) => one.demands))
  return doesImply(way, other) && (isLater || count(way) > count(other))
}

const countDemands = (...lists: readonly (readonly string[])[]): number =>
  lists.reduce((sum, one) => sum + 1 + one.length, 0)

/** Returns whether satisfying `way` satisfies `other`, too. */
const doesImply = (way: AlternativeTerm, other: AlternativeTerm): boolean =>
  [other, ...(other.sentWith ?? [])].every((part) =>
    [way, ...(way.sentWith ?? [])].some(
      (one) => getSchemeKey(one) === getSchemeKey(part) && part.demands.every((each) => one.demands.includes(each)),
    ),
  )

const getSchemeKey = ({ name, form }: Pick<AlternativeTerm, 'name' | 'form'>): string => JSON.stringify([name, form])
