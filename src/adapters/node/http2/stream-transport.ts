// Adapts a stream of node:http2 to the neutral request, and to the channel of its body: streams of a connection do not
// wait for each other, so each has its own end, its own reader and its own timeouts.
import type { IncomingHttpHeaders, ServerHttp2Stream } from 'node:http2'
import { type BodyFault, joinHeader, type RawHeaders } from '../../../server/transport.ts'
import type { AdmissionControl } from '../connection/admission-control.ts'
import type { Connection } from '../connection/connection.ts'
import { BaseTransport, type RequestChannel } from '../message/base-transport.ts'

/** The head of a stream, as node:http2 provides it. */
export interface StreamHead {
  readonly headers: IncomingHttpHeaders
  readonly rawHeaders: readonly string[]
}

/** The connections that have not answered yet whether they are still there. */
const probedSessions = new WeakSet<object>()

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
  /** The time of its arrival. */
  readonly arrivedAt: number = performance.now()
  /** The time since when the client has read nothing of the waiting bytes, and their number. */
  idleSince: number = this.arrivedAt
  lastUnsentBytes = 0
  /** The connection that carries this stream and others. */
  readonly sharedConnection: Connection
  readonly #receivedHeaders: IncomingHttpHeaders
  #headers: RawHeaders | undefined

  constructor(stream: ServerHttp2Stream, { headers, rawHeaders }: StreamHead, sharedConnection: Connection) {
    super(headers.expect !== undefined)
    this.raw = stream
    this.response = stream
    this.sharedConnection = sharedConnection
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

  /** The headers in the form of HTTP/1.1: without pseudo-headers, and with the authority as the host. */
  get headers(): RawHeaders {
    if (this.#headers === undefined) {
      const headers: Record<string, string> = Object.create(null)
      const authority = this.#receivedHeaders[':authority']
      if (authority !== undefined) headers['host'] = authority
      // For many headers, node:http2 returns only the first of several lines, even if they are lists.
      const { rawHeaders } = this
      for (let i = 0; i < rawHeaders.length; i += 2) {
        const name = rawHeaders[i] as string
        const value = rawHeaders[i + 1] as string
        // A head whose host is not its authority has been refused.
        if (name === 'host') headers[name] = value
        else if (!name.startsWith(':')) joinHeader(headers, name, value)
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

  // Node ends the writable side of a stream that its client has reset, and of a HEAD request before its response.
  get isFinished(): boolean {
    return this.raw.headersSent && this.raw.writableFinished && !this.raw.aborted
  }

  protected sendContinue(): void {
    this.raw.additionalHeaders({ ':status': 100 })
  }

  // One PING answers for all streams of a connection.
  probe(timeout: number): void {
    const { session } = this.raw
    if (session === undefined || session.destroyed || probedSessions.has(session)) return
    probedSessions.add(session)
    const timer = setTimeout(() => session.destroy(), timeout)
    const end = (): void => {
      clearTimeout(timer)
      probedSessions.delete(session)
    }
    session.once('close', end)
    session.ping(() => {
      end()
      session.off('close', end)
    })
  }

  /** Calls the listeners for the end of the stream. */
  notifyClosed(): void {
    for (const callback of this.closeListeners) callback()
  }
}

// The bytes after the head of a CONNECT request are not a body.
function getDeclaredLength({ endAfterHeaders }: ServerHttp2Stream, headers: IncomingHttpHeaders): number {
  if (endAfterHeaders || headers[':method'] === 'CONNECT') return 0
  const length = headers['content-length']
  return length === undefined ? Number.POSITIVE_INFINITY : Number(length)
}
