// One request as plugins see it, from its arrival to its end, whether or not it reaches an action.
import type { ResolvedAction } from '../../design/resolve/resolved.ts'
import type { Exchange } from './exchange.ts'
import { toLoggableError } from '../problem/thrown-value.ts'
import { createTree } from '../query/value-tree.ts'
import type { Services } from '../services.ts'
import { toPathAndQuery, toSameHost } from './request-target.ts'
import type { RawResponse, Done, RawHeaders, SendOutcome, Transport } from '../transport.ts'
import { REDACTED } from '../redaction.ts'

/** Finds the actions that a request may reach with a verb, each with its own verb. */
export type FindReachable = (
  transport: Pick<Transport, 'url'>,
  method: string,
) => readonly (readonly [verb: string, action: ResolvedAction])[]

const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'CONNECT', 'OPTIONS', 'TRACE', 'PATCH', 'QUERY'])

/** One request as plugins see it; on arrival nothing has been checked. */
export class IncomingRequest {
  /** When it arrived, by `performance.now()`. */
  readonly arrivedAt: number = performance.now()
  readonly #transport: Transport
  readonly #services: Services
  readonly #reach: FindReachable | undefined
  #error: Error | undefined
  #route: string | undefined
  #exchange: Exchange | undefined
  #id: string | undefined
  #redacted: string | undefined
  #state: Record<PropertyKey, unknown> | undefined

  constructor(transport: Transport, services: Services, reach?: FindReachable) {
    this.#transport = transport
    this.#services = services
    this.#reach = reach
  }

  /** The verb; empty when the request could not be read. */
  get method(): string {
    return this.#transport.method
  }

  /** The verb as one of few, for counting: what HTTP does not define is `_OTHER`. */
  get knownMethod(): string {
    return METHODS.has(this.method) ? this.method : '_OTHER'
  }

  /** The path and the query, never a host; empty when the request could not be read. */
  get url(): string {
    return toSameHost(toPathAndQuery(this.#transport.url))
  }

  /** The same for logs: without values of secret params, and without those that the action does not declare. */
  get redactedUrl(): string {
    const { redaction } = this.#services
    const exchange = this.#exchange
    const found = exchange && { action: exchange.compiled.resolved, found: exchange.line.found }
    this.#redacted ??= toSameHost(redaction.redactUrl(toPathAndQuery(this.#transport.url), found))
    return this.#redacted
  }

  /** The value of a header for logs, several joined by commas: not those of credentials and of what is declared secret. */
  redactedHeader(name: string): string | undefined {
    const lower = name.toLowerCase()
    const value = this.#transport.headers[lower]
    if (value === undefined) return undefined
    return this.#services.redaction.isHidden(lower) ? REDACTED : value.toString()
  }

  /** All headers as they came, by their lower-case names. */
  get headers(): RawHeaders {
    return this.#transport.headers
  }

  /** The address of the client, where the transport knows it. */
  get address(): string | undefined {
    return this.#transport.address
  }

  /** `http` or `https`, as the client or the nearest proxy reached this process, where the transport knows it. */
  get scheme(): string | undefined {
    return this.#transport.scheme
  }

  /** The version of HTTP that it came with, such as `1.1`, where the transport knows it. */
  get httpVersion(): string | undefined {
    return this.#transport.httpVersion
  }

  /** The transport's own request object. */
  get raw(): unknown {
    return this.#transport.raw
  }

  /** Aborted when the client has gone. */
  get signal(): AbortSignal {
    return this.#transport.signal
  }

  /** The id of the request, the same that its action sees. */
  get id(): string {
    this.#id ??= this.#exchange?.request.id ?? this.#services.requestId(this.#transport.headers)
    return this.#id
  }

  /** The pattern of the route that serves it, such as `/books/:id`; undefined before routing and when there is none. */
  get route(): string | undefined {
    return this.#route
  }

  /** The endpoint and the action that serve it, as `Books.show`. */
  get action(): string | undefined {
    return this.#exchange?.compiled.actionName
  }

  /** The resolved declaration of that action. */
  get declaration(): ResolvedAction | undefined {
    return this.#exchange?.compiled.resolved
  }

  /**
   * The actions that its path may lead to, each with its verb, whatever version is asked for in a header; the action that
   * serves `method` is there with it.
   */
  reachable(method: string): readonly (readonly [verb: string, action: ResolvedAction])[] {
    return this.#reach?.(this.#transport, method) ?? []
  }

  /** The version that it carries. */
  get version(): string | undefined {
    return this.#exchange?.line.version
  }

  /** The client as the action's security knows it. */
  get principal(): unknown {
    return this.#exchange?.context.principal
  }

  /** The object in which plugins, policies and the action remember something of this request; use a symbol of your own for a key. */
  get state(): Record<PropertyKey, unknown> {
    if (this.#exchange !== undefined) return this.#exchange.state
    this.#state ??= createTree() as Record<PropertyKey, unknown>
    return this.#state
  }

  /** Writes a warning to the log of the application, with the id of the request. */
  warn(fields: object, message: string): void {
    this.#services.logger.warn({ ...fields, requestId: this.id }, message)
  }

  /** The action that serves a request, by its parts; for the core only. */
  static getAction(request: IncomingRequest): { readonly endpoint: string; readonly name: string } | undefined {
    const found = request.#exchange?.compiled.resolved
    return found === undefined ? undefined : { endpoint: found.endpoint.name, name: found.name }
  }

  /** Notes the error that a request failed with outside its action; for the core only. */
  static setError(request: IncomingRequest, error: Error): void {
    request.#error = error
  }

  /** How a request ended; for the core only. */
  static describeEnd(request: IncomingRequest, answered: SentResponse, how: Parameters<Done>): RequestEnd {
    const [status, outcome, sent, error] = how
    const { response: answer, answeredAfter } = answered
    const { redaction } = request.#services
    return {
      answeredAfter,
      code: getResponseCode(status, answer),
      redactedHeader: (name) => redaction.redactHeader(name, answer.headers),
      status,
      outcome,
      duration: performance.now() - request.arrivedAt,
      received: request.#transport.received ?? 0,
      sent,
      error:
        status >= 500 || outcome === 'failed'
          ? toOptionalError(error ?? request.#error ?? request.#exchange?.error)
          : undefined,
    }
  }

  /** Notes the route that was found; for the core only. */
  static setRoute(request: IncomingRequest, route: string, exchange: Exchange): void {
    request.#route = route
    request.#exchange = exchange
    request.#redacted = undefined
    if (request.#state !== undefined) exchange.keepState(request.#state)
    if (request.#id !== undefined) exchange.request.setId(request.#id)
  }
}

/** An answer that was handed to the server, and when. */
export interface SentResponse {
  readonly response: RawResponse
  readonly answeredAfter: number
}

// Where the answer could not be written, the server has sent its own.
function getResponseCode(status: number, answer: RawResponse): string | undefined {
  if (status !== answer.status) return 'internal'
  return status < 400 ? undefined : answer.code
}

const toOptionalError = (error: unknown): Error | undefined => (error === undefined ? undefined : toLoggableError(error))

/** The end of a request. */
export interface RequestEnd {
  readonly status: number
  /** Whether all of the answer was sent, the client went before that, or the answer broke off. */
  readonly outcome: SendOutcome
  /** Milliseconds from the arrival to the last byte. */
  readonly duration: number
  /** Bytes of the request's body that were read; unread bytes do not count. */
  readonly received: number
  /** Bytes of the answer's body that were given to the client, as they were coded. */
  readonly sent: number
  /** The error behind a failure of the server, without values of database statements; undefined without one. */
  readonly error: Error | undefined
  /** Milliseconds from the arrival to the answer: the server got its status, headers and body, or the beginning of it. */
  readonly answeredAfter: number
  /** The code of the failure that the answer tells of, such as `not-found`. */
  readonly code: string | undefined
  /** The value of a header of the answer for logs, several joined by commas: not those that are declared secret. */
  redactedHeader(name: string): string | undefined
}
