// A node:http server over a handler: hardened settings, and an answer even to what is not HTTP.
import { createServer, type Server } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import type { Logger } from '../../server/logger.ts'
import type { Handler } from '../../server/transport.ts'
import type { Connection, Connections } from './connection.ts'
import { Dispatcher } from './listener.ts'
import { httpOptions, portOf, type ServeOptions } from './options.ts'
import { type Refusal, refusals, wireText } from './refusals.ts'

/** How long a refused client may take to read the refusal. */
const lingerTime = 1000

/** Makes a server, not listening yet, whose connections are all in `connections`. */
export function httpServer(handler: Handler, connections: Connections, options: ServeOptions, logger: Logger): Server {
  const dispatcher = new Dispatcher(handler, connections, logger)
  const server = createServer(httpOptions(options))
  server.on('connection', (socket) => connections.of(socket))
  server.on('request', (request, response) => dispatcher.take(request, response, false))
  server.on('checkContinue', (request, response) => dispatcher.take(request, response, true))
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    refuse(error.code ?? '', socket as Socket, connections.of(socket as Socket))
  })
  return server
}

/** Listens; resolves with the address in use. */
export function listen(server: Server, options: ServeOptions): Promise<AddressInfo> {
  const { host, backlog = 511 } = options
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen({ port: portOf(options), backlog, ...(host !== undefined && { host }) }, () => {
      server.off('error', reject)
      resolve(server.address() as AddressInfo)
    })
  })
}

/** Answers a request that Node's parser gave up on, if there is anybody to answer and nothing else on the wire. */
function refuse(code: string, socket: Socket, connection: Connection): void {
  // The parser complains about every further piece that arrives; the last answer is out.
  if (connection.closing) return
  const late = code === 'ERR_HTTP_REQUEST_TIMEOUT'
  if (late && connection.reader !== undefined) return connection.reader('timeout')
  if (!socket.writable || !mayAnswer(connection) || (late && socket.bytesRead === 0)) {
    socket.destroy()
    return
  }
  connection.closing = true
  const timer = setTimeout(() => socket.destroy(), lingerTime)
  connection.whenClosed.add(() => clearTimeout(timer))
  socket.end(wireText(refusals[refusalOf(code)]))
}

function mayAnswer({ pending, unread, reader, streaming }: Connection): boolean {
  // The refusal must not be taken for the answer to another request.
  return pending === 0 ? !unread : pending === 1 && reader !== undefined && !streaming
}

function refusalOf(code: string): Refusal {
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return 'timeout'
  if (code === 'HPE_HEADER_OVERFLOW') return 'headersTooLarge'
  return code === 'HPE_CHUNK_EXTENSIONS_OVERFLOW' ? 'bodyTooLarge' : 'malformed'
}
