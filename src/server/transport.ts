// Defines the neutral request and response, the only interface between the core and HTTP servers; adapters implement
// it.
import { hasBrand } from '../util/brand.ts'

/** Header values by lower-case name, as the transport received them. */
export type RawHeaders = Readonly<Record<string, string | readonly string[] | undefined>>

/** Adds a header of a request to others: several lines of one name become one text (RFC 9110, section 5.3). */
export function joinHeader(headers: Record<string, string>, name: string, value: string): void {
  const lower = name.toLowerCase()
  const existing = headers[lower]
  headers[lower] = existing === undefined ? value : `${existing}${lower === 'cookie' ? '; ' : ', '}${value}`
}

/** The reasons why a body could not be read to its end. */
export type BodyFault = 'too-large' | 'malformed' | 'aborted' | 'timeout' | 'coding' | 'overload' | 'consumed'

/** The body of a request, which is read on demand, and the headers that describe it. */
export interface BodySource {
  readonly headers: RawHeaders
  /** Returns whether a header was sent more than once, by its lower-case name; absent if the runtime joins them. */
  readonly repeats?: ((name: string) => boolean) | undefined
  /** Reads the complete body, at most `limit` bytes, and calls back exactly once. */
  collect(limit: number, done: (body: Uint8Array | BodyFault) => void): void
  /** Reads the body piece by piece; throws a BodyFaultError on a fault. */
  pieces(limit: number): AsyncIterable<Uint8Array>
  /** Counts bytes that a reader of pieces buffers until the body is complete; absent if they are not counted. */
  reserveBytes?(bytes: number): void
}

/** A request as a transport received it; the body is read on demand. */
export interface Transport extends BodySource {
  readonly method: string
  /** The target as sent: a path with the query, or another form, of which only path and query are used. */
  readonly url: string
  /** The request object of the transport. */
  readonly raw: unknown
  /** The address of the client, if the transport knows it. */
  readonly address?: string | undefined
  /** The scheme, `http` or `https`, that the client used; absent if the transport does not know it. */
  readonly scheme?: string | undefined
  /** The HTTP version of the request, such as `1.1`; absent if the transport does not know it. */
  readonly httpVersion?: string | undefined
  /** Bytes of the body that have been read so far; absent if they are not counted. */
  readonly received?: number
  /** Aborted when the client disconnects; created on first access. */
  readonly signal: AbortSignal
  /**
   * Asks whether the client is still there, and disconnects it if it has not replied after some milliseconds; absent if the
   * transport cannot ask.
   */
  probe?(timeout: number): void
}

/** Thrown while a body is read piece by piece. */
export class BodyFaultError extends Error {
  override readonly name = 'BodyFaultError'
  readonly '~bodyFault' = true
  readonly fault: BodyFault

  constructor(fault: BodyFault) {
    super(`The body could not be read: ${fault}`)
    this.fault = fault
  }
}

/** Returns the body fault of a thrown value; the server may come from another copy of this package. */
export const readBodyFault = (thrown: unknown): BodyFault | undefined =>
  hasBrand(thrown, '~bodyFault') ? (thrown as BodyFaultError).fault : undefined

/** A body that passes through to the client as it is produced. */
export type StreamBody = ReadableStream<Uint8Array> | AsyncIterable<Uint8Array | string>

/**
 * A response that is ready to send: header names and values alternate in one flat list; the adapter adds the length.
 */
export interface RawResponse {
  readonly status: number
  readonly headers: readonly string[]
  readonly body: string | Uint8Array | StreamBody | null
  /** The code of the failure that it reports. */
  readonly code?: string | undefined
  /** Called once when the response is sent, or its client has disconnected; absent if nothing waits for it. */
  readonly done?: Done | undefined
  /** Replaces a response that cannot be written, with the reason; absent if no plugin observes responses. */
  readonly replace?: (response: RawResponse, error: unknown) => void
}

/**
 * The outcome of a response: it was sent completely, the client disconnected before that, or it was aborted by an
 * error.
 */
export type SendOutcome = 'sent' | 'aborted' | 'failed'

/** Receives the status of a response, its outcome, the bytes of its body that were sent, and the error that broke it. */
export type Done = (status: number, outcome: SendOutcome, sent: number, error?: unknown) => void

/** Receives the response, exactly once. */
export type Send = (response: RawResponse) => void

/** The interface that an adapter calls, once for each request; it never throws. */
export interface Handler {
  handle(transport: Transport, send: Send): void
  /** Passes a response of the adapter itself through the application; absent if no plugin observes responses. */
  refuse?(transport: Transport, response: RawResponse, send: Send): void
  /** Returns the target of a request without secrets, for logs; absent if the handler knows no secrets. */
  redactUrl?(url: string): string
  /** Starts the application; servers await it before they listen. */
  start?(): Promise<void>
  /** Called when the server begins to stop: it completes requests in progress and accepts no further ones. */
  drain?(): void
  /** Closes the application, after the last request. */
  close?(): Promise<void>
}
