// The entry point `edict/mapper/mysql2`: a datastore of the tables that a pool, or a connection, of `mysql2` reaches.
import { form } from '../../../../extend.ts'
import type { Datastore, RawRow } from '../../query.ts'
import { sqlDatastore } from '../sql/datastore.ts'
import type { SqlClient, Statement } from '../sql/sql.ts'
import { textOf } from '../sql/text.ts'
import { type Describe, describedBy, PLAIN_FIELDS, type PlainOptions, preparing } from './plain.ts'

/** A pool or a connection of `mysql2/promise`; or one of `mysql2`, which can give such a one. */
export type Mysql2Database = Mysql2Promises | { promise(): Mysql2Promises }

/** A pool or a connection of `mysql2/promise`. */
export interface Mysql2Promises {
  /** Runs a statement in which the client has written the values. */
  query(statement: Mysql2Statement): Promise<readonly [unknown, unknown]>
  /** Runs a statement that the database has prepared. */
  execute(statement: Mysql2Statement): Promise<readonly [unknown, unknown]>
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
   * Whether connections keep their statements prepared; a server has a limit for them, which many connections may reach.
   * @default `false`
   */
  readonly prepare?: boolean
}

/** A datastore of the tables that a pool of `mysql2` reaches. */
export interface Mysql2Datastore extends Datastore<string> {
  /** The same tables through another connection: the one that has a transaction, or another pool on the same database. */
  withDatabase(database: Mysql2Database): Mysql2Datastore
}

const FIELDS: form.Fields<Mysql2Options> = { ...PLAIN_FIELDS, prepare: form.flag }

/** Makes a datastore of a pool of `mysql2`, or of one of its connections, after reading what the database tells of its tables. */
export async function mysql2Datastore(database: Mysql2Database, options: Mysql2Options = {}): Promise<Mysql2Datastore> {
  const settings = form.settled('mysql2Datastore', options, FIELDS)
  const isPrepared = preparing(settings.prepare ?? false)
  const describe = await describedBy(clientOf(database, isPrepared), settings)
  return through(database, isPrepared, describe)
}

type IsPrepared = ReturnType<typeof preparing>

function through(database: Mysql2Database, isPrepared: IsPrepared, describe: Describe): Mysql2Datastore {
  const datastore = sqlDatastore(clientOf(database, isPrepared), describe)
  return { ...datastore, withDatabase: (other) => through(other, isPrepared, describe) }
}

// A function that users have given for all statements would have a say in how values are read.
const typeCast: Mysql2Statement['typeCast'] = (_, next) => next()

function clientOf(database: Mysql2Database, isPrepared: IsPrepared): SqlClient {
  const promises = 'promise' in database ? database.promise() : database
  const run = async (statement: Statement): Promise<unknown> => {
    const sql = textOf('mysql', statement)
    const given: Mysql2Statement = { sql, values: statement.values as never[], rowsAsArray: true, typeCast }
    const prepared = isPrepared(sql) !== undefined
    return (await (prepared ? promises.execute(given) : promises.query(given)))[0]
  }
  return {
    dialect: 'mysql',
    query: async (statement) => (await run(statement)) as readonly RawRow[],
    async execute(statement) {
      const { affectedRows, insertId } = (await run(statement)) as Header
      return { affected: affectedRows, insertId }
    },
  }
}

/** What is given for a statement that changes rows. */
interface Header {
  readonly affectedRows: number
  readonly insertId: unknown
}
