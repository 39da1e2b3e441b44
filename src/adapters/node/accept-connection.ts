// CONNECT over node:http, which hands the bare socket over instead of a response: it is answered like any other verb, and
// since what follows its head is no HTTP any more, the answer is the last one of its connection.
import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import { LeanResponse } from './message/lean-response.ts'
import type { Connection } from './connection/connection.ts'

/** How long a client may take to read the answer and close its side. */
const lingerTime = 1000
/** How much of what follows the head is received, for nothing, so that the client's end is noticed. */
const maxDiscardedBytes = 64 * 1024

/** Calls back with a response for the request, once the answers to the requests before it are out. */
export function awaitTurn(
  request: IncomingMessage,
  connection: Connection,
  callback: (response: LeanResponse) => void,
): void {
  const { socket } = connection
  // Node has taken its own listeners off; without them a reset would end the process.
  socket.on('error', () => socket.destroy())
  socket.on('end', () => socket.destroySoon())
  socket.on('drain', () => getCurrentResponse(socket)?.emit('drain'))
  discardInput(socket)
  const next = (): void => {
    const before = getCurrentResponse(socket)
    if (before !== undefined) before.once('close', next)
    else if (socket.writable) callback(createConnectResponse(request, connection))
  }
  next()
}

/** The response that is being written, which Node keeps with the socket. */
function getCurrentResponse(socket: Socket): LeanResponse | undefined {
  return Reflect.get(socket, '_httpMessage') ?? undefined
}

function createConnectResponse(request: IncomingMessage, { socket, closeListeners: whenClosed }: Connection): LeanResponse {
  const response = new LeanResponse(request)
  response.shouldKeepAlive = false
  // No chunks: the end of the connection is the end of the answer (RFC 9110, section 9.3.6).
  response.useChunkedEncodingByDefault = false
  response.assignSocket(socket)
  response.once('finish', () => {
    response.detachSocket(socket)
    response.emit('close')
    const timer = setTimeout(() => socket.destroy(), lingerTime)
    whenClosed.add(() => clearTimeout(timer))
    socket.end()
  })
  return response
}

function discardInput(socket: Socket): void {
  let left = maxDiscardedBytes
  socket.on('data', (chunk: Uint8Array) => {
    left -= chunk.length
    if (left < 0) socket.pause()
  })
}
