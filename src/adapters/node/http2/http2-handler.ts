// Serves HTTP/2 on connections that a TLS server has accepted: node:http2 with settings derived from those of `serve`.
import { createServer, type IncomingHttpHeaders, type ServerHttp2Session, type ServerHttp2Stream } from 'node:http2'
import type { TLSSocket } from 'node:tls'
import type { Logger } from '../../../server/logger.ts'
import type { Handler } from '../../../server/transport.ts'
import type { Connection, Connections } from '../connection/connection.ts'
import { defaultHeaderSize, resolveTimeouts, type ServeOptions } from '../serve-options.ts'
import { Http2Connection } from './http2-connection.ts'
import { StreamDriver } from './stream-driver.ts'
import { StreamTransport } from './stream-transport.ts'

/** The most header fields of a request, the same as in node:http. */
const maxHeaderFields = 2000
/** Bytes of a body that may arrive unread: the same as in HTTP/1.1. */
const initialBodyWindow = 256 * 1024
/** Invalid frames, and streams above the limit, after which a connection ends. */
const maxFaults = 100

/** Creates the function that serves HTTP/2 on a connection. */
export function createHttp2Handler(
  handler: Handler,
  connections: Connections,
  options: ServeOptions,
  logger: Logger,
): (socket: TLSSocket) => void {
  const { maxHeaderSize = defaultHeaderSize } = options
  const { maxPipelined } = connections.admission
  const server = createServer({
    settings: {
      // Above this a stream is reset; below it, a head that is too large gets a response.
      maxHeaderListSize: 2 * maxHeaderSize,
      initialWindowSize: initialBodyWindow,
      ...(maxPipelined < Number.POSITIVE_INFINITY && { maxConcurrentStreams: maxPipelined }),
    },
    maxHeaderListPairs: maxHeaderFields,
    maxSessionInvalidFrames: maxFaults,
    maxSessionRejectedStreams: maxFaults,
  })
  const driver = new StreamDriver(handler, connections, logger, maxHeaderSize)
  const limits = resolveTimeouts(options)
  const handleSession = (session: ServerHttp2Session, connection: Connection): void => {
    const streams = new Http2Connection(session, limits)
    connection.multiplexed = streams
    // Node's types omit the last argument.
    const handleStream = (
      stream: ServerHttp2Stream,
      headers: IncomingHttpHeaders,
      _: number,
      rawHeaders: string[],
    ): void => {
      const transport = new StreamTransport(stream, { headers, rawHeaders }, connection)
      streams.add(transport)
      driver.handleStream(transport)
    }
    session.on('stream', handleStream as (stream: ServerHttp2Stream, headers: IncomingHttpHeaders) => void)
  }
  return (socket) => {
    const connection = connections.getOrCreate(socket)
    server.once('session', (session) => handleSession(session, connection))
    server.emit('connection', socket)
  }
}
