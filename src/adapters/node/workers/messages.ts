// Messages between the primary process and its workers while workers stop.

/** The primary to a worker: stop serving and end. */
export const leave = 'edict:leave'

/** A worker to the primary: I accept no more connections. */
export const deaf = 'edict:deaf'

/** The primary to a worker: send your clients away, they will not come back to a process that is about to leave too. */
export const proceed = 'edict:proceed'

/** How long a worker waits for the word to proceed. */
const patience = 1000

/** In a worker: resolves when the workers that leave with it have all stopped accepting connections. */
export function othersAreDeaf(): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      clearTimeout(timer)
      process.off('message', onMessage).off('disconnect', done)
      resolve()
    }
    const onMessage = (message: unknown): void => {
      if (message === proceed) done()
    }
    const timer = setTimeout(done, patience)
    process.on('message', onMessage).on('disconnect', done)
    if (process.connected) process.send?.(deaf)
    else done()
  })
}
