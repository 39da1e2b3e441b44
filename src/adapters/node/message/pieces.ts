// Reading the body of a request of Node piece by piece, no faster than the pieces are taken, within a limit and without
// destroying the connection on a fault, because the answer still has to go out on it.
import { type BodyFault, BodyFaultError } from '../../../server/transport.ts'
import type { Arrival } from './body.ts'
import { Chunks } from './chunks.ts'
import { type BodySink, LeanMessage } from './request.ts'

/** Reads the body piece by piece; fails with a BodyFaultError. */
export function bodyPieces(arrival: Arrival, limit: number): AsyncIterableIterator<Uint8Array> {
  const { raw } = arrival
  if (!(raw instanceof LeanMessage)) return streamedPieces(arrival, limit)
  const queue = new PieceQueue(arrival, raw, limit)
  return raw.divert(queue) ? queue : streamedPieces(arrival, limit)
}

/** How many bytes may wait to be taken before the client has to. */
const HIGH_WATER = 256 * 1024

/** Takes the pieces from the parser and gives them on, past the stream, whose work costs more than reading does. */
class PieceQueue implements BodySink, AsyncIterableIterator<Uint8Array> {
  readonly #arrival: Arrival
  readonly #raw: LeanMessage
  readonly #limit: number
  #pieces = new Chunks()
  #waiting = 0
  #total = 0
  #over = false
  #fault: BodyFault | undefined
  #wake: (() => void) | undefined
  readonly #fail = (fault: BodyFault): void => {
    this.#fault ??= fault
    this.#notify()
  }

  readonly #closed = (): void => this.#fail('aborted')

  constructor(arrival: Arrival, raw: LeanMessage, limit: number) {
    this.#arrival = arrival
    this.#raw = raw
    this.#limit = limit
    arrival.connection.reader = this.#fail
    // A request that has its answer hears no more of its connection from Node.
    arrival.connection.whenClosed.add(this.#closed)
  }

  data(chunk: Uint8Array): boolean {
    this.#total += chunk.length
    this.#arrival.received = this.#total
    if (this.#total > this.#limit) {
      this.#fail('too-large')
      return false
    }
    this.#pieces.push(chunk)
    this.#waiting += chunk.length
    this.#arrival.keep(chunk.length)
    this.#notify()
    return this.#waiting < HIGH_WATER
  }

  end(): void {
    this.#over = true
    this.#notify()
  }

  gone(): void {
    this.#fail('aborted')
  }

  [Symbol.asyncIterator](): this {
    return this
  }

  async next(): Promise<IteratorResult<Uint8Array, undefined>> {
    for (;;) {
      // Pieces that arrived before the fault are withheld too: an action must not work on a body that stays incomplete.
      if (this.#fault !== undefined) {
        this.#leave()
        throw new BodyFaultError(this.#fault)
      }
      const piece = this.#pieces.shift()
      if (piece !== undefined) {
        if (this.#waiting >= HIGH_WATER && this.#waiting - piece.length < HIGH_WATER) this.#raw.socket.resume()
        this.#waiting -= piece.length
        this.#arrival.drop(piece.length)
        return { done: false, value: piece }
      }
      if (this.#over) {
        this.#leave()
        return { done: true, value: undefined }
      }
      await new Promise<void>((resolve) => {
        this.#wake = resolve
      })
    }
  }

  async return(): Promise<IteratorResult<Uint8Array, undefined>> {
    this.#leave()
    return { done: true, value: undefined }
  }

  #notify(): void {
    const wake = this.#wake
    this.#wake = undefined
    wake?.()
  }

  // Pieces that arrive later go to the stream, where the code that drops them reads.
  #leave(): void {
    const { connection } = this.#arrival
    if (connection.reader === this.#fail) connection.reader = undefined
    connection.whenClosed.delete(this.#closed)
    if (!this.#over) this.#raw.restore()
    this.#over = true
    this.#pieces = new Chunks()
  }
}

// A request of another server is a stream, and so is one of HTTP/2.
async function* streamedPieces(arrival: Arrival, limit: number): AsyncGenerator<Uint8Array, void, undefined> {
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
  connection.reader = fail
  connection.whenClosed.add(closed)
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
    if (connection.reader === fail) connection.reader = undefined
    connection.whenClosed.delete(closed)
    raw.off('readable', notify).off('end', notify).off('close', notify)
  }
}
