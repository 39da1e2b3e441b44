// Security: how clients say who they are. Schemes are declared and named by actions; the application brings the verifiers.
import { described } from '../util/described.ts'
import {
  accept,
  choice,
  type Fields,
  type Flaw,
  list,
  name as nonEmpty,
  object,
  required,
  structure,
  tested,
  text,
} from '../util/form.ts'
import { type Report, reportFlaws } from './mistakes.ts'

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

interface BearerOptions extends SchemeOptions {
  readonly format?: string
}

interface KeyOptions extends SchemeOptions {
  readonly in: 'header' | 'query' | 'cookie'
  readonly name: string
}

interface FlowOptions extends SchemeOptions {
  readonly flows: Readonly<Record<string, object>>
}

interface ConnectOptions extends SchemeOptions {
  readonly url: string
}

const BASIC: Fields<SchemeOptions> = { description: text }
const BEARER: Fields<BearerOptions> = { ...BASIC, format: text }
const KEY: Fields<KeyOptions> = {
  ...BASIC,
  in: required(choice('header', 'query', 'cookie')),
  name: required(tested('the name of a header, a query parameter or a cookie', isToken)),
}
const FLOWS: Fields<FlowOptions> = {
  ...BASIC,
  flows: required(
    object({ implicit: structure, password: structure, clientCredentials: structure, authorizationCode: structure }),
  ),
}
const CONNECT: Fields<ConnectOptions> = {
  ...BASIC,
  url: required(tested('a URL', (value) => typeof value === 'string' && URL.canParse(value))),
}

function isToken(value: unknown): boolean {
  return typeof value === 'string' && /^[\w!#$%&'*+.^`|~-]+$/.test(value)
}

/** What is wrong with how a scheme was declared. */
interface Flawed {
  readonly '~flaws'?: readonly Flaw[]
}

// What does not fit is kept with the scheme until an application boots.
function maker<O extends SchemeOptions>(fields: Fields<O>, formOf: (options: O) => SchemeForm) {
  return <P, C>(name: string, given?: O): SecurityScheme<P, C> => {
    const { value, flaws } = accept<O>(given, fields)
    const made = {
      name,
      form: Object.freeze(formOf(value)),
      description: value.description,
      with: (...scopes: readonly string[]) => Object.freeze({ scheme: made as never, scopes }),
      ...(flaws.length > 0 && { '~flaws': flaws }),
    }
    return Object.freeze(made) as unknown as SecurityScheme<P, C>
  }
}

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
}

/** Declares schemes; the type argument is whom the application knows when a client's credentials hold. */
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
} satisfies SchemeMakers)

/** Tells a scheme from other values. */
export const isScheme = (value: unknown): value is SecurityScheme =>
  typeof value === 'object' && value !== null && 'form' in value && 'with' in value

const isNeed = (value: unknown): value is SecurityNeed =>
  typeof value === 'object' && value !== null && 'scheme' in value && isScheme(value.scheme)

/** Reports what is wrong with the declaration of a scheme. */
function checkScheme(place: string, scheme: SecurityScheme & Flawed, report: Report): void {
  if (typeof scheme.name !== 'string' || scheme.name.trim() === '')
    report(place, `the name of a scheme is ${described(scheme.name)}`, "name it, for example security.bearer('Token')")
  reportFlaws(place, scheme['~flaws'] ?? [], report)
}

/** Works out what an action asks of its clients; its own setting replaces that of the defaults. */
export function resolveSecurity(
  place: string,
  spec: SecuritySpec | undefined,
  report: Report,
): readonly ResolvedNeed[] {
  if (spec === undefined) return []
  const choices: readonly unknown[] = Array.isArray(spec) ? spec : [spec]
  if (choices.length === 0) report(place, 'it names no scheme', "name one, or write 'none' to let everybody in")
  return choices.flatMap((choice) => resolveChoice(place, choice, report))
}

const SCOPES = list(nonEmpty)

function resolveChoice(place: string, choice: unknown, report: Report): ResolvedNeed[] {
  if (choice === 'none') return [null]
  const need = isScheme(choice) ? { scheme: choice, scopes: [] as readonly string[] } : choice
  if (!isNeed(need)) {
    const remedy = "name a scheme of security.bearer(…) and the like, or 'none'"
    report(place, `it is ${described(choice)}, not a scheme`, remedy)
    return []
  }
  checkScheme(place, need.scheme, report)
  const flaws = SCOPES.check(need.scopes)
  reportFlaws(`${place}.scopes`, flaws, report)
  return flaws.length === 0 ? [need] : []
}
