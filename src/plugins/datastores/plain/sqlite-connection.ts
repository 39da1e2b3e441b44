// SQLite through synchronous clients: one connection, whose statements wait while a transaction is open.
import type { Datastore, RawRow } from '../../query/query.ts'
import { SAVEPOINT } from '../sql/batch.ts'
import { createSqlDatastore } from '../sql-datastore.ts'
import { StatementObservers } from '../sql/statement-observers.ts'
import { runInSnapshot, isWal } from '../sql/snapshot.ts'
import type { SqlClient, Statement } from '../sql/sql.ts'
import { formatStatement } from '../sql/sql-text.ts'
import { type DescribeTable, loadTableDescriber } from './drivers.ts'

/** A statement that a client has prepared. */
export interface PreparedStatement {
  /** Gives its rows, whole numbers as numbers. */
  all(values: readonly unknown[]): readonly RawRow[]
  /** Runs it and tells how many rows it changed. */
  run(values: readonly unknown[]): number
}

/** How a client is used. */
export interface SqliteDriver<D> {
  prepare(database: D, sql: string): PreparedStatement
  /** Opens the file of a database once more, to read only; undefined for a database that has no file. */
  reopen(database: D): (D & { close(): void }) | undefined
}

/** A datastore of the tables of a database of SQLite that one connection reaches. */
export interface SqliteDatastore<D> extends Datastore<string> {
  /**
   * Runs some work in a transaction of the connection, and rolls it back when the work throws. Statements that do not go
   * through the datastore that the work is given wait until it has ended.
   */
  transaction<V>(work: (datastore: Datastore<string>) => Promise<V>): Promise<V>
  /** The same tables through another connection to the same database. */
  withDatabase(database: D): SqliteDatastore<D>
}

/** Makes a datastore of a connection, after reading its tables from the catalogue. */
export async function openSqliteDatastore<D extends object>(
  database: D,
  driver: SqliteDriver<D>,
): Promise<SqliteDatastore<D>> {
  const connection = getConnection(database, driver)
  return buildSqliteDatastore(connection, driver, await loadTableDescriber(connection.client, {}))
}

function buildSqliteDatastore<D extends object>(
  connection: SqliteConnection,
  driver: SqliteDriver<D>,
  describe: DescribeTable,
  statements: StatementObservers = new StatementObservers('sqlite'),
): SqliteDatastore<D> {
  const inner = createSqlDatastore(connection.transactionClient, describe, { statements })
  return {
    ...createSqlDatastore(connection.client, describe, { statements }),
    transaction: (work) => connection.runTransaction(() => work(inner)),
    withDatabase: (other) => buildSqliteDatastore(getConnection(other, driver), driver, describe, statements),
  }
}

const connections = new WeakMap<object, SqliteConnection>()

// All datastores of a connection wait for its transactions.
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

/** How many statements are kept prepared; the one that was used longest ago goes first. */
const MAX_PREPARED_STATEMENTS = 200

/** Another connection to the same database. */
interface ReopenedConnection {
  readonly connection: SqliteConnection
  close(): void
}

class SqliteConnection {
  /** Runs statements when no transaction is under way. */
  readonly client: SqlClient = {
    ...this.#createClient((work) => this.#runAlone(work)),
    snapshot: (work) => this.#runInSnapshot(work),
  }
  /** Runs statements inside of the transaction that is under way. */
  readonly transactionClient: SqlClient = this.#createClient(async (work) => work())
  readonly #prepare: (sql: string) => PreparedStatement
  readonly #preparedStatements = new Map<string, PreparedStatement>()
  readonly #reopen: () => ReopenedConnection | undefined
  #transaction: Promise<unknown> | undefined

  constructor(prepare: (sql: string) => PreparedStatement, reopen: () => ReopenedConnection | undefined = () => undefined) {
    this.#prepare = prepare
    this.#reopen = reopen
  }

  // This connection belongs to everybody: a transaction that lasts would have all of them wait.
  async #runInSnapshot<V>(work: (within: SqlClient) => Promise<V>): Promise<V> {
    const other = (await isWal(this.client)) ? this.#reopen() : undefined
    if (other === undefined) return work(this.client)
    const { transactionClient: inner } = other.connection
    try {
      return await runInSnapshot(inner, () => work(inner))
    } finally {
      other.close()
    }
  }

  runTransaction<V>(work: () => Promise<V>): Promise<V> {
    return this.#runAlone(() => {
      const running = this.#runAndCommit(work).finally(() => {
        this.#transaction = undefined
      })
      // Those who wait want to know that it has ended, not how.
      this.#transaction = running.catch(() => undefined)
      return running
    })
  }

  // Work begins in the same step in which no transaction was found, so that none can come between.
  async #runAlone<V>(work: () => V | Promise<V>): Promise<V> {
    while (this.#transaction !== undefined) await this.#transaction
    return work()
  }

  async #runAndCommit<V>(work: () => Promise<V>): Promise<V> {
    // A transaction that begins with reading could find that it may not write any more.
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

  // After some errors the database has ended the transaction by itself; what went wrong is the first error.
  #rollBack(...commands: readonly string[]): void {
    try {
      for (const one of commands) this.#getPrepared(one).run([])
    } catch {}
  }

  #createClient(run: <V>(work: () => V) => Promise<V>): SqlClient {
    const prepared = (statement: Statement): PreparedStatement => this.#getPrepared(formatStatement('sqlite', statement))
    return {
      dialect: 'sqlite',
      query: (statement) => run(() => prepared(statement).all(statement.values.map(toBindable))),
      execute: (statement) => run(() => ({ affected: prepared(statement).run(statement.values.map(toBindable)) })),
      // All of it in one step, so that no other statement comes between.
      batch: (statements) =>
        run(() => {
          const [begin, keep, undo] = SAVEPOINT
          this.#getPrepared(begin).run([])
          try {
            const all = statements.map((statement) => prepared(statement).all(statement.values.map(toBindable)))
            this.#getPrepared(keep).run([])
            return all
          } catch (error) {
            this.#rollBack(undo, keep)
            throw error
          }
        }),
    }
  }

  #getPrepared(sql: string): PreparedStatement {
    const known = this.#preparedStatements.get(sql)
    if (known !== undefined) this.#preparedStatements.delete(sql)
    else if (this.#preparedStatements.size === MAX_PREPARED_STATEMENTS) this.#preparedStatements.delete(this.#preparedStatements.keys().next().value as string)
    const prepared = known ?? this.#prepare(sql)
    this.#preparedStatements.set(sql, prepared)
    return prepared
  }
}

// Both clients bind every number as one with a fraction, which a column of texts would keep as 5.0.
const toBindable = (value: unknown): unknown =>
  Number.isSafeInteger(value) && !Object.is(value, -0) ? BigInt(value as number) : value
