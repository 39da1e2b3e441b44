// The messages between the primary process and its workers while workers stop.

/** The primary tells a worker to stop serving and end. */
export const STOP = 'edict:leave'

/** A worker tells the primary that it accepts no more connections. */
export const NOT_ACCEPTING = 'edict:deaf'

/**
 * The primary tells a worker to close its connections: clients will not reconnect to a process that is about to stop
 * too.
 */
export const PROCEED = 'edict:proceed'

/** Milliseconds for which a worker waits for `PROCEED`. */
const proceedTimeout = 1000

/** Resolves, in a worker, when the workers that stop with it have all stopped accepting connections. */
export function waitForOtherWorkers(): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      clearTimeout(timer)
      process.off('message', onMessage).off('disconnect', done)
      resolve()
    }
    const onMessage = (message: unknown): void => {
      if (message === PROCEED) done()
    }
    const timer = setTimeout(done, proceedTimeout)
    process.on('message', onMessage).on('disconnect', done)
    if (process.connected) process.send?.(NOT_ACCEPTING)
    else done()
  })
}
