// Serves TLS: routes each connection to HTTP/2 or HTTP/1.1, as its client chose in the handshake.
import { createServer, type Server as HttpsServer } from 'node:https'
import type { Socket } from 'node:net'
import type { TLSSocket } from 'node:tls'
import type { Logger } from '../../server/logger.ts'
import type { Handler } from '../../server/transport.ts'
import type { Connections } from './connection/connection.ts'
import { createHttp2Handler } from './http2/http2-handler.ts'
import { buildHttpOptions, resolveTimeouts, type SecureOptions, type ServeOptions } from './serve-options.ts'

/**
 * The least milliseconds for a handshake, whose round trips and signature a short timeout for headers would not allow
 * for.
 */
const minHandshakeTime = 2000

/** Creates an HTTPS server, not listening yet; throws a TypeError if the certificate cannot be used. */
export function createSecureServer({ tls: { http2 = true, ...tls }, ...options }: SecureServeOptions): HttpsServer {
  const { headers } = resolveTimeouts(options)
  try {
    return createServer({
      noDelay: true,
      ...buildHttpOptions(options),
      ...tls,
      ALPNProtocols: http2 ? ['h2', 'http/1.1'] : ['http/1.1'],
      ...(headers > 0 && { handshakeTimeout: Math.max(minHandshakeTime, headers) }),
    })
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new TypeError(`serve: tls: the key and the certificate cannot be used (${reason}): give a pair in PEM`, {
      cause: error,
    })
  }
}

/** The options of a server with TLS. */
export type SecureServeOptions = ServeOptions & { readonly tls: SecureOptions }

/** Routes secured connections to the HTTP version that their client chose. */
export function routeSecureConnections(
  server: HttpsServer,
  handler: Handler,
  connections: Connections,
  { options, logger }: { readonly options: ServeOptions; readonly logger: Logger },
): void {
  const handleHttp2 = createHttp2Handler(handler, connections, options, logger)
  const http1Listeners = server.listeners('secureConnection') as ((this: HttpsServer, socket: TLSSocket) => void)[]
  server.removeAllListeners('secureConnection')
  // Node turns it into a 'clientError', which gets an HTTP response: before TLS no client could read that.
  server.removeAllListeners('tlsClientError')
  server.on('tlsClientError', (_, socket) => socket.destroy())
  const plainSockets = new Map<string, Socket>()
  server.on('connection', (socket: Socket) => {
    const key = getConnectionKey(socket)
    plainSockets.set(key, socket)
    socket.once('close', () => {
      if (plainSockets.get(key) === socket) plainSockets.delete(key)
    })
  })
  server.on('secureConnection', (socket) => {
    const key = getConnectionKey(socket)
    connections.replaceWithSecure(socket, plainSockets.get(key))
    plainSockets.delete(key)
    if (socket.alpnProtocol === 'h2') return handleHttp2(socket)
    for (const listener of http1Listeners) listener.call(server, socket)
  })
}

/** Returns a key that the plain and the TLS socket of a connection share. */
const getConnectionKey = ({ remoteAddress, remotePort, localAddress, localPort }: Socket): string =>
  `${remoteAddress}:${remotePort}>${localAddress}:${localPort}`
