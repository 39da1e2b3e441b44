// Ends connections on which nothing moves, by looking at all of them in turns. Node would set two timers of the socket for
// each request and take them back, which costs more than a small answer takes to write.
import type { Socket } from 'node:net'
import type { Connection, Connections } from './connection.ts'

/** How long nothing may move, in milliseconds; 0 for any time. */
export interface IdleLimits {
  /** On a connection whose requests have their answers. */
  readonly keepAlive: number
  /** While an answer waits for its client, and before the first request. */
  readonly response: number
  /** For the first request of a connection of HTTP/2 to arrive, and for each request with its body. */
  readonly multiplexed?: { readonly headers: number; readonly request: number } | undefined
}

const [minInterval, maxInterval] = [20, 5000]

/** Looks at connections until the function that it returns is called. */
export function watchIdleConnections(connections: Connections, limits: IdleLimits): () => void {
  const { keepAlive, response, multiplexed: { headers, request } = { headers: 0, request: 0 } } = limits
  const shortest = Math.min(...[keepAlive, response, headers, request].filter((limit) => limit > 0))
  if (shortest === Number.POSITIVE_INFINITY) return () => {}
  const every = Math.max(minInterval, Math.min(maxInterval, shortest / 4))
  const timer = setInterval(() => {
    const now = performance.now()
    for (const connection of connections) {
      if (connection.multiplexed !== undefined) connection.multiplexed.checkTimeouts(now)
      else if (measureIdleTime(connection, now) >= getIdleLimit(connection, limits)) connection.socket.destroy()
    }
  }, every).unref()
  return () => clearInterval(timer)
}

/** For how long nothing has moved, as far as the turns before saw it. */
function measureIdleTime(connection: Connection, now: number): number {
  const { bytesRead } = connection.socket
  const waiting = countUnsentBytes(connection.socket)
  if (connection.lastBytesRead !== bytesRead || connection.lastUnsentBytes !== waiting) {
    connection.lastBytesRead = bytesRead
    connection.lastUnsentBytes = waiting
    connection.idleSince = now
  }
  return now - connection.idleSince
}

// A request that the application works on has its own limit, and an idle stream is allowed.
function getIdleLimit(connection: Connection, { keepAlive, response }: IdleLimits): number {
  const { pending, requestCount: received, lastUnsentBytes: lastWaiting } = connection
  if (lastWaiting > 0) return response || Number.POSITIVE_INFINITY
  // While it works nothing moves: its connection is not idle from before the answer.
  if (pending > 0) connection.lastBytesRead = -1
  return (pending === 0 ? (received > 0 && keepAlive) || response : 0) || Number.POSITIVE_INFINITY
}

/** Bytes that the client has not taken yet: of a long piece only the system's handle knows how much of it is left. */
function countUnsentBytes(socket: Socket): number {
  if (socket.writableLength === 0) return 0
  const queued: unknown = Reflect.get(socket, '_handle')?.writeQueueSize
  return socket.writableLength + (typeof queued === 'number' ? queued : 0)
}
