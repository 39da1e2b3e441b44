// Several processes on one port: the primary starts workers, replaces those that die, replaces all of them one by one when
// told to, and drains them all.
import cluster, { type Address, type Worker } from 'node:cluster'
import type { Logger } from '../../../server/logger.ts'
import * as messages from './messages.ts'

/** A worker that has lived this long was not broken from the start. */
const stableAfter = 10_000
const longestDelay = 10_000
/** The time that workers may exceed their own deadline by. */
const slack = 1000
/** How long a worker that is to replace another may take until it listens. */
const startWithin = 60_000

/** The workers of one primary process. */
export class WorkerPool {
  readonly #logger: Logger
  readonly #deadline: number
  readonly #workers = new Set<Worker>()
  readonly #listening = new WeakSet<Worker>()
  readonly #deaf = new Set<Worker>()
  readonly #waiting = new Set<NodeJS.Timeout>()
  /** Those whose end needs no successor: they have one, or are one that has not begun yet. */
  readonly #settled = new WeakSet<Worker>()
  #failures = 0
  #stopping: Promise<boolean> | undefined
  #restarting: Promise<boolean> | undefined
  #allGone = (): void => {}

  constructor(deadline: number, logger: Logger) {
    this.#deadline = deadline
    this.#logger = logger
  }

  /** Starts the workers; resolves when all of them listen, and fails if one ends before it does. */
  async start(count: number): Promise<Address> {
    const listening = Array.from({ length: count }, () => this.#fork()).map(
      (worker) =>
        new Promise<Address>((resolve, reject) => {
          worker.once('listening', resolve)
          worker.once('exit', (code, signal) => {
            reject(new Error(`A worker ended before it listened, with ${signal ?? `code ${code}`}`))
          })
        }),
    )
    try {
      const [address] = await Promise.all(listening)
      return address!
    } catch (error) {
      await this.stop()
      throw error
    }
  }

  /** Drains every worker; resolves with whether each ended in good order. */
  stop(): Promise<boolean> {
    this.#stopping ??= new Promise((resolve) => {
      for (const timer of this.#waiting) clearTimeout(timer)
      let whole = true
      const timer = setTimeout(() => {
        this.#logger.error({ workers: this.#workers.size }, 'Workers outlived the deadline and were killed')
        whole = false
        for (const worker of this.#workers) worker.process.kill('SIGKILL')
      }, this.#deadline + slack)
      this.#allGone = () => {
        clearTimeout(timer)
        resolve(whole)
      }
      for (const worker of this.#workers) {
        // One that does not listen yet would not hear us either, and has nothing to finish.
        if (!this.#listening.has(worker) || !worker.isConnected()) worker.process.kill('SIGTERM')
        else {
          worker.once('exit', (code) => {
            whole &&= code === 0
          })
          worker.send(messages.leave)
        }
      }
      if (this.#workers.size === 0) this.#allGone()
    })
    return this.#stopping
  }

  /** Replaces the workers one after the other; each leaves when its successor listens. False if one did not start. */
  restart(): Promise<boolean> {
    this.#restarting ??= this.#replaceAll().finally(() => {
      this.#restarting = undefined
    })
    return this.#restarting
  }

  async #replaceAll(): Promise<boolean> {
    for (const worker of [...this.#workers]) {
      if (this.#stopping !== undefined) return true
      if (this.#settled.has(worker)) continue
      this.#settled.add(worker)
      const successor = this.#fork()
      if (await this.#begun(successor)) {
        if (this.#stopping === undefined) await this.#dismiss(worker)
      } else if (this.#stopping === undefined) {
        this.#logger.error({ pid: successor.process.pid }, 'A new worker did not start: the old ones go on')
        this.#settled.delete(worker)
        if (!this.#workers.has(worker)) this.#later(0)
        return false
      }
    }
    if (this.#stopping === undefined) this.#logger.info({ workers: this.#workers.size }, 'Every worker was replaced')
    return true
  }

  #begun(successor: Worker): Promise<boolean> {
    this.#settled.add(successor)
    return new Promise((resolve) => {
      const timer = setTimeout(() => successor.process.kill('SIGKILL'), startWithin)
      successor.once('exit', () => {
        clearTimeout(timer)
        resolve(false)
      })
      successor.once('listening', () => {
        clearTimeout(timer)
        this.#settled.delete(successor)
        resolve(true)
      })
    })
  }

  #dismiss(worker: Worker): Promise<void> {
    return new Promise((resolve) => {
      if (!this.#workers.has(worker)) return resolve()
      const timer = setTimeout(() => {
        this.#logger.error({ pid: worker.process.pid }, 'A worker outlived the deadline and was killed')
        worker.process.kill('SIGKILL')
      }, this.#deadline + slack)
      worker.once('exit', () => {
        clearTimeout(timer)
        resolve()
      })
      if (worker.isConnected()) worker.send(messages.leave)
      else worker.process.kill('SIGTERM')
    })
  }

  #fork(): Worker {
    const worker = cluster.fork()
    const since = performance.now()
    const replace = (): void => {
      if (this.#settled.has(worker) || this.#stopping !== undefined) return
      this.#settled.add(worker)
      this.#failures = performance.now() - since < stableAfter ? this.#failures + 1 : 0
      this.#later(this.#failures < 2 ? 0 : Math.min(longestDelay, 100 * 2 ** (this.#failures - 2)))
    }
    this.#workers.add(worker)
    worker.on('listening', () => this.#listening.add(worker))
    worker.on('message', (message) => {
      if (message !== messages.deaf) return
      this.#deaf.add(worker)
      replace()
      this.#proceed()
    })
    // A closed channel would otherwise bring down the primary.
    worker.on('error', (err) => this.#logger.warn({ err, pid: worker.process.pid }, 'A worker cannot be reached'))
    worker.on('exit', (code, signal) => {
      this.#workers.delete(worker)
      if (this.#stopping === undefined && !(code === 0 && this.#settled.has(worker))) {
        this.#logger.error({ pid: worker.process.pid, code, signal }, 'A worker ended')
      }
      this.#deaf.delete(worker)
      replace()
      this.#proceed()
      if (this.#workers.size === 0) this.#allGone()
    })
    return worker
  }

  /** One worker that leaves may proceed at once; if all leave, only when none accepts connections any more. */
  #proceed(): void {
    if (this.#stopping !== undefined && this.#deaf.size < this.#workers.size) return
    for (const worker of this.#deaf) if (worker.isConnected()) worker.send(messages.proceed)
  }

  #later(delay: number): void {
    const timer = setTimeout(() => {
      this.#waiting.delete(timer)
      this.#fork()
    }, delay)
    this.#waiting.add(timer)
  }
}
