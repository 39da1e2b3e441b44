// Transactions on one connection. Its statements are those of everyone who has it: others wait while a transaction is open,
// so that they do not become a part of it.
import {
  createSavepoint,
  runBetween,
  runInTransaction,
  SAVEPOINT,
  TRANSACTION,
  type TransactionCommands,
} from './batch.ts'
import { withCancellation } from './cancel.ts'
import type { SqlClient } from './sql.ts'

/** The transactions that are open, by the connection or the transaction that they are in. */
const openTransactions = new WeakMap<object, Promise<unknown>>()

/** Runs work once no transaction is open; it begins in the same tick, so that none can begin in between. */
export async function runBetweenTransactions<V>(owner: object, work: () => V | Promise<V>): Promise<V> {
  while (openTransactions.has(owner)) await openTransactions.get(owner)
  return work()
}

/** Runs work that is a transaction, while everything else on its connection waits. */
export const runAsTransaction = <V>(owner: object, work: () => Promise<V>): Promise<V> =>
  runBetweenTransactions(owner, () => {
    const running = work()
    const end = (): boolean => openTransactions.delete(owner)
    // Waiting statements need to know that it has ended, not its outcome.
    openTransactions.set(owner, running.then(end, end))
    return running
  })

/** One connection of a driver. */
export interface OneConnection extends Pick<SqlClient, 'dialect' | 'query' | 'execute'> {
  /** Cancels its running statement. */
  cancel?(): Promise<unknown>
  /** Returns the same connection, whose statements are cancelled once the signal is aborted; for drivers without `cancel`. */
  withSignal?(signal: AbortSignal): OneConnection
}

/** Creates the client of a connection outside of a transaction, or in one that its user has begun. */
export const createConnectionClient = (
  owner: object,
  connection: OneConnection,
  isInTransaction: () => Promise<boolean>,
): SqlClient =>
  createClient({
    owner,
    connection,
    depth: 1,
    choose: async (nested) => ((await isInTransaction()) ? nested : TRANSACTION),
  })

/** Creates the client of an open transaction; the transactions within it are savepoints. */
export const createTransactionClient = (connection: OneConnection, owner: object = {}, depth = 1): SqlClient =>
  createClient({ owner, connection, depth, choose: async (nested) => nested })

interface ClientSettings {
  readonly owner: object
  readonly connection: OneConnection
  /** The number of the next savepoint. */
  readonly depth: number
  /** Chooses the commands around several statements, which are these inside a transaction. */
  choose(nested: TransactionCommands): Promise<TransactionCommands>
}

function createClient({ owner, connection, depth, choose }: ClientSettings): SqlClient {
  const { dialect, query, execute, cancel } = connection
  const client: SqlClient = {
    dialect,
    query: (statement) => runBetweenTransactions(owner, () => query(statement)),
    execute: (statement) => runBetweenTransactions(owner, () => execute(statement)),
    withSignal(signal) {
      const within =
        cancel === undefined ? connection.withSignal?.(signal) : withCancellation(connection, signal, cancel)
      return {
        ...client,
        ...(within && {
          query: (statement) => runBetweenTransactions(owner, () => within.query(statement)),
          execute: (statement) => runBetweenTransactions(owner, () => within.execute(statement)),
        }),
      }
    },
    batch: (statements) =>
      runAsTransaction(owner, async () => runInTransaction(query, statements, await choose(SAVEPOINT))),
    transaction: (work) =>
      runAsTransaction(owner, async () =>
        runBetween(query, await choose(createSavepoint(depth)), () =>
          work(createTransactionClient(connection, {}, depth + 1)),
        ),
      ),
  }
  return client
}
