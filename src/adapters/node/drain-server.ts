// Stopping without losing a request: no new connections, a last answer on each of the old ones, and an end to waiting.
import type { Server } from 'node:http'
import { Server as NetServer } from 'node:net'
import type { Connections } from './connection/connection.ts'

/** How long a connection must have been silent to be closed without a last answer. */
const idleGraceTime = 600
const pollInterval = 50
/** How long the port is kept open at most for connections that wait to be accepted. */
const maxQueueTime = 2000

/** How a server is drained. */
export interface DrainOptions {
  /** Milliseconds after which the connections that are left are cut. */
  readonly deadline: number
  /** Milliseconds without a new connection after which none waits any more; 0 where the system's queue is our own. */
  readonly queueIdleTime: number
  /** Resolves when no other process accepts connections on this port for the same application. */
  readonly waitForOthers: () => Promise<void>
}

/**
 * Drains a server; resolves with the number of connections that had to be cut at the deadline. The port is given up
 * before any client is asked to leave: one that reconnected at once would wait in a queue that is never emptied.
 */
export function drainServer(server: Server, connections: Connections, { deadline, queueIdleTime: quiet, waitForOthers: alone }: DrainOptions): Promise<number> {
  return new Promise((resolve) => {
    let cut = 0
    let watch: NodeJS.Timeout | undefined
    const timer = setTimeout(() => {
      cut = connections.size
      for (const { socket } of connections) socket.destroy()
    }, deadline)
    const closed = (): void => {
      clearInterval(watch)
      clearTimeout(timer)
      // Only http.Server's own way of closing stops its search for late requests.
      server.close()
      resolve(cut)
    }
    waitForEmptyQueue(server, quiet, Math.min(maxQueueTime, deadline / 2), () => {
      // http.Server#close would cut idle connections at once, on some of which the next request is under way.
      NetServer.prototype.close.call(server, closed)
      void alone().then(() => {
        connections.isDraining = true
        if (connections.size > 0) watch = setInterval(() => closeIdleConnections(connections, performance.now()), pollInterval)
      })
    })
  })
}

/**
 * Calls back when all connections that the system holds for us have been taken in: it resets those that are left when
 * the port is closed. Each turn of the event loop accepts one of them, so a turn without any means that none is left.
 */
function waitForEmptyQueue(server: Server, quiet: number, longest: number, callback: () => void): void {
  const started = performance.now()
  let [turns, latest] = [0, started]
  const accepted = (): void => {
    turns = 0
    latest = performance.now()
  }
  const look = (): void => {
    const now = performance.now()
    const empty = ++turns > 2 && now - latest >= quiet
    if (!empty && now - started < longest) {
      setImmediate(look)
      return
    }
    server.off('connection', accepted)
    callback()
  }
  server.on('connection', accepted)
  setImmediate(look)
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
