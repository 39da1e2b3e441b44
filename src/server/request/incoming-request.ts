// A request as plugins see it, from its arrival to its end, whether or not it reaches an action.
import type { ResolvedAction } from '../../design/resolve/resolved.ts'
import { toLoggableError } from '../problem/thrown-value.ts'
import { createTree } from '../query/value-tree.ts'
import { REDACTED } from '../redaction.ts'
import type { Services } from '../services.ts'
import type { Done, RawHeaders, RawResponse, SendOutcome, Transport } from '../transport.ts'
import type { Exchange } from './exchange.ts'
import { toPathAndQuery, toSameHost } from './request-target.ts'

/** Finds the actions that a request may reach with a method, each with the method of its route. */
export type FindReachable = (
  transport: Pick<Transport, 'url'>,
  method: string,
) => readonly (readonly [verb: string, action: ResolvedAction])[]

const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'CONNECT', 'OPTIONS', 'TRACE', 'PATCH', 'QUERY'])

/** A request as plugins see it; on arrival nothing has been validated. */
export class IncomingRequest {
  /** The time of its arrival, in milliseconds of `performance.now()`. */
  readonly arrivedAt: number = performance.now()
  readonly #transport: Transport
  readonly #services: Services
  readonly #findReachable: FindReachable | undefined
  #error: Error | undefined
  #route: string | undefined
  #exchange: Exchange | undefined
  #id: string | undefined
  #redacted: string | undefined
  #state: Record<PropertyKey, unknown> | undefined

  constructor(transport: Transport, services: Services, findReachable?: FindReachable) {
    this.#transport = transport
    this.#services = services
    this.#findReachable = findReachable
  }

  /** The method; empty if the request could not be parsed. */
  get method(): string {
    return this.#transport.method
  }

  /** The method for metrics: methods that HTTP does not define are `_OTHER`. */
  get knownMethod(): string {
    return METHODS.has(this.method) ? this.method : '_OTHER'
  }

  /** The path and the query, never a host; empty if the request could not be parsed. */
  get url(): string {
    return toSameHost(toPathAndQuery(this.#transport.url))
  }

  /** The URL for logs: without values of secret params, and of params that the action does not declare. */
  get redactedUrl(): string {
    const { redaction } = this.#services
    const exchange = this.#exchange
    const found = exchange && { action: exchange.compiled.resolved, found: exchange.line.found }
    this.#redacted ??= toSameHost(redaction.redactUrl(toPathAndQuery(this.#transport.url), found))
    return this.#redacted
  }

  /**
   * Returns the value of a header for logs, several joined by commas; credentials and declared secrets are replaced.
   */
  redactedHeader(name: string): string | undefined {
    const lower = name.toLowerCase()
    const value = this.#transport.headers[lower]
    if (value === undefined) return undefined
    return this.#services.redaction.isHidden(lower) ? REDACTED : value.toString()
  }

  /** All headers as sent, by lower-case name. */
  get headers(): RawHeaders {
    return this.#transport.headers
  }

  /** The address of the client, if the transport knows it. */
  get address(): string | undefined {
    return this.#transport.address
  }

  /** The scheme, `http` or `https`, that the client or the nearest proxy used, if the transport knows it. */
  get scheme(): string | undefined {
    return this.#transport.scheme
  }

  /** The HTTP version, such as `1.1`, if the transport knows it. */
  get httpVersion(): string | undefined {
    return this.#transport.httpVersion
  }

  /** The request object of the transport. */
  get raw(): unknown {
    return this.#transport.raw
  }

  /** Aborted when the client disconnects. */
  get signal(): AbortSignal {
    return this.#transport.signal
  }

  /** The id of the request, the same as in its action. */
  get id(): string {
    this.#id ??= this.#exchange?.request.id ?? this.#services.requestId(this.#transport.headers)
    return this.#id
  }

  /**
   * The pattern of the route that serves it, such as `/books/:id`; undefined before routing and if no route matches.
   */
  get route(): string | undefined {
    return this.#route
  }

  /** The endpoint and the action that serve it, such as `Books.show`. */
  get action(): string | undefined {
    return this.#exchange?.compiled.actionName
  }

  /** The resolved declaration of that action. */
  get declaration(): ResolvedAction | undefined {
    return this.#exchange?.compiled.resolved
  }

  /**
   * Returns the actions that its path may lead to, each with its method, regardless of the version that a header
   * specifies; the list includes the action that serves `method`.
   */
  reachable(method: string): readonly (readonly [verb: string, action: ResolvedAction])[] {
    return this.#findReachable?.(this.#transport, method) ?? []
  }

  /** The version that the request specifies. */
  get version(): string | undefined {
    return this.#exchange?.line.version
  }

  /** The client, as the action's security identified it. */
  get principal(): unknown {
    return this.#exchange?.context.principal
  }

  /** The object in which plugins, policies and the action store data of this request; use your own symbol as a key. */
  get state(): Record<PropertyKey, unknown> {
    if (this.#exchange !== undefined) return this.#exchange.state
    this.#state ??= createTree() as Record<PropertyKey, unknown>
    return this.#state
  }

  /** Logs a warning with the id of the request. */
  warn(fields: object, message: string): void {
    this.#services.logger.warn({ ...fields, requestId: this.id }, message)
  }

  /** Returns the action that serves a request, by its parts; for the core only. */
  static getAction(request: IncomingRequest): { readonly endpoint: string; readonly name: string } | undefined {
    const found = request.#exchange?.compiled.resolved
    return found === undefined ? undefined : { endpoint: found.endpoint.name, name: found.name }
  }

  /** Records the error with which a request failed outside its action; for the core only. */
  static setError(request: IncomingRequest, error: Error): void {
    request.#error = error
  }

  /** Describes the end of a request; for the core only. */
  static describeEnd(request: IncomingRequest, sentResponse: SentResponse, how: Parameters<Done>): RequestEnd {
    const [status, outcome, sent, error] = how
    const { response, respondedAfter: answeredAfter } = sentResponse
    const { redaction } = request.#services
    return {
      respondedAfter: answeredAfter,
      code: getResponseCode(status, response),
      redactedHeader: (name) => redaction.redactHeader(name, response.headers),
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

  /** Records the matched route; for the core only. */
  static setRoute(request: IncomingRequest, route: string, exchange: Exchange): void {
    request.#route = route
    request.#exchange = exchange
    request.#redacted = undefined
    if (request.#state !== undefined) exchange.keepState(request.#state)
    if (request.#id !== undefined) exchange.request.setId(request.#id)
  }
}

/** A response that was passed to the server, and its time. */
export interface SentResponse {
  readonly response: RawResponse
  readonly respondedAfter: number
}

// If the response could not be written, the server has sent its own.
function getResponseCode(status: number, response: RawResponse): string | undefined {
  if (status !== response.status) return 'internal'
  return status < 400 ? undefined : response.code
}

const toOptionalError = (error: unknown): Error | undefined =>
  error === undefined ? undefined : toLoggableError(error)

/** The end of a request. */
export interface RequestEnd {
  readonly status: number
  /** Whether the complete response was sent, the client disconnected, or the response was aborted. */
  readonly outcome: SendOutcome
  /** Milliseconds from the arrival to the last byte. */
  readonly duration: number
  /** Bytes of the request's body that were read; unread bytes do not count. */
  readonly received: number
  /** Bytes of the response body that were sent to the client, as encoded. */
  readonly sent: number
  /** The error behind a failure of the server, without values of database statements; undefined without one. */
  readonly error: Error | undefined
  /**
   * Milliseconds from the arrival to the response: its status, its headers and at least the beginning of its body were
   * passed to the server.
   */
  readonly respondedAfter: number
  /** The code of the failure that the response reports, such as `not-found`. */
  readonly code: string | undefined
  /** Returns the value of a response header for logs, several joined by commas; declared secrets are replaced. */
  redactedHeader(name: string): string | undefined
}
