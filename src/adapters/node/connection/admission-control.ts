// How much is under way in this process, and whether that is all it takes on: what comes on top is refused at once, since
// a queue that only grows answers no client in time.
import type { Logger } from '../../../server/logger.ts'
import type { RawResponse } from '../../../server/transport.ts'
import { BodyBudget } from './body-budget.ts'
import { adapterRefusals } from './adapter-refusals.ts'

/** The limits of concurrent work of a process. */
export interface AdmissionLimits {
  /** Requests in progress; 0 for any number. */
  readonly requests: number
  /** Milliseconds by which the event loop may be late; 0 for any. */
  readonly delay: number
  /** Requests of one connection that wait for their answers; 0 for any number. */
  readonly pipelined: number
  /** Bytes of bodies that are arriving, of all requests together; 0 for any number. */
  readonly bodies: number
}

/** While requests are refused, a line of the log tells of it this often, in milliseconds. */
const logInterval = 10_000

/** Counts what is under way, and says when it is too much. */
export class AdmissionControl {
  /** Requests that are in the hands of the application: neither answered nor waiting for the rest of their body. */
  active = 0
  /** Requests of one connection that may wait for their answers. */
  readonly maxPipelined: number
  /** The room for bodies that are arriving. */
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

  /** Whether a further request has to be refused. */
  get isFull(): boolean {
    // Counted from the last beat, so that the turn that is too long is itself cut short.
    return this.active >= this.#maxRequests || (this.#timer !== undefined && performance.now() - this.#lastTickAt > this.#maxLag)
  }

  /** Returns the response to a request beyond the limit, and logs it. */
  refuse(): RawResponse {
    this.logRefusal()
    return adapterRefusals.overloaded
  }

  /** Sees to it that the log knows of a request that was refused, or of a connection. */
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
