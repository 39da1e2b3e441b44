// Ends idle connections by checking all of them periodically. Node would set and clear two timers of the socket for
// each request, which costs more than writing a small response.
import type { Socket } from 'node:net'
import type { Connection, Connections } from './connection.ts'

/** The most idle milliseconds; 0 for no limit. */
export interface IdleLimits {
  /** On a connection without requests in progress. */
  readonly keepAlive: number
  /** While a response waits for its client, and before the first request. */
  readonly response: number
  /** For the first request of an HTTP/2 connection to arrive, and for each request with its body. */
  readonly multiplexed?: { readonly headers: number; readonly request: number } | undefined
}

const [minInterval, maxInterval] = [20, 5000]

/** Checks connections periodically until the returned function is called. */
export function watchIdleConnections(connections: Connections, limits: IdleLimits): () => void {
  const { keepAlive, response, multiplexed: { headers, request } = { headers: 0, request: 0 } } = limits
  const shortest = Math.min(...[keepAlive, response, headers, request].filter((limit) => limit > 0))
  if (shortest === Number.POSITIVE_INFINITY) return () => {}
  const interval = Math.max(minInterval, Math.min(maxInterval, shortest / 4))
  const timer = setInterval(() => {
    const now = performance.now()
    for (const connection of connections) {
      if (connection.multiplexed !== undefined) connection.multiplexed.checkTimeouts(now)
      else if (measureIdleTime(connection, now) >= getIdleLimit(connection, limits)) connection.socket.destroy()
    }
  }, interval).unref()
  return () => clearInterval(timer)
}

/** Returns for how long no bytes have moved, as far as earlier checks saw it. */
function measureIdleTime(connection: Connection, now: number): number {
  const { bytesRead } = connection.socket
  const unsentBytes = countUnsentBytes(connection.socket)
  if (connection.lastBytesRead !== bytesRead || connection.lastUnsentBytes !== unsentBytes) {
    connection.lastBytesRead = bytesRead
    connection.lastUnsentBytes = unsentBytes
    connection.idleSince = now
  }
  return now - connection.idleSince
}

// A request that the application works on has its own limit, and an idle stream is allowed.
function getIdleLimit(connection: Connection, { keepAlive, response }: IdleLimits): number {
  const { pending, requestCount, lastUnsentBytes } = connection
  if (lastUnsentBytes > 0) return response || Number.POSITIVE_INFINITY
  // No bytes move while the application works: that time does not count as idle.
  if (pending > 0) connection.lastBytesRead = -1
  return (pending === 0 ? (requestCount > 0 && keepAlive) || response : 0) || Number.POSITIVE_INFINITY
}

/**
 * Returns the bytes that the client has not received yet: only the system handle knows how much of a long piece
 * remains.
 */
function countUnsentBytes(socket: Socket): number {
  if (socket.writableLength === 0) return 0
  const queued: unknown = Reflect.get(socket, '_handle')?.writeQueueSize
  return socket.writableLength + (typeof queued === 'number' ? queued : 0)
}
