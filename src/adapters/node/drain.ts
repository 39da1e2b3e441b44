// Stopping without losing a request: no new connections, a last answer on each of the old ones, and an end to waiting.
import type { Server } from 'node:http'
import { Server as NetServer } from 'node:net'
import type { Connections } from './connection.ts'

/** How long a connection must have been silent to be closed without a last answer. */
const idleGrace = 600
const lookEvery = 50

/** Drains a server; resolves with the number of connections that had to be cut at the deadline. */
export function drain(server: Server, connections: Connections, deadline: number): Promise<number> {
  connections.draining = true
  return new Promise((resolve) => {
    let cut = 0
    const watch = setInterval(() => closeIdle(connections, performance.now()), lookEvery)
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
    // What the system has accepted for us already is taken in first. http.Server#close would cut idle connections at
    // once, on some of which the next request is under way; net.Server's does not.
    setImmediate(() => NetServer.prototype.close.call(server, closed))
  })
}

function closeIdle(connections: Connections, now: number): void {
  for (const connection of connections) {
    const { socket, pending, closing } = connection
    if (pending > 0 || closing) connection.quietAt = -1
    else if (connection.quietAt !== socket.bytesRead) {
      connection.quietAt = socket.bytesRead
      connection.quietSince = now
    } else if (now - connection.quietSince >= idleGrace) socket.destroySoon()
  }
}
