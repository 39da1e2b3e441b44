// The entry point `edict/mapper/better-sqlite3`: a datastore of a `better-sqlite3` database.
import type { RawRow } from '../../query/query.ts'
import { openSqliteDatastore, type PreparedStatement, type SqliteDatastore } from './sqlite-connection.ts'

/** A database of `better-sqlite3`. */
export interface BetterSqlite3Database {
  /** Prepares a statement. */
  prepare(sql: string): BetterSqlite3Statement
}

/** A statement of `better-sqlite3`. */
export interface BetterSqlite3Statement {
  /** Whether it returns rows. */
  readonly reader: boolean
  /** Makes it return rows as arrays. */
  raw(enabled: boolean): unknown
  /** Sets whether it returns integers as bigints. */
  safeIntegers(enabled: boolean): unknown
  /** Returns all rows. */
  all(...values: never[]): unknown[]
  /** Changes rows. */
  run(...values: never[]): { readonly changes: number }
}

/** A datastore of the tables of a `better-sqlite3` database. */
export interface BetterSqlite3Datastore extends SqliteDatastore<BetterSqlite3Database> {}

/** Creates a datastore of a `better-sqlite3` database: reads its tables from the catalogue first. */
export const betterSqlite3Datastore = (database: BetterSqlite3Database): Promise<BetterSqlite3Datastore> =>
  openSqliteDatastore(database, { prepare: prepareStatement, reopen: reopenDatabase })

// Statements select integers that a JavaScript number cannot hold as texts, so that all others can be numbers, whatever
// the database was configured to return.
function prepareStatement(database: BetterSqlite3Database, sql: string): PreparedStatement {
  const statement = database.prepare(sql)
  if (statement.reader) statement.raw(true)
  statement.safeIntegers(false)
  return {
    all: (values) => statement.all(...(values as never[])) as RawRow[],
    run: (values) => statement.run(...(values as never[])).changes,
  }
}

function reopenDatabase(database: BetterSqlite3Database): (BetterSqlite3Database & { close(): void }) | undefined {
  // A database without a name is temporary, or its client does not report one: another connection would see another database.
  const { name = '', memory } = database as { readonly name?: string; readonly memory?: boolean }
  if (memory !== false || name === '') return undefined
  const Database = database.constructor as new (
    name: string,
    options: object,
  ) => ReturnType<typeof reopenDatabase> & object
  return new Database(name, { readonly: true })
}
