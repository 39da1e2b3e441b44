// A server that owns its process: signals and fatal errors drain the server, then end the process.
import { constants } from 'node:os'
import { isatty } from 'node:tty'
import type { Logger } from '../../../server/logger.ts'
import * as messages from './messages.ts'
import { whenScriptEnds } from './parent.ts'

/** A server that can be stopped. */
export interface Stoppable {
  /** Stops gracefully, and resolves with whether nothing had to be cut; called again, it returns the same promise. */
  stop(): Promise<boolean>
  /** Replaces the processes that serve, where there are such; resolves with whether all have a successor. */
  restart?: (() => Promise<boolean>) | undefined
}

/** How the process is owned. */
export interface Ownership {
  readonly signals: boolean
  readonly fatal: boolean | 'log'
  /** Another process decides when waiting is over: a repeated signal changes nothing. */
  readonly supervised: boolean
}

const ENDS = ['SIGTERM', 'SIGINT'] as const
const RESTARTS = ['SIGUSR2', 'SIGHUP'] as const

type Listener = Parameters<typeof process.off>[1]

/** The signals and fatal errors of the process that a server drains at; it ends the process after that. */
export class ProcessSignals {
  readonly #stoppable: Stoppable
  readonly #ownership: Ownership
  readonly #logger: Logger
  readonly #logError: (err: unknown, message: string) => void
  readonly #listeners: [event: string, listener: Listener][] = []
  #forgetLogs: () => void = ignore
  #forgetParent: () => void = ignore
  #leaving = false

  constructor(stoppable: Stoppable, ownership: Ownership, logger: Logger) {
    this.#stoppable = stoppable
    this.#ownership = ownership
    this.#logger = logger
    this.#logError = sparingly(logger)
  }

  /** Begins to listen. */
  attach(): void {
    const { signals, fatal, supervised } = this.#ownership
    this.#forgetLogs = outliveLogs()
    const restart = restarter(this.#stoppable, this.#ownership, this.#logger)
    if (signals) for (const signal of ENDS) this.#on(signal, this.#endBy)
    if (signals && !supervised) this.#forgetParent = whenScriptEnds(() => this.#leaving || this.#endBy('SIGTERM'))
    if (signals && restart !== undefined) for (const signal of restartSignals()) this.#on(signal, restart)
    if (fatal) for (const event of ['uncaughtException', 'unhandledRejection']) this.#on(event, this.#failBy)
    if (supervised) this.#on('message', this.#obey)
  }

  /** Listens no longer: the process is its owner's again. */
  detach(): void {
    this.#forgetLogs()
    this.#forgetParent()
    for (const [event, listener] of this.#listeners.splice(0)) process.off(event, listener)
  }

  #on(event: string, listener: Listener): void {
    this.#listeners.push([event, listener])
    process.on(event, listener)
  }

  readonly #endBy = (signal: NodeJS.Signals): void => {
    if (this.#leaving && this.#ownership.supervised) return
    if (this.#leaving) process.exit(128 + constants.signals[signal])
    this.#logger.info({ signal, pid: process.pid }, 'Draining')
    this.#end(0)
  }

  readonly #failBy = (err: unknown): void => {
    if (this.#ownership.fatal === 'log') return this.#logError(err, 'Uncaught error')
    this.#logError(err, this.#leaving ? 'Another uncaught error' : 'Uncaught error: draining')
    if (!this.#leaving) this.#end(1)
  }

  readonly #obey = (message: unknown): void => {
    if (message === messages.leave && !this.#leaving) this.#end(0)
  }

  #end(code: number): void {
    this.#leaving = true
    this.#stoppable.stop().then(
      (whole) => process.exit(whole ? code : 1),
      (err: unknown) => {
        this.#logger.error({ err }, 'The server could not be stopped in good order')
        process.exit(1)
      },
    )
  }
}

/** The servers that use it: a process may have several, and each may be closed twice. */
const owners = new Set<object>()
const ignore = (): void => {}

/**
 * Lets the process continue without stdout and stderr; returns the function that undoes this. Without a listener, the
 * loss of a log is an uncaught error, whose line in the log is the next.
 */
function outliveLogs(): () => void {
  const logs = [process.stdout, process.stderr]
  const owner = {}
  if (owners.size === 0) for (const log of logs) log.on('error', ignore)
  owners.add(owner)
  return () => {
    if (owners.delete(owner) && owners.size === 0) for (const log of logs) log.off('error', ignore)
  }
}

/** The most uncaught errors logged per second: a logger that fails late would otherwise log its own failures forever. */
const MOST_TOLD = 10

function sparingly(logger: Logger): (err: unknown, message: string) => void {
  let [since, told, untold] = [Number.NEGATIVE_INFINITY, 0, 0]
  return (err, message) => {
    const now = performance.now()
    if (now - since >= 1000) [since, told] = [now, 0]
    if (++told > MOST_TOLD) {
      untold++
      return
    }
    const more = untold === 0 ? {} : { untold }
    untold = 0
    logger.error({ err, pid: process.pid, ...more }, message)
  }
}

// The end of a terminal is a SIGHUP as well, and should end what was started in it.
function restartSignals(): readonly (typeof RESTARTS)[number][] {
  return isatty(0) ? ['SIGUSR2'] : RESTARTS
}

/** The effect of a restart signal: a worker leaves it to the primary process, and a server without workers ignores it. */
function restarter(
  { restart }: Stoppable,
  { supervised }: Ownership,
  logger: Logger,
): ((signal: NodeJS.Signals) => void) | undefined {
  if (supervised) return () => {}
  if (restart === undefined) return undefined
  return (signal) => {
    logger.info({ signal, pid: process.pid }, 'Replacing the workers')
    void restart()
  }
}
