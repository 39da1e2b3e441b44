// Reading the body of a node:http request: whole, or piece by piece; both within a limit and without destroying the
// connection on a fault, because the answer still has to go out on it.
import type { IncomingMessage } from 'node:http'
import { type BodyFault, BodyFaultError } from '../../server/transport.ts'
import type { Connection } from './connection.ts'
import { type BodySink, LeanMessage } from './message.ts'

/** The body of a request that has none. */
export const nothing: Uint8Array = new Uint8Array(0)

/** Where a body arrives. */
export interface Arrival {
  readonly raw: IncomingMessage
  readonly connection: Connection
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
  #first: Uint8Array | undefined
  #rest: Uint8Array[] | undefined
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

  data(chunk: Uint8Array): void {
    if (this.#done === undefined) return
    this.#total += chunk.length
    if (this.#total > this.#limit) this.#fail('too-large')
    else if (this.#first === undefined) this.#first = chunk
    else if (this.#rest === undefined) this.#rest = [this.#first, chunk]
    else this.#rest.push(chunk)
  }

  end(): void {
    if (this.#done === undefined) return
    this.#settle(this.#rest === undefined ? (this.#first ?? nothing) : Buffer.concat(this.#rest, this.#total))
  }

  gone(): void {
    this.#fail('aborted')
  }

  #settle(body: Uint8Array | BodyFault): void {
    const { connection } = this.#arrival
    if (connection.reader === this.#fail) connection.reader = undefined
    const done = this.#done
    this.#done = undefined
    this.#first = undefined
    this.#rest = undefined
    done?.(body)
  }
}

/** Reads the body piece by piece, no faster than the pieces are taken. */
export async function* bodyPieces(
  { raw, connection }: Arrival,
  limit: number,
): AsyncGenerator<Uint8Array, void, undefined> {
  let fault: BodyFault | undefined
  let total = 0
  let wake = (): void => {}
  const notify = (): void => wake()
  const fail = (why: BodyFault): void => {
    fault ??= why
    wake()
  }
  connection.reader = fail
  raw.on('readable', notify).on('end', notify).on('close', notify)
  try {
    while (fault === undefined) {
      const piece: Uint8Array | null = raw.read()
      if (piece !== null) {
        total += piece.length
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
    raw.off('readable', notify).off('end', notify).off('close', notify)
  }
}
