// Reading the whole body of a request of Node, within a limit and without destroying the connection on a fault, because
// the answer still has to go out on it.
import type { Readable } from 'node:stream'
import type { BodyFault } from '../../../server/transport.ts'
import { Chunks } from './chunks.ts'
import { type BodySink, LeanMessage } from './request.ts'

/** The body of a request that has none. */
export const nothing: Uint8Array = new Uint8Array(0)

/** The channel of a body: an HTTP/1.1 connection or an HTTP/2 stream. */
export interface Channel {
  /** Informs the reader of a body that the rest of it will not arrive. */
  reader: ((fault: BodyFault) => void) | undefined
  /** Called when it has ended. */
  readonly whenClosed: Set<() => void>
}

/** A body that arrives. */
export interface Arrival {
  readonly raw: Readable
  readonly connection: Channel
  /** The declared length of the body: infinite if it comes in chunks. */
  readonly length: number
  /** Bytes of the body that have been read. */
  received: number
  /** Counts bytes that are kept of the body while the rest of it arrives. */
  keep(bytes: number): void
  /** Counts bytes that are kept no more. */
  drop(bytes: number): void
}

/** Reads the whole body and calls back once. */
export function collectBody(arrival: Arrival, limit: number, done: (body: Uint8Array | BodyFault) => void): void {
  const { raw } = arrival
  const collector = new Collector(arrival, limit, done)
  if (raw instanceof LeanMessage && raw.divert(collector)) return
  raw.on('data', (chunk: Uint8Array) => collector.data(chunk))
  raw.on('end', () => collector.end())
  // Comes after 'end' as well; without it the client has gone.
  raw.on('close', () => collector.gone())
}

/** Puts a body together; a single chunk is handed over as it came. */
class Collector implements BodySink {
  readonly #arrival: Arrival
  readonly #limit: number
  #done: ((body: Uint8Array | BodyFault) => void) | undefined
  #chunks: Chunks | undefined
  #first: Uint8Array | undefined
  #total = 0
  readonly #fail = (fault: BodyFault): void => {
    if (this.#done === undefined) return
    const { raw } = this.#arrival
    if (raw instanceof LeanMessage) raw.restore()
    raw.pause()
    this.#settle(fault)
  }

  constructor(arrival: Arrival, limit: number, done: (body: Uint8Array | BodyFault) => void) {
    this.#arrival = arrival
    this.#limit = limit
    this.#done = done
    arrival.connection.reader = this.#fail
  }

  data(chunk: Uint8Array): boolean {
    if (this.#done === undefined) return true
    this.#total += chunk.length
    this.#arrival.received = this.#total
    if (this.#total > this.#limit) this.#fail('too-large')
    else if (this.#first === undefined) this.#begin(chunk)
    else this.#add(chunk, this.#first)
    return true
  }

  end(): void {
    if (this.#done !== undefined) this.#settle(this.#chunks?.joined() ?? this.#first ?? nothing)
  }

  gone(): void {
    this.#fail('aborted')
  }

  // A body that arrives with its first chunk causes no wait, and most do.
  #begin(chunk: Uint8Array): void {
    this.#first = chunk
    if (chunk.length < this.#arrival.length) this.#arrival.keep(chunk.length)
  }

  #add(chunk: Uint8Array, first: Uint8Array): void {
    if (this.#chunks === undefined) {
      this.#chunks = new Chunks()
      this.#chunks.push(first)
    }
    this.#chunks.push(chunk)
    this.#arrival.keep(chunk.length)
  }

  #settle(body: Uint8Array | BodyFault): void {
    const { connection } = this.#arrival
    if (connection.reader === this.#fail) connection.reader = undefined
    const done = this.#done
    this.#done = undefined
    this.#first = undefined
    this.#chunks = undefined
    done?.(body)
  }
}
