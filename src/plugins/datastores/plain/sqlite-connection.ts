// SQLite through synchronous drivers: one connection, whose statements wait while a transaction is open.
import { readProperty } from '../../../extend.ts'
import type { Datastore, RawRow } from '../../query/query.ts'
import { createSavepoint, runBetween, SAVEPOINT } from '../sql/batch.ts'
import { runAsTransaction, runBetweenTransactions } from '../sql/one-connection.ts'
import { isWal, runInSnapshot } from '../sql/snapshot.ts'
import type { SqlClient, Statement } from '../sql/sql.ts'
import { formatStatement } from '../sql/sql-text.ts'
import { isInTransaction } from '../sql/sqlite-transaction.ts'
import { StatementObservers } from '../sql/statement-observers.ts'
import { type ConnectionAccess, createSqlDatastore } from '../sql-datastore.ts'
import { type DescribeTable, loadTableDescriber } from './drivers.ts'

/** A prepared statement of a driver. */
export interface PreparedStatement {
  /** Returns its rows, with integers as numbers. */
  all(values: readonly unknown[]): readonly RawRow[]
  /** Runs it and returns the number of changed rows. */
  run(values: readonly unknown[]): number
}

/** The functions of a driver. */
export interface SqliteDriver<D> {
  prepare(database: D, sql: string): PreparedStatement
  /** Opens the file of a database again, read-only; undefined for a database without a file. */
  reopen(database: D): (D & { close(): void }) | undefined
}

/** A datastore of the tables of a SQLite database, on one connection. */
export interface SqliteDatastore<D> extends Datastore<string> {
  /**
   * Runs work in a transaction of the connection, and rolls it back if the work throws. Statements that do not use the
   * datastore passed to the work wait until it has ended.
   */
  transaction<V>(work: (datastore: Datastore<string>) => Promise<V>): Promise<V>
  /** Returns a datastore of the same tables on another connection to the same database. */
  withDatabase(database: D): SqliteDatastore<D>
}

/** Creates a datastore of a connection: reads its tables from the catalogue first. */
export async function openSqliteDatastore<D extends object>(
  database: D,
  driver: SqliteDriver<D>,
): Promise<SqliteDatastore<D>> {
  const { client } = getConnection(database, driver)
  return buildSqliteDatastore(database, driver, await loadTableDescriber(client, {}))
}

function buildSqliteDatastore<D extends object>(
  database: D,
  driver: SqliteDriver<D>,
  describe: DescribeTable,
  statements: StatementObservers = new StatementObservers('sqlite'),
): SqliteDatastore<D> {
  const access = createAccess(database, driver)
  const datastore = createSqlDatastore(getConnection(database, driver).client, describe, { statements, access })
  return {
    ...(datastore as typeof datastore & Pick<SqliteDatastore<D>, 'transaction'>),
    withDatabase: (other) => buildSqliteDatastore(other, driver, describe, statements),
  }
}

/** Gives plugins the connection, and any other one in whose transaction their statements are to be. */
const createAccess = <D extends object>(database: D, driver: SqliteDriver<D>): ConnectionAccess => ({
  runsOn: 'connection',
  isInTransaction: () => isInTransaction(database) === true,
  // These statements belong to the open transaction: they must not wait until it has ended.
  bind: (one) =>
    typeof readProperty(one, 'prepare') === 'function' && isInTransaction(one) !== false
      ? new SqliteConnection((sql) => driver.prepare(one as D, sql)).client
      : undefined,
})

const connections = new WeakMap<object, SqliteConnection>()

// All datastores of a connection share its queue of transactions.
function getConnection<D extends object>(database: D, driver: SqliteDriver<D>): SqliteConnection {
  const open = (other: D): SqliteConnection => new SqliteConnection((sql) => driver.prepare(other, sql))
  const reopen = (): ReopenedConnection | undefined => {
    const other = driver.reopen(database)
    return other && { connection: open(other), close: () => other.close() }
  }
  const known = connections.get(database) ?? new SqliteConnection((sql) => driver.prepare(database, sql), reopen)
  connections.set(database, known)
  return known
}

/** The most statements that are kept prepared; the least recently used is dropped first. */
const MAX_PREPARED_STATEMENTS = 200

/** Another connection to the same database. */
interface ReopenedConnection {
  readonly connection: SqliteConnection
  close(): void
}

class SqliteConnection {
  /** Runs statements while no transaction is open. */
  readonly client: SqlClient = {
    ...this.#createClient(this),
    snapshot: (work) => this.#runInSnapshot(work),
    transaction: (work) =>
      runAsTransaction(this, () => this.#runAndCommit(() => work(this.#createTransactionClient()))),
  }
  readonly #prepare: (sql: string) => PreparedStatement
  readonly #preparedStatements = new Map<string, PreparedStatement>()
  readonly #reopen: () => ReopenedConnection | undefined

  constructor(
    prepare: (sql: string) => PreparedStatement,
    reopen: () => ReopenedConnection | undefined = () => undefined,
  ) {
    this.#prepare = prepare
    this.#reopen = reopen
  }

  // The connection is shared: a long transaction would block all of its users.
  async #runInSnapshot<V>(work: (within: SqlClient) => Promise<V>): Promise<V> {
    const other = (await isWal(this.client)) ? this.#reopen() : undefined
    if (other === undefined) return work(this.client)
    const { client: inner } = other.connection
    try {
      return await runInSnapshot(inner, () => work(inner))
    } finally {
      other.close()
    }
  }

  /** Creates the client of the open transaction, or of one within it. */
  #createTransactionClient(depth = 1): SqlClient {
    const level = {}
    const statements = this.#createClient(level)
    const { query } = this.#createClient({})
    return {
      ...statements,
      transaction: (work) =>
        runAsTransaction(level, () =>
          runBetween(query, createSavepoint(depth), () => work(this.#createTransactionClient(depth + 1))),
        ),
    }
  }

  async #runAndCommit<V>(work: () => Promise<V>): Promise<V> {
    // A deferred transaction that begins with a read could fail at its first write.
    this.#getPrepared('begin immediate').run([])
    try {
      const result = await work()
      this.#getPrepared('commit').run([])
      return result
    } catch (error) {
      this.#rollBack('rollback')
      throw error
    }
  }

  // After some errors, the database has already rolled back; the first error is the one to throw.
  #rollBack(...commands: readonly string[]): void {
    try {
      for (const command of commands) this.#getPrepared(command).run([])
    } catch {}
  }

  #createClient(owner: object): SqlClient {
    const run = <V>(work: () => V): Promise<V> => runBetweenTransactions(owner, work)
    const prepare = (statement: Statement): PreparedStatement => this.#getPrepared(formatStatement('sqlite', statement))
    return {
      dialect: 'sqlite',
      query: (statement) => run(() => prepare(statement).all(statement.values.map(toBindable))),
      execute: (statement) => run(() => ({ affected: prepare(statement).run(statement.values.map(toBindable)) })),
      // Runs in one tick, so that no other statement comes between.
      batch: (statements) =>
        run(() => {
          const [begin, release, undo] = SAVEPOINT
          this.#getPrepared(begin).run([])
          try {
            const all = statements.map((statement) => prepare(statement).all(statement.values.map(toBindable)))
            this.#getPrepared(release).run([])
            return all
          } catch (error) {
            this.#rollBack(undo, release)
            throw error
          }
        }),
    }
  }

  #getPrepared(sql: string): PreparedStatement {
    const known = this.#preparedStatements.get(sql)
    if (known !== undefined) this.#preparedStatements.delete(sql)
    else if (this.#preparedStatements.size === MAX_PREPARED_STATEMENTS)
      this.#preparedStatements.delete(this.#preparedStatements.keys().next().value as string)
    const prepared = known ?? this.#prepare(sql)
    this.#preparedStatements.set(sql, prepared)
    return prepared
  }
}

// Both drivers bind every number as a double, which a text column would store as 5.0.
const toBindable = (value: unknown): unknown =>
  Number.isSafeInteger(value) && !Object.is(value, -0) ? BigInt(value as number) : value
