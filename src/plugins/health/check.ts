// One check: it has a timeout, runs once for concurrent probes, and caches its result.
import type { form } from '../../extend.ts'

/** Fails if it throws, rejects or returns false; `signal` aborts at its timeout. */
export type Check = (signal: AbortSignal) => unknown

/** A check with its own limits. */
export interface CheckOptions {
  readonly check: Check
  /** How long it may take; that of all checks by default. */
  readonly timeout?: form.Duration
  /** How long its result is kept; that of all checks by default. */
  readonly keep?: form.Duration
}

/** The result of a check. */
export interface CheckResult {
  readonly status: 'ok' | 'failed' | 'timeout'
  /** Milliseconds that it took. */
  readonly duration: number
  readonly error?: unknown
}

/** Limits of a check, in milliseconds. */
interface Limits {
  readonly timeout: number
  readonly keep: number
}

/** Makes a check that a store responds. */
export const storeCheck =
  (store: { get(key: string): unknown }): Check =>
  () =>
    store.get('edict:health')

/** A check that does not come back is begun again when so many of its times have passed. */
const ABANDON = 10

/** Runs a check for all who ask. */
export class Runner {
  readonly name: string
  readonly #check: Check
  readonly #limits: Limits
  readonly #changed: (name: string, result: CheckResult) => void
  #running: Promise<CheckResult> | undefined
  #last: CheckResult | undefined
  #lastAt = 0
  #startedAt = 0
  /** Whether the check itself is still under way, also after its time. */
  #pending = false

  constructor(name: string, check: Check, limits: Limits, changed: (name: string, result: CheckResult) => void) {
    this.name = name
    this.#check = check
    this.#limits = limits
    this.#changed = changed
  }

  /** The result that is kept, or that of a new run. */
  result(): CheckResult | Promise<CheckResult> {
    if (this.#running !== undefined) return this.#running
    const now = performance.now()
    const { timeout, keep } = this.#limits
    // One that hangs must not pile up calls, nor be believed dead for ever.
    const hangs = this.#pending && now - this.#startedAt < ABANDON * timeout
    if (this.#last !== undefined && (hangs || now - this.#lastAt < keep)) return this.#last
    this.#startedAt = now
    this.#running = this.#run().then((result) => this.#settle(result))
    return this.#running
  }

  #settle(result: CheckResult): CheckResult {
    this.#running = undefined
    const before = this.#last?.status ?? 'ok'
    this.#last = result
    this.#lastAt = performance.now()
    if (before !== result.status) this.#changed(this.name, result)
    return result
  }

  async #run(): Promise<CheckResult> {
    const startedAt = performance.now()
    const abort = new AbortController()
    let timer: ReturnType<typeof setTimeout> | undefined
    const late = new Promise<'timeout'>((resolve) => {
      timer = setTimeout(() => resolve('timeout'), this.#limits.timeout)
    })
    const took = (): number => Math.round(performance.now() - startedAt)
    try {
      const given = await Promise.race([late, this.#begun(abort.signal)])
      if (given === 'timeout') return { status: 'timeout', duration: took() }
      return { status: given === false ? 'failed' : 'ok', duration: took() }
    } catch (error) {
      return { status: 'failed', duration: took(), error }
    } finally {
      clearTimeout(timer)
      abort.abort()
    }
  }

  async #begun(signal: AbortSignal): Promise<boolean> {
    const run = this.#startedAt
    this.#pending = true
    try {
      return (await this.#check(signal)) !== false
    } finally {
      if (run === this.#startedAt) this.#pending = false
    }
  }
}
