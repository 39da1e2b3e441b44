// The entry point `edict/mapper/mysql2`: a datastore of the tables that a pool, or a connection, of `mysql2` reaches.
import { form } from '../../../extend.ts'
import type { Datastore, RawRow } from '../../query/query.ts'
import { runInTransaction, toStatement, SAVEPOINT, TRANSACTION, createSharedConnectionError } from '../sql/batch.ts'
import { withCancellation, killMysql2Query, findMysql2Core, runCancellable } from '../sql/cancel.ts'
import { openDatastore } from '../open-datastore.ts'
import { getValueAt } from '../sql/sql-rows.ts'
import { runInSnapshot } from '../sql/snapshot.ts'
import type { SqlClient, Statement } from '../sql/sql.ts'
import { formatStatement } from '../sql/sql-text.ts'
import { loadTableDescriber, DRIVER_FIELDS, type DriverOptions } from './drivers.ts'

/** A pool or a connection of `mysql2/promise`, or of `mysql2`. */
export type Mysql2Database = Mysql2Promises | { promise(): Mysql2Promises }

/** A pool or a connection of `mysql2/promise`. */
export interface Mysql2Promises {
  /** Runs a statement in which the client has written the values. */
  query(statement: Mysql2Statement): Promise<readonly [unknown, unknown]>
  /** Runs a statement that the database has prepared. */
  execute(statement: Mysql2Statement): Promise<readonly [unknown, unknown]>
  /** Gives a connection of a pool. */
  getConnection?(): Promise<Mysql2Connection>
}

/** A connection of a pool, for as long as it is not given back. */
export interface Mysql2Connection extends Mysql2Promises {
  /** Gives the connection back. */
  release(): void
}

/** A statement as `mysql2` takes it. */
export interface Mysql2Statement {
  sql: string
  values: never[]
  rowsAsArray: true
  typeCast(field: unknown, next: () => unknown): unknown
}

/** Options of a datastore of `mysql2`. */
export interface Mysql2Options extends DriverOptions {
  /**
   * Whether connections keep their statements prepared, as many as `maxPreparedStatements` of the client says.
   * @default `false`, and `true` where `sql_mode` has `NO_BACKSLASH_ESCAPES`
   */
  readonly prepare?: boolean
  /**
   * Pools of replicas, one for each node: reads go to them, writes to the database itself.
   * @default none
   * @see docs/guide/scaling-out.md
   */
  readonly replicas?: readonly Mysql2Database[]
}

/** A datastore of the tables that a pool of `mysql2` reaches. */
export interface Mysql2Datastore extends Datastore<string> {
  /** The same tables through another connection: the one that has a transaction, or another pool on the same database. */
  withDatabase(database: Mysql2Database): Mysql2Datastore
}

const MYSQL2_FIELDS: form.Fields<Mysql2Options> = {
  ...DRIVER_FIELDS,
  prepare: form.flag,
  replicas: form.list(form.structure),
}

/** Makes a datastore of a pool of `mysql2`, or of one of its connections, after reading its tables from the catalogue. */
export async function mysql2Datastore(database: Mysql2Database, options: Mysql2Options = {}): Promise<Mysql2Datastore> {
  const settings = form.validateSettings('mysql2Datastore', options, MYSQL2_FIELDS)
  const prepare = settings.prepare || (await hasNoBackslashEscapes(database))
  return openDatastore(database, {
    createClient: (one) => createClient(one, prepare),
    isPool: (one) => 'getConnection' in one,
    loadDescriber: (client) => loadTableDescriber(client, settings),
    replicas: settings.replicas,
  })
}

// Without prepared statements the client writes values into the text, with backslashes that must mean something there.
async function hasNoBackslashEscapes(database: Mysql2Database): Promise<boolean> {
  const rows = await createClient(database, true).query({ strings: ['select @@session.sql_mode as c0'], values: [] })
  return /NO_BACKSLASH_ESCAPES/.test(JSON.stringify(rows))
}

// A function that users have given for all statements would have a say in how values are read.
const typeCast: Mysql2Statement['typeCast'] = (_, next) => next()

function createClient(database: Mysql2Database, prepare: boolean): SqlClient {
  const promises = 'promise' in database ? database.promise() : database
  const run = async (statement: Statement, on: Mysql2Promises = promises): Promise<unknown> => {
    const values = statement.values as never[]
    const given: Mysql2Statement = { sql: formatStatement('mysql', statement), values, rowsAsArray: true, typeCast }
    // The protocol of prepared statements knows no savepoints.
    return (await (prepare && values.length > 0 ? on.execute(given) : on.query(given)))[0]
  }
  const rowsOn = (on: Mysql2Promises) => async (statement: Statement) => {
    const result = await run(statement, on)
    return Array.isArray(result) ? (result as readonly RawRow[]) : []
  }
  return {
    dialect: 'mysql',
    query: rowsOn(promises),
    withSignal: (signal) => createCancellableClient(promises, prepare, signal),
    ...(promises.getConnection && { snapshot: createSnapshot(promises, prepare) }),
    async batch(statements) {
      if (promises.getConnection !== undefined)
        return withConnection(promises, (connection) => runInTransaction(rowsOn(connection), statements, TRANSACTION))
      if (await isOutsideTransaction(rowsOn(promises))) throw createSharedConnectionError()
      return runInTransaction(rowsOn(promises), statements, SAVEPOINT)
    },
    async execute(statement) {
      const { affectedRows, insertId } = (await run(statement)) as Mysql2WriteResult
      return { affected: affectedRows, insertId }
    },
  }
}

async function withConnection<V>(promises: Mysql2Promises, work: (connection: Mysql2Promises) => Promise<V>): Promise<V> {
  const connection = await promises.getConnection?.()
  try {
    return await work(connection ?? promises)
  } finally {
    connection?.release()
  }
}

const createSnapshot =
  (promises: Mysql2Promises, prepare: boolean): NonNullable<SqlClient['snapshot']> =>
  (work, signal) =>
    withConnection(promises, (connection) => {
      const client = createClient(connection, prepare)
      const core = findMysql2Core(connection)
      return runInSnapshot(client, () => work(withCancellation(client, signal, async () => core && killMysql2Query(core))))
    })

function createCancellableClient(promises: Mysql2Promises, prepare: boolean, signal: AbortSignal): SqlClient {
  const on = <V>(work: (client: SqlClient) => Promise<V>): Promise<V> =>
    withConnection(promises, (connection) => {
      const core = findMysql2Core(connection)
      const cancel = async (): Promise<unknown> => core && killMysql2Query(core)
      return runCancellable(signal, () => work(createClient(connection, prepare)), cancel)
    })
  return {
    ...createClient(promises, prepare),
    query: (statement) => on(({ query }) => query(statement)),
    execute: (statement) => on(({ execute }) => execute(statement)),
  }
}

// MySQL does not tell, and takes a savepoint outside of a transaction without a word.
const isOutsideTransaction = async (run: SqlClient['query']): Promise<boolean> =>
  Number(
    await run(toStatement('select @@in_transaction as c0')).then(
      ([row]) => getValueAt(row),
      () => 0,
    ),
  ) === 0

/** The result of a statement that changes rows. */
interface Mysql2WriteResult {
  readonly affectedRows: number
  readonly insertId: unknown
}
