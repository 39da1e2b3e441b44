// Stops a server without losing a request: no new connections, a last response on each open one, and a deadline.
import type { Server } from 'node:http'
import { Server as NetServer } from 'node:net'
import type { Connections } from './connection/connection.ts'

/** Milliseconds without input after which a connection is closed without a last response. */
const idleGraceTime = 600
const pollInterval = 50
/** The most milliseconds for which the port is kept open for connections that wait to be accepted. */
const maxQueueTime = 2000

/** The options of draining a server. */
export interface DrainOptions {
  /** Milliseconds after which the remaining connections are cut. */
  readonly deadline: number
  /**
   * Milliseconds without a new connection after which the queue counts as empty; 0 if the system's queue is not shared.
   */
  readonly queueIdleTime: number
  /** Resolves when no other process accepts connections on this port for the same application. */
  readonly waitForOthers: () => Promise<void>
}

/**
 * Drains a server; resolves with the number of connections that were cut at the deadline. The port is closed before any
 * client is disconnected: one that reconnected at once would wait in a queue that is never emptied.
 */
export function drainServer(
  server: Server,
  connections: Connections,
  { deadline, queueIdleTime, waitForOthers }: DrainOptions,
): Promise<number> {
  return new Promise((resolve) => {
    let cut = 0
    let poll: NodeJS.Timeout | undefined
    const timer = setTimeout(() => {
      cut = connections.size
      for (const { socket } of connections) socket.destroy()
    }, deadline)
    const finish = (): void => {
      clearInterval(poll)
      clearTimeout(timer)
      // Only http.Server#close stops its check for late requests.
      server.close()
      resolve(cut)
    }
    waitForEmptyQueue(server, queueIdleTime, Math.min(maxQueueTime, deadline / 2), () => {
      // http.Server#close would cut idle connections at once, although their next request may already be on its way.
      NetServer.prototype.close.call(server, finish)
      void waitForOthers().then(() => {
        connections.isDraining = true
        if (connections.size > 0)
          poll = setInterval(() => closeIdleConnections(connections, performance.now()), pollInterval)
      })
    })
  })
}

/**
 * Calls back when all connections in the system's queue have been accepted: the system resets the remaining ones when
 * the port is closed. Each turn of the event loop accepts one, so a turn without any means that none is left.
 */
function waitForEmptyQueue(server: Server, idleTime: number, maxTime: number, callback: () => void): void {
  const started = performance.now()
  let [turns, lastAccepted] = [0, started]
  const onConnection = (): void => {
    turns = 0
    lastAccepted = performance.now()
  }
  const check = (): void => {
    const now = performance.now()
    const empty = ++turns > 2 && now - lastAccepted >= idleTime
    if (!empty && now - started < maxTime) {
      setImmediate(check)
      return
    }
    server.off('connection', onConnection)
    callback()
  }
  server.on('connection', onConnection)
  setImmediate(check)
}

function closeIdleConnections(connections: Connections, now: number): void {
  for (const connection of connections) {
    const { socket, pending, closing, multiplexed } = connection
    if (multiplexed !== undefined) multiplexed.goAway()
    else if (pending > 0 || closing) connection.drainBytesRead = -1
    else if (connection.drainBytesRead !== socket.bytesRead) {
      connection.drainBytesRead = socket.bytesRead
      connection.drainIdleSince = now
    } else if (now - connection.drainIdleSince >= idleGraceTime) socket.destroySoon()
  }
}
