// Security schemes: declared once, named by actions. The application brings a verifier for each.
import { type form, type Late, type Policy, provided, type Report } from '../../extend.ts'
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
export interface KeyOptions extends SchemeOptions {
  readonly in: 'header' | 'query' | 'cookie'
  readonly name: string
  /** With a cookie: whether pages of other sites may write: `'refused'`, which is the default, `'allowed'`, or their origins. */
  readonly crossSite?: CrossSite
}

/** Options of OAuth 2. */
export interface FlowOptions extends SchemeOptions {
  readonly flows: Readonly<Record<string, object>>
}

/** Options of OpenID Connect. */
export interface ConnectOptions extends SchemeOptions {
  readonly url: string
}

/** The part of security that servers alone have: the checks of declarations, and the policies that schemes make. */
interface Securing {
  /** The options of a scheme that are of the right form, and the flaws of the others. */
  accept(kind: string, given: unknown): { readonly value: SchemeOptions; readonly flaws: readonly form.Flaw[] }
  /** Makes the policy of all that stand in a setting `security` together. */
  policyOf(choices: readonly unknown[], place: string, report: Report): Policy | undefined
}

/** The checks and policies of schemes; without them, no action that names a scheme is served. */
export const securing: Late<Securing> = {}

const policyOf: Securing['policyOf'] = (...given) => provided(securing).policyOf(...given)

// Mistakes are kept with the scheme until an application boots.
function maker<O extends SchemeOptions>(kind: string, formOf: (options: O) => SchemeForm) {
  return <P, C>(name: string, given?: O): SecurityScheme<P, C> => {
    const accepted = securing.value?.accept(kind, given) ?? { value: given ?? {}, flaws: [] }
    const [value, flaws] = [accepted.value as O, accepted.flaws]
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
  bearer: maker('bearer', ({ format }: BearerOptions) => ({
    type: 'http',
    scheme: 'bearer',
    ...(format !== undefined && { bearerFormat: format }),
  })),
  basic: maker('basic', () => ({ type: 'http', scheme: 'basic' })),
  apiKey: maker('apiKey', (options: KeyOptions) => ({ type: 'apiKey', in: options.in, name: options.name })),
  oauth2: maker('oauth2', ({ flows }: FlowOptions) => ({ type: 'oauth2', flows })),
  openIdConnect: maker('openIdConnect', ({ url }: ConnectOptions) => ({
    type: 'openIdConnect',
    openIdConnectUrl: url,
  })),
  all: (parts) => Object.freeze({ parts, '~security': policyOf }) as never,
} satisfies SchemeMakers)
