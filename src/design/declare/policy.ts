// Policies: settings of actions that bring their own answers to every question another part may ask of them.
import type { ResponseHeader, Attributes } from '../../schema/attribute.ts'
import type { Deprecation } from '../../schema/attribute-options.ts'
import { describeValue, readProperty } from '../../util/describe-value.ts'
import type * as form from '../../util/setting-form.ts'
import type { Report } from '../mistakes.ts'
import type { ActionResponse, ResponseDeclaration } from './action-response.ts'
import type { Terms } from './contract-terms.ts'

/** A response that a policy may give, as documents describe it. */
export interface PolicyResponse {
  readonly status: number
  /** The code of the problem document. */
  readonly code: string
  readonly title: string
  /** Names of headers that it always has. */
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

/** The action that a policy belongs to, before the rest of it is resolved. */
export interface PolicyTarget {
  readonly endpoint: string
  readonly name: string
  /** The verbs of its routes; `ANY` for all. */
  readonly verbs: readonly string[]
  /** Names of the headers that it declares itself. */
  readonly headers: readonly string[]
  /** All policies that stand there. */
  readonly policies: Policies
}

/** A request as policies see it. */
export interface PolicyRequest {
  readonly method: string
  /** The path and the query, never a host. */
  readonly url: string
  /** All headers as they came, by their lower-case names. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
  readonly id: string
  /** The address of the client, where the transport knows it. */
  readonly address: string | undefined
  /** Aborts when the client disconnects or the deadline passes. */
  readonly signal: AbortSignal
  /** The endpoint and the action, as `Books.show`. */
  readonly action: string
  /** The loaded params, headers and payload; empty before they are validated. */
  readonly input: { readonly params: unknown; readonly headers: unknown; readonly payload: unknown }
  /** The client as the action's security knows it. */
  readonly principal: unknown
  /**
   * The audiences of the client among those that see more of the action than others, from the step after admission on;
   * undefined where all see the same.
   */
  readonly audiences: readonly string[] | undefined
  /** Whether a header was sent more than once. */
  repeats(name: string): boolean
  /** The values of a query parameter as they came. */
  query(name: string): readonly string[]
  /** Adds a value to the context of the action. */
  add(name: string, value: unknown): void
  /** A value of the context, such as that of a need; undefined before it is there. */
  get(name: string): unknown
  /** The object in which plugins, policies and the action remember something of this request; use a symbol of your own for a key. */
  readonly state: Record<PropertyKey, unknown>
  /** Writes a warning to the log of the application, with the id of the request and the action. */
  warn(fields: object, message: string): void
}

/** One use of something deprecated. */
export interface DeprecatedUse {
  readonly what: 'action' | 'param' | 'header' | 'attribute'
  /** Where it stands among the params, the headers or the payload, as a JSON Pointer; empty for an action. */
  readonly pointer: string
  readonly deprecation: Deprecation
}

/** A response before it is sent, as policies and plugins see it. */
export interface OutgoingResponse {
  status: number
  /** Text, bytes, a stream of them, or null; its length is added when it is sent. */
  body: string | Uint8Array | ReadableStream<Uint8Array> | AsyncIterable<Uint8Array | string> | null
  /** The value of a header, several joined by commas; undefined without it. */
  get(name: string): string | undefined
  /** Sets a header in place of all of its name; `Vary`, `Link`, `Set-Cookie` and `Server-Timing` are added. */
  set(name: string, value: string): void
  /** Adds a header beside others of its name; `Vary` stays one list without repetitions. */
  append(name: string, value: string): void
  /** Removes a header. */
  delete(name: string): void
  /** The names and values of all headers. */
  [Symbol.iterator](): IterableIterator<readonly [name: string, value: string]>
}

/** A response ends the request; without one the request continues. */
export type PolicyResult = ActionResponse | undefined | void

/** The work of a policy at the points of a request, each of them optional. */
export interface PolicySteps {
  /** Before anything of the request is read: refuses it, answers it, or adds to the context. */
  admission?(request: PolicyRequest): PolicyResult | Promise<PolicyResult>
  /** When the input is loaded and valid, right before the action. */
  before?(request: PolicyRequest): PolicyResult | Promise<PolicyResult>
  /** When there is a response, failures too, before it is written: its body is what the action gave. Another one replaces it. */
  after?(response: ActionResponse, request: PolicyRequest): PolicyResult | Promise<PolicyResult>
  /** When an answer is written, failures too, and the needs of the action are still open; a failure takes its place. */
  settle?(response: OutgoingResponse, request: PolicyRequest): void | Promise<void>
  /** For every answer of the action, failures too, before it is sent. */
  answer?(response: OutgoingResponse, request: PolicyRequest): void | Promise<void>
}

/** The part of a document that its operations share. */
export interface PolicyDocument {
  /** The name of a security scheme, which is described at the first time. */
  scheme(owner: object, wanted: string, make: () => object): string
}

/**
 * A setting of an action or of `actionDefaults`, with its documentation, contract terms and client behaviour. An action has one policy
 * of each name: its own takes the place of its defaults'. A is what it adds to the context.
 */
export interface Policy<out A extends object = {}> {
  readonly '~policy': true
  readonly '~adds'?: A
  readonly name: string
  /** The plugin that enforces it, without which the application does not boot; absent for one that needs none. */
  readonly plugin?: string
  /** The remedy that boot names if that plugin is missing; the default is to register it. */
  readonly remedy?: string
  /** Its own settings, for the plugin that enforces it. */
  readonly settings?: unknown
  /** Headers that it reads: checked and documented like those that the action declares. */
  readonly headers?: Attributes
  /** Names of query parameters that it reads by itself: they are not refused as unknown. */
  readonly reads?: readonly string[]
  /** Names of headers that it reads by itself, such as those of credentials: plugins know that clients may send them. */
  readonly readsHeaders?: readonly string[]
  /** Names of headers among them whose values are secrets: they appear in no log line. */
  readonly secretHeaders?: readonly string[]
  /**
   * Whether its work sees values that the action declares `secret: true`. Without it they are replaced in the request, except
   * for headers and query parameters that the policy names itself.
   */
  readonly readsSecrets?: boolean
  /** Responses that it may give, beside those that the action declares. */
  readonly responses?: readonly PolicyResponse[]
  /** Responses that it may give without a problem document, declared as those of actions are; the action's own stand. */
  readonly declares?: Readonly<Record<string, ResponseDeclaration>>
  /** Headers that it may add to answers, by their names: documents, contract and plugins know them. */
  readonly sends?: Readonly<Record<string, ResponseHeader>>
  /** Headers of every answer of the action, names and values in turn. */
  readonly responseHeaders?: readonly string[]
  /** The same for answers below 400; they take the place of others. */
  readonly successHeaders?: readonly string[]
  /** Its entity tags stay strong when a body is encoded: `;` and the coding may be added to them, and it reads them so. */
  readonly codedTags?: boolean
  /** The policy as it is for one action, where that depends on the verbs of its routes. */
  inAction?(action: PolicyTarget): Policy<A>
  /** Reports what is wrong with it in an action; front ends, which have the policy too, do without the forms of settings. */
  check?(action: PolicyAction, report: Report, forms: typeof form): void
  /** Members of the OpenAPI operation. */
  document?(document: PolicyDocument): Readonly<Record<string, unknown>>
  /** The terms that clients may rely on, as part of the contract. */
  readonly terms?: Terms
  /** Its work in a mock, where its plugin does none; `open` where clients need no credentials. */
  mock?(mode: 'present' | 'open'): PolicySteps
  /** Headers that the client sends by itself. */
  client?(): Readonly<Record<string, string>>
  /** Returns the milliseconds that the client waits before it retries the request; undefined for no retry. */
  retry?(attempt: ClientAttempt): number | undefined
}

/** A request that the client has sent, and its result. */
export interface ClientAttempt {
  /** How often it was sent, this time included. */
  readonly count: number
  /** The answer; undefined when none came. */
  readonly response: { readonly status: number; readonly headers: Headers } | undefined
}

/** The policies of an action, by name. */
export type Policies = ReadonlyMap<string, Policy>

/** Makes a policy. */
export function policy<A extends object = {}>(answers: Omit<Policy<A>, '~policy' | '~adds'>): Policy<A> {
  return Object.freeze({ '~policy': true, ...answers })
}

/** Returns whether a value is a policy. */
const isPolicy = (value: unknown): value is Policy => readProperty(value, '~policy') === true

/** A value of the setting `security`: it makes one policy of all values given together. */
export interface SecurityChoice<out P = unknown> {
  readonly '~principal': P
  readonly '~security': (choices: readonly unknown[], place: string, report: Report) => Policy | undefined
}

/** The authentication that an action requires: one scheme, or one of several; `none` admits anonymous clients. */
export type SecuritySpec = SecurityChoice | 'none' | readonly (SecurityChoice | 'none')[]

/** The client as an action knows it, by what it asks of clients; undefined for anonymous ones. */
export type PrincipalOf<X> = X extends readonly (infer E)[] ? PrincipalIn<E> : PrincipalIn<X>

type PrincipalIn<E> = E extends { readonly '~principal': infer P } ? P : undefined

const SECURITY_POLICY = 'security'

/** The stanzas of an action, or of the defaults, that hold policies. */
export interface PolicyStanzas {
  readonly security?: SecuritySpec
  readonly policies?: readonly Policy[]
}

/** Settles the policies of an action, or of the defaults, and reports mistakes: `base` has those that it begins with. */
export function resolvePolicies(stanzas: PolicyStanzas, base: Policies, report: Report, place = ''): Policies {
  checkPolicyStanzas(stanzas, report, place)
  const { security, policies = [] } = pickValidStanzas(stanzas)
  const all = new Map(base)
  if (security !== undefined) {
    const choices = listChoices(security)
    const first = choices.find((one) => one !== 'none')
    const made = first?.['~security'](choices, `${place}security`, report)
    all.delete(SECURITY_POLICY)
    if (made !== undefined) all.set(SECURITY_POLICY, made)
  }
  for (const one of policies) all.set(one.name, one)
  return all
}

// Of two policies of one name, the first.
function pickValidStanzas({ security, policies }: PolicyStanzas): PolicyStanzas {
  const all: readonly unknown[] = Array.isArray(policies) ? policies : []
  const sound = all.filter(isPolicy).filter(({ name }) => name !== SECURITY_POLICY)
  return {
    ...(security !== undefined && { security: listChoices(security).filter((one) => one === 'none' || isSecurityChoice(one)) }),
    policies: sound.filter(({ name }, i) => sound.findIndex((one) => one.name === name) === i),
  }
}

const listChoices = (spec: SecuritySpec): readonly (SecurityChoice | 'none')[] =>
  Array.isArray(spec) ? spec : [spec as SecurityChoice]

function checkPolicyStanzas({ security, policies }: PolicyStanzas, report: Report, place: string): void {
  if (security !== undefined) checkSecurityChoices(listChoices(security), `${place}security`, report)
  if (policies !== undefined && !Array.isArray(policies))
    return report(`${place}policies`, `it is ${describeValue(policies)}`, 'give a list: policies: [ … ]')
  const own = new Set<string>()
  for (const [i, one] of ((policies ?? []) as readonly unknown[]).entries()) {
    const setting = `${place}policies[${i}]`
    if (!isPolicy(one)) report(setting, `it is ${describeValue(one)}, not a policy`, 'give what a policy function returns')
    else if (one.name === SECURITY_POLICY) report(setting, 'it is a security policy', 'write it as security: …')
    else if (own.has(one.name)) report(setting, `there are two policies '${one.name}'`, 'keep one of them')
    else own.add(one.name)
  }
}

function checkSecurityChoices(choices: readonly unknown[], place: string, report: Report): void {
  const remedy = "name a scheme of security.bearer(…) and the like, or 'none'"
  if (choices.length === 0) report(place, 'it names no scheme', "name one, or write 'none' to admit everybody")
  for (const one of choices)
    if (one !== 'none' && !isSecurityChoice(one)) report(place, `it is ${describeValue(one)}, not a scheme`, remedy)
}

const isSecurityChoice = (value: unknown): value is SecurityChoice => typeof readProperty(value, '~security') === 'function'

/** The policies of an action, each as it is there. */
export function resolvePoliciesForAction(policies: Policies, action: Omit<PolicyTarget, 'policies'>): Policies {
  const place = { ...action, policies }
  return new Map([...policies].map(([key, one]) => [key, one.inAction?.(place) ?? one]))
}
