// The entry point `edict/mapper/mysql2`: a datastore of the tables that a pool, or a connection, of `mysql2` reaches.
import { form } from '../../../../extend.ts'
import type { Datastore, RawRow } from '../../query.ts'
import { bracketed, command, SAVEPOINT, TRANSACTION, unshared } from '../sql/batch.ts'
import { cancelledBy, killMysql2, mysql2Core, whileWanted } from '../sql/cancel.ts'
import { databaseStore } from '../sql/databases.ts'
import { valueIn } from '../sql/rows.ts'
import { inSnapshot } from '../sql/snapshot.ts'
import type { SqlClient, Statement } from '../sql/sql.ts'
import { textOf } from '../sql/text.ts'
import { describedBy, PLAIN_FIELDS, type PlainOptions } from './plain.ts'

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
export interface Mysql2Options extends PlainOptions {
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

const FIELDS: form.Fields<Mysql2Options> = {
  ...PLAIN_FIELDS,
  prepare: form.flag,
  replicas: form.list(form.structure),
}

/** Makes a datastore of a pool of `mysql2`, or of one of its connections, after reading its tables from the catalogue. */
export async function mysql2Datastore(database: Mysql2Database, options: Mysql2Options = {}): Promise<Mysql2Datastore> {
  const settings = form.settled('mysql2Datastore', options, FIELDS)
  const prepare = settings.prepare || (await isWithoutEscapes(database))
  return databaseStore(database, {
    clientOf: (one) => clientOf(one, prepare),
    isPool: (one) => 'getConnection' in one,
    described: (client) => describedBy(client, settings),
    replicas: settings.replicas,
  })
}

// Without prepared statements the client writes values into the text, with backslashes that must mean something there.
async function isWithoutEscapes(database: Mysql2Database): Promise<boolean> {
  const rows = await clientOf(database, true).query({ strings: ['select @@session.sql_mode as c0'], values: [] })
  return /NO_BACKSLASH_ESCAPES/.test(JSON.stringify(rows))
}

// A function that users have given for all statements would have a say in how values are read.
const typeCast: Mysql2Statement['typeCast'] = (_, next) => next()

function clientOf(database: Mysql2Database, prepare: boolean): SqlClient {
  const promises = 'promise' in database ? database.promise() : database
  const run = async (statement: Statement, on: Mysql2Promises = promises): Promise<unknown> => {
    const values = statement.values as never[]
    const given: Mysql2Statement = { sql: textOf('mysql', statement), values, rowsAsArray: true, typeCast }
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
    cancellable: (signal) => cancelled(promises, prepare, signal),
    ...(promises.getConnection && { snapshot: snapshotOf(promises, prepare) }),
    async batch(statements) {
      if (promises.getConnection !== undefined)
        return connected(promises, (connection) => bracketed(rowsOn(connection), statements, TRANSACTION))
      if (await isOutside(rowsOn(promises))) throw unshared()
      return bracketed(rowsOn(promises), statements, SAVEPOINT)
    },
    async execute(statement) {
      const { affectedRows, insertId } = (await run(statement)) as Header
      return { affected: affectedRows, insertId }
    },
  }
}

async function connected<V>(promises: Mysql2Promises, work: (connection: Mysql2Promises) => Promise<V>): Promise<V> {
  const connection = await promises.getConnection?.()
  try {
    return await work(connection ?? promises)
  } finally {
    connection?.release()
  }
}

const snapshotOf =
  (promises: Mysql2Promises, prepare: boolean): NonNullable<SqlClient['snapshot']> =>
  (work, signal) =>
    connected(promises, (connection) => {
      const client = clientOf(connection, prepare)
      const core = mysql2Core(connection)
      return inSnapshot(client, () => work(cancelledBy(client, signal, async () => core && killMysql2(core))))
    })

function cancelled(promises: Mysql2Promises, prepare: boolean, signal: AbortSignal): SqlClient {
  const on = <V>(work: (client: SqlClient) => Promise<V>): Promise<V> =>
    connected(promises, (connection) => {
      const core = mysql2Core(connection)
      const cancel = async (): Promise<unknown> => core && killMysql2(core)
      return whileWanted(signal, () => work(clientOf(connection, prepare)), cancel)
    })
  return {
    ...clientOf(promises, prepare),
    query: (statement) => on(({ query }) => query(statement)),
    execute: (statement) => on(({ execute }) => execute(statement)),
  }
}

// MySQL does not tell, and takes a savepoint outside of a transaction without a word.
const isOutside = async (run: SqlClient['query']): Promise<boolean> =>
  Number(
    await run(command('select @@in_transaction as c0')).then(
      ([row]) => valueIn(row),
      () => 0,
    ),
  ) === 0

/** The result of a statement that changes rows. */
interface Header {
  readonly affectedRows: number
  readonly insertId: unknown
}
