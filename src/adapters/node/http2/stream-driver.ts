// The way of a stream of node:http2 through the application and back.
import { constants, type OutgoingHttpHeaders } from 'node:http2'
import { isHeaderName, isHeaderValue } from '../../../server/response/headers.ts'
import type { Logger } from '../../../server/logger.ts'
import { isStreamBody } from '../../../server/body-stream.ts'
import type { RawResponse, Handler } from '../../../server/transport.ts'
import type { Connections } from '../connection/connection.ts'
import { RequestDriver } from '../request-driver.ts'
import { getBodyLength, withContentLength, hasBody } from '../message/framing.ts'
import { checkStreamHead } from './check-stream-head.ts'
import type { StreamTransport } from './stream-transport.ts'

/** A longer body is written in pieces of this size, so that it can be seen whether the client takes any of it. */
const CHUNK_SIZE = 64 * 1024

/** Drives a handler with the streams of node:http2 and writes its answers. */
export class StreamDriver extends RequestDriver<StreamTransport> {
  readonly #maxHeaderSize: number

  constructor(handler: Handler, connections: Connections, logger: Logger, maxHeaderSize: number) {
    super(handler, connections, logger)
    this.#maxHeaderSize = maxHeaderSize
  }

  /** Takes one stream of a connection. */
  handleStream(transport: StreamTransport): void {
    const { raw, sharedConnection: carrier } = transport
    // A stream that its client resets, or that breaks, ends with a close event.
    raw.on('error', () => {})
    raw.once('close', () => transport.notifyClosed())
    carrier.requestCount++
    carrier.pending++
    this.admit(transport, checkStreamHead(transport.rawHeaders, this.#maxHeaderSize), carrier.pending)
  }

  protected send(transport: StreamTransport, answer: RawResponse): void {
    this.respond(transport, answer, false)
  }

  // node:http2 ends the data of a stream before it resets it, and a client could take what it has for all there is. Data that
  // trailers may follow does not end the stream: only an answer that is complete does, with trailers that are empty.
  protected writeHead({ raw }: StreamTransport, { status, headers }: RawResponse): void {
    raw.respond(toHttp2Headers(status, headers), { waitForTrailers: true })
    raw.once('wantTrailers', () => {
      if (!raw.aborted) raw.sendTrailers({})
    })
  }

  protected writeBuffered(transport: StreamTransport, answer: RawResponse, last: boolean): void {
    const { raw, method } = transport
    const headers = withContentLength(method, answer)
    const fields = toHttp2Headers(answer.status, headers)
    const body = hasBody(method, answer) ? answer.body : null
    if (body !== null && !isStreamBody(body) && body.length > CHUNK_SIZE)
      return this.streamResponse(transport, { ...answer, headers }, splitIntoChunks(body), last)
    if (body === null || isStreamBody(body) || body.length === 0) raw.respond(fields, { endStream: true })
    else {
      raw.respond(fields)
      raw.end(body)
    }
    transport.sentBytes = getBodyLength(method, answer)
    transport.sharedConnection.pending--
    stopReceiving(transport)
  }

  protected onStreamEnd(transport: StreamTransport, complete: boolean): void {
    transport.sharedConnection.pending--
    if (complete) stopReceiving(transport)
  }

  protected onUndelivered({ sharedConnection: carrier }: StreamTransport): void {
    carrier.pending--
  }

  protected abortResponse({ raw, sharedConnection: carrier }: StreamTransport): void {
    carrier.pending--
    raw.close(constants.NGHTTP2_INTERNAL_ERROR)
  }
}

/** After the response the rest of a body is not needed; the client need not send it (RFC 9113, section 8.1). */
function stopReceiving({ raw, length }: StreamTransport): void {
  if (length === 0 || raw.readableEnded) return
  const leave = (): void => {
    if (!raw.readableEnded) raw.close(constants.NGHTTP2_NO_ERROR)
  }
  if (raw.writableFinished) leave()
  else raw.once('finish', leave)
}

async function* splitIntoChunks(body: string | Uint8Array): AsyncGenerator<Uint8Array, void, undefined> {
  const bytes = typeof body === 'string' ? Buffer.from(body) : body
  for (let at = 0; at < bytes.length; at += CHUNK_SIZE) yield bytes.subarray(at, at + CHUNK_SIZE)
}

/** Names that speak of a connection, which a stream is none of (RFC 9113, section 8.2.2). */
const CONNECTION_HEADERS = new Set(['connection', 'keep-alive', 'proxy-connection', 'transfer-encoding', 'upgrade', 'te'])

/** The headers as node:http2 takes them; a name that comes twice has a list. */
function toHttp2Headers(status: number, headers: readonly string[]): OutgoingHttpHeaders {
  const fields: OutgoingHttpHeaders = Object.create(null)
  fields[':status'] = status
  for (let i = 0; i < headers.length; i += 2) {
    const name = (headers[i] as string).toLowerCase()
    const value = headers[i + 1] as string
    if (CONNECTION_HEADERS.has(name)) continue
    if (!isHeaderName(name) || !isHeaderValue(value)) throw new TypeError(`The header ${name} cannot be written`)
    const before = fields[name]
    if (before === undefined) fields[name] = value
    else if (Array.isArray(before)) before.push(value)
    else fields[name] = [String(before), value]
  }
  return fields
}
