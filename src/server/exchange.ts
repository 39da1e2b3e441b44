// One request at run time, and the record of the action that serves it: what the pipeline works on.
import type { AnyDefinition } from '../design/definition.ts'
import type { ResolvedAction } from '../design/resolved.ts'
import { Response } from '../design/response.ts'
import type { Found } from '../routing/router.ts'
import type { Loader } from '../schema/loading.ts'
import type { Decoded, PayloadCodec } from './codecs.ts'
import type { Heads } from './heads.ts'
import type { ParamsCheck } from './options.ts'
import type { InputError } from './problem.ts'
import { rawTree, type TreeForm } from './query-tree.ts'
import type { Rendered, RenderProblem } from './rendered.ts'
import type { Services } from './services.ts'
import type { ActionIdentity } from './shown.ts'
import { sameHost } from './target.ts'
import type { RawHeaders, Send, Transport } from './transport.ts'

/** What a stage ends in: a response that ends the request, or nothing. */
export type Outcome = Response | undefined

/** One stage, or a part of one; a promise only when something in it is asynchronous. */
export type Step = (exchange: Exchange) => Outcome | Promise<Outcome>

/** How an action's params are read and loaded. */
export interface CompiledParams {
  readonly form: TreeForm
  /** The most pairs of a query. */
  readonly pairs: number
  readonly load: Loader
  readonly defers: boolean
  readonly ignores: (name: string) => boolean
  /** What plugins check and complete when the params have been loaded. */
  readonly checks: readonly ParamsCheck[]
  /** Whether any route of the action captures something. */
  readonly captures: boolean
}

/** How an action's headers are read and loaded; lists may come as one value with commas, some others once only. */
export interface CompiledHeaders {
  readonly names: readonly {
    readonly name: string
    readonly lower: string
    readonly list: boolean
    readonly once: boolean
  }[]
  readonly load: Loader
  readonly defers: boolean
}

/** How an action's body is read and loaded. */
export interface CompiledPayload {
  readonly codec: PayloadCodec
  readonly load: Loader
  readonly defers: boolean
  readonly nullable: boolean
  readonly required: boolean
  readonly initial: (() => unknown) | undefined
  readonly ignores: (name: string) => boolean
}

/** One action, ready to serve. */
export interface CompiledAction {
  readonly resolved: ResolvedAction
  readonly definition: AnyDefinition
  readonly identity: ActionIdentity
  /** `endpoint.action`, for logs and failures. */
  readonly place: string
  readonly params: CompiledParams
  readonly headers: CompiledHeaders | null
  readonly payload: CompiledPayload | null
  readonly reply: object
  readonly responses: ReadonlyMap<string, CompiledResponse>
  readonly heads: Heads
  /** Lets clients in, before anything of the request is read; null when everybody may call. */
  readonly enter: Step | null
  /** Null when the load stage has no callbacks: the body is then read without a promise. */
  readonly load: Step | null
  readonly validate: Step
  readonly act: Step
  /** Null when the response stage has no callbacks. */
  readonly respond: Step | null
}

/** A declared response, ready to check and write what actions return under its name. */
export interface CompiledResponse {
  readonly status: number
  /** The media type that an `Accept` header chooses, as it is declared; undefined when there is none for it. */
  accepts(accept: RawHeaders[string]): string | undefined
  render(response: Response, exchange: Exchange): Rendered | RenderProblem
}

/** The request part of a context; what nobody reads is never made. */
export class RequestView {
  params: unknown = EMPTY
  payload: unknown = undefined
  headers: unknown = EMPTY
  readonly action: ActionIdentity
  readonly version: string | undefined
  readonly #transport: Transport
  readonly #services: Services
  readonly #responses: CompiledAction['responses']
  readonly #url: string
  #id: string | undefined
  #abort: AbortController | undefined

  constructor({ compiled, transport, services, url }: Exchange, version: string | undefined) {
    this.action = compiled.identity
    this.version = version
    this.#transport = transport
    this.#services = services
    this.#responses = compiled.responses
    this.#url = url
  }

  /** A function of its own, so that a controller may take it out of the request like everything else there. */
  get accepts(): (name: string) => string | undefined {
    return (name) => this.#responses.get(name)?.accepts(this.#transport.headers['accept'])
  }

  get method(): string {
    return this.#transport.method
  }

  get url(): string {
    return sameHost(this.#url)
  }

  get env(): { readonly headers: RawHeaders; readonly raw: unknown } {
    return this.#transport
  }

  get id(): string {
    this.#id ??= this.#services.requestId(this.#transport.headers)
    return this.#id
  }

  get signal(): AbortSignal {
    if (this.#abort === undefined) {
      this.#abort = new AbortController()
      const gone = this.#transport.signal
      if (gone.aborted) this.#abort.abort(gone.reason)
      else gone.addEventListener('abort', () => this.#abort?.abort(gone.reason), { once: true })
    }
    return this.#abort.signal
  }

  /** Tells whoever listens to the signal that the answer is no longer wanted. */
  abort(reason: unknown): void {
    // Whoever asks for the signal only later is told as well.
    if (!this.signal.aborted) this.#abort?.abort(reason)
  }
}

const EMPTY: object = Object.freeze(rawTree())

/** One request on its way through the pipeline. */
export class Exchange {
  readonly compiled: CompiledAction
  readonly services: Services
  readonly transport: Transport
  readonly request: RequestView
  readonly send: Send
  /** The route that matched, with the places of its captures. */
  readonly found: Found<unknown>
  /** The path and query, and where the query begins in it; -1 when there is none. */
  readonly url: string
  readonly query: number
  errors: InputError[] | null = null
  /** How many errors there are, also beyond those kept. */
  errorCount = 0
  body: Decoded | undefined
  /** Whom the action's security found the client to be. */
  principal: unknown = undefined
  /** Set when the answer has gone out: whatever comes later is ignored. */
  sent = false
  /** Set when the deadline has passed: what the action still returns comes too late. */
  late = false
  #response: Response | undefined
  #state: Record<string, unknown> | undefined

  constructor(
    compiled: CompiledAction,
    services: Services,
    transport: Transport,
    send: Send,
    found: Found<unknown>,
    url: string,
    query: number,
    version: string | undefined,
  ) {
    this.compiled = compiled
    this.services = services
    this.transport = transport
    this.send = send
    this.found = found
    this.url = url
    this.query = query
    this.request = new RequestView(this, version)
  }

  get response(): Response {
    this.#response ??= new Response('ok', 200)
    return this.#response
  }

  set response(response: Response) {
    this.#response = response
  }

  get reply(): object {
    return this.compiled.reply
  }

  get definition(): AnyDefinition {
    return this.compiled.definition
  }

  get state(): Record<string, unknown> {
    this.#state ??= rawTree()
    return this.#state
  }

  /** A function of its own, so that a controller may take it out of the context like everything else there. */
  get href(): (endpoint: AnyDefinition, args: never) => string {
    return this.services.href
  }

  /** Adds what is wrong with one part of the request: the errors that were kept, and how many there were. */
  refuse(errors: readonly InputError[], count: number = errors.length): void {
    this.errorCount += count
    if (this.errors === null) this.errors = [...errors]
    else this.errors.push(...errors)
  }
}
