// Handles streams of node:http2: passes them to the application and writes the responses.
import { constants, type OutgoingHttpHeaders } from 'node:http2'
import { isStreamBody } from '../../../server/body-stream.ts'
import type { Logger } from '../../../server/logger.ts'
import { isHeaderName, isHeaderValue } from '../../../server/response/headers.ts'
import type { Handler, RawResponse } from '../../../server/transport.ts'
import type { Connections } from '../connection/connection.ts'
import { getBodyLength, hasBody, withContentLength } from '../message/framing.ts'
import { RequestDriver } from '../request-driver.ts'
import { checkStreamHead } from './check-stream-head.ts'
import type { StreamTransport } from './stream-transport.ts'

/** A longer body is written in pieces of this size, so that it is visible whether the client reads any of it. */
const CHUNK_SIZE = 64 * 1024

/** Drives a handler with the streams of node:http2 and writes its responses. */
export class StreamDriver extends RequestDriver<StreamTransport> {
  readonly #maxHeaderSize: number

  constructor(handler: Handler, connections: Connections, logger: Logger, maxHeaderSize: number) {
    super(handler, connections, logger)
    this.#maxHeaderSize = maxHeaderSize
  }

  /** Handles one stream of a connection. */
  handleStream(transport: StreamTransport): void {
    const { raw, sharedConnection } = transport
    // A stream that its client resets, or that fails, ends with a close event.
    raw.on('error', () => {})
    raw.once('close', () => transport.notifyClosed())
    sharedConnection.requestCount++
    sharedConnection.pending++
    this.admit(transport, checkStreamHead(transport.rawHeaders, this.#maxHeaderSize), sharedConnection.pending)
  }

  protected send(transport: StreamTransport, response: RawResponse): void {
    this.respond(transport, response, false)
  }

  // node:http2 ends the data of a stream before it resets it, and a client could mistake partial data for the complete
  // response. With `waitForTrailers`, data does not end the stream: only a complete response does, with empty trailers.
  protected writeHead({ raw }: StreamTransport, { status, headers }: RawResponse): void {
    raw.respond(toHttp2Headers(status, headers), { waitForTrailers: true })
    raw.once('wantTrailers', () => {
      if (!raw.aborted) raw.sendTrailers({})
    })
  }

  protected writeBuffered(transport: StreamTransport, response: RawResponse, last: boolean): void {
    const { raw, method } = transport
    const headers = withContentLength(method, response)
    const fields = toHttp2Headers(response.status, headers)
    const body = hasBody(method, response) ? response.body : null
    if (body !== null && !isStreamBody(body) && body.length > CHUNK_SIZE)
      return this.streamResponse(transport, { ...response, headers }, splitIntoChunks(body), last)
    if (body === null || isStreamBody(body) || body.length === 0) raw.respond(fields, { endStream: true })
    else {
      raw.respond(fields)
      raw.end(body)
    }
    transport.sentBytes = getBodyLength(method, response)
    transport.sharedConnection.pending--
    stopReceiving(transport)
  }

  protected onStreamEnd(transport: StreamTransport, isComplete: boolean): void {
    transport.sharedConnection.pending--
    if (isComplete) stopReceiving(transport)
  }

  protected onUndelivered({ sharedConnection }: StreamTransport): void {
    sharedConnection.pending--
  }

  protected abortResponse({ raw, sharedConnection }: StreamTransport): void {
    sharedConnection.pending--
    raw.close(constants.NGHTTP2_INTERNAL_ERROR)
  }
}

/** Stops receiving a body after the response; the client need not send the rest (RFC 9113, section 8.1). */
function stopReceiving({ raw, length }: StreamTransport): void {
  if (length === 0 || raw.readableEnded) return
  const closeStream = (): void => {
    if (!raw.readableEnded) raw.close(constants.NGHTTP2_NO_ERROR)
  }
  if (raw.writableFinished) closeStream()
  else raw.once('finish', closeStream)
}

async function* splitIntoChunks(body: string | Uint8Array): AsyncGenerator<Uint8Array, void, undefined> {
  const bytes = typeof body === 'string' ? Buffer.from(body) : body
  for (let at = 0; at < bytes.length; at += CHUNK_SIZE) yield bytes.subarray(at, at + CHUNK_SIZE)
}

/** Connection-specific headers, which HTTP/2 forbids (RFC 9113, section 8.2.2). */
const CONNECTION_HEADERS = new Set([
  'connection',
  'keep-alive',
  'proxy-connection',
  'transfer-encoding',
  'upgrade',
  'te',
])

/** Converts headers to the format of node:http2; a repeated name has a list. */
function toHttp2Headers(status: number, headers: readonly string[]): OutgoingHttpHeaders {
  const fields: OutgoingHttpHeaders = Object.create(null)
  fields[':status'] = status
  for (let i = 0; i < headers.length; i += 2) {
    const name = (headers[i] as string).toLowerCase()
    const value = headers[i + 1] as string
    if (CONNECTION_HEADERS.has(name)) continue
    if (!isHeaderName(name) || !isHeaderValue(value)) throw new TypeError(`The header ${name} cannot be written`)
    const existing = fields[name]
    if (existing === undefined) fields[name] = value
    else if (Array.isArray(existing)) existing.push(value)
    else fields[name] = [String(existing), value]
  }
  return fields
}
