// One request on its way through the steps of its action, and the record of that action: what the pipeline works on.
// Nothing outside the core sees either.

import type { PolicyRequest } from '../../design/declare/policy.ts'
import { ActionResponse } from '../../design/declare/action-response.ts'
import type { AnyDefinition } from '../../design/definition.ts'
import type { ResolvedAction } from '../../design/resolve/resolved.ts'
import type { RouteMatch } from '../../routing/router/router.ts'
import type { Attributes } from '../../schema/attribute.ts'
import type { Loader, Loading } from '../../schema/loading.ts'
import type { Failed } from '../../util/failed.ts'
import type { HeaderCache } from '../response/headers.ts'
import type { RenderedBody, RenderFault } from '../response/render-result.ts'
import type { ActionIdentity } from '../response/action-identity.ts'
import type { DecodedBody, PayloadCodec } from '../body/codecs.ts'
import { RequestContext } from './request-context.ts'
import type { InputError } from '../problem/problem.ts'
import type { ResponseHook } from '../response/outgoing-response.ts'
import { moveToPayload, listQueryNames } from '../query/body-params.ts'
import { createTree, type TreeForm } from '../query/value-tree.ts'
import { RequestView } from './request-view.ts'
import type { Services } from '../services.ts'
import { guardBody, releaseBody, replaceBody, reportClosing, UNCLOSED } from '../body-stream.ts'
import type { RawResponse, RawHeaders, Send, Transport } from '../transport.ts'

/** The end of a step: a response that ends the request, or nothing, and the request continues. */
export type StepOutcome = ActionResponse | undefined

/** Returned by a step that calls `exchange.resume` when it is done: that costs less than a promise. */
export const LATER: unique symbol = Symbol('later')

/** The work of one step; it gives a promise only when something in it is asynchronous. */
export type StepRun = (exchange: Exchange) => StepOutcome | Promise<StepOutcome> | typeof LATER

/** One step of an action. */
export interface Step {
  /** The part of edict, the plugin or the callback that brings it, as `edict explain` prints it. */
  readonly name: string
  /** The names of the steps that it was made of. */
  readonly parts?: readonly string[]
  readonly run: StepRun
}

/** Checks and completes loaded params; mistakes are reported to `loading`. */
export type ParamsCheck = (params: Record<string, unknown>, loading: Loading) => void

/** How a route takes the params in the body. */
export interface BodyParams {
  readonly codec: PayloadCodec
  /** The paths of the params that choose a part of a list. */
  readonly parts: readonly (readonly string[])[]
  /** The params, where a GET of the same path takes them in its query. */
  readonly queried: Attributes | undefined
}

/** Reads and loads the params of an action. */
export interface CompiledParams {
  readonly part: 'params'
  readonly form: TreeForm
  /** The most pairs of a query. */
  readonly pairs: number
  readonly load: Loader
  readonly defers: boolean
  readonly ignores: (name: string) => boolean
  /** Checks of plugins, which may also complete the params, when they have been loaded. */
  readonly checks: readonly ParamsCheck[]
  /** Set where the route takes them in the body. */
  readonly body: BodyParams | null
  /** Whether any route of the action captures something. */
  readonly captures: boolean
}

/** Reads and loads the headers of an action; lists may come as one value with commas, some others once only. */
export interface CompiledHeaders {
  readonly part: 'headers'
  readonly names: readonly {
    readonly name: string
    readonly lower: string
    readonly list: boolean
    readonly once: boolean
    /** Whether the transport shows the first of several values only. */
    readonly first: boolean
  }[]
  readonly load: Loader
  readonly defers: boolean
}

/** Reads and loads the body of an action. */
export interface CompiledPayload {
  readonly part: 'payload'
  readonly codec: PayloadCodec
  readonly load: Loader
  readonly defers: boolean
  readonly nullable: boolean
  readonly required: boolean
  readonly initial: (() => unknown) | undefined
  readonly ignores: (name: string) => boolean
}

/** The inputs and outputs of an action, as clients that see the same attributes have them. */
export interface CompiledVariant {
  readonly identity: ActionIdentity
  readonly params: CompiledParams
  readonly headers: CompiledHeaders | null
  readonly payload: CompiledPayload | null
  readonly responses: ReadonlyMap<string, CompiledResponse>
}

/** One action, ready to serve. */
export interface CompiledAction extends CompiledVariant {
  readonly services: Services
  readonly resolved: ResolvedAction
  readonly definition: AnyDefinition
  /** `endpoint.action`, for logs and failures. */
  readonly actionName: string
  readonly reply: object
  /** Headers of answers below 400, and of others. */
  readonly headerCache: HeaderCache
  readonly failureHeaders: HeaderCache
  /** From the first look at the request to the response of the action. */
  readonly steps: readonly Step[]
  /** For every response of the action, failures too, before it is sent; empty without callbacks of the response stage. */
  readonly responseSteps: readonly Step[]
  /** The work of policies on a written answer; empty without such policies. */
  readonly responseHooks: readonly ResponseHook<Exchange>[]
}

/** A declared response, ready to check and write what actions return under its name. */
export interface CompiledResponse {
  readonly status: number
  /** Whether a response of it is written as a list, whose elements may come one by one. */
  takesElements(response: ActionResponse, exchange: Exchange): boolean
  /** The media type that an `Accept` header chooses, as it is declared; undefined when there is none for it. */
  accepts(accept: RawHeaders[string]): string | undefined
  render(response: ActionResponse, exchange: Exchange): RenderedBody | Failed<RenderFault>
}

/** Runs work on a request inside of what plugins put around it; `failed` is called instead when one of them fails. */
export type RunAround = (work: () => void, failed: (error: unknown, plugin: string) => void) => void

/** Where a request is, for the log. */
export interface FailureOrigin {
  readonly requestId: string
  readonly action: string | undefined
  /** Keeps the error for the plugins that look at the end of the request. */
  readonly recordError: (error: Error) => void
  /** Whether an error only says that the client has gone; those who gave up for that have done what they should. */
  readonly isClientAbort?: (thrown: unknown) => boolean
  /** Errors with the part of the request that they are in: params may come in its body. */
  readonly locateErrors?: (errors: readonly InputError[]) => readonly InputError[]
  /** The plugin or the policy that failed, and where. */
  readonly plugin?: string
  readonly hook?: string
}

/** The first line of a request, read: where it leads, and where in it the query begins. */
export interface RequestLine {
  /** The path and query. */
  readonly url: string
  /** Where the query begins; -1 when there is none. */
  readonly query: number
  /** The version that the request carries. */
  readonly version: string | undefined
  /** The route that matched, with the places of its captures. */
  readonly found: RouteMatch<unknown>
}

/** One request on its way through the pipeline. */
export class Exchange {
  compiled: CompiledAction
  readonly transport: Transport
  readonly send: Send
  readonly line: RequestLine
  readonly request: RequestView
  readonly context: RequestContext
  errors: InputError[] | null = null
  /** How many errors there are, also beyond those kept. */
  errorCount = 0
  body: DecodedBody | undefined
  /** Set when the answer has gone out: whatever comes later is ignored. */
  sent = false
  /** Set when the deadline has passed: what the action still returns comes too late. */
  late = false
  /** Set when the steps of the answer have begun. */
  responding = false
  /** The answer, once it is written, and the response that it was written from. */
  written: { readonly response: ActionResponse; readonly answer: RawResponse } | undefined
  /** The audiences of its client, where some see more of the action than others. */
  audiences: readonly string[] | undefined
  /** The request as policies that read secrets see it, once one has asked. */
  policyView: PolicyRequest | undefined
  /** The clock of the deadline, once something has had to be waited for. */
  timer: ReturnType<typeof setTimeout> | undefined
  /** The error behind the failure that is answered. */
  error: Error | undefined
  /** The wrapper that its work runs in; undefined where no plugin wraps it. */
  runAround: RunAround | undefined
  /** Tells plugins of the end of a step that returned LATER; undefined where none watches steps. */
  stepEnd: (() => void) | undefined
  /** Goes on after a step that returned LATER. */
  resume: (ended: StepOutcome) => void = ignoreOutcome
  #response: ActionResponse | undefined
  #state: Record<PropertyKey, unknown> | undefined
  /** The response before the current one: who has it may still change its body. */
  #former: ActionResponse | undefined
  /** The body that it has to send, or to close. */
  #body: unknown

  constructor(compiled: CompiledAction, transport: Transport, send: Send, line: RequestLine) {
    this.compiled = compiled
    this.transport = transport
    this.send = send
    this.line = line
    this.request = new RequestView(compiled, transport, line)
    this.context = new RequestContext(this)
  }

  get services(): Services {
    return this.compiled.services
  }

  /** Goes on with the action as the members of some audiences may call it. */
  switchVariant(compiled: CompiledAction, audiences: readonly string[]): void {
    this.compiled = compiled
    this.audiences = audiences
    this.request.switchVariant(compiled)
  }

  /** The object in which plugins, policies, callbacks and the action remember something of this request. */
  get state(): Record<PropertyKey, unknown> {
    this.#state ??= createTree() as Record<PropertyKey, unknown>
    return this.#state
  }

  /** Continues with the object that plugins have had since the request arrived. */
  keepState(state: Record<PropertyKey, unknown>): void {
    this.#state = state
  }

  /** The id of this request and its action, for the log. */
  get logFields(): Pick<FailureOrigin, 'requestId' | 'action'> {
    return { requestId: this.request.id, action: this.compiled.actionName }
  }

  /** Where this request is, for failures. */
  get origin(): FailureOrigin {
    return {
      ...this.logFields,
      recordError: (error) => {
        this.error = error
      },
      isClientAbort: (thrown) => this.request.signal.aborted && thrown === this.request.signal.reason,
      locateErrors: (errors) => this.locateErrors(errors),
    }
  }

  get response(): ActionResponse {
    this.#response ??= new ActionResponse('ok', 200)
    return this.#response
  }

  set response(response: ActionResponse) {
    if (this.sent) {
      this.releaseResponse(response)
      return
    }
    // Its body may have been changed since.
    if (this.#response !== undefined) this.ownBody()
    this.#former = this.#response
    this.#response = response
    this.ownBody()
  }

  /** Takes over the body of the current response; another one that it had is not sent. */
  ownBody(): void {
    if (this.late && this.#former !== undefined) this.releaseResponse(this.#former)
    const body = this.#response?.body
    if (body === this.#body) return
    // An answer that is out, or written, stands.
    if (this.sent || (this.written !== undefined && this.written.response === this.#response)) {
      this.watchClosing(body)
      return releaseBody(body)
    }
    if (this.#body !== undefined) {
      this.watchClosing(this.#body)
      replaceBody(this.#body, body)
    }
    this.#body = body
  }

  /** Has errors of closing a body reported in the log. */
  watchClosing(body: unknown): void {
    reportClosing(body, (err) => this.services.logger.error({ err, ...this.logFields }, UNCLOSED))
  }

  /** Keeps its body from ending the process while it waits. */
  guardBody(): void {
    guardBody(this.#body)
  }

  /** Closes the body of a response that comes too late. */
  releaseResponse({ body }: ActionResponse): void {
    if (body === this.#body) return
    this.watchClosing(body)
    releaseBody(body)
  }

  /** Adds what is wrong with one part of the request: the errors that were kept, and how many there were. */
  addErrors(errors: readonly InputError[], count: number = errors.length): void {
    this.errorCount += count
    const placed = this.locateErrors(errors)
    if (this.errors === null) this.errors = [...placed]
    else this.errors.push(...placed)
  }

  /** Errors of params that came in the body, at their place there. */
  locateErrors(errors: readonly InputError[]): readonly InputError[] {
    const { params } = this.compiled
    if (params.body === null || errors.length === 0) return errors
    const { url, query, found } = this.line
    return moveToPayload(errors, [...found.pattern.names, 'splat', ...listQueryNames(url, query, params.form)])
  }
}

function ignoreOutcome(): void {}
