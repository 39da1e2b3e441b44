// Reads the complete body of a Node request, within a limit and without destroying the connection on a fault, because
// the response must still be sent on it.
import type { Readable } from 'node:stream'
import type { BodyFault } from '../../../server/transport.ts'
import { ChunkQueue } from './chunk-queue.ts'
import { type BodyConsumer, LeanRequest } from './lean-request.ts'

/** The body of a request without one. */
export const EMPTY_BODY: Uint8Array = new Uint8Array(0)

/** The channel of a body: an HTTP/1.1 connection or an HTTP/2 stream. */
export interface BodyChannel {
  /** Notifies the reader of a body that the rest of it will not arrive. */
  failBody: ((fault: BodyFault) => void) | undefined
  /** Callbacks for its end. */
  readonly closeListeners: Set<() => void>
}

/** An arriving body. */
export interface ArrivingBody {
  readonly raw: Readable
  readonly connection: BodyChannel
  /** The declared length of the body: infinite with chunked encoding. */
  readonly length: number
  /** Bytes of the body that have been read. */
  received: number
  /** Counts bytes of the body that are buffered while the rest of it arrives. */
  reserveBytes(bytes: number): void
  /** Counts bytes that are no longer buffered. */
  releaseBytes(bytes: number): void
}

/** Reads the complete body and calls back once. */
export function collectBody(arrival: ArrivingBody, limit: number, done: (body: Uint8Array | BodyFault) => void): void {
  const { raw } = arrival
  const collector = new BodyCollector(arrival, limit, done)
  if (raw instanceof LeanRequest && raw.divertTo(collector)) return
  raw.on('data', (chunk: Uint8Array) => collector.onData(chunk))
  raw.on('end', () => collector.onEnd())
  // Follows 'end' as well; without 'end', the client has disconnected.
  raw.on('close', () => collector.onAbort())
}

/** Collects the chunks of a body; a single chunk is passed on unchanged. */
class BodyCollector implements BodyConsumer {
  readonly #arrival: ArrivingBody
  readonly #limit: number
  #done: ((body: Uint8Array | BodyFault) => void) | undefined
  #chunks: ChunkQueue | undefined
  #firstChunk: Uint8Array | undefined
  #totalBytes = 0
  readonly #fail = (fault: BodyFault): void => {
    if (this.#done === undefined) return
    const { raw } = this.#arrival
    if (raw instanceof LeanRequest) raw.restoreStream()
    raw.pause()
    this.#finish(fault)
  }

  constructor(arrival: ArrivingBody, limit: number, done: (body: Uint8Array | BodyFault) => void) {
    this.#arrival = arrival
    this.#limit = limit
    this.#done = done
    arrival.connection.failBody = this.#fail
  }

  onData(chunk: Uint8Array): boolean {
    if (this.#done === undefined) return true
    this.#totalBytes += chunk.length
    this.#arrival.received = this.#totalBytes
    if (this.#totalBytes > this.#limit) this.#fail('too-large')
    else if (this.#firstChunk === undefined) this.#keepFirst(chunk)
    else this.#addChunk(chunk, this.#firstChunk)
    return true
  }

  onEnd(): void {
    if (this.#done !== undefined) this.#finish(this.#chunks?.concat() ?? this.#firstChunk ?? EMPTY_BODY)
  }

  onAbort(): void {
    this.#fail('aborted')
  }

  // Most bodies arrive complete in their first chunk, and need no budget.
  #keepFirst(chunk: Uint8Array): void {
    this.#firstChunk = chunk
    if (chunk.length < this.#arrival.length) this.#arrival.reserveBytes(chunk.length)
  }

  #addChunk(chunk: Uint8Array, first: Uint8Array): void {
    if (this.#chunks === undefined) {
      this.#chunks = new ChunkQueue()
      this.#chunks.push(first)
    }
    this.#chunks.push(chunk)
    this.#arrival.reserveBytes(chunk.length)
  }

  #finish(body: Uint8Array | BodyFault): void {
    const { connection } = this.#arrival
    if (connection.failBody === this.#fail) connection.failBody = undefined
    const done = this.#done
    this.#done = undefined
    this.#firstChunk = undefined
    this.#chunks = undefined
    done?.(body)
  }
}
