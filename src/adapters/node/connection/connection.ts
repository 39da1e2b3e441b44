// The connections of one server and what is under way on each: draining, timeouts and refusals decide by it.
import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import type { BodyFault } from '../../../server/transport.ts'
import { AdmissionControl } from './admission-control.ts'

/** A connection that carries several requests at once, each of which has its own limits of time. */
export interface MultiplexedConnection {
  /** Ends streams, or the whole connection, that exceed a timeout. */
  checkTimeouts(now: number): void
  /** Accepts no more requests and ends after the last one; further calls do nothing. */
  goAway(): void
}

/** The state of one connection. */
export class Connection {
  readonly socket: Socket
  /** The socket of the system: under TLS another one than that which is read and written. */
  rawSocket: Socket
  readonly admission: AdmissionControl
  /** Requests received and not yet answered to the end. */
  pending = 0
  /** How many requests it has carried: while draining, the answer to the last one is the one that closes. */
  requestCount = 0
  /** The last request, if it had its answer before all of its body had arrived. */
  unreadRequest: IncomingMessage | undefined
  /** Part of an answer is on the wire: nothing but the rest of it may follow. */
  isStreaming = false
  /** The last answer has been written; a request that arrives now is not processed (RFC 9112, section 9.6). */
  closing = false
  /** Informs the reader of a body that the rest of it will not arrive. */
  failBody: ((fault: BodyFault) => void) | undefined
  /** Since when nothing has been received or taken, and what had been then; counted in turns. */
  idleSince = 0
  lastBytesRead = -1
  lastUnsentBytes = 0
  /** While draining: since when, and at which count of bytes, nothing has been received. */
  drainIdleSince = 0
  drainBytesRead = -1
  /** Set where it speaks HTTP/2. */
  multiplexed: MultiplexedConnection | undefined
  /** Called when it has ended; a set, because listeners of the socket itself may be ten at most. */
  readonly closeListeners: Set<() => void> = new Set()

  constructor(socket: Socket, admission: AdmissionControl) {
    this.socket = socket
    this.rawSocket = socket
    this.admission = admission
  }
}

/** Every open connection of one server, by socket. */
export class Connections implements Iterable<Connection> {
  /** Set when the server stops: from then on answers close their connections. */
  isDraining = false
  readonly admission: AdmissionControl
  readonly #bySocket = new Map<Socket, Connection>()

  constructor(admission: AdmissionControl = new AdmissionControl({ requests: 0, delay: 0, pipelined: 0, bodies: 0 })) {
    this.admission = admission
  }

  /** The record of a socket, made when the socket is first seen. */
  getOrCreate(socket: Socket): Connection {
    return this.#bySocket.get(socket) ?? this.#track(socket)
  }

  /** How many connections are open. */
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

  /** Lets a socket that is secured take the place of the one under it. */
  replaceWithSecure(socket: Socket, plain: Socket | undefined): Connection {
    const connection = this.getOrCreate(socket)
    if (plain !== undefined) {
      this.#bySocket.delete(plain)
      connection.rawSocket = plain
    }
    return connection
  }

  #forget({ socket, closeListeners: whenClosed }: Connection): void {
    this.#bySocket.delete(socket)
    for (const callback of whenClosed) callback()
  }
}
