// Messages between the primary process and its workers while workers stop.

/** The primary to a worker: stop serving and end. */
export const STOP = 'edict:leave'

/** A worker to the primary: I accept no more connections. */
export const NOT_ACCEPTING = 'edict:deaf'

/** The primary to a worker: send your clients away, they will not come back to a process that is about to leave too. */
export const PROCEED = 'edict:proceed'

/** How long a worker waits for the word to proceed. */
const proceedTimeout = 1000

/** In a worker: resolves when the workers that leave with it have all stopped accepting connections. */
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
