// The types of security: schemes, the location of credentials, and the requirements of actions.
import type { SecurityChoice } from '../extend.ts'
import type { CrossSite } from './cross-site.ts'

/** The location of credentials, in the terms of OpenAPI. */
export type SchemeForm =
  | { readonly type: 'http'; readonly scheme: string; readonly bearerFormat?: string }
  | { readonly type: 'apiKey'; readonly in: 'header' | 'query' | 'cookie'; readonly name: string }
  | { readonly type: 'oauth2'; readonly flows: Readonly<Record<string, object>> }
  | { readonly type: 'openIdConnect'; readonly openIdConnectUrl: string }

/** The options of every scheme. */
export interface SchemeOptions {
  readonly description?: string
}

/** The options of a bearer token. */
export interface BearerOptions extends SchemeOptions {
  readonly format?: string
}

/** The options of another scheme of the `Authorization` header. */
export interface HttpOptions extends SchemeOptions {
  /** The name that the header begins with, such as Token; clients may write it in any case. */
  readonly scheme: string
}

/** The options of an API key. */
export interface ApiKeyOptions extends SchemeOptions {
  readonly in: 'header' | 'query' | 'cookie'
  readonly name: string
  /** For the header `Authorization`: the name of the scheme before the key, such as Token. */
  readonly scheme?: string
  /**
   * For a cookie: whether pages of other sites may write: `'refused'`, which is the default, `'allowed'`, or their
   * origins.
   */
  readonly crossSite?: CrossSite
}

/** The options of OAuth 2. */
export interface OAuthOptions extends SchemeOptions {
  readonly flows: Readonly<Record<string, object>>
}

/** The options of OpenID Connect. */
export interface OpenIdConnectOptions extends SchemeOptions {
  readonly url: string
}

/** A name and a password. */
export interface BasicCredentials {
  readonly user: string
  readonly password: string
}

/** A way for clients to authenticate. P is the type of the principal, C that of the credentials. */
export interface SecurityScheme<out P = unknown, out C = unknown> extends SecurityChoice<P> {
  readonly '~credentials': C
  readonly name: string
  readonly form: SchemeForm
  /** The name before the credentials in the `Authorization` header; undefined if there is none. */
  readonly prefix: string | undefined
  readonly description: string | undefined
  /** The rule for writes from pages of other sites, for credentials in a cookie. */
  readonly crossSite?: CrossSite
  /** Returns a requirement of this scheme with all of these scopes. */
  scopes(...names: readonly string[]): SecurityNeed<P>
}

/** A scheme together with the scopes that a client must have. */
export interface SecurityNeed<out P = unknown> extends SecurityChoice<P> {
  readonly scheme: SecurityScheme<P>
  readonly scopes: readonly string[]
}

/** Schemes that a client must satisfy together. The principal holds that of each scheme, by name. */
export interface SecuritySet<out P = unknown> extends SecurityChoice<P> {
  readonly parts: Readonly<Record<string, SecurityScheme | SecurityNeed>>
}

/** A scheme of an alternative, with its required scopes, and the name of its principal among several. */
export interface SchemeRequirement {
  readonly scheme: SecurityScheme
  readonly scopes: readonly string[]
  readonly name?: string
}

/** An alternative, which requires credentials of all its schemes; null admits anonymous clients. */
export type SecurityAlternative = readonly SchemeRequirement[] | null

/** Returns whether a value is a scheme. */
export const isScheme = (value: unknown): value is SecurityScheme =>
  typeof value === 'object' && value !== null && 'form' in value && typeof Reflect.get(value, 'scopes') === 'function'
