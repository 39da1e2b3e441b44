// What a server does with the process that is its own: signals and fatal errors drain it, then end it.
import { constants } from 'node:os'
import { isatty } from 'node:tty'
import type { Logger } from '../../../server/logger.ts'
import * as crew from './messages.ts'

/** What can be stopped. */
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

const signals = ['SIGTERM', 'SIGINT'] as const
const restarts = ['SIGUSR2', 'SIGHUP'] as const

/** Ends the process after a graceful stop on signals and fatal errors; returns the function that undoes this. */
export function own(stoppable: Stoppable, ownership: Ownership, logger: Logger): () => void {
  let leaving = false
  const end = (code: number): void => {
    leaving = true
    stoppable.stop().then(
      (whole) => process.exit(whole ? code : 1),
      (err: unknown) => {
        logger.error({ err }, 'The server could not be stopped in good order')
        process.exit(1)
      },
    )
  }
  const onSignal = (signal: NodeJS.Signals): void => {
    if (leaving && ownership.supervised) return
    if (leaving) process.exit(128 + constants.signals[signal])
    logger.info({ signal, pid: process.pid }, 'Draining')
    end(0)
  }
  const tell = sparingly(logger)
  const onFatal = (err: unknown): void => {
    if (ownership.fatal === 'log') return tell(err, 'Uncaught error')
    tell(err, leaving ? 'Another uncaught error' : 'Uncaught error: draining')
    if (!leaving) end(1)
  }
  const onMessage = (message: unknown): void => {
    if (message === crew.leave && !leaving) end(0)
  }
  const parted = outliveLogs()
  if (ownership.signals) for (const signal of signals) process.on(signal, onSignal)
  const onRestart = restarter(stoppable, ownership, logger)
  if (ownership.signals && onRestart !== undefined) for (const signal of restartSignals()) process.on(signal, onRestart)
  if (ownership.fatal) process.on('uncaughtException', onFatal).on('unhandledRejection', onFatal)
  if (ownership.supervised) process.on('message', onMessage)
  return () => {
    parted()
    for (const signal of signals) process.off(signal, onSignal)
    if (onRestart !== undefined) for (const signal of restarts) process.off(signal, onRestart)
    process.off('uncaughtException', onFatal).off('unhandledRejection', onFatal).off('message', onMessage)
  }
}

/** The servers that use it: a process may have several, and each may be closed twice. */
const owners = new Set<object>()
const ignore = (): void => {}

/**
 * Lets the process go on without stdout and stderr; returns the function that undoes this. Where nobody listens, the
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

/** Uncaught errors that are told of in a second: a logger whose own failures come late would tell of them for ever. */
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
function restartSignals(): readonly (typeof restarts)[number][] {
  return isatty(0) ? ['SIGUSR2'] : restarts
}

/** What a signal to restart does: a worker leaves it to the primary process, and a server without workers does not listen. */
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
