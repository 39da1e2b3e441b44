// Tracks the connections of one server and their state, which draining, timeouts and rejections use.
import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import type { BodyFault } from '../../../server/transport.ts'
import { AdmissionControl } from './admission-control.ts'

/** A connection that carries several requests at once, each with its own timeouts. */
export interface MultiplexedConnection {
  /** Ends streams, or the entire connection, that exceed a timeout. */
  checkTimeouts(now: number): void
  /** Accepts no more requests and ends after the last one; further calls have no effect. */
  goAway(): void
}

/** The state of one connection. */
export class Connection {
  readonly socket: Socket
  /** The socket of the system: under TLS, a different one from the socket that is read and written. */
  rawSocket: Socket
  readonly admission: AdmissionControl
  /** Requests received whose responses are not complete. */
  pending = 0
  /** The number of requests it has carried: while draining, the response to the last one closes the connection. */
  requestCount = 0
  /** The last request, if its response was sent before all of its body had arrived. */
  unreadRequest: IncomingMessage | undefined
  /** Part of a response has been written: only the rest of it may follow. */
  isStreaming = false
  /** The last response has been written; a request that arrives now is not processed (RFC 9112, section 9.6). */
  closing = false
  /** Notifies the reader of a body that the rest of it will not arrive. */
  failBody: ((fault: BodyFault) => void) | undefined
  /**
   * The time since when no bytes have been received or sent, and the byte counts at that time; updated by periodic
   * checks.
   */
  idleSince = 0
  lastBytesRead = -1
  lastUnsentBytes = 0
  /** While draining: the time since when no bytes have been received, and the byte count at that time. */
  drainIdleSince = 0
  drainBytesRead = -1
  /** Set if it uses HTTP/2. */
  multiplexed: MultiplexedConnection | undefined
  /** Callbacks for its end; a set, because Node warns about more than ten listeners of a socket. */
  readonly closeListeners: Set<() => void> = new Set()

  constructor(socket: Socket, admission: AdmissionControl) {
    this.socket = socket
    this.rawSocket = socket
    this.admission = admission
  }
}

/** Every open connection of one server, by socket. */
export class Connections implements Iterable<Connection> {
  /** Set when the server stops: from then on responses close their connections. */
  isDraining = false
  readonly admission: AdmissionControl
  readonly #bySocket = new Map<Socket, Connection>()

  constructor(admission: AdmissionControl = new AdmissionControl({ requests: 0, delay: 0, pipelined: 0, bodies: 0 })) {
    this.admission = admission
  }

  /** Returns the state of a socket, created on first use. */
  getOrCreate(socket: Socket): Connection {
    return this.#bySocket.get(socket) ?? this.#track(socket)
  }

  /** The number of open connections. */
  get size(): number {
    return this.#bySocket.size
  }

  [Symbol.iterator](): Iterator<Connection> {
    return this.#bySocket.values()
  }

  #track(socket: Socket): Connection {
    const connection = new Connection(socket, this.admission)
    this.#bySocket.set(socket, connection)
    // A closed socket emits no second event.
    if (socket.destroyed) this.#bySocket.delete(socket)
    else socket.once('close', () => this.#forget(connection))
    return connection
  }

  /** Replaces a plain socket with the TLS socket on top of it. */
  replaceWithSecure(socket: Socket, plain: Socket | undefined): Connection {
    const connection = this.getOrCreate(socket)
    if (plain !== undefined) {
      this.#bySocket.delete(plain)
      connection.rawSocket = plain
    }
    return connection
  }

  #forget({ socket, closeListeners }: Connection): void {
    this.#bySocket.delete(socket)
    for (const callback of closeListeners) callback()
  }
}
