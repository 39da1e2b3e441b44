// The entry point `edict/mapper/mysql2`: a datastore of the tables of a `mysql2` pool or connection.
import { form, readProperty } from '../../../extend.ts'
import type { Datastore, RawRow } from '../../query/query.ts'
import { openDatastore } from '../open-datastore.ts'
import { findMysql2Core, killMysql2Query } from '../sql/cancel.ts'
import { createConnectionClient } from '../sql/one-connection.ts'
import { type CancellableConnection, createPooledClient } from '../sql/pooled-client.ts'
import type { SqlClient, Statement } from '../sql/sql.ts'
import { formatStatement } from '../sql/sql-text.ts'
import { DRIVER_FIELDS, type DriverOptions, loadTableDescriber } from './drivers.ts'

/** A pool or a connection of `mysql2/promise`, or of `mysql2`. */
export type Mysql2Database = Mysql2Promises | { promise(): Mysql2Promises }

/** A pool or a connection of `mysql2/promise`. */
export interface Mysql2Promises {
  /** Runs a statement into which the client has written the values. */
  query(statement: Mysql2Statement): Promise<readonly [unknown, unknown]>
  /** Runs a prepared statement. */
  execute(statement: Mysql2Statement): Promise<readonly [unknown, unknown]>
  /** Returns a connection of a pool. */
  getConnection?(): Promise<Mysql2Connection>
}

/** A connection of a pool, until it is released. */
export interface Mysql2Connection extends Mysql2Promises {
  /** Returns the connection to the pool. */
  release(): void
}

/** A statement for `mysql2`. */
export interface Mysql2Statement {
  sql: string
  values: never[]
  rowsAsArray: true
  typeCast(field: unknown, next: () => unknown): unknown
}

/** The options of a `mysql2` datastore. */
export interface Mysql2Options extends DriverOptions {
  /**
   * Whether connections keep their statements prepared, at most `maxPreparedStatements` of the client.
   * @default `false`, and `true` where `sql_mode` has `NO_BACKSLASH_ESCAPES`
   */
  readonly prepare?: boolean
  /**
   * Pools of replicas, one for each node: reads run on them, writes on the database itself.
   * @default none
   * @see docs/guide/scaling-out.md
   */
  readonly replicas?: readonly Mysql2Database[]
}

/** A datastore of the tables of a `mysql2` pool. */
export interface Mysql2Datastore extends Datastore<string> {
  /** Returns a datastore of the same tables on another connection: one in a transaction, or another pool. */
  withDatabase(database: Mysql2Database): Mysql2Datastore
}

const MYSQL2_FIELDS: form.Fields<Mysql2Options> = {
  ...DRIVER_FIELDS,
  prepare: form.flag,
  replicas: form.list(form.structure),
}

/** Creates a datastore of a `mysql2` pool or connection: reads its tables from the catalogue first. */
export async function mysql2Datastore(database: Mysql2Database, options: Mysql2Options = {}): Promise<Mysql2Datastore> {
  const settings = form.validateSettings('mysql2Datastore', options, MYSQL2_FIELDS)
  const prepare = settings.prepare || (await hasNoBackslashEscapes(database))
  return openDatastore(database, {
    createClient: (one) => createClient(one, prepare),
    isPool: (one) => 'getConnection' in one,
    isDatabase: (one) => ['execute', 'promise'].some((name) => typeof readProperty(one, name) === 'function'),
    loadDescriber: (client) => loadTableDescriber(client, settings),
    replicas: settings.replicas,
  })
}

// Without prepared statements, the client escapes values with backslashes, which this mode would read literally.
async function hasNoBackslashEscapes(database: Mysql2Database): Promise<boolean> {
  const rows = await createClient(database, true).query({ strings: ['select @@session.sql_mode as c0'], values: [] })
  return /NO_BACKSLASH_ESCAPES/.test(JSON.stringify(rows))
}

// Overrides a `typeCast` function that users have set for all statements.
const typeCast: Mysql2Statement['typeCast'] = (_, next) => next()

function createClient(database: Mysql2Database, prepare: boolean): SqlClient {
  const promises = 'promise' in database ? database.promise() : database
  const statements = createConnection(promises, prepare)
  // `promise()` makes a new object each time.
  if (!isPool(promises)) return createConnectionClient(database, statements, () => isInTransaction(promises))
  return createPooledClient(statements, (work) =>
    withConnection(promises, (connection) => work(createConnection(connection, prepare))),
  )
}

function createConnection(promises: Mysql2Promises, prepare: boolean): CancellableConnection {
  const core = findMysql2Core(promises)
  const run = async (statement: Statement): Promise<unknown> => {
    const values = statement.values as never[]
    const options: Mysql2Statement = { sql: formatStatement('mysql', statement), values, rowsAsArray: true, typeCast }
    // The prepared-statement protocol does not support savepoints.
    return (await (prepare && values.length > 0 ? promises.execute(options) : promises.query(options)))[0]
  }
  return {
    dialect: 'mysql',
    async query(statement) {
      const result = await run(statement)
      return Array.isArray(result) ? (result as readonly RawRow[]) : []
    },
    async execute(statement) {
      const { affectedRows, insertId } = (await run(statement)) as Mysql2WriteResult
      return { affected: affectedRows, insertId }
    },
    cancel: async () => core && killMysql2Query(core),
  }
}

interface Mysql2Pool extends Mysql2Promises {
  getConnection(): Promise<Mysql2Connection>
}

const isPool = (promises: Mysql2Promises): promises is Mysql2Pool => promises.getConnection !== undefined

async function withConnection<V>(pool: Mysql2Pool, work: (connection: Mysql2Promises) => Promise<V>): Promise<V> {
  const connection = await pool.getConnection()
  try {
    return await work(connection)
  } finally {
    connection.release()
  }
}

// MySQL has no `@@in_transaction`, and accepts a savepoint outside of a transaction without an error. The status comes with
// every response.
async function isInTransaction(promises: Mysql2Promises): Promise<boolean> {
  const [{ serverStatus }] = (await promises.query({ sql: 'do 0', values: [], rowsAsArray: true, typeCast })) as [
    { readonly serverStatus: number },
    unknown,
  ]
  return (serverStatus & STATUS_IN_TRANSACTION) !== 0
}

const STATUS_IN_TRANSACTION = 1

/** The result of a statement that changes rows. */
interface Mysql2WriteResult {
  readonly affectedRows: number
  readonly insertId: unknown
}
