// Reads a body whose exact bytes were asked for before it is decoded, once, and keeps them for its decoder.
import { type BodyFault, BodyFaultError, type BodySource, type RawHeaders } from '../transport.ts'
import { DecodeError, mapTransportFault } from './decode-fault.ts'

/** The body of a request in memory: its exact bytes, and the source that its codec reads. */
export class KeptBody implements BodySource {
  readonly #source: BodySource
  #received: Uint8Array | BodyFault | undefined
  #waiting: (() => void)[] = []

  /** Reads a body of at most `limit` bytes. */
  constructor(source: BodySource, limit: number) {
    this.#source = source
    source.collect(limit, (received) => {
      this.#received = received
      for (const notify of this.#waiting.splice(0)) notify()
    })
  }

  get headers(): RawHeaders {
    return this.#source.headers
  }

  get repeats(): BodySource['repeats'] {
    const source = this.#source
    return source.repeats && ((name) => source.repeats?.(name) === true)
  }

  collect(limit: number, done: (body: Uint8Array | BodyFault) => void): void {
    const received = this.#received
    if (received === undefined) this.#waiting.push(() => this.collect(limit, done))
    else done(typeof received !== 'string' && received.length > limit ? 'too-large' : received)
  }

  async *pieces(limit: number): AsyncGenerator<Uint8Array, void, undefined> {
    const received = await new Promise<Uint8Array | BodyFault>((resolve) => this.collect(limit, resolve))
    if (typeof received === 'string') throw new BodyFaultError(received)
    if (received.length > 0) yield received
  }

  reserveBytes(bytes: number): void {
    this.#source.reserveBytes?.(bytes)
  }

  /** Returns a copy of its bytes; rejects with the fault that its codec would report. */
  async readBytes(limit: number): Promise<Uint8Array<ArrayBuffer>> {
    const received = await new Promise<Uint8Array | BodyFault>((resolve) => this.collect(limit, resolve))
    if (typeof received === 'string') throw new DecodeError(mapTransportFault(received, limit))
    return new Uint8Array(received)
  }
}
