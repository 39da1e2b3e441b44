// Security schemes: declared once, named by actions. The application brings a verifier for each.
import { described, form, type Policy, type Report, reportFlaws } from '../../extend.ts'
import { seatOf } from './credentials.ts'
import type { CrossSite } from './cross-site.ts'
import { securityPolicy } from './policy.ts'
import {
  type BasicCredentials,
  isScheme,
  type Need,
  type Part,
  type SchemeForm,
  type SecurityNeed,
  type SecurityScheme,
  type SecuritySet,
} from './types.ts'

interface SchemeOptions {
  readonly description?: string
}

interface BearerOptions extends SchemeOptions {
  readonly format?: string
}

interface KeyOptions extends SchemeOptions {
  readonly in: 'header' | 'query' | 'cookie'
  readonly name: string
  /** With a cookie: whether pages of other sites may write: `'refused'`, which is the default, `'allowed'`, or their origins. */
  readonly crossSite?: CrossSite
}

interface FlowOptions extends SchemeOptions {
  readonly flows: Readonly<Record<string, object>>
}

interface ConnectOptions extends SchemeOptions {
  readonly url: string
}

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

/** Mistakes in the declaration of a scheme. */
interface Flawed {
  readonly '~flaws'?: readonly form.Flaw[]
}

// Mistakes are kept with the scheme until an application boots.
function maker<O extends SchemeOptions>(fields: form.Fields<O>, formOf: (options: O) => SchemeForm) {
  return <P, C>(name: string, given?: O): SecurityScheme<P, C> => {
    const { value, flaws } = form.accept<O>(given, fields)
    const made = {
      name,
      form: Object.freeze(formOf(value)),
      description: value.description,
      ...siteOf(value),
      '~security': policyOf,
      scopes: (...scopes: readonly string[]) =>
        Object.freeze({ scheme: made as never, scopes, '~security': policyOf }) as never,
      ...(flaws.length > 0 && { '~flaws': flaws }),
    }
    return Object.freeze(made) as unknown as SecurityScheme<P, C>
  }
}

// Browsers send cookies with whatever any page asks for; everything else has to be put into a request by hand.
const siteOf = (options: SchemeOptions & Partial<KeyOptions>): { readonly crossSite?: CrossSite } =>
  options.in === 'cookie' ? { crossSite: options.crossSite ?? 'refused' } : {}

/** How each kind of scheme is declared. */
interface SchemeMakers {
  /** A token in the header Authorization. */
  bearer<P>(name: string, options?: BearerOptions): SecurityScheme<P, string>
  /** A name and a password in the header Authorization. */
  basic<P>(name: string, options?: SchemeOptions): SecurityScheme<P, BasicCredentials>
  /** A key in a header, a query parameter or a cookie. */
  apiKey<P>(name: string, options: KeyOptions): SecurityScheme<P, string>
  /** A token in the header Authorization that clients get by OAuth 2. */
  oauth2<P>(name: string, options: FlowOptions): SecurityScheme<P, string>
  /** A token in the header Authorization that clients get by OpenID Connect. */
  openIdConnect<P>(name: string, options: ConnectOptions): SecurityScheme<P, string>
  /** Several schemes that a client has to satisfy together; the principal has that of each by its name. */
  all<const T extends SecuritySet['parts']>(parts: T): SecuritySet<{ readonly [N in keyof T]: T[N]['~principal'] }>
}

/** Declares security schemes; the type argument is the principal. */
export const security: SchemeMakers = Object.freeze({
  bearer: maker(BEARER, ({ format }) => ({
    type: 'http',
    scheme: 'bearer',
    ...(format !== undefined && { bearerFormat: format }),
  })),
  basic: maker(BASIC, () => ({ type: 'http', scheme: 'basic' })),
  apiKey: maker(KEY, (options) => ({ type: 'apiKey', in: options.in, name: options.name })),
  oauth2: maker(FLOWS, ({ flows }) => ({ type: 'oauth2', flows })),
  openIdConnect: maker(CONNECT, ({ url }) => ({ type: 'openIdConnect', openIdConnectUrl: url })),
  all: (parts) => Object.freeze({ parts, '~security': policyOf }) as never,
} satisfies SchemeMakers)

const isNeed = (value: unknown): value is SecurityNeed =>
  typeof value === 'object' && value !== null && 'scheme' in value && isScheme(value.scheme)

/** Makes the policy of all that stand in a setting `security` together. */
function policyOf(choices: readonly unknown[], place: string, report: Report): Policy | undefined {
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
