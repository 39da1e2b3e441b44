// Lets a server own its process: signals and fatal errors drain the server, then end the process.
import { constants } from 'node:os'
import { isatty } from 'node:tty'
import type { Logger } from '../../../server/logger.ts'
import { watchScriptParent } from './script-parent.ts'
import * as messages from './worker-messages.ts'

/** A server that can be stopped. */
export interface Stoppable {
  /** Stops gracefully, and resolves with whether nothing was cut; repeated calls return the same promise. */
  stop(): Promise<boolean>
  /** Replaces the worker processes, if there are any; resolves with whether all were replaced. */
  restart?: (() => Promise<boolean>) | undefined
}

/** The options of handling signals and fatal errors. */
export interface ProcessSignalOptions {
  readonly signals: boolean
  readonly fatal: boolean | 'log'
  /** Whether another process decides when waiting ends: a repeated signal has no effect. */
  readonly isSupervised: boolean
}

const STOP_SIGNALS = ['SIGTERM', 'SIGINT'] as const
const RESTART_SIGNALS = ['SIGUSR2', 'SIGHUP'] as const

type ProcessListener = Parameters<typeof process.off>[1]

/** Drains a server on signals and fatal errors of the process, and then ends the process. */
export class ProcessSignals {
  readonly #stoppable: Stoppable
  readonly #options: ProcessSignalOptions
  readonly #logger: Logger
  readonly #logError: (err: unknown, message: string) => void
  readonly #listeners: [event: string, listener: ProcessListener][] = []
  #restoreLogErrors: () => void = ignore
  #stopWatchingParent: () => void = ignore
  #isStopping = false

  constructor(stoppable: Stoppable, options: ProcessSignalOptions, logger: Logger) {
    this.#stoppable = stoppable
    this.#options = options
    this.#logger = logger
    this.#logError = throttleErrors(logger)
  }

  /** Adds the listeners. */
  attach(): void {
    const { signals, fatal, isSupervised } = this.#options
    this.#restoreLogErrors = ignoreLogErrors()
    const restart = createRestartListener(this.#stoppable, this.#options, this.#logger)
    if (signals) for (const signal of STOP_SIGNALS) this.#addListener(signal, this.#stopOnSignal)
    if (signals && !isSupervised)
      this.#stopWatchingParent = watchScriptParent(() => this.#isStopping || this.#stopOnSignal('SIGTERM'))
    if (signals && restart !== undefined) for (const signal of getRestartSignals()) this.#addListener(signal, restart)
    if (fatal)
      for (const event of ['uncaughtException', 'unhandledRejection']) this.#addListener(event, this.#onUncaughtError)
    if (isSupervised) this.#addListener('message', this.#onMessage)
  }

  /** Removes the listeners. */
  detach(): void {
    this.#restoreLogErrors()
    this.#stopWatchingParent()
    for (const [event, listener] of this.#listeners.splice(0)) process.off(event, listener)
  }

  #addListener(event: string, listener: ProcessListener): void {
    this.#listeners.push([event, listener])
    process.on(event, listener)
  }

  readonly #stopOnSignal = (signal: NodeJS.Signals): void => {
    if (this.#isStopping && this.#options.isSupervised) return
    if (this.#isStopping) process.exit(128 + constants.signals[signal])
    this.#logger.info({ signal, pid: process.pid }, 'Draining')
    this.#stopAndExit(0)
  }

  readonly #onUncaughtError = (err: unknown): void => {
    if (this.#options.fatal === 'log') return this.#logError(err, 'Uncaught error')
    this.#logError(err, this.#isStopping ? 'Another uncaught error' : 'Uncaught error: draining')
    if (!this.#isStopping) this.#stopAndExit(1)
  }

  readonly #onMessage = (message: unknown): void => {
    if (message === messages.STOP && !this.#isStopping) this.#stopAndExit(0)
  }

  #stopAndExit(code: number): void {
    this.#isStopping = true
    this.#stoppable.stop().then(
      (isComplete) => process.exit(isComplete ? code : 1),
      (err: unknown) => {
        this.#logger.error({ err }, 'The server could not be stopped in good order')
        process.exit(1)
      },
    )
  }
}

/** The servers that ignore log errors: a process may have several, and each may be closed twice. */
const logOwners = new Set<object>()
const ignore = (): void => {}

/**
 * Lets the process continue without stdout and stderr; returns the function that undoes this. Without a listener, a
 * lost log is an uncaught error, whose log entry causes the next one.
 */
function ignoreLogErrors(): () => void {
  const logs = [process.stdout, process.stderr]
  const owner = {}
  if (logOwners.size === 0) for (const log of logs) log.on('error', ignore)
  logOwners.add(owner)
  return () => {
    if (logOwners.delete(owner) && logOwners.size === 0) for (const log of logs) log.off('error', ignore)
  }
}

/**
 * The most uncaught errors logged per second: a logger that fails late would otherwise log its own failures forever.
 */
const MAX_LOGGED_PER_SECOND = 10

function throttleErrors(logger: Logger): (err: unknown, message: string) => void {
  let [since, logged, suppressed] = [Number.NEGATIVE_INFINITY, 0, 0]
  return (err, message) => {
    const now = performance.now()
    if (now - since >= 1000) [since, logged] = [now, 0]
    if (++logged > MAX_LOGGED_PER_SECOND) {
      suppressed++
      return
    }
    const more = suppressed === 0 ? {} : { suppressed }
    suppressed = 0
    logger.error({ err, pid: process.pid, ...more }, message)
  }
}

// Closing a terminal sends SIGHUP as well, and should end the processes that were started in it.
function getRestartSignals(): readonly (typeof RESTART_SIGNALS)[number][] {
  return isatty(0) ? ['SIGUSR2'] : RESTART_SIGNALS
}

/**
 * Creates the listener of restart signals: a worker leaves them to the primary process, and a server without workers
 * ignores them.
 */
function createRestartListener(
  { restart }: Stoppable,
  { isSupervised }: ProcessSignalOptions,
  logger: Logger,
): ((signal: NodeJS.Signals) => void) | undefined {
  if (isSupervised) return () => {}
  if (restart === undefined) return undefined
  return (signal) => {
    logger.info({ signal, pid: process.pid }, 'Replacing the workers')
    void restart()
  }
}
