// Adapts a web Request to the neutral request: values are copied on demand.
import { toPathAndQuery } from '../../server/request/request-target.ts'
import {
  type BodyFault,
  BodyFaultError,
  joinHeader,
  type RawHeaders,
  readBodyFault,
  type Transport,
} from '../../server/transport.ts'

const EMPTY_BODY: Uint8Array = new Uint8Array(0)

/** A request of a runtime that implements Fetch. */
export class FetchTransport implements Transport {
  readonly raw: Request
  readonly method: string
  readonly url: string
  /** Bytes of the body that have been read. */
  received = 0
  #headers: RawHeaders | undefined
  #isBodyRead = false

  constructor(request: Request) {
    this.raw = request
    this.method = request.method
    this.url = toPathAndQuery(request.url)
  }

  get headers(): RawHeaders {
    if (this.#headers === undefined) {
      const headers: Record<string, string> = Object.create(null)
      // Some test environments keep the original case of names, and one of each.
      this.raw.headers.forEach((value, name) => {
        joinHeader(headers, name, value)
      })
      this.#headers = headers
    }
    return this.#headers
  }

  get scheme(): string {
    return this.raw.url.slice(0, this.raw.url.indexOf(':'))
  }

  get signal(): AbortSignal {
    return this.raw.signal
  }

  collect(limit: number, done: (body: Uint8Array | BodyFault) => void): void {
    if (this.raw.body === null) return done(EMPTY_BODY)
    // Both paths call `done` once; errors that it throws are not handled here.
    this.#readAll(limit).then(done, (error: unknown) => done(readBodyFault(error) ?? 'aborted'))
  }

  async *pieces(limit: number): AsyncGenerator<Uint8Array, void, undefined> {
    const { body, bodyUsed } = this.raw
    if (body === null) return
    if (bodyUsed || body.locked) throw new BodyFaultError(this.#isBodyRead ? 'aborted' : 'consumed')
    this.#isBodyRead = true
    const reader = body.getReader()
    let total = Number(this.raw.headers.get('content-length') ?? 0) > limit ? limit + 1 : 0
    try {
      while (total <= limit) {
        const { done, value } = await reader.read().catch(throwAborted)
        if (done) return
        total += value.length
        this.received += value.length
        if (total <= limit) yield value
      }
      throw new BodyFaultError('too-large')
    } finally {
      // Cancelling a body that was read to its end has no effect.
      reader.cancel().catch(() => {})
    }
  }

  async #readAll(limit: number): Promise<Uint8Array> {
    const pieces: Uint8Array[] = []
    let total = 0
    for await (const piece of this.pieces(limit)) {
      pieces.push(piece)
      total += piece.length
    }
    if (pieces.length === 1) return pieces[0]!
    const joined = new Uint8Array(total)
    let offset = 0
    for (const piece of pieces) {
      joined.set(piece, offset)
      offset += piece.length
    }
    return joined
  }
}

function throwAborted(): never {
  throw new BodyFaultError('aborted')
}
