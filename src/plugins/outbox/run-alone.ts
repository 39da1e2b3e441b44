// Statements of relays on connections and databases that others write, too.
import type { StatementAccess, StatementRunner } from '../mapper/extend.ts'
import { pause } from './pause.ts'

/** The milliseconds before work is tried again that met the transaction of another, and how often. */
const RETRY = { pause: 10, times: 500 }

/**
 * Runs work while no one else is in a transaction: on their connection, it would see what they have not committed, and a
 * rollback would undo it. Databases of SQLite also refuse to write while another connection does.
 */
export async function runAlone<V>(access: StatementAccess, work: () => Promise<V>): Promise<V> {
  let failure: unknown = new Error('outbox: the connection is in a transaction that does not end')
  for (let left = access.runner.dialect === 'sqlite' ? RETRY.times : 1; left > 0; left--) {
    if (access.isInTransaction?.() !== true) {
      try {
        return await work()
      } catch (error) {
        if (!access.isTransient(error)) throw error
        failure = error
      }
    }
    await pause(RETRY.pause)
  }
  throw failure
}

/**
 * The same for work that writes. Clients with several connections need a transaction: where the end of a single statement is
 * refused, libsql keeps its lock for ever.
 */
export const writeAlone = <V>(access: StatementAccess, work: (runner: StatementRunner) => Promise<V>): Promise<V> =>
  runAlone(access, () => {
    const { runner, runsOn } = access
    const isSplit = runner.dialect === 'sqlite' && runsOn === 'pool' && runner.transaction !== undefined
    return isSplit ? (runner.transaction as NonNullable<typeof runner.transaction>)(work) : work(runner)
  })
