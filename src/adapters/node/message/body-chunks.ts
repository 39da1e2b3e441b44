// Reading the body of a request of Node piece by piece, no faster than the pieces are taken, within a limit and without
// destroying the connection on a fault, because the answer still has to go out on it.
import { type BodyFault, BodyFaultError } from '../../../server/transport.ts'
import type { ArrivingBody } from './collect-body.ts'
import { ChunkQueue } from './chunk-queue.ts'
import { type BodyConsumer, LeanRequest } from './lean-request.ts'

/** Reads the body piece by piece; fails with a BodyFaultError. */
export function readBodyChunks(arrival: ArrivingBody, limit: number): AsyncIterableIterator<Uint8Array> {
  const { raw } = arrival
  if (!(raw instanceof LeanRequest)) return readStreamChunks(arrival, limit)
  const queue = new BodyChunkReader(arrival, raw, limit)
  return raw.divertTo(queue) ? queue : readStreamChunks(arrival, limit)
}

/** How many bytes may wait to be taken before the client has to. */
const HIGH_WATER_MARK = 256 * 1024

/** Takes the pieces from the parser and gives them on, past the stream, whose work costs more than reading does. */
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
    // A request that has its answer hears no more of its connection from Node.
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
    this.#arrival.keep(chunk.length)
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
      // Pieces that arrived before the fault are withheld too: an action must not work on a body that stays incomplete.
      if (this.#fault !== undefined) {
        this.#detach()
        throw new BodyFaultError(this.#fault)
      }
      const piece = this.#chunks.shift()
      if (piece !== undefined) {
        if (this.#queuedBytes >= HIGH_WATER_MARK && this.#queuedBytes - piece.length < HIGH_WATER_MARK) this.#raw.socket.resume()
        this.#queuedBytes -= piece.length
        this.#arrival.drop(piece.length)
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

  // Pieces that arrive later go to the stream, where the code that drops them reads.
  #detach(): void {
    const { connection } = this.#arrival
    if (connection.failBody === this.#fail) connection.failBody = undefined
    connection.closeListeners.delete(this.#onClose)
    if (!this.#hasEnded) this.#raw.restoreStream()
    this.#hasEnded = true
    this.#chunks = new ChunkQueue()
  }
}

// A request of another server is a stream, and so is one of HTTP/2.
async function* readStreamChunks(arrival: ArrivingBody, limit: number): AsyncGenerator<Uint8Array, void, undefined> {
  const { raw, connection } = arrival
  let fault: BodyFault | undefined
  let total = 0
  let wake = (): void => {}
  const notify = (): void => wake()
  const fail = (why: BodyFault): void => {
    fault ??= why
    wake()
  }
  const closed = (): void => fail('aborted')
  connection.failBody = fail
  connection.closeListeners.add(closed)
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
    connection.closeListeners.delete(closed)
    raw.off('readable', notify).off('end', notify).off('close', notify)
  }
}
