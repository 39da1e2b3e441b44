// Manages one HTTP/2 connection: its streams, their timeouts and those of the connection, and its end.
import { constants, type ServerHttp2Session } from 'node:http2'
import type { MultiplexedConnection } from '../connection/connection.ts'
import type { StreamTransport } from './stream-transport.ts'

/** Timeouts, in milliseconds; 0 for none. */
export interface Http2TimeLimits {
  /** From the beginning of the connection to its first stream. */
  readonly headers: number
  /** For a complete request with its body to arrive. */
  readonly request: number
  /** For the client to read some part of a waiting response. */
  readonly response: number
  /** Without a stream. */
  readonly keepAlive: number
}

/** PING and SETTINGS frames that a client may send within a time window: each of them requires a reply. */
const maxControlFrames = 1000
const controlFrameWindow = 10_000
/** Milliseconds for a client to confirm a GOAWAY, or to receive the end of the connection. */
const lingerTime = 1000
/**
 * A stream id that no client can have used: GOAWAY with it tells the client to open no more streams, and rejects none
 * yet.
 */
const MAX_STREAM_ID = 2 ** 31 - 1

/** The streams of one connection. */
export class Http2Connection implements MultiplexedConnection {
  readonly #session: ServerHttp2Session
  readonly #limits: Http2TimeLimits
  readonly #streams = new Set<StreamTransport>()
  #idleSince = performance.now()
  #hadStreams = false
  #isGoingAway = false
  #closedAt: number | undefined
  #controlFrames = 0
  #controlsSince = performance.now()

  constructor(session: ServerHttp2Session, limits: Http2TimeLimits) {
    this.#session = session
    this.#limits = limits
    // A connection error ends its streams, each of which gets its own event.
    session.on('error', () => {})
    session.on('ping', this.#countControlFrame)
    session.on('remoteSettings', this.#countControlFrame)
  }

  /** Adds a stream; it removes itself when it ends. */
  add(transport: StreamTransport): void {
    this.#hadStreams = true
    this.#streams.add(transport)
    transport.closeListeners.add(() => {
      this.#streams.delete(transport)
      this.#idleSince = performance.now()
    })
  }

  checkTimeouts(now: number): void {
    if (this.#session.destroyed) return
    for (const transport of this.#streams) this.#checkStream(transport, now)
    if (this.#streams.size > 0) return
    const { keepAlive, headers } = this.#limits
    const limit = this.#hadStreams ? keepAlive : headers
    if (limit > 0 && now - this.#idleSince >= limit) this.#closeIdle(now)
  }

  /** Tells the client to open no more streams; requests that it sent before that still get a response. */
  goAway(): void {
    const session = this.#session
    if (this.#isGoingAway || session.destroyed || session.closed) return
    this.#isGoingAway = true
    session.goaway(constants.NGHTTP2_NO_ERROR, MAX_STREAM_ID)
    const close = (): void => {
      clearTimeout(timer)
      if (!session.destroyed) session.close()
    }
    const timer = setTimeout(close, lingerTime)
    // The reply to the PING arrives after everything that the client sent before.
    session.ping(close)
  }

  #checkStream(transport: StreamTransport, now: number): void {
    const { request, response } = this.#limits
    if (request > 0 && now - transport.arrivedAt >= request) transport.failBody?.('timeout')
    const unsentBytes = transport.raw.writableLength
    if (unsentBytes === 0 || unsentBytes !== transport.lastUnsentBytes) {
      transport.lastUnsentBytes = unsentBytes
      transport.idleSince = now
    } else if (response > 0 && now - transport.idleSince >= response) transport.raw.close(constants.NGHTTP2_CANCEL)
  }

  #closeIdle(now: number): void {
    this.#closedAt ??= now
    if (now - this.#closedAt >= lingerTime) this.#session.destroy()
    else if (!this.#session.closed) this.#session.close()
  }

  readonly #countControlFrame = (): void => {
    if (++this.#controlFrames <= maxControlFrames) return
    const now = performance.now()
    if (now - this.#controlsSince < controlFrameWindow)
      this.#session.destroy(undefined, constants.NGHTTP2_ENHANCE_YOUR_CALM)
    this.#controlFrames = 0
    this.#controlsSince = now
  }
}
