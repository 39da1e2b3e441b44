// Reads the body of a Node request piece by piece, with backpressure and a limit, without destroying the connection on
// a fault, because the response must still be sent on it.
import { type BodyFault, BodyFaultError } from '../../../server/transport.ts'
import { ChunkQueue } from './chunk-queue.ts'
import type { ArrivingBody } from './collect-body.ts'
import { type BodyConsumer, LeanRequest } from './lean-request.ts'

/** Reads the body piece by piece; throws a BodyFaultError. */
export function readBodyChunks(arrival: ArrivingBody, limit: number): AsyncIterableIterator<Uint8Array> {
  const { raw } = arrival
  if (!(raw instanceof LeanRequest)) return readStreamChunks(arrival, limit)
  const queue = new BodyChunkReader(arrival, raw, limit)
  return raw.divertTo(queue) ? queue : readStreamChunks(arrival, limit)
}

/** Buffered bytes above which the client must wait. */
const HIGH_WATER_MARK = 256 * 1024

/** Takes the pieces from the parser, bypassing the stream, whose overhead exceeds the cost of reading. */
class BodyChunkReader implements BodyConsumer, AsyncIterableIterator<Uint8Array> {
  readonly #arrival: ArrivingBody
  readonly #raw: LeanRequest
  readonly #limit: number
  #chunks = new ChunkQueue()
  #queuedBytes = 0
  #totalBytes = 0
  #hasEnded = false
  #fault: BodyFault | undefined
  #wake: (() => void) | undefined
  readonly #fail = (fault: BodyFault): void => {
    this.#fault ??= fault
    this.#notify()
  }

  readonly #onClose = (): void => this.#fail('aborted')

  constructor(arrival: ArrivingBody, raw: LeanRequest, limit: number) {
    this.#arrival = arrival
    this.#raw = raw
    this.#limit = limit
    arrival.connection.failBody = this.#fail
    // After its response, Node no longer reports the end of the connection to a request.
    arrival.connection.closeListeners.add(this.#onClose)
  }

  onData(chunk: Uint8Array): boolean {
    this.#totalBytes += chunk.length
    this.#arrival.received = this.#totalBytes
    if (this.#totalBytes > this.#limit) {
      this.#fail('too-large')
      return false
    }
    this.#chunks.push(chunk)
    this.#queuedBytes += chunk.length
    this.#arrival.reserveBytes(chunk.length)
    this.#notify()
    return this.#queuedBytes < HIGH_WATER_MARK
  }

  onEnd(): void {
    this.#hasEnded = true
    this.#notify()
  }

  onAbort(): void {
    this.#fail('aborted')
  }

  [Symbol.asyncIterator](): this {
    return this
  }

  async next(): Promise<IteratorResult<Uint8Array, undefined>> {
    for (;;) {
      // Pieces that arrived before the fault are withheld too: an action must not process a body that remains
      // incomplete.
      if (this.#fault !== undefined) {
        this.#detach()
        throw new BodyFaultError(this.#fault)
      }
      const piece = this.#chunks.shift()
      if (piece !== undefined) {
        if (this.#queuedBytes >= HIGH_WATER_MARK && this.#queuedBytes - piece.length < HIGH_WATER_MARK)
          this.#raw.socket.resume()
        this.#queuedBytes -= piece.length
        this.#arrival.releaseBytes(piece.length)
        return { done: false, value: piece }
      }
      if (this.#hasEnded) {
        this.#detach()
        return { done: true, value: undefined }
      }
      await new Promise<void>((resolve) => {
        this.#wake = resolve
      })
    }
  }

  async return(): Promise<IteratorResult<Uint8Array, undefined>> {
    this.#detach()
    return { done: true, value: undefined }
  }

  #notify(): void {
    const wake = this.#wake
    this.#wake = undefined
    wake?.()
  }

  // Later pieces go to the stream, from which they are discarded.
  #detach(): void {
    const { connection } = this.#arrival
    if (connection.failBody === this.#fail) connection.failBody = undefined
    connection.closeListeners.delete(this.#onClose)
    if (!this.#hasEnded) this.#raw.restoreStream()
    this.#hasEnded = true
    this.#chunks = new ChunkQueue()
  }
}

// A request of another server, or of HTTP/2, is a plain stream.
async function* readStreamChunks(arrival: ArrivingBody, limit: number): AsyncGenerator<Uint8Array, void, undefined> {
  const { raw, connection } = arrival
  let fault: BodyFault | undefined
  let total = 0
  let wake = (): void => {}
  const notify = (): void => wake()
  const fail = (reason: BodyFault): void => {
    fault ??= reason
    wake()
  }
  const onClose = (): void => fail('aborted')
  connection.failBody = fail
  connection.closeListeners.add(onClose)
  raw.on('readable', notify).on('end', notify).on('close', notify)
  try {
    while (fault === undefined) {
      const piece: Uint8Array | null = raw.read()
      if (piece !== null) {
        total += piece.length
        arrival.received = total
        if (total > limit) fault = 'too-large'
        else yield piece
      } else if (raw.readableEnded) return
      else if (raw.destroyed) fault = 'aborted'
      else
        await new Promise<void>((resolve) => {
          wake = resolve
        })
    }
    throw new BodyFaultError(fault)
  } finally {
    if (connection.failBody === fail) connection.failBody = undefined
    connection.closeListeners.delete(onClose)
    raw.off('readable', notify).off('end', notify).off('close', notify)
  }
}
