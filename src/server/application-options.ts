// The options of an application and the settings that follow from them.

import type { Contract } from '../contract/contract.ts'
import type { AnyController } from '../design/controller.ts'
import type { Need } from '../design/declare/need.ts'
import type {
  DeprecatedUse,
  OutgoingResponse,
  Policy,
  PolicyRequest,
  PolicySteps,
  SecurityChoice,
} from '../design/declare/policy.ts'
import type { ActionResponse } from '../design/declare/action-response.ts'
import type { Terms } from '../design/declare/contract-terms.ts'
import type { ApiMetadata, ApiServer } from '../design/metadata.ts'
import type { Report } from '../design/mistakes.ts'
import type { ResolvedAction, ResolvedEndpoint } from '../design/resolve/resolved.ts'
import type { Codes } from '../errors.ts'
import type { ParamNote } from '../openapi/parameters.ts'
import type { OpenapiDocument } from '../openapi/types.ts'
import type { VersionCarrier } from '../routing/version.ts'
import type { Environment } from '../util/environment.ts'
import type { BodyCheck, ResponseViolation } from './response/violation.ts'
import type { ParamsCheck } from './request/exchange.ts'
import type { ProblemEncoder } from './response/problem-encoder.ts'
import type { Logger } from './logger.ts'
import type { IncomingRequest, RequestEnd } from './request/incoming-request.ts'
import type { SentStatement, StatementObserver, StatementSource } from './sent-statement.ts'
import type { ResponseChecks } from './services.ts'

/** Limits of requests. */
export interface Limits {
  /**
   * The largest body in bytes, after decompression; an action may set its own.
   * @default 1 MiB
   */
  readonly body?: number
  /**
   * The most pairs in a query string or a form.
   * @default 200
   */
  readonly queryPairs?: number
  /**
   * The most steps of a name in a query string or a form; `a[b][c]` has three.
   * @default 8
   */
  readonly queryDepth?: number
}

/** A scheme and the function that verifies its credentials, of whatever types. */
interface AnyVerifier {
  readonly scheme: SecurityChoice
  readonly check: (credentials: never, asked: never) => unknown
}

/** The options of an application. */
export interface ApplicationOptions<C = AnyController> extends ApiMetadata {
  /**
   * The name of the API in its documents.
   * @default `'API'`
   */
  readonly title?: string
  /** Describes the API in its documents; markdown. */
  readonly description?: string
  /**
   * Comes before every path of the API.
   * @default none
   */
  readonly basePath?: string
  /**
   * The controllers that the application serves; at least one.
   * @see docs/guide/controllers.md
   */
  // Written as a choice with the empty tuple, so that the compiler takes the list as it is written instead of reducing it.
  readonly controllers: readonly C[] | readonly []
  /**
   * Plugins, in the order in which they change these options.
   * @default none
   */
  readonly plugins?: readonly Plugin[]
  /**
   * Verifiers of the security schemes that actions name, one for each scheme.
   * @default none
   * @see docs/guide/security.md
   */
  readonly verifiers?: readonly AnyVerifier[]
  /**
   * Settings of plugins by name; they override the options of their registration.
   * @default none
   */
  readonly config?: Readonly<Record<string, unknown>>
  /**
   * The accepted carriers of a version: some of `'path'`, `'header'` and `'query'`.
   * @default all three
   * @see docs/guide/versions.md
   */
  readonly versionWith?: readonly VersionCarrier[]
  readonly validation?: {
    /**
     * The status of a request that does not match its declaration: 400 or 422.
     * @default 400
     */
    readonly status?: 400 | 422
  }
  /**
   * Names of query parameters and payload attributes to ignore instead of rejecting, for every action; `*` stands for any characters.
   * @default none
   * @see docs/guide/inputs.md
   */
  readonly ignore?: readonly string[]
  /**
   * Content types of bodies, for every payload that is a structure or a value without files and whose declaration names none.
   * @default JSON
   * @see docs/guide/payloads.md#content-types
   */
  readonly consumes?: readonly string[]
  readonly limits?: Limits
  /**
   * Writes every failure in another form, made by `problemEncoder`.
   * @default problem documents
   * @see docs/guide/errors.md
   */
  readonly encodeProblem?: ProblemEncoder
  /**
   * How much of response bodies is checked: `'always'` everything; `'sample'` one body in a hundred, or a number such as 0.05 for another share, with problems logged; `'off'` only the kind of each value.
   * @default `'always'`, in production `'sample'`
   * @see docs/guide/responses.md#gotchas
   */
  readonly validateResponses?: ResponseChecks
  /**
   * Milliseconds from the arrival of a request to its response, not counting the arrival of its body; then the response is 503. 0 for no limit.
   * @default 30,000
   * @see docs/guide/serving.md#deadline
   */
  readonly timeout?: number
  /**
   * Receives errors, and requests if `logRequests` is set; accepts a pino logger.
   * @default the console, for warnings and errors
   */
  readonly logger?: Logger
  /**
   * Logs one line for each request, also if it reaches no action.
   * @default `false`
   */
  readonly logRequests?: boolean
  readonly requestId?: {
    /**
     * The header in which a client sends its own request id.
     * @default `X-Request-Id`
     */
    readonly header?: string
    /**
     * Whether the id that a client sends becomes the id of the request.
     * @default `true`
     */
    readonly trust?: boolean
  }
  /**
   * The environment: `'development'`, `'test'` or `'production'`.
   * @default what `NODE_ENV` says
   * @see docs/guide/errors.md
   */
  readonly environment?: Environment
}

/** The phase of an application: `start()` leads to `serving`, `drain()` to `draining`, `close()` to `closed`. */
export type Phase = 'new' | 'starting' | 'serving' | 'draining' | 'closed'

/** The declarations of a finished application. */
export interface ApiDescription {
  readonly title: string
  readonly description: string | undefined
  readonly basePath: string
  /** The servers that the application declares, without the base path. */
  readonly servers: readonly ApiServer[]
  readonly endpoints: readonly ResolvedEndpoint[]
  /** The versions that there are documents of; undefined stands for the endpoints without a version. */
  readonly versions: readonly (string | undefined)[]
  /** Describes one version of the API, or its endpoints without a version, as OpenAPI 3.1. */
  openapi(version?: string): OpenapiDocument
  /** Describes all that clients may rely on, in every version, as data that can be compared. */
  contract(): Contract
  /** Where it is in its life: whether it wants requests is up to that. */
  phase(): Phase
  /** Answers a web Request as the server does, plugins included: for plugins that serve the same actions by another protocol. */
  fetch(request: Request): Promise<Response>
}

/** Finds something out about an application; `settings` are the options of the tool that asks. */
type PluginTool = (application: ApiDescription, settings: Readonly<Record<string, unknown>>) => unknown

/** A named extension of an application. */
export interface Plugin {
  /** Functions have this: a plugin is not the function that makes it, but what the function returns. */
  readonly bind?: never
  readonly name: string
  /** Further names that the plugin answers to when a declaration needs them. */
  readonly provides?: readonly string[]
  /** Names of options of the application that are the plugin's own. */
  readonly takes?: readonly string[]
  /** The codes that the plugin answers with, made by `defineCodes`. */
  readonly codes?: Codes
  /**
   * Headers of every answer, names and values in turn; they take the place of edict's own, those of policies and actions take
   * theirs, and an empty value leaves a header out.
   */
  readonly responseHeaders?: readonly string[]
  /** Names of plugins that must be registered, and run before this one. */
  readonly requires?: readonly string[]
  /** Names of plugins that run before this one, where they are registered. */
  readonly after?: readonly string[]
  /** Names of plugins that run after this one, where they are registered. */
  readonly before?: readonly string[]
  /** Names of plugins that cannot be registered beside this one. */
  readonly excludes?: readonly string[]
  /** Combines this plugin with another of its name; without it, or without a result, an application can register it only once. */
  merge?(other: Plugin): Plugin | undefined
  /**
   * Returns the options that the application boots with; called in the order of registration. Code that the plugin adds may
   * call `finished` for the finished application once it serves.
   */
  apply?(options: ApplicationOptions, finished: () => ApiDescription): ApplicationOptions
  /** Reports mistakes in the plugin's own options; called once. */
  checkOptions?(report: Report, options: ApplicationOptions): void
  /**
   * Returns whether the application does without an action, such as one of a feature that is switched off: no route,
   * document or contract has it. Called for each action when the application boots.
   */
  removeAction?(action: ResolvedAction, options: ApplicationOptions): boolean
  /** Reports definition mistakes that only the plugin can see; called for each endpoint. */
  check?(endpoint: ResolvedEndpoint, report: Report, options: ApplicationOptions): void
  /** Notes for documents on an action's params that follow from the plugin's settings, by param name. */
  notes?(action: ResolvedAction, options: ApplicationOptions): Readonly<Record<string, ParamNote>>
  /** Members of an action's OpenAPI operation, such as `x-…`; those that come from the declaration stay as they are. */
  operation?(action: ResolvedAction, options: ApplicationOptions): Readonly<Record<string, unknown>>
  /** Members of every OpenAPI document, such as `externalDocs` or `x-…`, beside those of the declarations. */
  document?(options: ApplicationOptions): Readonly<Record<string, unknown>>
  /** Makes a further check of an action's params, run when they have been loaded; it may also complete them. */
  params?(action: ResolvedAction, options: ApplicationOptions): ParamsCheck | undefined
  /**
   * Makes a further check of the bodies of an action's successful responses. What it finds breaks the declaration, as an
   * attribute that does not fit: `validateResponses` decides what follows.
   */
  body?(action: ResolvedAction, options: ApplicationOptions): BodyCheck | undefined
  /** Returns the plugin's terms for an action's params, by param name: they become part of the contract. */
  contract?(action: ResolvedAction, options: ApplicationOptions): Readonly<Record<string, Terms>>
  /** Reports mistakes in a policy that names this plugin, in one action. */
  checkPolicy?(policy: Policy, action: ResolvedAction, report: Report, options: ApplicationOptions): void
  /** Returns the work of a policy that names this plugin, in one action. */
  enforce?(policy: Policy, action: ResolvedAction, options: ApplicationOptions): PolicySteps
  /** Gives another need in the place of one that an action asks for by a name; the first plugin that gives one is taken. */
  need?(need: Need, name: string, action: ResolvedAction): Need | undefined
  /**
   * Tests by name whether the client of a request belongs to an audience, for attributes that only some audiences see. Called
   * after policies have admitted the client.
   */
  readonly audiences?: Readonly<Record<string, (request: PolicyRequest) => boolean>>
  /** Sees every request before it is routed, and may return the response. */
  arrival?(request: IncomingRequest): ArrivalResult | Promise<ArrivalResult>
  /**
   * Runs the work on a request, from its route on, inside a context that follows asynchronous calls. It calls `work` at once,
   * and is called again for the rest of the work when the body has arrived.
   */
  around?(request: IncomingRequest, work: () => void): void
  /**
   * Sees the beginning of each step of an action, by the name that `explain` lists; the function that it returns is called at
   * the end of the step.
   */
  step?(name: string, request: PolicyRequest): (() => void) | void
  /** Sees every response before it is written, also if the request reached no action, and may change it. */
  answer?(response: OutgoingResponse, request: IncomingRequest): void | Promise<void>
  /** Receives every use of something deprecated: an action that is reached, a param, a header or an attribute that is sent. */
  deprecated?(use: DeprecatedUse, request: PolicyRequest): void
  /**
   * Receives every response of an action that breaks its declaration, as far as `validateResponses` checks; the log then
   * omits those that are sent anyway.
   */
  violation?(violation: ResponseViolation, request: PolicyRequest): void
  /** The sources of its database statements, for plugins that observe them. */
  readonly statements?: readonly StatementSource[]
  /**
   * Receives every statement that plugins of the application send, from its start to its close; the function that it returns
   * receives the end of the statement.
   */
  statement?(statement: SentStatement): ReturnType<StatementObserver>
  /** Receives the end of every request once: its response is sent, or its client has disconnected. */
  end?(request: IncomingRequest, ended: RequestEnd): void
  /** Reports on the application for tools such as the command line, by name; they run only on demand. */
  readonly tools?: Readonly<Record<string, PluginTool>>
  /** Runs before the application is served for the first time; it is not served when this fails. */
  start?(application: ApiDescription): void | Promise<void>
  /** Runs when the last request has been answered; plugins close in the reverse order of their start. */
  close?(): void | Promise<void>
}

/** A response ends the request; without one the request continues. */
export type ArrivalResult = ActionResponse | undefined | void

/** Returns whether a plugin has a name, or provides what has it. */
export const hasPluginName = ({ name, provides = [] }: Plugin, wanted: string): boolean =>
  name === wanted || provides.includes(wanted)
