// Adapts a request of node:http to the neutral request: nothing is copied.
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { RawHeaders } from '../../../server/transport.ts'
import type { Connection } from '../connection/connection.ts'
import { BaseTransport } from './base-transport.ts'

/** A request received by node:http. */
export class NodeTransport extends BaseTransport {
  readonly raw: IncomingMessage
  readonly response: ServerResponse
  readonly connection: Connection
  /** Its number among the requests of its connection. */
  readonly sequence: number

  constructor(request: IncomingMessage, response: ServerResponse, connection: Connection, held: boolean) {
    super(held)
    this.raw = request
    this.response = response
    this.connection = connection
    this.sequence = ++connection.requestCount
  }

  get method(): string {
    return this.raw.method ?? 'GET'
  }

  get url(): string {
    return this.raw.url ?? '/'
  }

  get address(): string | undefined {
    return this.raw.socket.remoteAddress
  }

  get scheme(): string {
    return 'encrypted' in this.raw.socket ? 'https' : 'http'
  }

  get httpVersion(): string {
    return this.raw.httpVersion
  }

  get headers(): RawHeaders {
    return this.raw.headers
  }

  get rawHeaders(): readonly string[] {
    return this.raw.rawHeaders
  }

  /** Whether nothing can follow on the connection: the bytes after the head of a CONNECT request are not HTTP. */
  get isLast(): boolean {
    return this.raw.method === 'CONNECT'
  }

  get length(): number {
    if (this.isLast) return 0
    const { headers } = this.raw
    if (headers['transfer-encoding'] !== undefined) return Number.POSITIVE_INFINITY
    const length = headers['content-length']
    return length === undefined ? 0 : Number(length)
  }

  get isDisconnected(): boolean {
    return this.raw.socket.destroyed
  }

  get writable(): boolean {
    return this.raw.socket.writable
  }

  get isFinished(): boolean {
    return this.response.writableFinished
  }

  get isQueued(): boolean {
    return this.response.socket === null
  }

  probe(timeout: number): void {
    const { socket } = this.raw
    // Only servers with streams of events need it.
    void import('../connection/lost-peers.ts').then(({ disconnectIfLost }) => disconnectIfLost(socket, timeout))
  }

  protected sendContinue(): void {
    this.response.writeContinue()
  }
}
