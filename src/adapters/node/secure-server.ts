// Servers that speak TLS: each connection is led to HTTP/2 or to HTTP/1.1, as its client chose while it was secured.
import type { Server } from 'node:http'
import { createServer, type Server as HttpsServer } from 'node:https'
import type { Socket } from 'node:net'
import type { TLSSocket } from 'node:tls'
import type { Connections } from './connection/connection.ts'
import { buildHttpOptions, type SecureOptions, type ServeOptions, resolveTimeouts } from './serve-options.ts'

/** A handshake takes several trips and a signature, which a limit for the headers alone need not allow for. */
const minHandshakeTime = 2000

/** Makes a server of HTTPS, not listening yet; throws a TypeError if the certificate cannot be used. */
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
    const why = error instanceof Error ? error.message : String(error)
    throw new TypeError(`serve: tls: the key and the certificate cannot be used (${why}): give a pair in PEM`, {
      cause: error,
    })
  }
}

/** Settings of a server that has TLS. */
export type SecureServeOptions = ServeOptions & { readonly tls: SecureOptions }

/** Returns whether a server speaks TLS. */
export const isSecureServer = (server: Server): server is HttpsServer => 'setSecureContext' in server

/** Leads connections that are secured to the version of HTTP that their client chose. */
export function routeSecureConnections(
  server: HttpsServer,
  connections: Connections,
  speakHttp2: (socket: TLSSocket) => void,
): void {
  const speakHttp1 = server.listeners('secureConnection') as ((this: HttpsServer, socket: TLSSocket) => void)[]
  server.removeAllListeners('secureConnection')
  // Node makes it a 'clientError', which is answered in HTTP: before TLS no client could read that.
  server.removeAllListeners('tlsClientError')
  server.on('tlsClientError', (_, socket) => socket.destroy())
  const securing = new Map<string, Socket>()
  server.on('connection', (socket: Socket) => {
    const name = getConnectionKey(socket)
    securing.set(name, socket)
    socket.once('close', () => {
      if (securing.get(name) === socket) securing.delete(name)
    })
  })
  server.on('secureConnection', (socket) => {
    const name = getConnectionKey(socket)
    connections.replaceWithSecure(socket, securing.get(name))
    securing.delete(name)
    if (socket.alpnProtocol === 'h2') return speakHttp2(socket)
    for (const speak of speakHttp1) speak.call(server, socket)
  })
}

/** The state of one connection. */
const getConnectionKey = ({ remoteAddress, remotePort, localAddress, localPort }: Socket): string =>
  `${remoteAddress}:${remotePort}>${localAddress}:${localPort}`
