// Represents a request that could not be parsed: only its connection, and perhaps its origin, is known.
import type { Socket } from 'node:net'
import type { BodyFault, RawHeaders, Transport } from '../../../server/transport.ts'

/** A request without a head, for plugins that count and mark every response. */
export class UnparsedRequest implements Transport {
  readonly method = ''
  readonly url = ''
  readonly headers: RawHeaders
  readonly raw: Socket

  constructor(socket: Socket, origin?: string) {
    this.raw = socket
    this.headers = Object.freeze(Object.assign(Object.create(null), origin !== undefined && { origin }))
  }

  get address(): string | undefined {
    return this.raw.remoteAddress
  }

  get scheme(): string {
    return 'encrypted' in this.raw ? 'https' : 'http'
  }

  get signal(): AbortSignal {
    return AbortSignal.abort()
  }

  collect(_limit: number, done: (body: Uint8Array | BodyFault) => void): void {
    done('aborted')
  }

  async *pieces(): AsyncGenerator<Uint8Array, void, undefined> {}
}
