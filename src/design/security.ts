// Security: how clients say who they are. Schemes are declared and named by actions; the application brings the verifiers.

/** Where a client's credentials stand, in the terms of OpenAPI. */
export type SchemeForm =
  | { readonly type: 'http'; readonly scheme: 'bearer'; readonly bearerFormat?: string }
  | { readonly type: 'http'; readonly scheme: 'basic' }
  | { readonly type: 'apiKey'; readonly in: 'header' | 'query' | 'cookie'; readonly name: string }
  | { readonly type: 'oauth2'; readonly flows: Readonly<Record<string, object>> }
  | { readonly type: 'openIdConnect'; readonly openIdConnectUrl: string }

/** A name and a password. */
export interface BasicCredentials {
  readonly user: string
  readonly password: string
}

/** A way for clients to say who they are: P is whom the application then knows, C what clients send. */
export interface SecurityScheme<out P = unknown, out C = unknown> {
  readonly '~principal': P
  readonly '~credentials': C
  readonly name: string
  readonly form: SchemeForm
  readonly description: string | undefined
  /** The same scheme, for clients that have all of these scopes. */
  with(...scopes: readonly string[]): SecurityNeed<P>
}

/** A scheme together with the scopes that a client must have. */
export interface SecurityNeed<out P = unknown> {
  readonly '~principal': P
  readonly scheme: SecurityScheme<P>
  readonly scopes: readonly string[]
}

/** What an action asks of its clients: one scheme, or one of several; `none` lets strangers in. */
export type SecuritySpec = SecurityChoice | readonly SecurityChoice[]

type SecurityChoice = SecurityScheme | SecurityNeed | 'none'

/** One way in, resolved; null lets strangers in. */
export type ResolvedNeed = { readonly scheme: SecurityScheme; readonly scopes: readonly string[] } | null

/** Whom an action knows, by what it asks of clients; undefined for strangers. */
export type PrincipalOf<X> = X extends readonly (infer E)[] ? PrincipalIn<E> : PrincipalIn<X>

type PrincipalIn<E> = E extends { readonly '~principal': infer P } ? P : undefined

interface SchemeOptions {
  readonly description?: string
}

function scheme<P, C>(name: string, form: SchemeForm, { description }: SchemeOptions): SecurityScheme<P, C> {
  const made = {
    name,
    form: Object.freeze(form),
    description,
    with: (...scopes: readonly string[]) => Object.freeze({ scheme: made as never, scopes }),
  }
  return Object.freeze(made) as unknown as SecurityScheme<P, C>
}

/** How each kind of scheme is declared. */
interface SchemeMakers {
  /** A token in the header Authorization. */
  bearer<P>(name: string, options?: SchemeOptions & { readonly format?: string }): SecurityScheme<P, string>
  /** A name and a password in the header Authorization. */
  basic<P>(name: string, options?: SchemeOptions): SecurityScheme<P, BasicCredentials>
  /** A key in a header, a query parameter or a cookie. */
  apiKey<P>(
    name: string,
    options: SchemeOptions & { readonly in: 'header' | 'query' | 'cookie'; readonly name: string },
  ): SecurityScheme<P, string>
  /** A token in the header Authorization that clients get by OAuth 2. */
  oauth2<P>(
    name: string,
    options: SchemeOptions & { readonly flows: Readonly<Record<string, object>> },
  ): SecurityScheme<P, string>
  /** A token in the header Authorization that clients get by OpenID Connect. */
  openIdConnect<P>(name: string, options: SchemeOptions & { readonly url: string }): SecurityScheme<P, string>
}

/** Declares schemes; the type argument is whom the application knows when a client's credentials hold. */
export const security: SchemeMakers = Object.freeze({
  bearer: (name, options = {}) => {
    const { format } = options
    return scheme(
      name,
      { type: 'http', scheme: 'bearer', ...(format !== undefined && { bearerFormat: format }) },
      options,
    )
  },
  basic: (name, options = {}) => scheme(name, { type: 'http', scheme: 'basic' }, options),
  apiKey: (name, options) => scheme(name, { type: 'apiKey', in: options.in, name: options.name }, options),
  oauth2: (name, options) => scheme(name, { type: 'oauth2', flows: options.flows }, options),
  openIdConnect: (name, options) => scheme(name, { type: 'openIdConnect', openIdConnectUrl: options.url }, options),
} satisfies SchemeMakers)

/** Works out what an action asks of its clients; its own setting replaces that of the defaults. */
export function resolveSecurity(spec: SecuritySpec | undefined): readonly ResolvedNeed[] {
  const choices = spec === undefined ? [] : Array.isArray(spec) ? (spec as readonly SecurityChoice[]) : [spec]
  return choices.map((choice) => {
    if (choice === 'none') return null
    return 'scheme' in (choice as object)
      ? (choice as SecurityNeed)
      : { scheme: choice as SecurityScheme, scopes: [] as readonly string[] }
  })
}
