// A request of node:http as the neutral request: nothing is copied, and the body is touched only when asked for.
import type { IncomingMessage, ServerResponse } from 'node:http'
import {
  type BodyFault,
  BodyFaultError,
  type Done,
  type RawHeaders,
  type SendOutcome,
  type Transport,
} from '../../../server/transport.ts'
import type { Receiving } from '../connection/budget.ts'
import type { Connection } from '../connection/connection.ts'
import { type Arrival, collectBody, nothing } from './body.ts'
import { bodyPieces } from './pieces.ts'

/** One request received by node:http. */
export class NodeTransport implements Transport, Arrival, Receiving {
  readonly raw: IncomingMessage
  readonly response: ServerResponse
  readonly connection: Connection
  /** Somebody has begun to read the body. */
  touched = false
  /** The body could not be read to its end. */
  faulted = false
  /** The client holds its body back until it is told to continue. */
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
  /** Its place among the requests of its connection. */
  readonly number: number
  /** Bytes that are kept of the body while it arrives. */
  kept = 0
  #controller: AbortController | undefined
  #counted = false
  #left = false
  #done: Done | undefined

  constructor(request: IncomingMessage, response: ServerResponse, connection: Connection, held: boolean) {
    this.raw = request
    this.response = response
    this.connection = connection
    this.held = held
    this.number = ++connection.received
  }

  get method(): string {
    return this.raw.method ?? 'GET'
  }

  get url(): string {
    return this.raw.url ?? '/'
  }

  get address(): string | undefined {
    return this.raw.socket.remoteAddress
  }

  get scheme(): string {
    return 'encrypted' in this.raw.socket ? 'https' : 'http'
  }

  get httpVersion(): string {
    return this.raw.httpVersion
  }

  get headers(): RawHeaders {
    return this.raw.headers
  }

  // Of some headers Node keeps the first value only, and does not say that there were others.
  repeats(name: string): boolean {
    const { rawHeaders } = this.raw
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

  /** Says whether the request is in progress: in the hands of the application, and not waiting for its client. */
  count(counted: boolean): void {
    if (this.#counted === counted || this.#left) return
    this.#counted = counted
    this.connection.admission.active += counted ? 1 : -1
  }

  /** Says that the request is in progress no more, whatever still happens to its body. */
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

  /** True when nothing can follow on the connection: what comes behind the head of a CONNECT is no HTTP. */
  get last(): boolean {
    return this.raw.method === 'CONNECT'
  }

  /** The declared length of the body: 0 without one, infinite if it comes in chunks. */
  get length(): number {
    if (this.last) return 0
    const { headers } = this.raw
    if (headers['transfer-encoding'] !== undefined) return Number.POSITIVE_INFINITY
    const length = headers['content-length']
    return length === undefined ? 0 : Number(length)
  }

  /** Calls back if the client goes before it has its answer. */
  whenGone(callback: () => void): void {
    const { response, raw, connection } = this
    if (raw.socket.destroyed) return callback()
    const closed = (): void => {
      connection.whenClosed.delete(closed)
      response.off('close', closed)
      if (!this.answered && !response.writableFinished) callback()
    }
    response.on('close', closed)
    // A pipelined answer that waits for its turn has no socket yet and would not hear of the end.
    if (response.socket === null) connection.whenClosed.add(closed)
  }

  /** Calls back once when the answer is out, or will not be; one that takes its place takes the callback's place, too. */
  whenOver(done: Done): void {
    const { response, connection } = this
    const waits = this.#done !== undefined
    this.#done = done
    if (waits) return
    const over = (): void => {
      connection.whenClosed.delete(over)
      const tell = this.#done
      this.#done = ignore
      tell?.(this.status, this.answered || response.writableFinished ? 'sent' : this.#unsent, this.sent, this.error)
    }
    response.once('finish', over)
    response.once('close', over)
    if (response.socket === null) connection.whenClosed.add(over)
  }

  get #unsent(): SendOutcome {
    return this.failed ? 'failed' : 'aborted'
  }

  collect(limit: number, done: (body: Uint8Array | BodyFault) => void): void {
    if (this.length === 0) return done(nothing)
    const fault = this.#begin(limit)
    if (fault !== undefined) return done(fault)
    const { admission } = this.connection
    // A client that takes its time takes nobody's place: the request counts again when its body is there.
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
      this.response.writeContinue()
    }
    return undefined
  }

  #obstacle(limit: number): BodyFault | undefined {
    const { length, raw, connection } = this
    if (length > limit && length !== Number.POSITIVE_INFINITY) return 'too-large'
    // The client has gone, or the body has been read before, by us or by a body parser in front of us.
    if (this.touched || !raw.readable || connection.closing) return 'aborted'
    // Answered without having been told to continue, the client does not send it any more.
    return this.held && this.response.headersSent ? 'aborted' : undefined
  }
}

function ignore(): void {}
