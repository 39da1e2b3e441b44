// Declares security schemes, which actions refer to. The application provides a verifier for each.
import type { CrossSite } from './cross-site.ts'
import { acceptScheme, buildPolicy } from './scheme-rules.ts'
import type {
  ApiKeyOptions,
  BasicCredentials,
  BearerOptions,
  HttpOptions,
  OAuthOptions,
  OpenIdConnectOptions,
  SchemeForm,
  SchemeOptions,
  SecurityScheme,
  SecuritySet,
} from './types.ts'

// Mistakes are stored with the scheme and reported when an application boots.
function createSchemeMaker<O extends SchemeOptions>(kind: string, buildForm: (options: O) => SchemeForm) {
  return <P, C>(name: string, options?: O): SecurityScheme<P, C> => {
    const accepted = acceptScheme(kind, options)
    const [value, flaws] = [accepted.value as O, accepted.flaws]
    const form = buildForm(value)
    const scheme = {
      name,
      form: Object.freeze(form),
      prefix: resolvePrefix(form, value),
      description: value.description,
      ...resolveCrossSite(value),
      '~security': buildPolicy,
      scopes: (...scopes: readonly string[]) =>
        Object.freeze({ scheme: scheme as never, scopes, '~security': buildPolicy }) as never,
      ...(flaws.length > 0 && { '~flaws': flaws }),
    }
    return Object.freeze(scheme) as unknown as SecurityScheme<P, C>
  }
}

// OAuth 2 and OpenID Connect send bearer tokens. OpenAPI has no place for the prefix of a key.
function resolvePrefix(form: SchemeForm, { scheme }: Partial<HttpOptions>): string | undefined {
  if (form.type === 'apiKey') return scheme
  if (form.type !== 'http' || form.scheme === 'bearer') return 'Bearer'
  return form.scheme === 'basic' ? 'Basic' : scheme
}

// Browsers attach cookies to requests of any page. Other credentials must be added by a program.
const resolveCrossSite = (options: SchemeOptions & Partial<ApiKeyOptions>): { readonly crossSite?: CrossSite } =>
  options.in === 'cookie' ? { crossSite: options.crossSite ?? 'refused' } : {}

/** The functions that declare schemes. */
interface SchemeMakers {
  /** Declares a token in the `Authorization` header. */
  bearer<P>(name: string, options?: BearerOptions): SecurityScheme<P, string>
  /** Declares a name and a password in the `Authorization` header. */
  basic<P>(name: string, options?: SchemeOptions): SecurityScheme<P, BasicCredentials>
  /** Declares credentials in the `Authorization` header under the name of any other scheme. */
  http<P>(name: string, options: HttpOptions): SecurityScheme<P, string>
  /** Declares a key in a header, a query parameter or a cookie. */
  apiKey<P>(name: string, options: ApiKeyOptions): SecurityScheme<P, string>
  /** Declares a token in the `Authorization` header that clients obtain by OAuth 2. */
  oauth2<P>(name: string, options: OAuthOptions): SecurityScheme<P, string>
  /** Declares a token in the `Authorization` header that clients obtain by OpenID Connect. */
  openIdConnect<P>(name: string, options: OpenIdConnectOptions): SecurityScheme<P, string>
  /** Declares schemes that a client must satisfy together. The principal holds that of each scheme, by name. */
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
  http: createSchemeMaker('http', ({ scheme }: HttpOptions) => ({ type: 'http', scheme })),
  apiKey: createSchemeMaker('apiKey', (options: ApiKeyOptions) => ({
    type: 'apiKey',
    in: options.in,
    name: options.name,
  })),
  oauth2: createSchemeMaker('oauth2', ({ flows }: OAuthOptions) => ({ type: 'oauth2', flows })),
  openIdConnect: createSchemeMaker('openIdConnect', ({ url }: OpenIdConnectOptions) => ({
    type: 'openIdConnect',
    openIdConnectUrl: url,
  })),
  all: (parts) => Object.freeze({ parts, '~security': buildPolicy }) as never,
} satisfies SchemeMakers)
