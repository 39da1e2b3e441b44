// The common base of requests of node:http and node:http2 as the neutral request: its admission count, the listeners
// for its end, and its body, which is read on demand.
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
import type { AdmissionControl } from '../connection/admission-control.ts'
import type { BudgetedBody } from '../connection/body-budget.ts'
import { readBodyChunks } from './body-chunks.ts'
import { type ArrivingBody, type BodyChannel, collectBody, EMPTY_BODY } from './collect-body.ts'

/** The channel of a request: an HTTP/1.1 connection or an HTTP/2 stream. */
export interface RequestChannel extends BodyChannel {
  readonly admission: AdmissionControl
  /** The last response has been written. */
  closing: boolean
}

/** A request that a server received. */
export abstract class BaseTransport implements Transport, ArrivingBody, BudgetedBody {
  abstract readonly raw: IncomingMessage | ServerHttp2Stream
  /** The target that the response is written to. */
  abstract readonly response: ServerResponse | ServerHttp2Stream
  abstract readonly connection: RequestChannel
  abstract readonly method: string
  abstract readonly url: string
  abstract readonly address: string | undefined
  abstract readonly scheme: string
  abstract readonly httpVersion: string
  abstract readonly headers: RawHeaders
  /** Names and values of the headers in turn, as sent. */
  abstract readonly rawHeaders: readonly string[]
  /** The declared length of the body: 0 without one, infinite if nothing was declared. */
  abstract readonly length: number
  /** Whether the client has disconnected. */
  abstract readonly isDisconnected: boolean
  /** Whether a response can still be written. */
  abstract readonly writable: boolean
  /** Whether the complete response has left the process. */
  abstract readonly isFinished: boolean
  /** Whether the response waits for earlier ones on the same connection, and would miss the end of the connection. */
  abstract readonly isQueued: boolean
  /** Whether the body is being read. */
  isBodyRead = false
  /** Whether the body could not be read to its end. */
  hasBodyFault = false
  /** Whether the client waits for 100 Continue before it sends its body. */
  awaitsContinue: boolean
  /**
   * Whether the complete response has been written, even if the connection is still open for the rest of the request.
   */
  isResponseWritten = false
  /** Whether the response could not be written, or was aborted. */
  hasFailed = false
  /** The status of the response. */
  status = 0
  /** The error that aborted the response. */
  error: unknown
  /** Bytes of the body that have been read. */
  received = 0
  /** Bytes of the response body that were sent to the client. */
  sentBytes = 0
  /** Bytes of the body that are buffered while it arrives. */
  bufferedBytes = 0
  #controller: AbortController | undefined
  #isActive = false
  #hasEnded = false
  #done: Done | undefined

  constructor(held: boolean) {
    this.awaitsContinue = held
  }

  /** Sends 100 Continue, so that the client sends its body. */
  protected abstract sendContinue(): void

  // For some headers Node keeps only the first value, and does not report others.
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
      this.onDisconnect(() => controller.abort())
    }
    return this.#controller.signal
  }

  /** Sets whether the request is in progress: the application works on it and does not wait for the client. */
  setActive(isActive: boolean): void {
    if (this.#isActive === isActive || this.#hasEnded) return
    this.#isActive = isActive
    this.connection.admission.active += isActive ? 1 : -1
  }

  /** Marks the request as finished, even if its body is still arriving. */
  markFinished(): void {
    this.setActive(false)
    this.#hasEnded = true
    if (this.bufferedBytes > 0) this.connection.admission.bodyBudget.releaseAll(this)
  }

  reserveBytes(bytes: number): void {
    if (!this.#hasEnded) this.connection.admission.bodyBudget.reserve(this, bytes)
  }

  releaseBytes(bytes: number): void {
    this.connection.admission.bodyBudget.release(this, bytes)
  }

  evict(): void {
    this.connection.admission.logRefusal()
    this.connection.failBody?.('overload')
  }

  /** Calls back if the client disconnects before its response. */
  onDisconnect(callback: () => void): void {
    const { response, connection } = this
    if (this.isDisconnected) return callback()
    const onClose = (): void => {
      connection.closeListeners.delete(onClose)
      response.off('close', onClose)
      if (!this.isResponseWritten && !this.isFinished) callback()
    }
    response.on('close', onClose)
    // A pipelined response that waits for its turn has no socket yet and would miss the end.
    if (this.isQueued) connection.closeListeners.add(onClose)
  }

  /** Calls back once when the response is sent, or never will be; a later callback replaces an earlier one. */
  onResponseEnd(done: Done): void {
    const { response, connection } = this
    const isRegistered = this.#done !== undefined
    this.#done = done
    if (isRegistered) return
    const onEnd = (): void => {
      connection.closeListeners.delete(onEnd)
      const notify = this.#done
      this.#done = ignoreEnd
      notify?.(
        this.status,
        this.isResponseWritten || this.isFinished ? 'sent' : this.#unsentOutcome,
        this.sentBytes,
        this.error,
      )
    }
    response.once('finish', onEnd)
    response.once('close', onEnd)
    if (this.isQueued) connection.closeListeners.add(onEnd)
  }

  get #unsentOutcome(): SendOutcome {
    return this.hasFailed ? 'failed' : 'aborted'
  }

  collect(limit: number, done: (body: Uint8Array | BodyFault) => void): void {
    if (this.length === 0) return done(EMPTY_BODY)
    const fault = this.#openBody(limit)
    if (fault !== undefined) return done(fault)
    const { admission } = this.connection
    // A slow client does not count as active: the request counts again when its body has arrived.
    this.setActive(false)
    collectBody(this, limit, (body) => {
      if (this.bufferedBytes > 0) admission.bodyBudget.releaseAll(this)
      const refused = typeof body !== 'string' && admission.isFull
      if (typeof body === 'string') this.hasBodyFault = true
      if (refused) admission.logRefusal()
      this.setActive(true)
      done(refused ? 'overload' : body)
    })
  }

  async *pieces(limit: number): AsyncGenerator<Uint8Array, void, undefined> {
    if (this.length === 0) return
    const fault = this.#openBody(limit)
    if (fault !== undefined) throw new BodyFaultError(fault)
    this.setActive(false)
    try {
      yield* readBodyChunks(this, limit)
    } catch (error) {
      this.hasBodyFault = true
      throw error
    } finally {
      this.connection.admission.bodyBudget.releaseAll(this)
      this.setActive(true)
    }
  }

  /** Opens the body for reading, or returns the reason why it cannot be read. */
  #openBody(limit: number): BodyFault | undefined {
    const fault = this.#findBodyFault(limit)
    this.hasBodyFault = fault !== undefined
    if (fault !== undefined) return fault
    this.isBodyRead = true
    if (this.awaitsContinue) {
      this.awaitsContinue = false
      this.sendContinue()
    }
    return undefined
  }

  #findBodyFault(limit: number): BodyFault | undefined {
    const { length, raw, connection } = this
    if (length > limit && length !== Number.POSITIVE_INFINITY) return 'too-large'
    // The client has disconnected, or the body has been read before.
    if (this.isBodyRead || connection.closing) return 'aborted'
    // A body parser of the host framework has read it.
    if (!raw.readable) return raw.readableEnded ? 'consumed' : 'aborted'
    // A client that got its response without 100 Continue does not send the body any more.
    return this.awaitsContinue && this.response.headersSent ? 'aborted' : undefined
  }
}

function ignoreEnd(): void {}
