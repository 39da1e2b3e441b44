// The entry point `edict/mapper/better-sqlite3`: a datastore of the tables of a database that `better-sqlite3` has opened.
import type { RawRow } from '../../query/query.ts'
import { type PreparedStatement, type SqliteDatastore, openSqliteDatastore } from './sqlite-connection.ts'

/** A database that `better-sqlite3` has opened. */
export interface BetterSqlite3Database {
  /** Prepares a statement. */
  prepare(sql: string): BetterSqlite3Statement
}

/** A statement of `better-sqlite3`. */
export interface BetterSqlite3Statement {
  /** Whether it gives rows. */
  readonly reader: boolean
  /** Lets it give rows as lists. */
  raw(enabled: boolean): unknown
  /** Lets it give whole numbers as bigints, or not. */
  safeIntegers(enabled: boolean): unknown
  /** Gives all rows. */
  all(...values: never[]): unknown[]
  /** Changes rows. */
  run(...values: never[]): { readonly changes: number }
}

/** A datastore of the tables of a database that `better-sqlite3` has opened. */
export interface BetterSqlite3Datastore extends SqliteDatastore<BetterSqlite3Database> {}

/** Makes a datastore of a database that `better-sqlite3` has opened, after reading its tables from the catalogue. */
export const betterSqlite3Datastore = (database: BetterSqlite3Database): Promise<BetterSqlite3Datastore> =>
  openSqliteDatastore(database, { prepare: prepareStatement, reopen: reopenDatabase })

// Statements write whole numbers that a number cannot hold as texts, so that the others can be numbers, whatever a
// database was told to make of them.
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
  // A database without a name is temporary, or its client does not tell: another connection would see another one.
  const { name = '', memory } = database as { readonly name?: string; readonly memory?: boolean }
  if (memory !== false || name === '') return undefined
  const Database = database.constructor as new (name: string, options: object) => ReturnType<typeof reopenDatabase> & object
  return new Database(name, { readonly: true })
}
