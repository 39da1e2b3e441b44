// Handles CONNECT over node:http, which passes the bare socket instead of a response. It is handled like any other
// method, and since the bytes after its head are not HTTP, its response is the last one of the connection.
import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import type { Connection } from './connection/connection.ts'
import { LeanResponse } from './message/lean-response.ts'

/** Milliseconds for a client to read the response and close its side. */
const lingerTime = 1000
/** Bytes after the head that are read and discarded, so that the end of the client is noticed. */
const maxDiscardedBytes = 64 * 1024

/** Calls back with a response for the request, after the responses to earlier requests are sent. */
export function awaitTurn(
  request: IncomingMessage,
  connection: Connection,
  callback: (response: LeanResponse) => void,
): void {
  const { socket } = connection
  // Node has removed its listeners; without an `error` listener, a reset would end the process.
  socket.on('error', () => socket.destroy())
  socket.on('end', () => socket.destroySoon())
  socket.on('drain', () => getCurrentResponse(socket)?.emit('drain'))
  discardInput(socket)
  const next = (): void => {
    const current = getCurrentResponse(socket)
    if (current !== undefined) current.once('close', next)
    else if (socket.writable) callback(createConnectResponse(request, connection))
  }
  next()
}

/** Returns the response that is being written, which Node stores on the socket. */
function getCurrentResponse(socket: Socket): LeanResponse | undefined {
  return Reflect.get(socket, '_httpMessage') ?? undefined
}

function createConnectResponse(request: IncomingMessage, { socket, closeListeners }: Connection): LeanResponse {
  const response = new LeanResponse(request)
  response.shouldKeepAlive = false
  // No chunked encoding: the end of the connection is the end of the response (RFC 9110, section 9.3.6).
  response.useChunkedEncodingByDefault = false
  response.assignSocket(socket)
  response.once('finish', () => {
    response.detachSocket(socket)
    response.emit('close')
    const timer = setTimeout(() => socket.destroy(), lingerTime)
    closeListeners.add(() => clearTimeout(timer))
    socket.end()
  })
  return response
}

function discardInput(socket: Socket): void {
  let remaining = maxDiscardedBytes
  socket.on('data', (chunk: Uint8Array) => {
    remaining -= chunk.length
    if (remaining < 0) socket.pause()
  })
}
