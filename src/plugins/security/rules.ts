// The rules of security schemes: which options they take, what several in one setting mean together, and what is wrong there.
import { described, form, type Policy, type Report, reportFlaws } from '../../extend.ts'
import { seatOf } from './credentials.ts'
import { securityPolicy } from './policy.ts'
import type { BearerOptions, ConnectOptions, FlowOptions, KeyOptions, SchemeOptions } from './scheme.ts'
import { isScheme, type Need, type Part, type SecurityNeed, type SecurityScheme, type SecuritySet } from './types.ts'

const BASIC: form.Fields<SchemeOptions> = { description: form.text }
const BEARER: form.Fields<BearerOptions> = { ...BASIC, format: form.text }
const KEY: form.Fields<KeyOptions> = {
  ...BASIC,
  in: form.required(form.choice('header', 'query', 'cookie')),
  name: form.required(form.tested('the name of a header, a query parameter or a cookie', isToken)),
  crossSite: form.either(form.choice('refused', 'allowed'), form.list(form.tested('an origin', isOrigin))),
}
const FLOWS: form.Fields<FlowOptions> = {
  ...BASIC,
  flows: form.required(
    form.object({
      implicit: form.structure,
      password: form.structure,
      clientCredentials: form.structure,
      authorizationCode: form.structure,
    }),
  ),
}
const CONNECT: form.Fields<ConnectOptions> = {
  ...BASIC,
  url: form.required(form.tested('a URL', (value) => typeof value === 'string' && URL.canParse(value))),
}

function isOrigin(value: unknown): boolean {
  return typeof value === 'string' && URL.canParse(value) && new URL(value).origin === value
}

function isToken(value: unknown): boolean {
  return typeof value === 'string' && /^[\w!#$%&'*+.^`|~-]+$/.test(value)
}

const BY_KIND: Readonly<Record<string, form.Fields<SchemeOptions>>> = {
  bearer: BEARER,
  basic: BASIC,
  apiKey: KEY,
  oauth2: FLOWS,
  openIdConnect: CONNECT,
}

/** Accepts the options of a kind of scheme. */
export const acceptScheme = (kind: string, given: unknown): ReturnType<typeof form.accept<SchemeOptions>> =>
  form.accept<SchemeOptions>(given, BY_KIND[kind] as form.Fields<SchemeOptions>)

/** Mistakes in the declaration of a scheme. */
interface Flawed {
  readonly '~flaws'?: readonly form.Flaw[]
}

const isNeed = (value: unknown): value is SecurityNeed =>
  typeof value === 'object' && value !== null && 'scheme' in value && isScheme(value.scheme)

/** Makes the policy of all that stand in a setting `security` together. */
export function policyOf(choices: readonly unknown[], place: string, report: Report): Policy | undefined {
  return securityPolicy(choices.flatMap((choice) => needOf(choice, place, report)))
}

const SCOPES = form.list(form.name)

const isSet = (value: unknown): value is SecuritySet => typeof value === 'object' && value !== null && 'parts' in value

function needOf(choice: unknown, place: string, report: Report): Need[] {
  if (choice === 'none') return [null]
  const parts = isSet(choice) ? partsOf(choice.parts, place, report) : partOf(choice, place, report)
  return parts.length > 0 ? [parts] : []
}

function partOf(choice: unknown, place: string, report: Report): Part[] {
  const need = isScheme(choice) ? { scheme: choice, scopes: [] as readonly string[] } : choice
  if (!isNeed(need) || !isNamed(place, need.scheme, report)) return []
  const flaws = SCOPES.check(need.scopes)
  reportFlaws(`${place}.scopes`, flaws, report)
  return flaws.length === 0 ? [{ scheme: need.scheme, scopes: need.scopes }] : []
}

const PARTS = form.record(
  form.tested('a scheme of security.bearer(…) and the like', (value) => isScheme(value) || isNeed(value)),
)

function partsOf(given: SecuritySet['parts'], place: string, report: Report): Part[] {
  const flaws = PARTS.check(given)
  reportFlaws(place, flaws, report)
  if (flaws.length > 0) return []
  const parts = Object.entries(given).flatMap(([name, one]) =>
    partOf(one, `${place}.${name}`, report).map((part) => ({ ...part, name })),
  )
  if (parts.length < 2) report(place, 'security.all has fewer than two schemes', 'name a single scheme by itself')
  for (const [i, { scheme, name }] of parts.entries()) {
    const other = parts.slice(0, i).find((one) => seatOf(one.scheme) === seatOf(scheme))
    if (other === undefined) continue
    const seat = `${seatOf(scheme)}, and a request has it once`
    report(place, `the credentials of ${other.name} and ${name} are both in the ${seat}`, 'name them as alternatives')
  }
  return parts
}

/** Reports what is wrong with the declaration of a scheme; false for one without a name. */
function isNamed(place: string, scheme: SecurityScheme & Flawed, report: Report): boolean {
  reportFlaws(place, scheme['~flaws'] ?? [], report)
  if (typeof scheme.name === 'string' && scheme.name.trim() !== '') return true
  report(place, `the name of a scheme is ${described(scheme.name)}`, "name it, for example security.bearer('Token')")
  return false
}
