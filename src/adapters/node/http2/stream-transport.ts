// A stream of node:http2 as the neutral request, and as the channel that its body arrives on: streams of a connection do not
// wait for each other, so that each has its own end, its own reader and its own limits of time.
import type { IncomingHttpHeaders, ServerHttp2Stream } from 'node:http2'
import type { BodyFault, RawHeaders } from '../../../server/transport.ts'
import type { AdmissionControl } from '../connection/admission-control.ts'
import type { Connection } from '../connection/connection.ts'
import { type RequestChannel, BaseTransport } from '../message/base-transport.ts'

/** The head of a stream, as node:http2 gives it. */
export interface StreamHead {
  readonly headers: IncomingHttpHeaders
  readonly rawHeaders: readonly string[]
}

/** One request received by node:http2. */
export class StreamTransport extends BaseTransport implements RequestChannel {
  readonly raw: ServerHttp2Stream
  readonly response: ServerHttp2Stream
  readonly connection: RequestChannel = this
  readonly rawHeaders: readonly string[]
  readonly method: string
  readonly url: string
  readonly length: number
  readonly isQueued = false
  readonly httpVersion = '2.0'
  closing = false
  failBody: ((fault: BodyFault) => void) | undefined
  readonly closeListeners: Set<() => void> = new Set()
  /** When it arrived. */
  readonly arrivedAt: number = performance.now()
  /** Since when its client has taken nothing of what waits for it, and how much that is. */
  idleSince: number = this.arrivedAt
  lastUnsentBytes = 0
  /** The connection that carries it, together with others. */
  readonly sharedConnection: Connection
  readonly #receivedHeaders: IncomingHttpHeaders
  #headers: RawHeaders | undefined

  constructor(stream: ServerHttp2Stream, { headers, rawHeaders }: StreamHead, carrier: Connection) {
    super(headers.expect !== undefined)
    this.raw = stream
    this.response = stream
    this.sharedConnection = carrier
    this.rawHeaders = rawHeaders
    this.#receivedHeaders = headers
    this.method = headers[':method'] ?? 'GET'
    // A CONNECT has no path: its target is the host and port to connect to.
    this.url = headers[':path'] ?? headers[':authority'] ?? '/'
    this.length = getDeclaredLength(stream, headers)
  }

  get admission(): AdmissionControl {
    return this.sharedConnection.admission
  }

  get address(): string | undefined {
    return this.sharedConnection.socket.remoteAddress
  }

  get scheme(): string {
    return 'encrypted' in this.sharedConnection.socket ? 'https' : 'http'
  }

  /** The headers as HTTP/1.1 has them: pseudo-headers are none, and the authority is the host. */
  get headers(): RawHeaders {
    if (this.#headers === undefined) {
      const headers: Record<string, string | string[] | undefined> = Object.create(null)
      const authority = this.#receivedHeaders[':authority']
      if (authority !== undefined) headers['host'] = authority
      // Of many headers, node:http2 shows the first of several lines only, even of those that are lists.
      const { rawHeaders } = this
      for (let i = 0; i < rawHeaders.length; i += 2) {
        const name = rawHeaders[i] as string
        if (name.startsWith(':')) continue
        const value = rawHeaders[i + 1] as string
        const before = name === 'host' ? undefined : headers[name]
        headers[name] = before === undefined ? value : `${before}${name === 'cookie' ? '; ' : ', '}${value}`
      }
      this.#headers = headers
    }
    return this.#headers
  }

  get isDisconnected(): boolean {
    return this.raw.destroyed || this.raw.closed
  }

  get writable(): boolean {
    return !this.isDisconnected
  }

  // Node ends the writing side of a stream that its client has reset, and of HEAD before there is an answer.
  get isFinished(): boolean {
    return this.raw.headersSent && this.raw.writableFinished && !this.raw.aborted
  }

  protected sendContinue(): void {
    this.raw.additionalHeaders({ ':status': 100 })
  }

  /** Calls the callbacks that wait for the end of the stream. */
  notifyClosed(): void {
    for (const callback of this.closeListeners) callback()
  }
}

// The bytes after the head of a CONNECT request are no body.
function getDeclaredLength({ endAfterHeaders }: ServerHttp2Stream, headers: IncomingHttpHeaders): number {
  if (endAfterHeaders || headers[':method'] === 'CONNECT') return 0
  const length = headers['content-length']
  return length === undefined ? Number.POSITIVE_INFINITY : Number(length)
}
