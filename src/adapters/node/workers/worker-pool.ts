// Runs several processes on one port: the primary starts workers, replaces those that die, replaces all of them one by
// one on request, and drains them all.
import cluster, { type Address, type Worker } from 'node:cluster'
import type { Logger } from '../../../server/logger.ts'
import * as messages from './worker-messages.ts'

/** Milliseconds after which a worker counts as stable. */
const stableTime = 10_000
const maxRestartDelay = 10_000
/** Milliseconds by which workers may exceed their own deadline. */
const deadlineSlack = 1000
/** Milliseconds for a successor to start listening. */
const startTimeout = 60_000

/** The workers of one primary process. */
export class WorkerPool {
  readonly #logger: Logger
  readonly #deadline: number
  readonly #workers = new Set<Worker>()
  readonly #listening = new WeakSet<Worker>()
  readonly #notAccepting = new Set<Worker>()
  readonly #forkTimers = new Set<NodeJS.Timeout>()
  /** Workers that need no successor: they have one, or are one that does not listen yet. */
  readonly #withoutSuccessor = new WeakSet<Worker>()
  #failures = 0
  #stopping: Promise<boolean> | undefined
  #restarting: Promise<boolean> | undefined
  #onAllExited = (): void => {}

  constructor(deadline: number, logger: Logger) {
    this.#deadline = deadline
    this.#logger = logger
  }

  /** Starts the workers; resolves when all of them listen, and rejects if one ends before that. */
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

  /** Drains every worker; resolves with whether all ended normally. */
  stop(): Promise<boolean> {
    this.#stopping ??= new Promise((resolve) => {
      for (const timer of this.#forkTimers) clearTimeout(timer)
      let isClean = true
      const timer = setTimeout(() => {
        this.#logger.error({ workers: this.#workers.size }, 'Workers outlived the deadline and were killed')
        isClean = false
        for (const worker of this.#workers) worker.process.kill('SIGKILL')
      }, this.#deadline + deadlineSlack)
      this.#onAllExited = () => {
        clearTimeout(timer)
        resolve(isClean)
      }
      for (const worker of this.#workers) {
        // A worker that does not listen yet would not receive the message either, and has nothing to finish.
        if (!this.#listening.has(worker) || !worker.isConnected()) worker.process.kill('SIGTERM')
        else {
          worker.once('exit', (code) => {
            isClean &&= code === 0
          })
          worker.send(messages.STOP)
        }
      }
      if (this.#workers.size === 0) this.#onAllExited()
    })
    return this.#stopping
  }

  /**
   * Replaces the workers one after the other; each stops when its successor listens. Resolves with false if one did not
   * start.
   */
  restart(): Promise<boolean> {
    this.#restarting ??= this.#replaceAll().finally(() => {
      this.#restarting = undefined
    })
    return this.#restarting
  }

  async #replaceAll(): Promise<boolean> {
    for (const worker of [...this.#workers]) {
      if (this.#stopping !== undefined) return true
      if (this.#withoutSuccessor.has(worker)) continue
      this.#withoutSuccessor.add(worker)
      const successor = this.#fork()
      if (await this.#waitUntilListening(successor)) {
        if (this.#stopping === undefined) await this.#stopWorker(worker)
      } else if (this.#stopping === undefined) {
        this.#logger.error({ pid: successor.process.pid }, 'A new worker did not start: the old ones go on')
        this.#withoutSuccessor.delete(worker)
        if (!this.#workers.has(worker)) this.#forkLater(0)
        return false
      }
    }
    if (this.#stopping === undefined) this.#logger.info({ workers: this.#workers.size }, 'Every worker was replaced')
    return true
  }

  #waitUntilListening(successor: Worker): Promise<boolean> {
    this.#withoutSuccessor.add(successor)
    return new Promise((resolve) => {
      const timer = setTimeout(() => successor.process.kill('SIGKILL'), startTimeout)
      successor.once('exit', () => {
        clearTimeout(timer)
        resolve(false)
      })
      successor.once('listening', () => {
        clearTimeout(timer)
        this.#withoutSuccessor.delete(successor)
        resolve(true)
      })
    })
  }

  #stopWorker(worker: Worker): Promise<void> {
    return new Promise((resolve) => {
      if (!this.#workers.has(worker)) return resolve()
      const timer = setTimeout(() => {
        this.#logger.error({ pid: worker.process.pid }, 'A worker outlived the deadline and was killed')
        worker.process.kill('SIGKILL')
      }, this.#deadline + deadlineSlack)
      worker.once('exit', () => {
        clearTimeout(timer)
        resolve()
      })
      if (worker.isConnected()) worker.send(messages.STOP)
      else worker.process.kill('SIGTERM')
    })
  }

  #fork(): Worker {
    const worker = cluster.fork()
    const forkedAt = performance.now()
    const replace = (): void => {
      if (this.#withoutSuccessor.has(worker) || this.#stopping !== undefined) return
      this.#withoutSuccessor.add(worker)
      this.#failures = performance.now() - forkedAt < stableTime ? this.#failures + 1 : 0
      this.#forkLater(this.#failures < 2 ? 0 : Math.min(maxRestartDelay, 100 * 2 ** (this.#failures - 2)))
    }
    this.#workers.add(worker)
    worker.on('listening', () => this.#listening.add(worker))
    worker.on('message', (message) => {
      if (message !== messages.NOT_ACCEPTING) return
      this.#notAccepting.add(worker)
      replace()
      this.#sendProceed()
    })
    // Without a listener, an error of a closed channel would end the primary.
    worker.on('error', (err) => this.#logger.warn({ err, pid: worker.process.pid }, 'A worker cannot be reached'))
    worker.on('exit', (code, signal) => {
      this.#workers.delete(worker)
      if (this.#stopping === undefined && !(code === 0 && this.#withoutSuccessor.has(worker))) {
        this.#logger.error({ pid: worker.process.pid, code, signal }, 'A worker ended')
      }
      this.#notAccepting.delete(worker)
      replace()
      this.#sendProceed()
      if (this.#workers.size === 0) this.#onAllExited()
    })
    return worker
  }

  /** Lets a single stopping worker proceed at once; if all stop, only when none accepts connections any more. */
  #sendProceed(): void {
    if (this.#stopping !== undefined && this.#notAccepting.size < this.#workers.size) return
    for (const worker of this.#notAccepting) if (worker.isConnected()) worker.send(messages.PROCEED)
  }

  #forkLater(delay: number): void {
    const timer = setTimeout(() => {
      this.#forkTimers.delete(timer)
      this.#fork()
    }, delay)
    this.#forkTimers.add(timer)
  }
}
