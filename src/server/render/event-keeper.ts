// Keeps a stream of events open and ends it: heartbeats while no event comes, the event of a failure, and the time after which
// clients reconnect when the server stops.
import type { EventSettings } from '../../design/declare/events.ts'
import { COMMENT, formatEvent, formatRetry, isEventId } from '../../util/event-stream/parse-events.ts'
import { respondWithViolation, toFailureResponse } from '../failure/failures.ts'
import type { Exchange } from '../request/exchange.ts'
import { isElementFault } from './element-fault.ts'
import type { EventWriter } from './element-writer.ts'
import { writeFailureResponse } from './write-response.ts'

/** The format of a stream of events. */
export type EventForm = Pick<EventSettings, 'heartbeat' | 'retry' | 'recheck'>

/** The outcome of waiting for an element: none has arrived for a moment. */
export const IDLE: unique symbol = Symbol('idle')

/** The longest time of a timer, in milliseconds. */
const MAX_TIMER = 2 ** 31 - 1
/** When the server stops, clients reconnect after one to this many times the declared time. */
const SCATTER = 3

/** Keeps one stream of events. */
export class EventKeeper {
  /** Whether the server stops, or the client is admitted no longer, and the stream has to end. */
  isStopping = false
  readonly #writer: EventWriter
  readonly #exchange: Exchange
  readonly #form: EventForm
  readonly #release: () => void
  #watched: Promise<unknown> | undefined
  #isSettled = false
  #isWaiting = false
  /** When the wait for the present batch began, or was interrupted by a heartbeat. */
  #waitsSince = 0
  #isHeartbeatDue = false
  #wake = (): void => {}
  #timer: ReturnType<typeof setTimeout> | undefined
  readonly #probing: ReturnType<typeof setInterval> | undefined
  #recheckTimer: ReturnType<typeof setTimeout> | undefined
  #isReleased = false

  constructor(writer: EventWriter, exchange: Exchange, form: EventForm) {
    this.#writer = writer
    this.#exchange = exchange
    this.#form = form
    writer.addText(formatRetry(form.retry))
    this.#probing = this.#startProbing()
    this.#release = exchange.services.streams.add(() => this.#end())
    this.#scheduleRecheck()
  }

  /**
   * Waits for a batch of elements; resolves with IDLE after a heartbeat, and when the server stops. A stream may wait for
   * the same batch for days, so each promise gets one listener only.
   */
  waitFor<B>(pending: Promise<B>): Promise<B | typeof IDLE> {
    if (this.#watched !== pending) {
      this.#watched = pending
      this.#isSettled = false
      const settle = (): void => {
        this.#isSettled = true
        this.#wake()
      }
      pending.then(settle, settle)
    }
    // It may have arrived while a heartbeat was sent.
    if (this.#isSettled) return pending
    return new Promise((resolve) => {
      this.#wake = () => {
        this.#wake = () => {}
        this.#isWaiting = false
        resolve(this.isStopping || this.#isHeartbeatDue ? IDLE : pending)
      }
      this.#isWaiting = true
      this.#waitsSince = performance.now()
      this.#timer ??= this.#startHeartbeat(this.#form.heartbeat)
    })
  }

  // One timer runs on across events: to stop and to start one for each event of each stream would cost more than the event.
  #startHeartbeat(wait: number): ReturnType<typeof setTimeout> | undefined {
    const { heartbeat } = this.#form
    if (heartbeat === 0) return undefined
    return setTimeout(() => this.#checkHeartbeat(heartbeat), Math.min(wait, MAX_TIMER))
  }

  #checkHeartbeat(heartbeat: number): void {
    const left = this.#isWaiting ? heartbeat - (performance.now() - this.#waitsSince) : heartbeat
    this.#timer = this.#startHeartbeat(left > 1 ? left : heartbeat)
    if (left > 1) return
    this.#writer.addText(COMMENT)
    this.#isHeartbeatDue = true
    this.#wake()
    this.#isHeartbeatDue = false
  }

  /** Adds the end of a stream whose server stops. The clients are scattered, so that they do not return all at once. */
  addEnd(): void {
    this.#writer.addText(formatRetry(this.#form.retry * (1 + Math.random() * (SCATTER - 1))))
  }

  /**
   * Reports a failure to operators, and adds its event. It has the id of the event that cannot be sent, so that clients go
   * on behind that one.
   */
  addFailure(error: unknown): void {
    const exchange = this.#exchange
    const isFault = isElementFault(error)
    const failure = isFault
      ? respondWithViolation(exchange, error.message, error.findings)
      : toFailureResponse(exchange.services, error, exchange.origin)
    const { body } = writeFailureResponse(exchange, failure)
    const text = body instanceof Uint8Array ? new TextDecoder().decode(body) : String(body)
    const id: unknown = isFault ? (error.element as { readonly id?: unknown } | null | undefined)?.id : undefined
    this.#writer.addText(formatEvent('error', text, isEventId(id) ? id : undefined))
  }

  /** Ends a stream before its source has ended: whatever the action waits for is given up. */
  stop(): void {
    this.release()
    this.#exchange.request.abort(new DOMException('The stream of events has ended', 'AbortError'))
  }

  // Two probes in the time of a heartbeat: a client that vanishes is noticed within two heartbeats, also while events come, and while
  // nothing more can be sent.
  #startProbing(): ReturnType<typeof setInterval> | undefined {
    const { transport } = this.#exchange
    const interval = Math.min(this.#form.heartbeat / 2, MAX_TIMER)
    if (interval === 0 || transport.probe === undefined) return
    return setInterval(() => transport.probe?.(interval), interval)
  }

  #end(): void {
    this.isStopping = true
    this.#wake()
  }

  #scheduleRecheck(): void {
    const { compiled, recheckAt } = this.#exchange
    const { recheck } = this.#form
    if (compiled.recheck === undefined || this.#isReleased) return
    const wait = Math.min(recheck === 0 ? MAX_TIMER : recheck, recheckAt - Date.now(), MAX_TIMER)
    this.#recheckTimer = setTimeout(() => void this.#recheck(), Math.max(wait, 0))
  }

  // A client that cannot be asked again has to be admitted again.
  async #recheck(): Promise<void> {
    const exchange = this.#exchange
    exchange.recheckAt = Number.POSITIVE_INFINITY
    const isAdmitted = await exchange.compiled.recheck?.(exchange).catch((err: unknown) => {
      exchange.services.logger.warn({ err, ...exchange.logFields }, 'a stream ended: its client could not be rechecked')
    })
    if (isAdmitted === true) this.#scheduleRecheck()
    else this.#end()
  }

  /** Lets go of the server when the stream has ended. */
  release(): void {
    this.#isReleased = true
    clearTimeout(this.#recheckTimer)
    clearTimeout(this.#timer)
    clearInterval(this.#probing)
    this.#release()
  }
}
