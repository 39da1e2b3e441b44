// Creates a node:http server for a handler: hardened settings, and a response even to input that is not HTTP.
import { createServer, type Server } from 'node:http'
import type { Server as HttpsServer } from 'node:https'
import type { AddressInfo, Socket } from 'node:net'
import type { Logger } from '../../server/logger.ts'
import type { BodyFault, Handler, RawResponse } from '../../server/transport.ts'
import { awaitTurn } from './accept-connection.ts'
import { type AdapterRefusal, adapterRefusals, serializeResponse } from './connection/adapter-refusals.ts'
import type { Connection, Connections } from './connection/connection.ts'
import { watchIdleConnections } from './connection/idle-timeouts.ts'
import { NodeDriver } from './listener.ts'
import { KeepAliveLines } from './message/lean-response.ts'
import { UnparsedRequest } from './message/unparsed-request.ts'
import {
  buildHttpOptions,
  defaultHeaderSize,
  resolvePort,
  resolveTimeouts,
  type ServeOptions,
} from './serve-options.ts'

/** Milliseconds for a rejected client to read the response. */
const lingerTime = 1000

/** Returns whether a server uses TLS. */
export const isSecureServer = (server: Server): server is HttpsServer => 'setSecureContext' in server

/** Creates a server, not listening yet, that registers its connections in `connections`. */
export async function createHttpServer(
  handler: Handler,
  connections: Connections,
  options: ServeOptions,
  logger: Logger,
): Promise<Server> {
  const { tls } = options
  // A server without TLS does not load node:https and node:http2, which take a tenth of its start.
  const secure = tls && (await import('./secure-server.ts'))
  const server =
    tls === undefined || secure === undefined
      ? createServer(buildHttpOptions(options))
      : secure.createSecureServer({ ...options, tls })
  const { keepAlive, response, headers, request } = resolveTimeouts(options)
  const { maxHeaderSize = defaultHeaderSize } = options
  // Periodic checks of all connections replace Node's own timers.
  server.keepAliveTimeout = 0
  const multiplexed = tls === undefined ? undefined : { headers, request }
  server.on('close', watchIdleConnections(connections, { keepAlive, response, multiplexed }))
  const driver = new NodeDriver(handler, connections, logger, {
    keepAliveLines: new KeepAliveLines(keepAlive),
    maxHeaderSize,
  })
  server.on('connection', (socket) => connections.getOrCreate(socket))
  if (isSecureServer(server)) secure?.routeSecureConnections(server, handler, connections, { options, logger })
  const { maxConnections = 10_000 } = options
  if (maxConnections > 0) server.maxConnections = maxConnections
  server.on('drop', () => connections.admission.logRefusal('Too many connections are open: further ones are closed'))
  server.on('request', (request, response) => driver.handleRequest(request, response, 'sent'))
  server.on('checkContinue', (request, response) => driver.handleRequest(request, response, 'held'))
  // Without a listener Node responds 417 without a body, and continues with bytes that may be the request body.
  server.on('checkExpectation', (request, response) => driver.handleRequest(request, response, 'held'))
  // Without a listener Node closes the connection. Upgrades have none on purpose: they remain ordinary requests.
  server.on('connect', (request, socket) => {
    const connection = connections.getOrCreate(socket as Socket)
    awaitTurn(request, connection, (response) => driver.handleRequest(request, response, 'sent'))
  })
  server.on('clientError', (error: ParserError, socket) => {
    refuseUnparsed(error, connections.getOrCreate(socket as Socket), handler)
  })
  return server
}

/** Listens; resolves with the address in use. */
export function listen(server: Server, options: ServeOptions): Promise<AddressInfo> {
  const { host, backlog = 511 } = options
  const port = resolvePort(options)
  return new Promise((resolve, reject) => {
    const fail = (error: NodeJS.ErrnoException): void => reject(explainListenError(error, port))
    server.once('error', fail)
    server.listen({ port, backlog, ...(host !== undefined && { host }) }, () => {
      server.off('error', fail)
      resolve(server.address() as AddressInfo)
    })
  })
}

function explainListenError(error: NodeJS.ErrnoException, port: number): Error {
  const remedies: Record<string, string> = {
    EADDRINUSE: `Port ${port} is in use; stop the program that uses it, or choose another with the option port or the variable PORT`,
    EACCES: `Port ${port} needs rights that this process does not have; choose one above 1023`,
    EADDRNOTAVAIL: 'This machine does not have the address to listen on; correct the option host',
  }
  const remedy = remedies[error.code ?? '']
  return remedy === undefined ? error : Object.assign(new Error(remedy, { cause: error }), { code: error.code })
}

/**
 * Responds to a request that Node's parser rejected, if the client is still connected and no other response is being
 * written.
 */
function refuseUnparsed(error: ParserError, connection: Connection, handler: Handler): void {
  const { socket } = connection
  const { code = '' } = error
  // The parser reports an error for every further chunk; the last response is sent, or is being sent to a client that
  // announced that it would be the last.
  if (connection.closing || code === 'HPE_CLOSED_CONNECTION') return
  const late = code === 'ERR_HTTP_REQUEST_TIMEOUT'
  // If a body is malformed, its request responds to the fault, once.
  if (connection.failBody !== undefined && (late || (socket.writable && canRespond(connection)))) {
    // A client that ends in the middle of its body has disconnected, even if nothing reads the body.
    if (code === 'HPE_INVALID_EOF_STATE') destroyAfterLinger(connection)
    return connection.failBody(BODY_FAULTS[code] ?? 'malformed')
  }
  if (!socket.writable || !canRespond(connection) || (late && socket.bytesRead === 0)) {
    socket.destroy()
    return
  }
  connection.closing = true
  destroyAfterLinger(connection)
  const refusal = adapterRefusals[chooseRefusal(code)]
  if (handler.refuse === undefined) socket.end(serializeResponse(refusal))
  else
    handler.refuse(new UnparsedRequest(socket, findOrigin(error)), refusal, (response) =>
      writeLastResponse(socket, response),
    )
}

/** An error of Node's parser, with the bytes that it read last and the offset that it reached. */
interface ParserError extends NodeJS.ErrnoException {
  readonly rawPacket?: Buffer
  readonly bytesParsed?: number
}

const HEAD_END = '\r\n\r\n'

/**
 * Returns the Origin of a head that the parser rejected, if it has arrived: without it, CORS keeps a page from reading
 * the response.
 */
function findOrigin({ rawPacket, bytesParsed = 0 }: ParserError): string | undefined {
  const text = rawPacket?.toString('latin1') ?? ''
  // After the previous head, up to the end of the rejected one.
  const before = text.lastIndexOf(HEAD_END, bytesParsed - 1 - HEAD_END.length)
  const start = before < 0 ? 0 : before + 2
  const end = text.indexOf(HEAD_END, start + 2)
  const head = text.slice(start, end < 0 ? undefined : end + 2)
  const lines = [...head.matchAll(/\r\norigin:[ \t]*([\x21-\x7e]+)[ \t]*\r\n/gi)]
  return lines.length === 1 ? lines[0]?.[1] : undefined
}

/** Destroys a connection after some time for its last response. */
function destroyAfterLinger({ socket, closeListeners }: Connection): void {
  const timer = setTimeout(() => socket.destroy(), lingerTime)
  closeListeners.add(() => clearTimeout(timer))
}

function writeLastResponse(socket: Socket, response: RawResponse): void {
  const { done, status, body } = response
  if (done !== undefined) {
    const sent = typeof body === 'string' || body instanceof Uint8Array ? Buffer.byteLength(body) : 0
    socket.once('close', () => done(status, socket.writableFinished ? 'sent' : 'aborted', sent))
  }
  socket.end(serializeResponse(response))
}

const BODY_FAULTS: Readonly<Record<string, BodyFault>> = {
  ERR_HTTP_REQUEST_TIMEOUT: 'timeout',
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 'too-large',
  HPE_INVALID_EOF_STATE: 'aborted',
}

function canRespond({ pending, unreadRequest, failBody, isStreaming }: Connection): boolean {
  // The rejection must not be mistaken for the response to another request.
  return pending === 0 ? unreadRequest?.complete !== false : pending === 1 && failBody !== undefined && !isStreaming
}

function chooseRefusal(code: string): AdapterRefusal {
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return 'timeout'
  if (code === 'HPE_HEADER_OVERFLOW') return 'headersTooLarge'
  return code === 'HPE_CHUNK_EXTENSIONS_OVERFLOW' ? 'bodyTooLarge' : 'malformed'
}
