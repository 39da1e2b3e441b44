// Security schemes: declared once, named by actions. The application brings a verifier for each.
import { type form, type Late, type Policy, requireLate, type Report } from '../extend.ts'
import type { CrossSite } from './cross-site.ts'
import type { BasicCredentials, SchemeForm, SecurityScheme, SecuritySet } from './types.ts'

/** Options of every scheme. */
export interface SchemeOptions {
  readonly description?: string
}

/** Options of a token. */
export interface BearerOptions extends SchemeOptions {
  readonly format?: string
}

/** Options of a key. */
export interface ApiKeyOptions extends SchemeOptions {
  readonly in: 'header' | 'query' | 'cookie'
  readonly name: string
  /** With a cookie: whether pages of other sites may write: `'refused'`, which is the default, `'allowed'`, or their origins. */
  readonly crossSite?: CrossSite
}

/** Options of OAuth 2. */
export interface OAuthOptions extends SchemeOptions {
  readonly flows: Readonly<Record<string, object>>
}

/** Options of OpenID Connect. */
export interface OpenIdConnectOptions extends SchemeOptions {
  readonly url: string
}

/** The part of security that servers alone have: the checks of declarations, and the policies that schemes make. */
interface SchemeRules {
  /** The options of a scheme that are of the right form, and the flaws of the others. */
  accept(kind: string, given: unknown): { readonly value: SchemeOptions; readonly flaws: readonly form.Flaw[] }
  /** Makes the policy of all that stand in a setting `security` together. */
  buildPolicy(choices: readonly unknown[], place: string, report: Report): Policy | undefined
}

/** The checks and policies of schemes; without them, no action that names a scheme is served. */
export const schemeRules: Late<SchemeRules> = {}

const buildSchemePolicy: SchemeRules['buildPolicy'] = (...given) => requireLate(schemeRules).buildPolicy(...given)

// Mistakes are kept with the scheme until an application boots.
function createSchemeMaker<O extends SchemeOptions>(kind: string, formOf: (options: O) => SchemeForm) {
  return <P, C>(name: string, given?: O): SecurityScheme<P, C> => {
    const accepted = schemeRules.value?.accept(kind, given) ?? { value: given ?? {}, flaws: [] }
    const [value, flaws] = [accepted.value as O, accepted.flaws]
    const made = {
      name,
      form: Object.freeze(formOf(value)),
      description: value.description,
      ...resolveCrossSite(value),
      '~security': buildSchemePolicy,
      scopes: (...scopes: readonly string[]) =>
        Object.freeze({ scheme: made as never, scopes, '~security': buildSchemePolicy }) as never,
      ...(flaws.length > 0 && { '~flaws': flaws }),
    }
    return Object.freeze(made) as unknown as SecurityScheme<P, C>
  }
}

// Browsers send cookies with whatever any page asks for; everything else has to be put into a request by hand.
const resolveCrossSite = (options: SchemeOptions & Partial<ApiKeyOptions>): { readonly crossSite?: CrossSite } =>
  options.in === 'cookie' ? { crossSite: options.crossSite ?? 'refused' } : {}

/** How each kind of scheme is declared. */
interface SchemeMakers {
  /** A token in the header Authorization. */
  bearer<P>(name: string, options?: BearerOptions): SecurityScheme<P, string>
  /** A name and a password in the header Authorization. */
  basic<P>(name: string, options?: SchemeOptions): SecurityScheme<P, BasicCredentials>
  /** A key in a header, a query parameter or a cookie. */
  apiKey<P>(name: string, options: ApiKeyOptions): SecurityScheme<P, string>
  /** A token in the header Authorization that clients get by OAuth 2. */
  oauth2<P>(name: string, options: OAuthOptions): SecurityScheme<P, string>
  /** A token in the header Authorization that clients get by OpenID Connect. */
  openIdConnect<P>(name: string, options: OpenIdConnectOptions): SecurityScheme<P, string>
  /** Several schemes that a client has to satisfy together; the principal has that of each by its name. */
  all<const T extends SecuritySet['parts']>(parts: T): SecuritySet<{ readonly [N in keyof T]: T[N]['~principal'] }>
}

/** Declares security schemes; the type argument is the principal. */
export const security: SchemeMakers = Object.freeze({
  bearer: createSchemeMaker('bearer', ({ format }: BearerOptions) => ({
    type: 'http',
    scheme: 'bearer',
    ...(format !== undefined && { bearerFormat: format }),
  })),
  basic: createSchemeMaker('basic', () => ({ type: 'http', scheme: 'basic' })),
  apiKey: createSchemeMaker('apiKey', (options: ApiKeyOptions) => ({ type: 'apiKey', in: options.in, name: options.name })),
  oauth2: createSchemeMaker('oauth2', ({ flows }: OAuthOptions) => ({ type: 'oauth2', flows })),
  openIdConnect: createSchemeMaker('openIdConnect', ({ url }: OpenIdConnectOptions) => ({
    type: 'openIdConnect',
    openIdConnectUrl: url,
  })),
  all: (parts) => Object.freeze({ parts, '~security': buildSchemePolicy }) as never,
} satisfies SchemeMakers)
