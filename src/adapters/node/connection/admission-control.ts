// Counts the work in progress in this process, and rejects requests above the limits at once: with a growing queue, no
// client gets its response in time.
import type { Logger } from '../../../server/logger.ts'
import type { RawResponse } from '../../../server/transport.ts'
import { adapterRefusals } from './adapter-refusals.ts'
import { BodyBudget } from './body-budget.ts'

/** The limits of concurrent work of a process. */
export interface AdmissionLimits {
  /** Requests in progress; 0 for no limit. */
  readonly requests: number
  /** The event loop delay in milliseconds; 0 for no limit. */
  readonly delay: number
  /** Requests of one connection that wait for their responses; 0 for no limit. */
  readonly pipelined: number
  /** Bytes of arriving bodies, of all requests together; 0 for no limit. */
  readonly bodies: number
}

/** Milliseconds between log entries while requests are rejected. */
const logInterval = 10_000

/** Counts requests in progress, and reports when there are too many. */
export class AdmissionControl {
  /** Requests that the application works on: they have no response yet and do not wait for the rest of their body. */
  active = 0
  /** The most requests of one connection that may wait for their responses. */
  readonly maxPipelined: number
  /** The shared budget of arriving bodies. */
  readonly bodyBudget: BodyBudget
  readonly #maxRequests: number
  readonly #maxLag: number
  readonly #logger: Logger | undefined
  readonly #timer: NodeJS.Timeout | undefined
  #lastTickAt = 0
  #refusedCount = 0
  #lastLoggedAt = Number.NEGATIVE_INFINITY

  constructor({ requests, delay, pipelined, bodies }: AdmissionLimits, logger?: Logger) {
    this.#maxRequests = requests || Number.POSITIVE_INFINITY
    this.maxPipelined = pipelined || Number.POSITIVE_INFINITY
    this.bodyBudget = new BodyBudget(bodies)
    this.#logger = logger
    const interval = Math.max(1, Math.floor(delay / 2))
    this.#maxLag = delay + interval
    if (delay === 0) return
    this.#lastTickAt = performance.now()
    this.#timer = setInterval(() => {
      this.#lastTickAt = performance.now()
    }, interval).unref()
  }

  /** Whether a further request is rejected. */
  get isFull(): boolean {
    // Measured from the last tick, so that a long turn of the event loop also rejects its own requests.
    return (
      this.active >= this.#maxRequests ||
      (this.#timer !== undefined && performance.now() - this.#lastTickAt > this.#maxLag)
    )
  }

  /** Returns the response to a request beyond the limit, and logs it. */
  refuse(): RawResponse {
    this.logRefusal()
    return adapterRefusals.overloaded
  }

  /** Counts and logs a rejected request or connection, at most once per interval. */
  logRefusal(message = 'Too many requests are in progress: requests are refused with 503'): void {
    this.#refusedCount++
    const now = performance.now()
    if (now - this.#lastLoggedAt >= logInterval) {
      this.#lastLoggedAt = now
      const late = this.#timer === undefined ? {} : { late: Math.round(now - this.#lastTickAt) }
      this.#logger?.warn({ active: this.active, refused: this.#refusedCount, ...late }, message)
      this.#refusedCount = 0
    }
  }

  /** Ends the measurement of the event loop. */
  close(): void {
    clearInterval(this.#timer)
  }
}
