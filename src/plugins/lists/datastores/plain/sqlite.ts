// SQLite through synchronous clients: one connection, whose statements wait while a transaction is open.
import type { Datastore, RawRow } from '../../query.ts'
import { SAVEPOINT } from '../sql/batch.ts'
import { sqlDatastore } from '../sql/datastore.ts'
import { Statements } from '../sql/observing.ts'
import { inSnapshot, isWal } from '../sql/snapshot.ts'
import type { SqlClient, Statement } from '../sql/sql.ts'
import { textOf } from '../sql/text.ts'
import { type Describe, describedBy } from './plain.ts'

/** A statement that a client has prepared. */
export interface Prepared {
  /** Gives its rows, whole numbers as numbers. */
  all(values: readonly unknown[]): readonly RawRow[]
  /** Runs it and tells how many rows it changed. */
  run(values: readonly unknown[]): number
}

/** How a client is used. */
export interface SqliteDriver<D> {
  prepare(database: D, sql: string): Prepared
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
export async function sqliteDatastore<D extends object>(
  database: D,
  driver: SqliteDriver<D>,
): Promise<SqliteDatastore<D>> {
  const connection = connectionOf(database, driver)
  return through(connection, driver, await describedBy(connection.client, {}))
}

function through<D extends object>(
  connection: Connection,
  driver: SqliteDriver<D>,
  describe: Describe,
  statements: Statements = new Statements('sqlite'),
): SqliteDatastore<D> {
  const inner = sqlDatastore(connection.inner, describe, { statements })
  return {
    ...sqlDatastore(connection.client, describe, { statements }),
    transaction: (work) => connection.transaction(() => work(inner)),
    withDatabase: (other) => through(connectionOf(other, driver), driver, describe, statements),
  }
}

const connections = new WeakMap<object, Connection>()

// All datastores of a connection wait for its transactions.
function connectionOf<D extends object>(database: D, driver: SqliteDriver<D>): Connection {
  const open = (other: D): Connection => new Connection((sql) => driver.prepare(other, sql))
  const reopen = (): Reopened | undefined => {
    const other = driver.reopen(database)
    return other && { connection: open(other), close: () => other.close() }
  }
  const known = connections.get(database) ?? new Connection((sql) => driver.prepare(database, sql), reopen)
  connections.set(database, known)
  return known
}

/** How many statements are kept prepared; the one that was used longest ago goes first. */
const KEPT = 200

/** Another connection to the same database. */
interface Reopened {
  readonly connection: Connection
  close(): void
}

class Connection {
  /** Runs statements when no transaction is under way. */
  readonly client: SqlClient = {
    ...this.#clientOf((work) => this.#alone(work)),
    snapshot: (work) => this.#snapshot(work),
  }
  /** Runs statements inside of the transaction that is under way. */
  readonly inner: SqlClient = this.#clientOf(async (work) => work())
  readonly #prepare: (sql: string) => Prepared
  readonly #kept = new Map<string, Prepared>()
  readonly #reopen: () => Reopened | undefined
  #transaction: Promise<unknown> | undefined

  constructor(prepare: (sql: string) => Prepared, reopen: () => Reopened | undefined = () => undefined) {
    this.#prepare = prepare
    this.#reopen = reopen
  }

  // This connection belongs to everybody: a transaction that lasts would have all of them wait.
  async #snapshot<V>(work: (within: SqlClient) => Promise<V>): Promise<V> {
    const other = (await isWal(this.client)) ? this.#reopen() : undefined
    if (other === undefined) return work(this.client)
    const { inner } = other.connection
    try {
      return await inSnapshot(inner, () => work(inner))
    } finally {
      other.close()
    }
  }

  transaction<V>(work: () => Promise<V>): Promise<V> {
    return this.#alone(() => {
      const running = this.#transacted(work).finally(() => {
        this.#transaction = undefined
      })
      // Those who wait want to know that it has ended, not how.
      this.#transaction = running.catch(() => undefined)
      return running
    })
  }

  // Work begins in the same step in which no transaction was found, so that none can come between.
  async #alone<V>(work: () => V | Promise<V>): Promise<V> {
    while (this.#transaction !== undefined) await this.#transaction
    return work()
  }

  async #transacted<V>(work: () => Promise<V>): Promise<V> {
    // A transaction that begins with reading could find that it may not write any more.
    this.#prepared('begin immediate').run([])
    try {
      const result = await work()
      this.#prepared('commit').run([])
      return result
    } catch (error) {
      this.#undo('rollback')
      throw error
    }
  }

  // After some errors the database has ended the transaction by itself; what went wrong is the first error.
  #undo(...commands: readonly string[]): void {
    try {
      for (const one of commands) this.#prepared(one).run([])
    } catch {}
  }

  #clientOf(run: <V>(work: () => V) => Promise<V>): SqlClient {
    const prepared = (statement: Statement): Prepared => this.#prepared(textOf('sqlite', statement))
    return {
      dialect: 'sqlite',
      query: (statement) => run(() => prepared(statement).all(statement.values.map(bindable))),
      execute: (statement) => run(() => ({ affected: prepared(statement).run(statement.values.map(bindable)) })),
      // All of it in one step, so that no other statement comes between.
      batch: (statements) =>
        run(() => {
          const [begin, keep, undo] = SAVEPOINT
          this.#prepared(begin).run([])
          try {
            const all = statements.map((statement) => prepared(statement).all(statement.values.map(bindable)))
            this.#prepared(keep).run([])
            return all
          } catch (error) {
            this.#undo(undo, keep)
            throw error
          }
        }),
    }
  }

  #prepared(sql: string): Prepared {
    const known = this.#kept.get(sql)
    if (known !== undefined) this.#kept.delete(sql)
    else if (this.#kept.size === KEPT) this.#kept.delete(this.#kept.keys().next().value as string)
    const prepared = known ?? this.#prepare(sql)
    this.#kept.set(sql, prepared)
    return prepared
  }
}

// Both clients bind every number as one with a fraction, which a column of texts would keep as 5.0.
const bindable = (value: unknown): unknown =>
  Number.isSafeInteger(value) && !Object.is(value, -0) ? BigInt(value as number) : value
