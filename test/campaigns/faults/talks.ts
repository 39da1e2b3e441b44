// One connection of a client with one request under way at a time: in HTTP/1.1, plain or over TLS, and in HTTP/2.
import { type ClientHttp2Session, connect as connectStreams, constants } from 'node:http2'
import { connect, type Socket } from 'node:net'
import { connect as connectSecurely } from 'node:tls'
import { cert } from '../../support/serving/certificate.ts'

/** The protocol that the server under test is asked in. */
export type Protocol = 'http' | 'tls' | 'h2'

/** A server, and how to reach it. */
export interface Reached {
  readonly port: number
  readonly protocol: Protocol
}

/** A request: a GET of a path, or a POST of JSON. */
export interface Asked {
  readonly path: string
  readonly body?: string
}

/** One answer, and whether the connection takes no further request. */
export interface Answer {
  readonly status: number
  readonly body: string
  readonly took: number
  readonly closing: boolean
}

/** Functions that a connection calls. */
export interface Listening {
  readonly connected: () => void
  readonly answered: (answer: Answer) => void
  readonly closed: () => void
}

/** When this process last stood still for so long that a server that drains takes its connections for silent ones. */
const stall = { at: Number.NEGATIVE_INFINITY }
let beat = performance.now()
setInterval(() => {
  const now = performance.now()
  if (now - beat > 450) stall.at = now
  beat = now
}, 50).unref()

/** A connection, with one request under way at a time. */
export abstract class Talk {
  waiting = false
  number = 0
  fault = 'ended'
  resting: NodeJS.Timeout | undefined
  protected since = 0
  protected readonly listening: Listening
  readonly #patience: number
  #timer: NodeJS.Timeout | undefined

  constructor(patience: number, listening: Listening) {
    this.#patience = patience
    this.listening = listening
  }

  /** Whether the request never reached the application, and the server said so: clients send it again. */
  abstract readonly unprocessed: boolean
  /** Whether a request can be sent. */
  abstract readonly open: boolean
  /** Closes the connection in order. */
  abstract end(): void
  protected abstract send(asked: Asked): void
  protected abstract destroy(): void

  ask(number: number, asked: Asked): void {
    this.number = number
    this.waiting = true
    this.since = performance.now()
    this.#timer = setTimeout(() => {
      this.fault = 'no answer'
      this.destroy()
    }, this.#patience)
    this.send(asked)
  }

  protected heard(status: number, body: string, closing: boolean): void {
    clearTimeout(this.#timer)
    this.waiting = false
    this.listening.answered({ status, body, took: performance.now() - this.since, closing })
  }

  protected close(): void {
    clearTimeout(this.#timer)
    clearTimeout(this.resting)
    this.listening.closed()
  }
}

/** Opens a connection. */
export function talkTo(server: Reached, patience: number, listening: Listening): Talk {
  return server.protocol === 'h2'
    ? new StreamTalk(server.port, patience, listening)
    : new SocketTalk(server, patience, listening)
}

/** A socket to the server that speaks HTTP/1.1; `ready` is called when it can be written to. */
export function socketTo({ port, protocol }: Reached, ready: () => void): Socket {
  const to = { port, host: '127.0.0.1', allowHalfOpen: true }
  const carrier = connect({ ...to, noDelay: true })
  if (protocol === 'http') return carrier.once('connect', ready)
  const socket = connectSecurely({ socket: carrier, ca: cert, host: '127.0.0.1', ALPNProtocols: ['http/1.1'] }, ready)
  carriers.set(socket, carrier)
  return socket
}

/** The TCP connections under those of TLS, which cannot reset them. */
const carriers = new WeakMap<Socket, Socket>()

/** Breaks a connection off with a reset. */
export const reset = (socket: Socket): Socket => (carriers.get(socket) ?? socket).resetAndDestroy()

class SocketTalk extends Talk {
  readonly #socket: Socket
  #received = ''

  constructor(server: Reached, patience: number, listening: Listening) {
    super(patience, listening)
    const socket = socketTo(server, listening.connected)
    this.#socket = socket
    socket.setEncoding('latin1')
    socket.on('data', (chunk: string) => this.#take(chunk))
    socket.on('error', (error: NodeJS.ErrnoException) => {
      this.fault = error.code ?? error.message
    })
    // Between two requests nothing is read, and only a close is noticed.
    socket.on('end', () => socket.end())
    socket.on('close', () => this.close())
  }

  // The request went out right after this process had stood still, and met the end of the connection.
  get unprocessed(): boolean {
    return this.fault === 'ended' && this.#received === '' && Math.abs(this.since - stall.at) < 1000
  }

  readonly open = true

  end(): void {
    this.#socket.end()
  }

  protected destroy(): void {
    this.#socket.destroy()
  }

  protected send({ path, body }: Asked): void {
    this.#received = ''
    const head = `${body === undefined ? 'GET' : 'POST'} ${path} HTTP/1.1\r\nHost: a.test\r\n`
    const fields = body === undefined ? '' : `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n`
    this.#socket.write(`${head}${fields}\r\n${body ?? ''}`)
  }

  #take(chunk: string): void {
    this.#received += chunk
    const head = this.#received.indexOf('\r\n\r\n')
    if (head === -1) return
    const fields = this.#received.slice(0, head)
    const length = Number(/content-length: (\d+)/i.exec(fields)?.[1] ?? 0)
    if (this.#received.length < head + 4 + length) return
    if (/transfer-encoding: chunked/i.test(fields) && !this.#received.endsWith('0\r\n\r\n')) return
    const closing = /connection: close/i.test(fields)
    this.heard(Number(this.#received.slice(9, 12)), this.#received.slice(head + 4), closing)
  }
}

class StreamTalk extends Talk {
  readonly #session: ClientHttp2Session
  #refused = false

  constructor(port: number, patience: number, listening: Listening) {
    super(patience, listening)
    const session = connectStreams(`https://127.0.0.1:${port}`, { ca: cert })
    this.#session = session
    session.on('connect', listening.connected)
    session.on('error', (error: NodeJS.ErrnoException) => {
      this.fault = error.code ?? error.message
    })
    session.on('close', () => this.close())
  }

  get unprocessed(): boolean {
    return this.#refused
  }

  get open(): boolean {
    return !this.#session.closed && !this.#session.destroyed
  }

  end(): void {
    this.#session.close()
  }

  protected destroy(): void {
    this.#session.destroy()
  }

  protected send({ path, body }: Asked): void {
    const json = body === undefined ? {} : { ':method': 'POST', 'content-type': 'application/json' }
    const stream = this.#session.request({ ':path': path, ...json }, { endStream: body === undefined })
    if (body !== undefined) stream.end(body)
    let [status, text] = [0, '']
    stream.setEncoding('latin1')
    stream.on('response', (headers) => {
      status = headers[':status'] ?? 0
    })
    stream.on('data', (chunk: string) => {
      text += chunk
    })
    stream.on('error', (error: NodeJS.ErrnoException) => {
      this.fault = error.code ?? error.message
    })
    stream.on('close', () => {
      if (status !== 0 && stream.rstCode === constants.NGHTTP2_NO_ERROR) return this.heard(status, text, !this.open)
      this.#refused = status === 0 && stream.rstCode === constants.NGHTTP2_REFUSED_STREAM
      this.#session.destroy()
    })
  }
}
