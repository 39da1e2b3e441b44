// A request without a socket: what the server's core gets from an adapter, made once and asked again and again.
import type { Handler, RawResponse, Transport } from '../../src/server/transport.ts'

/** A request that is in memory as a whole. */
export class MemoryTransport implements Transport {
  readonly raw = null
  readonly method: string
  readonly url: string
  readonly headers: Record<string, string>
  readonly #body: Uint8Array

  constructor(method: string, url: string, body?: unknown) {
    this.method = method
    this.url = url
    this.#body = Buffer.from(body === undefined ? '' : JSON.stringify(body))
    this.headers = { host: 'localhost' }
    if (body === undefined) return
    this.headers['content-type'] = 'application/json'
    this.headers['content-length'] = String(this.#body.length)
  }

  get signal(): AbortSignal {
    return new AbortController().signal
  }

  collect(_limit: number, done: (body: Uint8Array) => void): void {
    done(this.#body)
  }

  async *pieces(): AsyncIterable<Uint8Array> {
    yield this.#body
  }
}

/** Asks a handler that answers at once. */
export function askNow(handler: Handler, transport: Transport): RawResponse {
  let given: RawResponse | undefined
  handler.handle(transport, (answer) => {
    given = answer
  })
  if (given === undefined) throw new Error('There was no answer at once')
  return given
}
