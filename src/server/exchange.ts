// One request and its answer at run time: what actions and callbacks get as their context.
import type { AnyDefinition } from '../design/definition.ts'
import { Response } from '../design/response.ts'
import type { CompiledAction } from './compiled.ts'
import type { Decoded } from './codecs.ts'
import type { InputError } from './problem.ts'
import type { Services } from './services.ts'
import type { RawHeaders, Send, Transport } from './transport.ts'

/** Structures without inherited keys that are nevertheless fast to make. */
export const Bare = function () {} as unknown as new () => Record<string, unknown>
Bare.prototype = Object.create(null)

/** The request part of a context; what nobody reads is never made. */
export class RequestView {
  params: unknown = EMPTY
  payload: unknown = undefined
  headers: unknown = EMPTY
  readonly action: { readonly name: string }
  readonly version: string | undefined
  readonly #transport: Transport
  readonly #services: Services
  #id: string | undefined
  #abort: AbortController | undefined

  constructor(action: CompiledAction, transport: Transport, services: Services, version: string | undefined) {
    this.action = action.identity
    this.version = version
    this.#transport = transport
    this.#services = services
  }

  get method(): string {
    return this.#transport.method
  }

  get url(): string {
    return this.#transport.url
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
    this.#abort?.abort(reason)
  }
}

const EMPTY: object = Object.freeze(new Bare())

/** One request on its way through the pipeline. */
export class Exchange {
  readonly compiled: CompiledAction
  readonly services: Services
  readonly transport: Transport
  readonly request: RequestView
  readonly send: Send
  /** The values that the router captured, by the place of their names in the pattern. */
  readonly captured: Record<string, unknown> | null
  /** Where the query begins in the URL; -1 when there is none. */
  readonly query: number
  errors: InputError[] | null = null
  body: Decoded | undefined
  /** Set when the answer has gone out: whatever comes later is ignored. */
  sent = false
  #response: Response | undefined
  #state: Record<string, unknown> | undefined

  constructor(
    compiled: CompiledAction,
    services: Services,
    transport: Transport,
    send: Send,
    captured: Record<string, unknown> | null,
    query: number,
    version: string | undefined,
  ) {
    this.compiled = compiled
    this.services = services
    this.transport = transport
    this.send = send
    this.captured = captured
    this.query = query
    this.request = new RequestView(compiled, transport, services, version)
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
    this.#state ??= new Bare()
    return this.#state
  }

  href(endpoint: AnyDefinition, args: never): string {
    return this.services.href(endpoint, args, this.request.version)
  }

  /** Adds what is wrong with one part of the request. */
  refuse(errors: readonly InputError[]): void {
    if (this.errors === null) this.errors = [...errors]
    else this.errors.push(...errors)
  }
}
