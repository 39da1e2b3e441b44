// One connection of HTTP/2: its streams, the limits of time that each of them and all of them have, and its end.
import { constants, type ServerHttp2Session } from 'node:http2'
import type { Multiplexed } from '../connection/connection.ts'
import type { StreamTransport } from './transport.ts'

/** Limits of time, in milliseconds; 0 for none. */
export interface SessionLimits {
  /** From the beginning of the connection to its first stream. */
  readonly headers: number
  /** For a whole request with its body to arrive. */
  readonly request: number
  /** For the client to take any part of the answer that waits for it. */
  readonly response: number
  /** Without a stream. */
  readonly keepAlive: number
}

/** PING and SETTINGS frames that a client may send within a time: each of them has to be answered. */
const mostControls = 1000
const controlTime = 10_000
/** How long a client may take to say that it has heard that the server leaves, or to hear that the connection ends. */
const lingerTime = 1000
/** A stream id that no client can have used: GOAWAY with it asks the client to open no more streams, and rejects none yet. */
const LAST_STREAM = 2 ** 31 - 1

/** The streams of one connection. */
export class Session implements Multiplexed {
  readonly #session: ServerHttp2Session
  readonly #limits: SessionLimits
  readonly #streams = new Set<StreamTransport>()
  #idleSince = performance.now()
  #used = false
  #leaving = false
  #closedAt: number | undefined
  #controls = 0
  #controlsSince = performance.now()

  constructor(session: ServerHttp2Session, limits: SessionLimits) {
    this.#session = session
    this.#limits = limits
    // A connection error ends its streams, each of which gets its own event.
    session.on('error', () => {})
    session.on('ping', this.#control)
    session.on('remoteSettings', this.#control)
  }

  /** Takes a stream in; it leaves by itself when it ends. */
  add(transport: StreamTransport): void {
    this.#used = true
    this.#streams.add(transport)
    transport.whenClosed.add(() => {
      this.#streams.delete(transport)
      this.#idleSince = performance.now()
    })
  }

  look(now: number): void {
    if (this.#session.destroyed) return
    for (const transport of this.#streams) this.#lookAt(transport, now)
    if (this.#streams.size > 0) return
    const { keepAlive, headers } = this.#limits
    const limit = this.#used ? keepAlive : headers
    if (limit > 0 && now - this.#idleSince >= limit) this.#close(now)
  }

  /** Lets the client open no more streams; what it had sent before it heard of that is still answered. */
  leave(): void {
    const session = this.#session
    if (this.#leaving || session.destroyed || session.closed) return
    this.#leaving = true
    session.goaway(constants.NGHTTP2_NO_ERROR, LAST_STREAM)
    const close = (): void => {
      clearTimeout(timer)
      if (!session.destroyed) session.close()
    }
    const timer = setTimeout(close, lingerTime)
    // Its answer comes behind all that the client sent before.
    session.ping(close)
  }

  #lookAt(transport: StreamTransport, now: number): void {
    const { request, response } = this.#limits
    if (request > 0 && now - transport.since >= request) transport.reader?.('timeout')
    const waiting = transport.raw.writableLength
    if (waiting === 0 || waiting !== transport.lastWaiting) {
      transport.lastWaiting = waiting
      transport.stillSince = now
    } else if (response > 0 && now - transport.stillSince >= response) transport.raw.close(constants.NGHTTP2_CANCEL)
  }

  #close(now: number): void {
    this.#closedAt ??= now
    if (now - this.#closedAt >= lingerTime) this.#session.destroy()
    else if (!this.#session.closed) this.#session.close()
  }

  readonly #control = (): void => {
    if (++this.#controls <= mostControls) return
    const now = performance.now()
    if (now - this.#controlsSince < controlTime) this.#session.destroy(undefined, constants.NGHTTP2_ENHANCE_YOUR_CALM)
    this.#controls = 0
    this.#controlsSince = now
  }
}
