// The neutral request and answer: all that the core knows of HTTP servers. An adapter implements it, nothing else does.
import { hasBrand } from '../util/brand.ts'

/** Header values by lower-case name, as the transport received them. */
export type RawHeaders = Readonly<Record<string, string | readonly string[] | undefined>>

/** Why a body could not be read to its end. */
export type BodyFault = 'too-large' | 'malformed' | 'aborted' | 'timeout' | 'coding' | 'overload' | 'consumed'

/** One request as a transport received it; the body is read on demand. */
export interface Transport {
  readonly method: string
  /** The target as sent: a path with the query, or another form, of which only these two are used. */
  readonly url: string
  readonly headers: RawHeaders
  /** Returns whether a header was sent more than once, by its lower-case name; absent where the runtime joins them. */
  repeats?(name: string): boolean
  /** The transport's own request object. */
  readonly raw: unknown
  /** The address of the client, where the transport knows it. */
  readonly address?: string | undefined
  /** `http` or `https`, as the client reached this process; absent where the transport does not know it. */
  readonly scheme?: string | undefined
  /** The version of HTTP that the request came with, such as `1.1`; absent where the transport does not know it. */
  readonly httpVersion?: string | undefined
  /** Bytes of the body that have been read so far; absent if they are not counted. */
  readonly received?: number
  /** Aborted when the client has gone; made when first asked for. */
  readonly signal: AbortSignal
  /** Reads the whole body, at most `limit` bytes of it, and calls back exactly once. */
  collect(limit: number, done: (body: Uint8Array | BodyFault) => void): void
  /** Reads the body piece by piece; throws a BodyFaultError on a fault. */
  pieces(limit: number): AsyncIterable<Uint8Array>
  /** Counts bytes that a reader of pieces keeps until the body is there; absent if they are not counted. */
  keep?(bytes: number): void
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

/** The fault of a body that a thrown value stands for: the server may come from another copy of this package. */
export const readBodyFault = (thrown: unknown): BodyFault | undefined =>
  hasBrand(thrown, '~bodyFault') ? (thrown as BodyFaultError).fault : undefined

/** A body that passes through to the client as it is produced. */
export type StreamBody = ReadableStream<Uint8Array> | AsyncIterable<Uint8Array | string>

/** An answer ready to send: header names and values alternate in one flat list; the adapter adds the length. */
export interface RawResponse {
  readonly status: number
  readonly headers: readonly string[]
  readonly body: string | Uint8Array | StreamBody | null
  /** The code of the failure that it tells of. */
  readonly code?: string | undefined
  /** Called once when the answer is out, or its client gone; absent where nothing waits for it. */
  readonly done?: Done | undefined
  /** Replaces a response that cannot be written, with the reason; absent if nothing has to see it. */
  readonly instead?: (answer: RawResponse, error: unknown) => void
}

/** The end of an answer: all of it was sent, the client went before that, or it broke off. */
export type SendOutcome = 'sent' | 'aborted' | 'failed'

/** Receives the status of a response, its outcome, the bytes of its body that were sent, and the error that broke it. */
export type Done = (status: number, outcome: SendOutcome, sent: number, error?: unknown) => void

/** Receives the response, exactly once. */
export type Send = (answer: RawResponse) => void

/** The interface that an adapter calls, once for each request; it never throws. */
export interface Handler {
  handle(transport: Transport, send: Send): void
  /** Shows the application an answer that the adapter gives by itself; absent where nothing has to see it. */
  refuse?(transport: Transport, answer: RawResponse, send: Send): void
  /** The target of a request as logs may show it; absent where nothing is known of secrets. */
  redactUrl?(url: string): string
  /** Starts what belongs to the application; servers wait for it before they listen. */
  start?(): Promise<void>
  /** Called when the server begins to stop: it answers requests in progress and wants no further ones. */
  drain?(): void
  /** Closes what belongs to the application, after the last request. */
  close?(): Promise<void>
}
