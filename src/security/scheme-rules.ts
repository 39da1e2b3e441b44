// Validates security schemes and builds their policy: the options of each kind, and the combination of several schemes.
// Front ends have `scheme-rules.browser.ts` in its place.
import { describeValue, form, type Policy, type Report, reportFlaws } from '../extend.ts'
import { describeLocation } from './credentials.ts'
import { createSecurityPolicy } from './policy.ts'
import {
  type ApiKeyOptions,
  type BearerOptions,
  type HttpOptions,
  isScheme,
  type OAuthOptions,
  type OpenIdConnectOptions,
  type SchemeOptions,
  type SchemeRequirement,
  type SecurityAlternative,
  type SecurityNeed,
  type SecurityScheme,
  type SecuritySet,
} from './types.ts'

const BASIC_FIELDS: form.Fields<SchemeOptions> = { description: form.text }
const BEARER_FIELDS: form.Fields<BearerOptions> = { ...BASIC_FIELDS, format: form.text }
const SCHEME_NAME: form.SettingForm = form.custom('the name of a scheme, such as Token', isToken)
// The credentials of these are decoded, or checked to be one token.
const OWN_FUNCTIONS: ReadonlySet<string> = new Set(['basic', 'bearer'])
const HTTP_FIELDS: form.Fields<HttpOptions> = {
  ...BASIC_FIELDS,
  scheme: form.required({
    ...SCHEME_NAME,
    check(value) {
      const own = typeof value === 'string' ? value.toLowerCase() : ''
      if (!OWN_FUNCTIONS.has(own)) return SCHEME_NAME.check(value)
      return [{ at: '', problem: `it is ${describeValue(value)}`, remedy: `declare it by security.${own}(…)` }]
    },
  }),
}
const API_KEY_FIELDS: form.Fields<ApiKeyOptions> = {
  ...BASIC_FIELDS,
  in: form.required(form.choice('header', 'query', 'cookie')),
  name: form.required(form.custom('the name of a header, a query parameter or a cookie', isToken)),
  crossSite: form.either(form.choice('refused', 'allowed'), form.list(form.custom('an origin', isOrigin))),
  scheme: SCHEME_NAME,
}
const OAUTH_FIELDS: form.Fields<OAuthOptions> = {
  ...BASIC_FIELDS,
  flows: form.required(
    form.object({
      implicit: form.structure,
      password: form.structure,
      clientCredentials: form.structure,
      authorizationCode: form.structure,
    }),
  ),
}
const OPENID_FIELDS: form.Fields<OpenIdConnectOptions> = {
  ...BASIC_FIELDS,
  url: form.required(form.custom('a URL', (value) => typeof value === 'string' && URL.canParse(value))),
}

function isOrigin(value: unknown): boolean {
  return typeof value === 'string' && URL.canParse(value) && new URL(value).origin === value
}

function isToken(value: unknown): boolean {
  return typeof value === 'string' && /^[\w!#$%&'*+.^`|~-]+$/.test(value)
}

const FIELDS_BY_KIND: Readonly<Record<string, form.Fields<SchemeOptions>>> = {
  bearer: BEARER_FIELDS,
  basic: BASIC_FIELDS,
  http: HTTP_FIELDS,
  apiKey: API_KEY_FIELDS,
  oauth2: OAUTH_FIELDS,
  openIdConnect: OPENID_FIELDS,
}

/** Validates the options of a kind of scheme. */
export function acceptScheme(kind: string, options: unknown): ReturnType<typeof form.accept<SchemeOptions>> {
  const accepted = form.accept<SchemeOptions>(options, FIELDS_BY_KIND[kind] as form.Fields<SchemeOptions>)
  const { in: location, name, scheme }: Partial<ApiKeyOptions> = accepted.value
  if (kind !== 'apiKey' || scheme === undefined) return accepted
  if (location === 'header' && name?.toLowerCase() === 'authorization') return accepted
  const remedy = "leave it out, or declare in: 'header', name: 'Authorization'"
  const flaw = { at: '.scheme', problem: 'only the header Authorization begins with the name of a scheme', remedy }
  return { ...accepted, flaws: [...accepted.flaws, flaw] }
}

/** The mistakes in the declaration of a scheme. */
interface FlawedScheme {
  readonly '~flaws'?: readonly form.Flaw[]
}

const isSecurityNeed = (value: unknown): value is SecurityNeed =>
  typeof value === 'object' && value !== null && 'scheme' in value && isScheme(value.scheme)

/** Builds the policy of all schemes of a `security` setting. */
export function buildPolicy(choices: readonly unknown[], path: string, report: Report): Policy | undefined {
  return createSecurityPolicy(choices.flatMap((choice) => resolveAlternative(choice, path, report)))
}

const SCOPES_FORM = form.list(form.name)

const isSecuritySet = (value: unknown): value is SecuritySet =>
  typeof value === 'object' && value !== null && 'parts' in value

function resolveAlternative(choice: unknown, path: string, report: Report): SecurityAlternative[] {
  if (choice === 'none') return [null]
  const parts = isSecuritySet(choice)
    ? resolveRequirements(choice.parts, path, report)
    : resolveRequirement(choice, path, report)
  return parts.length > 0 ? [parts] : []
}

function resolveRequirement(choice: unknown, path: string, report: Report): SchemeRequirement[] {
  const need = isScheme(choice) ? { scheme: choice, scopes: [] as readonly string[] } : choice
  if (!isSecurityNeed(need) || !checkScheme(path, need.scheme, report)) return []
  const flaws = SCOPES_FORM.check(need.scopes)
  reportFlaws(`${path}.scopes`, flaws, report)
  return flaws.length === 0 ? [{ scheme: need.scheme, scopes: need.scopes }] : []
}

const PARTS_FORM = form.record(
  form.custom('a scheme of security.bearer(…) and the like', (value) => isScheme(value) || isSecurityNeed(value)),
)

function resolveRequirements(declared: SecuritySet['parts'], path: string, report: Report): SchemeRequirement[] {
  const flaws = PARTS_FORM.check(declared)
  reportFlaws(path, flaws, report)
  if (flaws.length > 0) return []
  const parts = Object.entries(declared).flatMap(([name, one]) =>
    resolveRequirement(one, `${path}.${name}`, report).map((part) => ({ ...part, name })),
  )
  if (parts.length < 2) report(path, 'security.all has fewer than two schemes', 'name a single scheme by itself')
  for (const [i, { scheme, name }] of parts.entries()) {
    const other = parts.slice(0, i).find((one) => describeLocation(one.scheme) === describeLocation(scheme))
    if (other === undefined) continue
    const conflict = `${describeLocation(scheme)}, and a request has it once`
    report(
      path,
      `the credentials of ${other.name} and ${name} are both in the ${conflict}`,
      'name them as alternatives',
    )
  }
  return parts
}

/** Reports mistakes in the declaration of a scheme; returns false for one without a name. */
function checkScheme(path: string, scheme: SecurityScheme & FlawedScheme, report: Report): boolean {
  reportFlaws(path, scheme['~flaws'] ?? [], report)
  if (typeof scheme.name === 'string' && scheme.name.trim() !== '') return true
  report(path, `the name of a scheme is ${describeValue(scheme.name)}`, "name it, for example security.bearer('Token')")
  return false
}
