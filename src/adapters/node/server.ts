// A node:http server over a handler: hardened settings, and an answer even to what is not HTTP.
import { createServer, type Server } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import type { Logger } from '../../server/logger.ts'
import type { Answer, BodyFault, Handler } from '../../server/transport.ts'
import { whenTurn } from './connection/connect.ts'
import type { Connection, Connections } from './connection/connection.ts'
import { endQuiet } from './connection/quiet.ts'
import { type AdapterRefusal, refusals, wireBytes } from './connection/refusals.ts'
import { http2Speaker } from './http2/server.ts'
import { NodeDriver } from './listener.ts'
import { Tail } from './message/response.ts'
import { UnreadRequest } from './message/unread-request.ts'
import { defaultHeaderSize, httpOptions, portOf, type ServeOptions, timesOf } from './options.ts'
import { acceptSecure, isSecure, secureServer } from './secure.ts'

/** How long a refused client may take to read the refusal. */
const lingerTime = 1000

/** Makes a server, not listening yet, whose connections are all in `connections`. */
export function httpServer(handler: Handler, connections: Connections, options: ServeOptions, logger: Logger): Server {
  const { tls } = options
  const server = tls === undefined ? createServer(httpOptions(options)) : secureServer({ ...options, tls })
  const { keepAlive, response, headers, request } = timesOf(options)
  const { maxHeaderSize = defaultHeaderSize } = options
  // Looking at all connections in turns takes the place of Node's own timers.
  server.keepAliveTimeout = 0
  const multiplexed = tls === undefined ? undefined : { headers, request }
  server.on('close', endQuiet(connections, { keepAlive, response, multiplexed }))
  const dispatcher = new NodeDriver(handler, connections, logger, { tail: new Tail(keepAlive), maxHeaderSize })
  server.on('connection', (socket) => connections.of(socket))
  if (isSecure(server)) acceptSecure(server, connections, http2Speaker(handler, connections, options, logger))
  const { maxConnections = 10_000 } = options
  if (maxConnections > 0) server.maxConnections = maxConnections
  server.on('drop', () => connections.admission.tell('Too many connections are open: further ones are closed'))
  server.on('request', (request, response) => dispatcher.take(request, response, false))
  server.on('checkContinue', (request, response) => dispatcher.take(request, response, true))
  // Without a listener Node answers 417 without a body, and continues with bytes that may be the request body.
  server.on('checkExpectation', (request, response) => dispatcher.take(request, response, true))
  // Without a listener Node closes the connection. An upgrade has none on purpose: it stays an ordinary request.
  server.on('connect', (request, socket) => {
    const connection = connections.of(socket as Socket)
    whenTurn(request, connection, (response) => dispatcher.take(request, response, false))
  })
  server.on('clientError', (error: ParserError, socket) => {
    refuse(error, connections.of(socket as Socket), handler)
  })
  return server
}

/** Listens; resolves with the address in use. */
export function listen(server: Server, options: ServeOptions): Promise<AddressInfo> {
  const { host, backlog = 511 } = options
  const port = portOf(options)
  return new Promise((resolve, reject) => {
    const fail = (error: NodeJS.ErrnoException): void => reject(listenError(error, port))
    server.once('error', fail)
    server.listen({ port, backlog, ...(host !== undefined && { host }) }, () => {
      server.off('error', fail)
      resolve(server.address() as AddressInfo)
    })
  })
}

function listenError(error: NodeJS.ErrnoException, port: number): Error {
  const remedies: Record<string, string> = {
    EADDRINUSE: `Port ${port} is in use; stop the program that uses it, or choose another with the option port or the variable PORT`,
    EACCES: `Port ${port} needs rights that this process does not have; choose one above 1023`,
    EADDRNOTAVAIL: 'This machine does not have the address to listen on; correct the option host',
  }
  const remedy = remedies[error.code ?? '']
  return remedy === undefined ? error : Object.assign(new Error(remedy, { cause: error }), { code: error.code })
}

/** Answers a request that Node's parser rejected, if the client is still there and nothing else is on the wire. */
function refuse(error: ParserError, connection: Connection, handler: Handler): void {
  const { socket } = connection
  const { code = '' } = error
  // The parser complains about every further piece that arrives; the last answer is out, or under way to a client that
  // said itself that it would be the last.
  if (connection.closing || code === 'HPE_CLOSED_CONNECTION') return
  const late = code === 'ERR_HTTP_REQUEST_TIMEOUT'
  // The request that a faulty body belongs to answers the fault, once.
  if (connection.reader !== undefined && (late || (socket.writable && mayAnswer(connection)))) {
    // A client that ends in the middle of its body has disconnected, even if nothing reads the body.
    if (code === 'HPE_INVALID_EOF_STATE') linger(connection)
    return connection.reader(BODY_FAULTS[code] ?? 'malformed')
  }
  if (!socket.writable || !mayAnswer(connection) || (late && socket.bytesRead === 0)) {
    socket.destroy()
    return
  }
  connection.closing = true
  linger(connection)
  const refusal = refusals[refusalOf(code)]
  if (handler.refuse === undefined) socket.end(wireBytes(refusal))
  else handler.refuse(new UnreadRequest(socket, originIn(error)), refusal, (answer) => writeLast(socket, answer))
}

/** An error of Node's parser, with the bytes that it read last and how far it came in them. */
interface ParserError extends NodeJS.ErrnoException {
  readonly rawPacket?: Buffer
  readonly bytesParsed?: number
}

const END = '\r\n\r\n'

/** The Origin of a head that the parser rejected, if it has arrived: without it, a page cannot read the refusal. */
function originIn({ rawPacket, bytesParsed = 0 }: ParserError): string | undefined {
  const text = rawPacket?.toString('latin1') ?? ''
  // Behind the head that the parser has read before, and up to the end of the one that it rejected.
  const before = text.lastIndexOf(END, bytesParsed - 1 - END.length)
  const start = before < 0 ? 0 : before + 2
  const end = text.indexOf(END, start + 2)
  const head = text.slice(start, end < 0 ? undefined : end + 2)
  const lines = [...head.matchAll(/\r\norigin:[ \t]*([\x21-\x7e]+)[ \t]*\r\n/gi)]
  return lines.length === 1 ? lines[0]?.[1] : undefined
}

/** Leaves a connection some time for its last answer. */
function linger({ socket, whenClosed }: Connection): void {
  const timer = setTimeout(() => socket.destroy(), lingerTime)
  whenClosed.add(() => clearTimeout(timer))
}

function writeLast(socket: Socket, answer: Answer): void {
  const { done, status, body } = answer
  if (done !== undefined) {
    const sent = typeof body === 'string' || body instanceof Uint8Array ? Buffer.byteLength(body) : 0
    socket.once('close', () => done(status, socket.writableFinished ? 'sent' : 'aborted', sent))
  }
  socket.end(wireBytes(answer))
}

const BODY_FAULTS: Readonly<Record<string, BodyFault>> = {
  ERR_HTTP_REQUEST_TIMEOUT: 'timeout',
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 'too-large',
  HPE_INVALID_EOF_STATE: 'aborted',
}

function mayAnswer({ pending, unread, reader, streaming }: Connection): boolean {
  // The refusal must not be taken for the answer to another request.
  return pending === 0 ? unread?.complete !== false : pending === 1 && reader !== undefined && !streaming
}

function refusalOf(code: string): AdapterRefusal {
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return 'timeout'
  if (code === 'HPE_HEADER_OVERFLOW') return 'headersTooLarge'
  return code === 'HPE_CHUNK_EXTENSIONS_OVERFLOW' ? 'bodyTooLarge' : 'malformed'
}
