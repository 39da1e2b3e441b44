// A health check: has a timeout, runs once for concurrent probes, and caches its result.
import { type form, waitAtMost } from '../../extend.ts'

/** A health check. It fails if it throws, rejects or returns false; `signal` aborts at its timeout. */
export type HealthCheck = (signal: AbortSignal) => unknown

/** A check with its own limits. */
export interface HealthCheckOptions {
  readonly check: HealthCheck
  /** The timeout; by default that of all checks. */
  readonly timeout?: form.Duration
  /** The time for which the result is cached; by default that of all checks. */
  readonly keep?: form.Duration
}

/** The result of a check. */
export interface HealthCheckResult {
  readonly status: 'ok' | 'failed' | 'timeout'
  /** The duration in milliseconds. */
  readonly duration: number
  readonly error?: unknown
}

/** The limits of a check, in milliseconds. */
interface CheckLimits {
  readonly timeout: number
  readonly keep: number
}

/** Creates a check that a store responds. */
export const storeCheck =
  (store: { get(key: string): unknown }): HealthCheck =>
  () =>
    store.get('edict:health')

/** A hanging check is started again after this multiple of its timeout. */
const ABANDON_AFTER = 10

/** Runs a check for concurrent probes. */
export class CheckRunner {
  readonly name: string
  readonly #check: HealthCheck
  readonly #limits: CheckLimits
  readonly #onChange: (name: string, result: HealthCheckResult) => void
  #running: Promise<HealthCheckResult> | undefined
  #lastResult: HealthCheckResult | undefined
  #lastAt = 0
  #startedAt = 0
  /** Whether the check is still running, possibly beyond its timeout. */
  #isPending = false

  constructor(
    name: string,
    check: HealthCheck,
    limits: CheckLimits,
    onChange: (name: string, result: HealthCheckResult) => void,
  ) {
    this.name = name
    this.#check = check
    this.#limits = limits
    this.#onChange = onChange
  }

  /** Returns the cached result, or that of a new run. */
  getResult(): HealthCheckResult | Promise<HealthCheckResult> {
    if (this.#running !== undefined) return this.#running
    const now = performance.now()
    const { timeout, keep } = this.#limits
    // A hanging check must not accumulate calls, but must be retried eventually.
    const isHanging = this.#isPending && now - this.#startedAt < ABANDON_AFTER * timeout
    if (this.#lastResult !== undefined && (isHanging || now - this.#lastAt < keep)) return this.#lastResult
    this.#startedAt = now
    this.#running = this.#runWithTimeout().then((result) => this.#recordResult(result))
    return this.#running
  }

  #recordResult(result: HealthCheckResult): HealthCheckResult {
    this.#running = undefined
    const previousStatus = this.#lastResult?.status ?? 'ok'
    this.#lastResult = result
    this.#lastAt = performance.now()
    if (previousStatus !== result.status) this.#onChange(this.name, result)
    return result
  }

  async #runWithTimeout(): Promise<HealthCheckResult> {
    const startedAt = performance.now()
    const abort = new AbortController()
    const measureDuration = (): number => Math.round(performance.now() - startedAt)
    try {
      const work = this.#runCheck(abort.signal)
      const result = await waitAtMost<boolean | 'timeout'>(this.#limits.timeout, work, () => 'timeout')
      if (result === 'timeout') return { status: 'timeout', duration: measureDuration() }
      return { status: result === false ? 'failed' : 'ok', duration: measureDuration() }
    } catch (error) {
      return { status: 'failed', duration: measureDuration(), error }
    } finally {
      abort.abort()
    }
  }

  async #runCheck(signal: AbortSignal): Promise<boolean> {
    const run = this.#startedAt
    this.#isPending = true
    try {
      return (await this.#check(signal)) !== false
    } finally {
      if (run === this.#startedAt) this.#isPending = false
    }
  }
}
