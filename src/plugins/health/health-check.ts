// One check: it has a timeout, runs once for concurrent probes, and caches its result.
import type { form } from '../../extend.ts'

/** Fails if it throws, rejects or returns false; `signal` aborts at its timeout. */
export type HealthCheck = (signal: AbortSignal) => unknown

/** A check with its own limits. */
export interface HealthCheckOptions {
  readonly check: HealthCheck
  /** How long it may take; that of all checks by default. */
  readonly timeout?: form.Duration
  /** How long its result is kept; that of all checks by default. */
  readonly keep?: form.Duration
}

/** The result of a check. */
export interface HealthCheckResult {
  readonly status: 'ok' | 'failed' | 'timeout'
  /** Milliseconds that it took. */
  readonly duration: number
  readonly error?: unknown
}

/** Limits of a check, in milliseconds. */
interface CheckLimits {
  readonly timeout: number
  readonly keep: number
}

/** Makes a check that a store responds. */
export const storeCheck =
  (store: { get(key: string): unknown }): HealthCheck =>
  () =>
    store.get('edict:health')

/** A check that does not come back is begun again when so many of its times have passed. */
const ABANDON_AFTER = 10

/** Runs a check for all who ask. */
export class CheckRunner {
  readonly name: string
  readonly #check: HealthCheck
  readonly #limits: CheckLimits
  readonly #onChange: (name: string, result: HealthCheckResult) => void
  #running: Promise<HealthCheckResult> | undefined
  #lastResult: HealthCheckResult | undefined
  #lastAt = 0
  #startedAt = 0
  /** Whether the check itself is still under way, also after its time. */
  #isPending = false

  constructor(name: string, check: HealthCheck, limits: CheckLimits, changed: (name: string, result: HealthCheckResult) => void) {
    this.name = name
    this.#check = check
    this.#limits = limits
    this.#onChange = changed
  }

  /** The result that is kept, or that of a new run. */
  getResult(): HealthCheckResult | Promise<HealthCheckResult> {
    if (this.#running !== undefined) return this.#running
    const now = performance.now()
    const { timeout, keep } = this.#limits
    // One that hangs must not pile up calls, nor be believed dead for ever.
    const hangs = this.#isPending && now - this.#startedAt < ABANDON_AFTER * timeout
    if (this.#lastResult !== undefined && (hangs || now - this.#lastAt < keep)) return this.#lastResult
    this.#startedAt = now
    this.#running = this.#runWithTimeout().then((result) => this.#recordResult(result))
    return this.#running
  }

  #recordResult(result: HealthCheckResult): HealthCheckResult {
    this.#running = undefined
    const before = this.#lastResult?.status ?? 'ok'
    this.#lastResult = result
    this.#lastAt = performance.now()
    if (before !== result.status) this.#onChange(this.name, result)
    return result
  }

  async #runWithTimeout(): Promise<HealthCheckResult> {
    const startedAt = performance.now()
    const abort = new AbortController()
    let timer: ReturnType<typeof setTimeout> | undefined
    const late = new Promise<'timeout'>((resolve) => {
      timer = setTimeout(() => resolve('timeout'), this.#limits.timeout)
    })
    const took = (): number => Math.round(performance.now() - startedAt)
    try {
      const given = await Promise.race([late, this.#runCheck(abort.signal)])
      if (given === 'timeout') return { status: 'timeout', duration: took() }
      return { status: given === false ? 'failed' : 'ok', duration: took() }
    } catch (error) {
      return { status: 'failed', duration: took(), error }
    } finally {
      clearTimeout(timer)
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
