// A request of node:http or node:http2 as the neutral request, as far as both are alike: what it counts for, who waits for
// its end, and its body, which is touched only when asked for.
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { ServerHttp2Stream } from 'node:http2'
import {
  type BodyFault,
  BodyFaultError,
  type Done,
  type RawHeaders,
  type SendOutcome,
  type Transport,
} from '../../../server/transport.ts'
import type { Admission } from '../connection/admission.ts'
import type { Receiving } from '../connection/budget.ts'
import { type Arrival, type Channel, collectBody, nothing } from './body.ts'
import { bodyPieces } from './pieces.ts'

/** The channel of a request: an HTTP/1.1 connection or an HTTP/2 stream. */
export interface AdmittingChannel extends Channel {
  readonly admission: Admission
  /** The last answer has been written. */
  closing: boolean
}

/** One request that a server received. */
export abstract class ArrivingRequest implements Transport, Arrival, Receiving {
  abstract readonly raw: IncomingMessage | ServerHttp2Stream
  /** The target that the answer is written to. */
  abstract readonly response: ServerResponse | ServerHttp2Stream
  abstract readonly connection: AdmittingChannel
  abstract readonly method: string
  abstract readonly url: string
  abstract readonly address: string | undefined
  abstract readonly scheme: string
  abstract readonly httpVersion: string
  abstract readonly headers: RawHeaders
  /** Names and values of the headers in turn, as they came. */
  abstract readonly rawHeaders: readonly string[]
  /** The declared length of the body: 0 without one, infinite if nothing was declared. */
  abstract readonly length: number
  /** Whether the client cannot be reached any more. */
  abstract readonly gone: boolean
  /** Whether an answer can still be written. */
  abstract readonly writable: boolean
  /** Whether the whole answer has left the process. */
  abstract readonly finished: boolean
  /** Whether the response waits for earlier ones on the same connection, and would miss the end of the connection. */
  abstract readonly queued: boolean
  /** The body is being read. */
  touched = false
  /** The body could not be read to its end. */
  faulted = false
  /** The client holds its body back until it gets 100 Continue. */
  held: boolean
  /** The whole answer has been written, even if the connection is still open for the rest of the request. */
  answered = false
  /** Its answer could not be written, or broke off. */
  failed = false
  /** The status of its answer. */
  status = 0
  /** The error that broke it. */
  error: unknown
  /** Bytes of the body that have been read. */
  received = 0
  /** Bytes of the answer's body that were given to the client. */
  sent = 0
  /** Bytes that are kept of the body while it arrives. */
  kept = 0
  #controller: AbortController | undefined
  #counted = false
  #left = false
  #done: Done | undefined

  constructor(held: boolean) {
    this.held = held
  }

  /** Sends 100 Continue, so that the client sends its body. */
  protected abstract proceed(): void

  // Of some headers Node keeps the first value only, and does not say that there were others.
  repeats(name: string): boolean {
    const { rawHeaders } = this
    let count = 0
    for (let i = 0; i < rawHeaders.length; i += 2) {
      const sent = rawHeaders[i] as string
      if (sent.length === name.length && sent.toLowerCase() === name) count++
    }
    return count > 1
  }

  get signal(): AbortSignal {
    if (this.#controller === undefined) {
      const controller = new AbortController()
      this.#controller = controller
      this.whenGone(() => controller.abort())
    }
    return this.#controller.signal
  }

  /** Sets whether the request is in progress: the application works on it and does not wait for the client. */
  count(counted: boolean): void {
    if (this.#counted === counted || this.#left) return
    this.#counted = counted
    this.connection.admission.active += counted ? 1 : -1
  }

  /** Marks the request as finished, even if its body is still arriving. */
  leave(): void {
    this.count(false)
    this.#left = true
    if (this.kept > 0) this.connection.admission.bodies.free(this)
  }

  keep(bytes: number): void {
    if (!this.#left) this.connection.admission.bodies.keep(this, bytes)
  }

  drop(bytes: number): void {
    this.connection.admission.bodies.drop(this, bytes)
  }

  giveWay(): void {
    this.connection.admission.tell()
    this.connection.reader?.('overload')
  }

  /** Calls back if the client disconnects before its response. */
  whenGone(callback: () => void): void {
    const { response, connection } = this
    if (this.gone) return callback()
    const closed = (): void => {
      connection.whenClosed.delete(closed)
      response.off('close', closed)
      if (!this.answered && !this.finished) callback()
    }
    response.on('close', closed)
    // A pipelined response that waits for its turn has no socket yet and would miss the end.
    if (this.queued) connection.whenClosed.add(closed)
  }

  /** Calls back once when the response is sent, or never will be; a replacement takes over the callback. */
  whenOver(done: Done): void {
    const { response, connection } = this
    const waits = this.#done !== undefined
    this.#done = done
    if (waits) return
    const over = (): void => {
      connection.whenClosed.delete(over)
      const tell = this.#done
      this.#done = ignore
      tell?.(this.status, this.answered || this.finished ? 'sent' : this.#unsent, this.sent, this.error)
    }
    response.once('finish', over)
    response.once('close', over)
    if (this.queued) connection.whenClosed.add(over)
  }

  get #unsent(): SendOutcome {
    return this.failed ? 'failed' : 'aborted'
  }

  collect(limit: number, done: (body: Uint8Array | BodyFault) => void): void {
    if (this.length === 0) return done(nothing)
    const fault = this.#begin(limit)
    if (fault !== undefined) return done(fault)
    const { admission } = this.connection
    // A slow client occupies no place: the request counts again when its body has arrived.
    this.count(false)
    collectBody(this, limit, (body) => {
      if (this.kept > 0) admission.bodies.free(this)
      const refused = typeof body !== 'string' && admission.full
      if (typeof body === 'string') this.faulted = true
      if (refused) admission.tell()
      this.count(true)
      done(refused ? 'overload' : body)
    })
  }

  async *pieces(limit: number): AsyncGenerator<Uint8Array, void, undefined> {
    if (this.length === 0) return
    const fault = this.#begin(limit)
    if (fault !== undefined) throw new BodyFaultError(fault)
    this.count(false)
    try {
      yield* bodyPieces(this, limit)
    } catch (error) {
      this.faulted = true
      throw error
    } finally {
      this.connection.admission.bodies.free(this)
      this.count(true)
    }
  }

  /** Opens the body for reading, or says why it cannot be read. */
  #begin(limit: number): BodyFault | undefined {
    const fault = this.#obstacle(limit)
    this.faulted = fault !== undefined
    if (fault !== undefined) return fault
    this.touched = true
    if (this.held) {
      this.held = false
      this.proceed()
    }
    return undefined
  }

  #obstacle(limit: number): BodyFault | undefined {
    const { length, raw, connection } = this
    if (length > limit && length !== Number.POSITIVE_INFINITY) return 'too-large'
    // The client has gone, or we have read the body before.
    if (this.touched || connection.closing) return 'aborted'
    // A body parser in front of us has read it.
    if (!raw.readable) return raw.readableEnded ? 'consumed' : 'aborted'
    // Answered without having been told to continue, the client does not send it any more.
    return this.held && this.response.headersSent ? 'aborted' : undefined
  }
}

function ignore(): void {}
