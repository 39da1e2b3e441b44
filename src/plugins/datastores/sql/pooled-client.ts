// The client of a pool: each read with a signal, snapshot and transaction has a connection to itself.
import { runBetween, runInTransaction, TRANSACTION } from './batch.ts'
import { withCancellation } from './cancel.ts'
import { createTransactionClient, type OneConnection } from './one-connection.ts'
import { runInSnapshot } from './snapshot.ts'
import type { SqlClient } from './sql.ts'

/** The statements of a connection that can cancel the running one. */
export type CancellableConnection = Required<Pick<OneConnection, 'dialect' | 'query' | 'execute' | 'cancel'>>

/** Runs work with a connection of a pool, which gets it back afterwards. */
export type RunOnConnection = <V>(work: (connection: CancellableConnection) => Promise<V>) => Promise<V>

/** Creates the client of a pool: single statements run on the pool itself. */
export function createPooledClient(
  { dialect, query, execute }: CancellableConnection,
  runOnConnection: RunOnConnection,
): SqlClient {
  const client: SqlClient = {
    dialect,
    query,
    execute,
    withSignal: (signal) => ({
      ...client,
      query: (statement) => runOnConnection((one) => withCancellation(one, signal, one.cancel).query(statement)),
      execute: (statement) => runOnConnection((one) => withCancellation(one, signal, one.cancel).execute(statement)),
    }),
    snapshot: (work, signal) =>
      runOnConnection((one) => {
        const within = createTransactionClient(one)
        return runInSnapshot(within, () => work(withCancellation(within, signal, one.cancel)))
      }),
    batch: (all) => runOnConnection((one) => runInTransaction(one.query, all, TRANSACTION)),
    transaction: (work) =>
      runOnConnection((one) => runBetween(one.query, TRANSACTION, () => work(createTransactionClient(one)))),
  }
  return client
}
