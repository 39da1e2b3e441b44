// The times for which connections may be still, looked at once in a while. Node sets and takes back two timers of a socket
// for each request, which is a twentieth of the cost of a small one; here a request notes a number.
import { Socket } from 'node:net'
import type { Connection, Connections } from './connection.ts'

/** How many times a connection is looked at, at the least, while it may be still. */
const LOOKS = 4
const [SHORTEST, LONGEST] = [20, 5000]

/** Tells connections, as Node would by the event 'timeout', that nothing has moved on them for their time. */
export class Watch {
  readonly #connections: Connections
  readonly #timer: NodeJS.Timeout | undefined

  /** `times` are those that connections can have, in milliseconds; 0 means none. */
  constructor(connections: Connections, times: readonly number[]) {
    this.#connections = connections
    const shortest = Math.min(...times.filter((time) => time > 0))
    if (shortest === Number.POSITIVE_INFINITY) return
    const interval = Math.max(SHORTEST, Math.min(LONGEST, Math.floor(shortest / LOOKS)))
    this.#timer = setInterval(() => this.#look(performance.now()), interval).unref()
  }

  /** Takes a new connection over from Node's timers. */
  take(connection: Connection): void {
    const { socket } = connection
    socket.setTimeout = (time, callback) => {
      // Whoever asks for more than Node itself does gets Node's timer.
      if (callback !== undefined) return Socket.prototype.setTimeout.call(socket, time, callback)
      connection.patience = time
      connection.moved = -1
      return socket
    }
  }

  close(): void {
    clearInterval(this.#timer)
  }

  #look(now: number): void {
    for (const connection of this.#connections) {
      const { socket, patience } = connection
      if (patience === 0) continue
      const moved = movedOn(socket)
      if (moved !== connection.moved) {
        connection.moved = moved
        connection.stillSince = now
      } else if (now - connection.stillSince >= patience) {
        connection.stillSince = now
        socket.emit('timeout')
      }
    }
  }
}

/** How many bytes have come, and how many have been taken by the system: what waits for a client that reads nothing does not move. */
function movedOn(socket: Socket): number {
  const { _handle: handle } = socket as { _handle?: { readonly writeQueueSize?: number } | null }
  return socket.bytesRead + socket.bytesWritten - (handle?.writeQueueSize ?? 0) - socket.writableLength
}
