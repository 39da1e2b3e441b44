// A request that could not be read: all that is known of it is its connection.
import type { Socket } from 'node:net'
import type { BodyFault, RawHeaders, Transport } from '../../../server/transport.ts'

/** A request without a head, for plugins that count and mark every answer. */
export class UnreadRequest implements Transport {
  readonly method = ''
  readonly url = ''
  readonly headers: RawHeaders = Object.freeze({})
  readonly raw: Socket

  constructor(socket: Socket) {
    this.raw = socket
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
