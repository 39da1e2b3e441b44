// HTTP/2 on connections that a TLS server has accepted: node:http2 with settings that follow from those of `serve`.
import { createServer, type IncomingHttpHeaders, type ServerHttp2Session, type ServerHttp2Stream } from 'node:http2'
import type { TLSSocket } from 'node:tls'
import type { Logger } from '../../../server/logger.ts'
import type { Handler } from '../../../server/transport.ts'
import type { Connection, Connections } from '../connection/connection.ts'
import { defaultHeaderSize, type ServeOptions, resolveTimeouts } from '../serve-options.ts'
import { StreamDriver } from './stream-driver.ts'
import { Http2Connection } from './http2-connection.ts'
import { StreamTransport } from './stream-transport.ts'

/** Header fields of a request, as many as node:http takes. */
const maxHeaderFields = 2000
/** Bytes of a body that may arrive unread: as many as may wait in HTTP/1.1. */
const initialBodyWindow = 256 * 1024
/** Frames that make no sense, and streams beyond the limit, after which a connection ends. */
const maxFaults = 100

/** Makes the function that speaks HTTP/2 on a connection. */
export function createHttp2Handler(
  handler: Handler,
  connections: Connections,
  options: ServeOptions,
  logger: Logger,
): (socket: TLSSocket) => void {
  const { maxHeaderSize = defaultHeaderSize } = options
  const { maxPipelined: pipelined } = connections.admission
  const server = createServer({
    settings: {
      // Beyond this a stream is reset; below it, a head that is too large gets a response.
      maxHeaderListSize: 2 * maxHeaderSize,
      initialWindowSize: initialBodyWindow,
      ...(pipelined < Number.POSITIVE_INFINITY && { maxConcurrentStreams: pipelined }),
    },
    maxHeaderListPairs: maxHeaderFields,
    maxSessionInvalidFrames: maxFaults,
    maxSessionRejectedStreams: maxFaults,
  })
  const driver = new StreamDriver(handler, connections, logger, maxHeaderSize)
  const limits = resolveTimeouts(options)
  const carry = (session: ServerHttp2Session, connection: Connection): void => {
    const streams = new Http2Connection(session, limits)
    connection.multiplexed = streams
    // Node's types leave the last of what it gives out.
    const take = (stream: ServerHttp2Stream, headers: IncomingHttpHeaders, _: number, rawHeaders: string[]): void => {
      const transport = new StreamTransport(stream, { headers, rawHeaders }, connection)
      streams.add(transport)
      driver.handleStream(transport)
    }
    session.on('stream', take as (stream: ServerHttp2Stream, headers: IncomingHttpHeaders) => void)
  }
  return (socket) => {
    const connection = connections.getOrCreate(socket)
    server.once('session', (session) => carry(session, connection))
    server.emit('connection', socket)
  }
}
