// Policies: settings of actions that include their checks, documentation, contract terms and client behavior.
import type { Attributes, PortablePart, ResponseHeader } from '../../schema/attribute.ts'
import type { Deprecation } from '../../schema/attribute-options.ts'
import { describeValue, readProperty } from '../../util/describe-value.ts'
import type * as form from '../../util/setting-form.ts'
import type { Report } from '../mistakes.ts'
import type { ActionResponse, ResponseDeclaration } from './action-response.ts'
import type { Terms } from './contract-terms.ts'

/** A response of a policy, as described in documents. */
export interface PolicyResponse {
  readonly status: number
  /** The code of the problem document. */
  readonly code: string
  readonly title: string
  /** The names of its required headers. */
  readonly headers?: readonly string[]
}

/** An action as its policies see it. */
export interface PolicyAction {
  readonly endpoint: { readonly name: string }
  readonly name: string
  readonly params: Attributes
  readonly headers: Attributes
  readonly responses: ReadonlyMap<string, { readonly status: number }>
}

/** The action of a policy, before it is fully resolved. */
export interface PolicyTarget {
  readonly endpoint: string
  readonly name: string
  /** The methods of its routes; ANY means all of them. */
  readonly verbs: readonly string[]
  /** The names of the headers that the action declares. */
  readonly headers: readonly string[]
  /** All policies of the action. */
  readonly policies: Policies
}

/** A request as policies see it. */
export interface PolicyRequest {
  readonly method: string
  /** The path and query, without a host. */
  readonly url: string
  /** The target exactly as sent, for signatures: mostly the path and query; a proxy may send a whole URL. */
  readonly target: string
  /** The scheme, `http` or `https`, that the client or the nearest proxy used, if the transport knows it. */
  readonly scheme: string | undefined
  /** All headers unchanged, by lower-case name. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
  readonly id: string
  /** The address of the client, if the transport knows it. */
  readonly address: string | undefined
  /** Aborts when the client disconnects or the deadline passes. */
  readonly signal: AbortSignal
  /** The endpoint and the action, such as `Books.show`. */
  readonly action: string
  /** The loaded params, headers and payload; empty before validation. */
  readonly input: { readonly params: unknown; readonly headers: unknown; readonly payload: unknown }
  /**
   * The condition on the element of the request, which resources add to their statements; `guardRequest` of
   * `edict/mapper/extend` sets it.
   */
  guard: object | undefined
  /** The principal that the action's security determined. */
  readonly principal: unknown
  /**
   * The audiences of the client, among those of the action's restricted attributes; available after admission.
   * Undefined if the action has no restricted attributes.
   */
  readonly audiences: readonly string[] | undefined
  /**
   * Returns the media type that the client's `Accept` header selects for a declared response; undefined if none is
   * acceptable.
   */
  accepts(response: string): string | undefined
  /** Returns whether a header was sent more than once. */
  repeats(name: string): boolean
  /**
   * Reads the exact bytes of the body as sent, before a content coding is removed; empty without a body. Call it in
   * `admission`: later, the body of an action with a payload has been decoded. A body above the limit is refused
   * unless the error is caught, and the whole body is in memory, even if the action takes it as a stream.
   */
  body(): Promise<Uint8Array<ArrayBuffer>>
  /** Returns the raw values of a query parameter. */
  query(name: string): readonly string[]
  /** Adds a value to the context of the action. */
  add(name: string, value: unknown): void
  /** Returns a value of the context, such as that of a need; undefined before it is set. */
  get(name: string): unknown
  /**
   * An object in which plugins, policies and the action store data of this request; use a private symbol as the key.
   */
  readonly state: Record<PropertyKey, unknown>
  /** Asks for a recheck at a time, in milliseconds, should the response be a stream of events; the earliest one counts. */
  recheckAt(time: number): void
  /** Writes a warning to the application's log, with the request id and the action. */
  warn(fields: object, message: string): void
}

/** One use of something deprecated. */
export interface DeprecatedUse {
  readonly what: 'action' | 'param' | 'header' | 'attribute'
  /** Its location among the params, the headers or the payload, as a JSON Pointer; empty for an action. */
  readonly pointer: string
  readonly deprecation: Deprecation
}

/** A response before it is sent, as policies and plugins see it. */
export interface OutgoingResponse {
  status: number
  /** Text, bytes, a stream of them, or null; the Content-Length is added when it is sent. */
  body: string | Uint8Array | ReadableStream<Uint8Array> | AsyncIterable<Uint8Array | string> | null
  /** Returns the value of a header, several joined by commas; undefined if it is absent. */
  get(name: string): string | undefined
  /**
   * Sets a header and replaces all with its name; `Vary`, `Link`, `Set-Cookie` and `Server-Timing` are appended
   * instead.
   */
  set(name: string, value: string): void
  /** Appends a header to others with its name; `Vary` stays one list without duplicates. */
  append(name: string, value: string): void
  /** Removes a header. */
  delete(name: string): void
  /** Iterates over the names and values of all headers. */
  [Symbol.iterator](): IterableIterator<readonly [name: string, value: string]>
}

/** The result of a policy step: a response ends the request; without one the request continues. */
export type PolicyResult = ActionResponse | undefined | void

/** The steps of a policy during a request, each optional. */
export interface PolicySteps {
  /** Runs before the request is read: may refuse it, respond to it, or add to the context. */
  admission?(request: PolicyRequest): PolicyResult | Promise<PolicyResult>
  /**
   * Runs from time to time while a stream of events is open: false, or an error, ends the stream, so that its client has to be
   * admitted again. `recheckAt` of the request asks for it at a time.
   */
  recheck?(request: PolicyRequest): boolean | Promise<boolean>
  /** Runs after the input is loaded and validated, right before the action. */
  before?(request: PolicyRequest): PolicyResult | Promise<PolicyResult>
  /**
   * Runs for every response, including failures, before it is serialized: the body is the action's value. A returned
   * response replaces it.
   */
  after?(response: ActionResponse, request: PolicyRequest): PolicyResult | Promise<PolicyResult>
  /**
   * Runs for every serialized response, including failures, while the needs of the action are still open; if it throws,
   * a failure replaces the response.
   */
  settle?(response: OutgoingResponse, request: PolicyRequest): void | Promise<void>
  /** Runs for every response of the action, including failures, before it is sent. */
  response?(response: OutgoingResponse, request: PolicyRequest): void | Promise<void>
}

/** The part of a document that its operations share. */
export interface PolicyDocument {
  /** Returns the name of a security scheme and adds its description at the first call. */
  scheme(owner: object, wanted: string, make: () => object): string
}

/**
 * A setting of an action or of `actionDefaults`, with its documentation, contract terms and client behavior. An action
 * has one policy of each name: its own replaces that of the defaults. A is the type of its additions to the context.
 */
export interface Policy<out A extends object = {}> {
  readonly '~policy': true
  readonly '~adds'?: A
  readonly name: string
  /** The plugin that enforces it, without which the application does not boot; absent if none is needed. */
  readonly plugin?: string
  /** The remedy in the boot message if that plugin is missing; by default, to register it. */
  readonly remedy?: string
  /** The settings for the plugin that enforces it. */
  readonly settings?: unknown
  /** The headers that it reads: checked and documented like those that the action declares. */
  readonly headers?: Attributes
  /** The names of query parameters that it reads itself: they are not refused as unknown. */
  readonly reads?: readonly string[]
  /**
   * The names of headers that it reads itself, such as those of credentials: plugins know that clients may send them.
   */
  readonly readsHeaders?: readonly string[]
  /** The names of those headers whose values are secrets: they never appear in the log. */
  readonly secretHeaders?: readonly string[]
  /**
   * Whether its steps see values that the action declares with `secret: true`. By default they are replaced in the
   * request, except for headers and query parameters that the policy names itself.
   */
  readonly readsSecrets?: boolean
  /** The problem responses that it may return, in addition to those that the action declares. */
  readonly responses?: readonly PolicyResponse[]
  /** The other responses that it may return, declared like those of actions; the action's own take precedence. */
  readonly declares?: Readonly<Record<string, ResponseDeclaration>>
  /** The headers that it may add to responses, by name, for documents, contracts and plugins. */
  readonly documentedHeaders?: Readonly<Record<string, ResponseHeader>>
  /** The headers of every response of the action: names and values alternate. */
  readonly responseHeaders?: readonly string[]
  /** The same for responses with a status below 400; they replace others. */
  readonly successHeaders?: readonly string[]
  /**
   * Whether its entity tags stay strong when a body is encoded: `;` and the content coding may be appended to them, and
   * it accepts them in that form.
   */
  readonly codedTags?: boolean
  /** Returns the policy for one action, if it depends on the methods of its routes. */
  inAction?(action: PolicyTarget): Policy<A>
  /**
   * Reports mistakes of the policy in an action; the forms are passed because front ends contain the policy but not the
   * forms.
   */
  check?(action: PolicyAction, report: Report, forms: typeof form): void
  /** Returns members of the OpenAPI operation. */
  document?(document: PolicyDocument): Readonly<Record<string, unknown>>
  /** The terms that clients may rely on, as part of the contract. */
  readonly terms?: Terms
  /**
   * Returns its steps in a mock server, where its plugin is not active; `open` if clients need no credentials. `identify`
   * returns the caller with some credentials, or undefined if there is none.
   */
  mock?(mode: 'present' | 'open', identify: (credentials: unknown) => unknown): PolicySteps
  /** The module in which a front end finds `client` and `retry`; without it, bundles keep declarations with the policy whole. */
  readonly portable?: PortablePart
  /** Returns the headers that the client sends automatically. */
  client?(): Readonly<Record<string, string>>
  /** Returns the milliseconds that the client waits before it retries the request; undefined for no retry. */
  retry?(attempt: ClientAttempt): number | undefined
}

/** A request sent by the client, and its result. */
export interface ClientAttempt {
  /** The number of times it was sent, including this one. */
  readonly count: number
  /** The response; undefined if there was none. */
  readonly response: { readonly status: number; readonly headers: Headers } | undefined
}

/** The policies of an action, by name. */
export type Policies = ReadonlyMap<string, Policy>

/** Creates a policy. */
export function policy<A extends object = {}>(members: Omit<Policy<A>, '~policy' | '~adds'>): Policy<A> {
  return Object.freeze({ '~policy': true, ...members })
}

const isPolicy = (value: unknown): value is Policy => readProperty(value, '~policy') === true

/** A value of the setting `security`; it creates one policy from all values of the setting. */
export interface SecurityChoice<out P = unknown> {
  readonly '~principal': P
  readonly '~security': (choices: readonly unknown[], setting: string, report: Report) => Policy | undefined
}

/** The authentication that an action requires: one scheme, or one of several; `none` admits anonymous clients. */
export type SecuritySpec = SecurityChoice | 'none' | readonly (SecurityChoice | 'none')[]

/** The principal of an action, derived from its `security`; undefined for anonymous clients. */
export type PrincipalOf<X> = X extends readonly (infer E)[] ? PrincipalIn<E> : PrincipalIn<X>

type PrincipalIn<E> = E extends { readonly '~principal': infer P } ? P : undefined

const SECURITY_POLICY = 'security'

/** The settings of an action or of the defaults that contain policies. */
export interface PolicyStanzas {
  readonly security?: SecuritySpec
  readonly policies?: readonly Policy[]
}

/** Resolves the policies of an action or of the defaults, and reports mistakes; `base` contains the inherited ones. */
export function resolvePolicies(stanzas: PolicyStanzas, base: Policies, report: Report, prefix = ''): Policies {
  checkPolicyStanzas(stanzas, report, prefix)
  const { security, policies = [] } = pickValidStanzas(stanzas)
  const all = new Map(base)
  if (security !== undefined) {
    const choices = listChoices(security)
    const first = choices.find((one) => one !== 'none')
    const securityPolicy = first?.['~security'](choices, `${prefix}security`, report)
    all.delete(SECURITY_POLICY)
    if (securityPolicy !== undefined) all.set(SECURITY_POLICY, securityPolicy)
  }
  for (const one of policies) all.set(one.name, one)
  return all
}

// Of two policies with one name, the first is used.
function pickValidStanzas({ security, policies }: PolicyStanzas): PolicyStanzas {
  const all: readonly unknown[] = Array.isArray(policies) ? policies : []
  const valid = all.filter(isPolicy).filter(({ name }) => name !== SECURITY_POLICY)
  return {
    ...(security !== undefined && {
      security: listChoices(security).filter((one) => one === 'none' || isSecurityChoice(one)),
    }),
    policies: valid.filter(({ name }, i) => valid.findIndex((one) => one.name === name) === i),
  }
}

const listChoices = (spec: SecuritySpec): readonly (SecurityChoice | 'none')[] =>
  Array.isArray(spec) ? spec : [spec as SecurityChoice]

function checkPolicyStanzas({ security, policies }: PolicyStanzas, report: Report, prefix: string): void {
  if (security !== undefined) checkSecurityChoices(listChoices(security), `${prefix}security`, report)
  if (policies !== undefined && !Array.isArray(policies))
    return report(`${prefix}policies`, `it is ${describeValue(policies)}`, 'give a list: policies: [ … ]')
  const names = new Set<string>()
  for (const [i, one] of ((policies ?? []) as readonly unknown[]).entries()) {
    const setting = `${prefix}policies[${i}]`
    if (!isPolicy(one))
      report(setting, `it is ${describeValue(one)}, not a policy`, 'give what a policy function returns')
    else if (one.name === SECURITY_POLICY) report(setting, 'it is a security policy', 'write it as security: …')
    else if (names.has(one.name)) report(setting, `there are two policies '${one.name}'`, 'keep one of them')
    else names.add(one.name)
  }
}

function checkSecurityChoices(choices: readonly unknown[], setting: string, report: Report): void {
  const remedy = "name a scheme of security.bearer(…) and the like, or 'none'"
  if (choices.length === 0) report(setting, 'it names no scheme', "name one, or write 'none' to admit everybody")
  for (const one of choices)
    if (one !== 'none' && !isSecurityChoice(one)) report(setting, `it is ${describeValue(one)}, not a scheme`, remedy)
}

const isSecurityChoice = (value: unknown): value is SecurityChoice =>
  typeof readProperty(value, '~security') === 'function'

/** Returns the policies of an action, each adapted to it. */
export function resolvePoliciesForAction(policies: Policies, action: Omit<PolicyTarget, 'policies'>): Policies {
  const target = { ...action, policies }
  return new Map([...policies].map(([key, one]) => [key, one.inAction?.(target) ?? one]))
}
