// The options of an application and the settings that follow from them.

import type { Contract } from '../contract/contract.ts'
import type { AnyController } from '../design/controller.ts'
import type { ActionResponse } from '../design/declare/action-response.ts'
import type { Terms } from '../design/declare/contract-terms.ts'
import type { Need } from '../design/declare/need.ts'
import type {
  DeprecatedUse,
  OutgoingResponse,
  Policy,
  PolicyRequest,
  PolicySteps,
  SecurityChoice,
} from '../design/declare/policy.ts'
import type { ApiMetadata, ApiServer } from '../design/metadata.ts'
import type { Report } from '../design/mistakes.ts'
import type { ResolvedAction, ResolvedEndpoint } from '../design/resolve/resolved.ts'
import type { Codes } from '../errors.ts'
import type { ParamNote } from '../openapi/parameters.ts'
import type { OpenapiDocument, OpenapiOptions } from '../openapi/types.ts'
import type { VersionCarrier } from '../routing/version.ts'
import type { Environment } from '../util/environment.ts'
import type { Logger } from './logger.ts'
import type { ParamsCheck } from './request/exchange.ts'
import type { IncomingRequest, RequestEnd } from './request/incoming-request.ts'
import type { ProblemEncoder } from './response/problem-encoder.ts'
import type { BodyCheck, ResponseViolation } from './response/violation.ts'
import type { SentStatement, StatementObserver, StatementSource } from './sent-statement.ts'
import type { ResponseChecks } from './services.ts'

/** The limits of requests. */
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
   * The most segments of a name in a query string or a form; `a[b][c]` has three.
   * @default 8
   */
  readonly queryDepth?: number
}

/** A scheme and the function that verifies its credentials, of any types. */
interface AnyVerifier {
  readonly scheme: SecurityChoice
  readonly check: (credentials: never, context: never) => unknown
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
   * The prefix of every path of the API.
   * @default none
   */
  readonly basePath?: string
  /**
   * The controllers that the application serves; at least one.
   * @see docs/guide/controllers.md
   */
  // The union with the empty tuple lets the compiler infer the list as it is written.
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
   * Names of query parameters and payload attributes to ignore instead of rejecting, for every action; `*` matches any
   * characters.
   * @default none
   * @see docs/guide/inputs.md
   */
  readonly ignore?: readonly string[]
  /**
   * Content types of bodies, for every payload that is a structure or a value without files and that declares no
   * content type.
   * @default JSON
   * @see docs/guide/payloads.md#content-types
   */
  readonly consumes?: readonly string[]
  readonly limits?: Limits
  /**
   * Writes every failure in another format; create it with `problemEncoder`.
   * @default problem documents
   * @see docs/guide/errors.md
   */
  readonly encodeProblem?: ProblemEncoder
  /**
   * The share of response bodies that is checked: `'always'` checks all of them; `'sample'` checks one body in a
   * hundred, or a number such as 0.05 another share, and logs problems; `'off'` checks only the type of each value.
   * @default `'always'`, in production `'sample'`
   * @see docs/guide/responses.md#gotchas
   */
  readonly validateResponses?: ResponseChecks
  /**
   * The most milliseconds from the arrival of a request to its response, not counting the arrival of its body; after
   * that, the response is 503. 0 for no limit.
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
   * Logs one line for each request, including requests that reach no action.
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
   * @default the value of `NODE_ENV`
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
  /** The versions that have a document; undefined represents the endpoints without a version. */
  readonly versions: readonly (string | undefined)[]
  /** Describes one version of the API, or its endpoints without a version, in OpenAPI 3.1 or 3.2. */
  openapi(version?: string, options?: OpenapiOptions): OpenapiDocument
  /** Describes everything that clients may rely on, in every version, as comparable data. */
  contract(): Contract
  /** Returns the lifecycle phase; the application takes requests while it is `serving`. */
  phase(): Phase
  /**
   * Handles a web Request like the server does, plugins included: for plugins that serve the same actions over another
   * protocol.
   */
  fetch(request: Request): Promise<Response>
}

/** Inspects an application; `settings` are the options of the tool that calls it. */
type PluginTool = (application: ApiDescription, settings: Readonly<Record<string, unknown>>) => unknown

/** The name of a plugin, and its relations to other plugins. */
interface PluginRegistration {
  /** Rejects functions, which have this member: register the result of a plugin function, not the function itself. */
  readonly bind?: never
  readonly name: string
  /** Further names by which declarations can require the plugin. */
  readonly provides?: readonly string[]
  /** Names of application options that belong to the plugin. */
  readonly optionNames?: readonly string[]
  /** The problem codes of the plugin's responses, created by `defineCodes`. */
  readonly codes?: Codes
  /** Names of plugins that must be registered, and run before this one. */
  readonly requires?: readonly string[]
  /** Names of plugins that run before this one, if they are registered. */
  readonly after?: readonly string[]
  /** Names of plugins that run after this one, if they are registered. */
  readonly before?: readonly string[]
  /** Names of plugins that cannot be registered together with this one. */
  readonly excludes?: readonly string[]
  /**
   * Combines this plugin with another of its name; without this method, or without a result, an application can
   * register it only once.
   */
  merge?(other: Plugin): Plugin | undefined
}

/** The work of a plugin when the application boots, starts and closes. */
interface PluginLifecycle {
  /**
   * Returns the options that the application boots with; called in the order of registration. Code that the plugin adds
   * may call `finished` to get the finished application while it serves.
   */
  apply?(options: ApplicationOptions, finished: () => ApiDescription): ApplicationOptions
  /** Reports mistakes in the plugin's own options; called once. */
  checkOptions?(report: Report, options: ApplicationOptions): void
  /** Reports definition mistakes that only the plugin can see; called for each endpoint. */
  check?(endpoint: ResolvedEndpoint, report: Report, options: ApplicationOptions): void
  /**
   * Returns whether to remove an action from the application, such as an action of a disabled feature: it is then in no
   * route, document or contract. Called for each action when the application boots.
   */
  removeAction?(action: ResolvedAction, options: ApplicationOptions): boolean
  /** Functions that report on the application to tools such as the command line, by name; they run only on demand. */
  readonly tools?: Readonly<Record<string, PluginTool>>
  /** Runs before the application is served for the first time; the application does not start if this fails. */
  start?(application: ApiDescription): void | Promise<void>
  /** Runs after the response to the last request; plugins close in the reverse order of their start. */
  close?(): void | Promise<void>
}

/** The part of a plugin in single actions: params, bodies, policies, needs and audiences. */
interface PluginActions {
  /** Creates a further check of an action's params, run after they have been loaded; it may also complete them. */
  checkParams?(action: ResolvedAction, options: ApplicationOptions): ParamsCheck | undefined
  /**
   * Creates a further check of the bodies of an action's successful responses. Its findings violate the declaration,
   * like an attribute with a wrong value: `validateResponses` decides the consequence.
   */
  checkBody?(action: ResolvedAction, options: ApplicationOptions): BodyCheck | undefined
  /** Reports mistakes in a policy that names this plugin, in one action. */
  checkPolicy?(policy: Policy, action: ResolvedAction, report: Report, options: ApplicationOptions): void
  /** Returns the steps of a policy that names this plugin, in one action. */
  enforce?(policy: Policy, action: ResolvedAction, options: ApplicationOptions): PolicySteps
  /** Returns a replacement for a need that an action declares by name; the first plugin that returns one wins. */
  need?(need: Need, name: string, action: ResolvedAction): Need | undefined
  /**
   * Tests, by audience name, whether the client of a request belongs to the audience; for attributes that only some
   * audiences see. Called after policies have admitted the client.
   */
  readonly audiences?: Readonly<Record<string, (request: PolicyRequest) => boolean>>
}

/** The additions of a plugin to documents and contracts. */
interface PluginDocuments {
  /** Returns notes for documents on an action's params that follow from the plugin's settings, by param name. */
  paramNotes?(action: ResolvedAction, options: ApplicationOptions): Readonly<Record<string, ParamNote>>
  /** Returns members of an action's OpenAPI operation, such as `x-…`; members from the declaration have precedence. */
  operation?(action: ResolvedAction, options: ApplicationOptions): Readonly<Record<string, unknown>>
  /**
   * Returns members of every OpenAPI document, such as `externalDocs` or `x-…`, in addition to those of the
   * declarations.
   */
  document?(options: ApplicationOptions): Readonly<Record<string, unknown>>
  /** Returns the plugin's terms for an action's params, by param name; they become part of the contract. */
  contract?(action: ResolvedAction, options: ApplicationOptions): Readonly<Record<string, Terms>>
}

/** The hooks of a plugin in every request, in the order in which they run. */
interface PluginHooks {
  /** Runs for every request before it is routed; may return the response. */
  arrival?(request: IncomingRequest): ArrivalResult | Promise<ArrivalResult>
  /**
   * Runs the work on a request, from its route on, inside a context that follows asynchronous calls. It must call
   * `work` synchronously; it is called again for the rest of the work when the body has arrived.
   */
  around?(request: IncomingRequest, work: () => void): void
  /**
   * Runs at the beginning of each step of an action, with the name that `explain` lists; the returned function runs at
   * the end of the step.
   */
  step?(name: string, request: PolicyRequest): (() => void) | void
  /**
   * Runs for every response before it is written, including responses of requests that reached no action; may change
   * it.
   */
  response?(response: OutgoingResponse, request: IncomingRequest): void | Promise<void>
  /**
   * Headers of every response, names and values in turn. They replace edict's own headers; headers of policies and
   * actions replace them. An empty value omits a header.
   */
  readonly responseHeaders?: readonly string[]
  /** Runs once at the end of every request: after its response is sent, or after its client has disconnected. */
  end?(request: IncomingRequest, ended: RequestEnd): void
}

/** The events that a plugin observes. */
interface PluginObservers {
  /**
   * Runs for every use of something deprecated: an action that is called, or a param, a header or an attribute that is
   * sent.
   */
  deprecated?(use: DeprecatedUse, request: PolicyRequest): void
  /**
   * Runs for every response of an action that violates its declaration, as far as `validateResponses` checks; the log
   * then omits violations that are sent anyway.
   */
  violation?(violation: ResponseViolation, request: PolicyRequest): void
  /** The sources of the plugin's database statements, for plugins that observe them. */
  readonly statements?: readonly StatementSource[]
  /**
   * Runs for every statement that plugins of the application send, from its start to its close; the returned function
   * receives the end of the statement.
   */
  statement?(statement: SentStatement): ReturnType<StatementObserver>
}

/** A named extension of an application. */
export interface Plugin
  extends PluginRegistration,
    PluginLifecycle,
    PluginActions,
    PluginDocuments,
    PluginHooks,
    PluginObservers {}

/** The result of `arrival`: a response ends the request; without one the request continues. */
export type ArrivalResult = ActionResponse | undefined | void

/** Returns whether a plugin has a name or provides it. */
export const hasPluginName = ({ name, provides = [] }: Plugin, wanted: string): boolean =>
  name === wanted || provides.includes(wanted)
