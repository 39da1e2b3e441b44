// Follows a stream of events across connections: each new one goes on behind the last event that arrived.
import { parseRetryAfter } from '../retry-after.ts'
import type { OpenedEvents } from './read-events.ts'

/** A call that opens a stream of events, as far as it matters here. */
interface FollowedCall {
  readonly action: { readonly name: string; readonly endpoint: { readonly name: string } }
  readonly signal?: AbortSignal | undefined
  readonly from: string | undefined
  /** The most connections in a row that bring nothing. */
  readonly attempts?: number | undefined
  /** The hooks around its requests. */
  readonly around?: unknown
}

type FollowHook = (
  sent: { readonly request: Request },
  send: (request: Request) => Promise<Response>,
) => Promise<Response>

/** The response to such a call. */
interface FollowedResult {
  readonly status: number
  readonly headers: Headers
  readonly body: unknown
}

/** The times of a stream. */
interface FollowTimes {
  /** The heartbeat of the stream in milliseconds; 0 for none. */
  readonly heartbeat: number
  /** The milliseconds after which to reconnect, unless the stream says otherwise. */
  readonly retry: number
}

/** An iterator over the events of one connection after the other. */
interface FollowedEvents extends AsyncIterableIterator<unknown> {
  /** The id of the last event. */
  readonly cursor: string
}

/** Follows a stream of events; `unwrap` returns the body of a response, and throws for an unsuccessful one. */
export type FollowEvents = <C extends FollowedCall, R extends FollowedResult>(
  call: C,
  send: (call: C) => Promise<{ readonly result: R }>,
  unwrap: (action: string, result: R) => unknown,
) => FollowedEvents

/** The longest time of a timer. */
const MAX_TIMER = 2 ** 31 - 1

/** The longest wait before another attempt, in milliseconds, unless the server asks for a longer one. */
const MAX_WAIT = 30_000

/** A connection without a sign of life for this many heartbeats is given up. */
const MISSED_HEARTBEATS = 3

/** Follows a stream of events until its reader stops, its signal aborts, or the server has no more for it (204). */
export const createFollower =
  (times: FollowTimes): FollowEvents =>
  (call, send, unwrap) => {
    const stopped = new AbortController()
    const open: OpenCall<typeof call> = async (one) => {
      const { result } = await send(one)
      const { name, endpoint } = one.action
      return { result, unwrap: () => unwrap(`${endpoint.name}.${name}`, result) }
    }
    const follower = new EventFollower(call, times, open, stopped.signal)
    const events = follower.follow()
    return {
      get cursor() {
        return follower.cursor
      },
      next: () => events.next(),
      // A generator that waits for an event would stop after it only.
      return() {
        stopped.abort()
        return events.return(undefined)
      },
      [Symbol.asyncIterator]() {
        return this
      },
    }
  }

type OpenCall<C> = (call: C) => Promise<{ readonly result: FollowedResult; readonly unwrap: () => unknown }>

class EventFollower<C extends FollowedCall> {
  #cursor: string
  /** The events of the open connection: their position may move without an event. */
  #events: OpenedEvents | undefined
  readonly #call: C
  readonly #open: OpenCall<C>
  readonly #heartbeat: number
  readonly #stopped: AbortSignal
  #retry: number
  /** Failures since the last event. */
  #failures = 0

  constructor(call: C, { heartbeat, retry }: FollowTimes, open: OpenCall<C>, stopped: AbortSignal) {
    this.#call = call
    this.#open = open
    this.#stopped = stopped
    this.#heartbeat = heartbeat
    this.#retry = retry
    this.#cursor = call.from ?? ''
  }

  get cursor(): string {
    return this.#events?.lastEventId || this.#cursor
  }

  async *follow(): AsyncGenerator<unknown, undefined> {
    const { signal, attempts = Number.POSITIVE_INFINITY } = this.#call
    for (;;) {
      const connection = new Connection()
      try {
        signal?.throwIfAborted()
        yield* this.#readOnce(connection)
        if (connection.isLast) return undefined
      } catch (error) {
        if (this.#stopped.aborted) return undefined
        if (signal?.aborted === true) throw signal.reason
        if (!connection.isBroken || isFinal(error) || this.#failures + 1 >= attempts) throw error
      }
      const backOff = this.#backOff()
      await waitFor(Math.max(connection.retryAfter, backOff), signal, this.#stopped)
      if (this.#stopped.aborted) return undefined
    }
  }

  /** Reads one connection to its end. */
  async *#readOnce(connection: Connection): AsyncGenerator<unknown, undefined> {
    const watch = new Watch(this.#heartbeat * MISSED_HEARTBEATS, this.#call.signal, this.#stopped)
    try {
      const { result, unwrap } = await this.#open(this.#withPosition(watch.signal))
      const { status, headers } = result
      connection.isLast = status === 204
      connection.isBroken = status === 429 || status > 499
      connection.retryAfter = Math.min(parseRetryAfter(headers.get('Retry-After')) || 0, MAX_RETRY_AFTER)
      if (connection.isLast) return undefined
      const body = unwrap()
      if (!isOpened(body)) throw new TypeError('The response has no events')
      connection.isBroken = true
      yield* this.#readEvents(body, watch)
      return undefined
    } finally {
      watch.end()
    }
  }

  async *#readEvents(events: OpenedEvents, watch: Watch): AsyncGenerator<unknown, undefined> {
    this.#events = events
    events.onPiece = () => watch.restart()
    try {
      for await (const event of events) {
        this.#failures = 0
        watch.pause()
        yield event
        watch.restart()
      }
    } finally {
      this.#cursor = this.cursor
      this.#events = undefined
      this.#retry = Math.min(events.retry ?? this.#retry, MAX_RETRY_AFTER)
    }
    return undefined
  }

  #withPosition(signal: AbortSignal): C {
    const addPosition: FollowHook = (sent, send) => {
      sent.request.headers.set('Accept', 'text/event-stream')
      if (this.cursor !== '') sent.request.headers.set('Last-Event-ID', this.cursor)
      return send(sent.request)
    }
    const around = [this.#call.around ?? [], addPosition].flat()
    return { ...this.#call, around, signal, timeout: Number.POSITIVE_INFINITY, attempts: 1 }
  }

  // The time that the stream asks for, doubled by each connection that brought nothing.
  #backOff(): number {
    const longest = Math.max(MAX_WAIT, this.#retry)
    const wait = Math.min(longest, this.#retry * 2 ** Math.min(this.#failures++, 16))
    return wait * (0.75 + Math.random() / 2)
  }
}

const isOpened = (body: unknown): body is OpenedEvents =>
  typeof body === 'object' && body !== null && 'lastEventId' in body && 'onPiece' in body

/** The errors of a call, or a response, that its declaration does not allow: another attempt would fail as well. */
const FINAL_ERRORS: readonly unknown[] = ['CallError', 'ResponseError']

const isFinal = (error: unknown): boolean => error instanceof Error && FINAL_ERRORS.includes(error.name)

/** The outcome of one attempt. */
class Connection {
  /** Whether the server has no more events. */
  isLast = false
  /** Whether it broke, so that another attempt may succeed: no response came, or it ended early, or says so. */
  isBroken = true
  /** The milliseconds that the server asks to wait. */
  retryAfter = 0
}

/** Ends a connection that shows no sign of life for a time, or when one of two signals aborts. */
class Watch {
  readonly #controller = new AbortController()
  readonly #time: number
  readonly #sources: readonly (AbortSignal | undefined)[]
  #timer: ReturnType<typeof setTimeout> | undefined

  constructor(time: number, ...sources: readonly (AbortSignal | undefined)[]) {
    this.#time = time
    this.#sources = sources
    for (const one of sources) one?.addEventListener('abort', this.#abort)
    if (sources.some((one) => one?.aborted === true)) this.#abort()
    this.restart()
  }

  get signal(): AbortSignal {
    return this.#controller.signal
  }

  restart(): void {
    this.pause()
    if (this.#time > 0) this.#timer = setTimeout(this.#abort, Math.min(this.#time, MAX_TIMER))
  }

  /** Does not count the time: the reader is busy with an event. */
  pause(): void {
    clearTimeout(this.#timer)
  }

  end(): void {
    this.pause()
    for (const one of this.#sources) one?.removeEventListener('abort', this.#abort)
  }

  readonly #abort = (): void => {
    const reason: unknown = this.#sources.find((one) => one?.aborted === true)?.reason
    this.#controller.abort(reason ?? new DOMException('The stream shows no sign of life', 'TimeoutError'))
  }
}

function waitFor(milliseconds: number, ...signals: readonly (AbortSignal | undefined)[]): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer)
      for (const one of signals) one?.removeEventListener('abort', end)
      resolve()
    }
    const timer = setTimeout(end, milliseconds)
    for (const one of signals) one?.addEventListener('abort', end)
    if (signals.some((one) => one?.aborted === true)) end()
  })
}

/** The longest wait that a server may ask for, in milliseconds. */
const MAX_RETRY_AFTER = 3_600_000
