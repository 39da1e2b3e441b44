// Holds the state of a request as it passes through the steps of its action, and the compiled action. Both are internal
// to the core.

import { ActionResponse } from '../../design/declare/action-response.ts'
import type { PolicyRequest } from '../../design/declare/policy.ts'
import type { AnyDefinition } from '../../design/definition.ts'
import type { ResolvedAction } from '../../design/resolve/resolved.ts'
import type { RouteMatch } from '../../routing/router/router.ts'
import type { Attributes } from '../../schema/attribute.ts'
import type { Loader, Loading } from '../../schema/loading.ts'
import type { Failed } from '../../util/failed.ts'
import type { DecodedBody, PayloadCodec } from '../body/codecs.ts'
import { KeptBody } from '../body/kept-body.ts'
import { CLOSE_FAILED, guardBody, releaseBody, replaceBody, reportClosing } from '../body-stream.ts'
import type { InputError } from '../problem/problem.ts'
import { listQueryNames, moveToPayload } from '../query/body-params.ts'
import { createTree, type TreeForm } from '../query/value-tree.ts'
import { listVary } from '../response/accumulated-headers.ts'
import type { ActionIdentity } from '../response/action-identity.ts'
import type { HeadersByType } from '../response/headers.ts'
import type { ResponseHook } from '../response/outgoing-response.ts'
import type { RenderedBody, RenderFault } from '../response/render-result.ts'
import type { Services } from '../services.ts'
import type { BodySource, RawHeaders, RawResponse, Send, Transport } from '../transport.ts'
import { locateInPayload } from './locate-in-payload.ts'
import { RequestContext } from './request-context.ts'
import { RequestView } from './request-view.ts'

/** The outcome of a step: a response ends the request; without one the request continues. */
export type StepOutcome = ActionResponse | undefined

/** Returned by a step that later calls `exchange.resume`: that costs less than a promise. */
export const RESUMES_LATER: unique symbol = Symbol('later')

/** The work of one step; it returns a promise only if it is asynchronous. */
export type StepRun = (exchange: Exchange) => StepOutcome | Promise<StepOutcome> | typeof RESUMES_LATER

/** One step of an action. */
export interface Step {
  /** The part of edict, the plugin or the callback that adds it, as `edict explain` prints it. */
  readonly name: string
  /** The names of the steps that it combines. */
  readonly parts?: readonly string[]
  readonly run: StepRun
}

/**
 * Checks and completes loaded params; mistakes are reported to `loading`. A returned object becomes `request.list`: the list
 * that the params ask for, as resources read it.
 */
export type ParamsCheck = (params: Record<string, unknown>, loading: Loading) => object | undefined | void

/** The decoding of params in the body of a route. */
export interface BodyParams {
  readonly codec: PayloadCodec
  /** The paths of the params that select a page of a list. */
  readonly pageParams: readonly (readonly string[])[]
  /** The params, if a GET of the same path accepts them in its query. */
  readonly getParams: Attributes | undefined
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
  /** Checks of plugins, which may also complete the loaded params. */
  readonly checks: readonly ParamsCheck[]
  /** Set if the route accepts the params in the body. */
  readonly body: BodyParams | null
  /** Whether any route of the action has captures. */
  readonly captures: boolean
}

/**
 * Reads and loads the headers of an action; lists may be sent as one value with commas, some other headers only once.
 */
export interface CompiledHeaders {
  readonly part: 'headers'
  readonly names: readonly {
    readonly name: string
    readonly lower: string
    readonly list: boolean
    readonly once: boolean
    /** Whether the transport returns only the first of several values. */
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

/** The inputs and outputs of an action, for clients that see the same attributes. */
export interface CompiledVariant {
  readonly identity: ActionIdentity
  readonly params: CompiledParams
  readonly headers: CompiledHeaders | null
  readonly payload: CompiledPayload | null
  readonly responses: ReadonlyMap<string, CompiledResponse>
}

/** An action, compiled to serve requests. */
export interface CompiledAction extends CompiledVariant {
  readonly services: Services
  readonly resolved: ResolvedAction
  readonly definition: AnyDefinition
  /** `endpoint.action`, for logs and failures. */
  readonly actionName: string
  readonly reply: object
  /** The most bytes of a body whose exact bytes are asked for. */
  readonly bodyLimit: number
  /** Headers of responses below 400, and of others. */
  readonly headersByType: HeadersByType
  readonly failureHeaders: HeadersByType
  /** The steps from the arrival of the request to the response of the action. */
  readonly steps: readonly Step[]
  /**
   * The steps of every response of the action, failures included, before it is sent; empty without callbacks of the
   * response stage.
   */
  readonly responseSteps: readonly Step[]
  /** Returns whether the policies still admit the client of an open stream of events; absent if none of them asks again. */
  readonly recheck: ((exchange: Exchange) => Promise<boolean>) | undefined
  /** The hooks of policies on a written response; empty without such policies. */
  readonly responseHooks: readonly ResponseHook<Exchange>[]
}

/** A declared response, compiled to check and write the responses of actions. */
export interface CompiledResponse {
  readonly status: number
  /** Returns whether a response is written as a list, whose elements may be written one by one. */
  takesElements(response: ActionResponse, exchange: Exchange): boolean
  /** Returns the declared media type that an `Accept` header selects; undefined if none is acceptable. */
  accepts(accept: RawHeaders[string]): string | undefined
  render(response: ActionResponse, exchange: Exchange): RenderedBody | Failed<RenderFault>
}

/** Runs work on a request inside the `around` hooks of plugins; calls `failed` instead if one of them fails. */
export type RunAround = (work: () => void, failed: (error: unknown, plugin: string) => void) => void

/** The origin of a failure, for the log. */
export interface FailureOrigin {
  readonly requestId: string
  readonly action: string | undefined
  /** Records the error for plugins with an `end` hook. */
  readonly recordError: (error: Error) => void
  /** Returns whether an error only reports that the client disconnected; such aborts are not errors. */
  readonly isClientAbort?: (thrown: unknown) => boolean
  /** Assigns errors to the part of the request that they are in: params may be in its body. */
  readonly locateErrors?: (errors: readonly InputError[]) => readonly InputError[]
  /** The plugin or the policy that failed, and its hook. */
  readonly plugin?: string
  readonly hook?: string
}

/** The parsed request line: the route, and the index where the query begins. */
export interface RequestLine {
  /** The path and query. */
  readonly url: string
  /** The index where the query begins; -1 if there is none. */
  readonly queryStart: number
  /** The version that the request specifies. */
  readonly version: string | undefined
  /** The route that matched, with the offsets of its captures. */
  readonly found: RouteMatch<unknown>
}

/** One request in the pipeline. */
export class Exchange {
  compiled: CompiledAction
  readonly transport: Transport
  readonly send: Send
  readonly line: RequestLine
  readonly request: RequestView
  readonly context: RequestContext
  errors: InputError[] | null = null
  /** The number of errors, including those that are not recorded. */
  errorCount = 0
  body: DecodedBody | undefined
  /** Set when the response has been sent: later results are ignored. */
  sent = false
  /** Set when the deadline has passed: later results of the action are dropped. */
  late = false
  /** Set when the response steps have begun. */
  responding = false
  /** The written response, and the response that it was written from. */
  written: { readonly response: ActionResponse; readonly answer: RawResponse } | undefined
  /** The audiences of the client, if some clients see more of the action than others. */
  audiences: readonly string[] | undefined
  /** The request for policies that read secrets; created on demand. */
  policyView: PolicyRequest | undefined
  /** When its policies have to be asked again, should the response be a stream of events. */
  recheckAt: number = Number.POSITIVE_INFINITY
  /** The error that caused the failure response. */
  error: Error | undefined
  /** The wrapper of the request's work; undefined if no plugin has an `around` hook. */
  runAround: RunAround | undefined
  /** Notifies plugins of the end of a step that returned LATER; undefined if none observes steps. */
  stepEnd: (() => void) | undefined
  /** Continues after a step that returned LATER. */
  resume: (outcome: StepOutcome) => void = ignoreOutcome
  #response: ActionResponse | undefined
  #state: Record<PropertyKey, unknown> | undefined
  /** The previous response: code that holds it may still change its body. */
  #previous: ActionResponse | undefined
  /** The body that the exchange sends or closes. */
  #body: unknown
  /** The body of the request, if its exact bytes were asked for. */
  #keptBody: KeptBody | undefined
  /** Whether the body of the request was passed to its codec. */
  #isBodyTaken = false
  #timer: ReturnType<typeof setTimeout> | undefined
  #timerStart = 0
  #timeLeft: number | undefined
  #expire: ((exchange: Exchange) => void) | undefined
  /** Whether the body is arriving, which the deadline does not count. */
  #isReceiving = false
  /** The values of Vary of replaced responses. */
  #vary: readonly string[] = NO_VALUES

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

  /** Continues with the variant of the action for some audiences. */
  switchVariant(compiled: CompiledAction, audiences: readonly string[]): void {
    this.compiled = compiled
    this.audiences = audiences
    this.request.switchVariant(compiled)
  }

  /** The object in which plugins, policies, callbacks and the action store data of this request. */
  get state(): Record<PropertyKey, unknown> {
    this.#state ??= createTree() as Record<PropertyKey, unknown>
    return this.#state
  }

  /** Continues with the object that plugins have used since the request arrived. */
  keepState(state: Record<PropertyKey, unknown>): void {
    this.#state = state
  }

  /** Returns the body of the request for its codec. */
  takeBody(): BodySource {
    this.#isBodyTaken = true
    return this.#keptBody ?? this.transport
  }

  /** Reads the exact bytes of the body, and keeps them for its codec. */
  async readBody(): Promise<Uint8Array<ArrayBuffer>> {
    const { bodyLimit, actionName } = this.compiled
    if (this.#keptBody === undefined) {
      if (this.#isBodyTaken)
        throw new TypeError(`${actionName}: the body has been decoded. Ask for its bytes before, in admission.`)
      this.pauseDeadline()
      this.#keptBody = new KeptBody(this.transport, bodyLimit)
    }
    try {
      return await this.#keptBody.readBytes(bodyLimit)
    } finally {
      this.continueDeadline()
    }
  }

  /** Starts the timer of the deadline, unless it runs, or the body is arriving. */
  startDeadline(expire: (exchange: Exchange) => void): void {
    const { deadline } = this.services
    this.#expire = expire
    if (deadline === 0 || this.#timer !== undefined || this.#isReceiving) return
    this.#timeLeft ??= deadline
    this.#timerStart = performance.now()
    this.#timer = setTimeout(expire, this.#timeLeft, this)
  }

  /** Stops the deadline until the body has arrived. */
  pauseDeadline(): void {
    this.#isReceiving = true
    if (this.#timer === undefined) return
    this.stopDeadline()
    this.#timeLeft = Math.max(0, (this.#timeLeft ?? 0) - (performance.now() - this.#timerStart))
  }

  /** Continues with the rest of the deadline, if it had begun. */
  continueDeadline(): void {
    this.#isReceiving = false
    if (this.#expire !== undefined && !this.sent && !this.late) this.startDeadline(this.#expire)
  }

  /** Ends the timer of the deadline. */
  stopDeadline(): void {
    if (this.#timer !== undefined) clearTimeout(this.#timer)
    this.#timer = undefined
  }

  /** The id of this request and its action, for the log. */
  get logFields(): Pick<FailureOrigin, 'requestId' | 'action'> {
    return { requestId: this.request.id, action: this.compiled.actionName }
  }

  /** The origin of failures of this request. */
  get origin(): FailureOrigin {
    return {
      ...this.logFields,
      recordError: (error) => {
        this.error = error
      },
      isClientAbort: (thrown) => this.request.signal.aborted && thrown === this.request.signal.reason,
      locateErrors: (errors) => locateInPayload(this.locateErrors(errors), this.body?.raw),
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
    if (this.#response !== undefined) {
      // The body may have changed since.
      this.ownBody()
      if (this.#response.hasHeaders) this.#vary = this.listVary(response)
    }
    this.#previous = this.#response
    this.#response = response
    this.ownBody()
  }

  /** The current response, if there is one yet. */
  get currentResponse(): ActionResponse | undefined {
    return this.#response
  }

  /** Lists the values of Vary of the responses that another one replaces: they led to it, so it varies by them, too. */
  listVary(replacement: ActionResponse): readonly string[] {
    const replaced = this.#response
    if (replaced === undefined || replaced === replacement || !replaced.hasHeaders) return this.#vary
    return [...this.#vary, ...listVary(replaced)]
  }

  /** Takes ownership of the body of the current response; a previous body is not sent. */
  ownBody(): void {
    if (this.late && this.#previous !== undefined) this.releaseResponse(this.#previous)
    const body = this.#response?.body
    if (body === this.#body) return
    // A sent or written response cannot change any more.
    if (this.sent || (this.written !== undefined && this.written.response === this.#response)) {
      this.logClosingErrors(body)
      return releaseBody(body)
    }
    if (this.#body !== undefined) {
      this.logClosingErrors(this.#body)
      replaceBody(this.#body, body)
    }
    this.#body = body
  }

  /** Logs errors of closing a body. */
  logClosingErrors(body: unknown): void {
    reportClosing(body, (err) => this.services.logger.error({ err, ...this.logFields }, CLOSE_FAILED))
  }

  /** Keeps a waiting body from ending the process. */
  guardBody(): void {
    guardBody(this.#body)
  }

  /** Closes the body of a response that is not sent. */
  releaseResponse({ body }: ActionResponse): void {
    if (body === this.#body) return
    this.logClosingErrors(body)
    releaseBody(body)
  }

  /** Adds errors of one part of the request: the recorded errors, and their total number. */
  addErrors(errors: readonly InputError[], count: number = errors.length): void {
    this.errorCount += count
    const located = this.locateErrors(errors)
    if (this.errors === null) this.errors = [...located]
    else this.errors.push(...located)
  }

  /** Moves errors of params that came in the body to the payload. */
  locateErrors(errors: readonly InputError[]): readonly InputError[] {
    const { params } = this.compiled
    if (params.body === null || errors.length === 0) return errors
    const { url, queryStart: query, found } = this.line
    return moveToPayload(errors, [...found.pattern.names, 'splat', ...listQueryNames(url, query, params.form)])
  }
}

function ignoreOutcome(): void {}

const NO_VALUES: readonly string[] = []
