// The entry point `edict/mapper/node-sqlite`: a datastore of the tables of a database that `node:sqlite` has opened.
import type { RawRow } from '../../query/query.ts'
import { type PreparedStatement, type SqliteDatastore, openSqliteDatastore } from './sqlite-connection.ts'

/** A database that `node:sqlite` has opened, a `DatabaseSync`. */
export interface NodeSqliteDatabase {
  /** Prepares a statement. */
  prepare(sql: string): NodeSqliteStatement
}

/** A statement of `node:sqlite`, a `StatementSync`. */
export interface NodeSqliteStatement {
  /** Lets it give whole numbers as bigints, or not. */
  setReadBigInts(enabled: boolean): void
  /** Lets it give rows as lists; versions before 22.16 cannot. */
  setReturnArrays?(enabled: boolean): void
  /** Gives all rows. */
  all(...values: never[]): unknown[]
  /** Changes rows. */
  run(...values: never[]): { readonly changes: number | bigint }
}

/** A datastore of the tables of a database that `node:sqlite` has opened. */
export interface NodeSqliteDatastore extends SqliteDatastore<NodeSqliteDatabase> {}

/** Makes a datastore of a database that `node:sqlite` has opened, after reading its tables from the catalogue. */
export const nodeSqliteDatastore = (database: NodeSqliteDatabase): Promise<NodeSqliteDatastore> =>
  openSqliteDatastore(database, { prepare: prepareStatement, reopen: reopenDatabase })

// Statements write whole numbers that a number cannot hold as texts, so that the others can be numbers, whatever a
// database was told to make of them.
function prepareStatement(database: NodeSqliteDatabase, sql: string): PreparedStatement {
  const statement = database.prepare(sql)
  statement.setReadBigInts(false)
  statement.setReturnArrays?.(true)
  return {
    all: (values) => statement.all(...(values as never[])) as RawRow[],
    run: (values) => Number(statement.run(...(values as never[])).changes),
  }
}

// Versions before 22.16 do not tell the file of a database.
function reopenDatabase(database: NodeSqliteDatabase): (NodeSqliteDatabase & { close(): void }) | undefined {
  const { location } = database as { readonly location?: () => string | null }
  const file = location?.call(database) ?? null
  if (file === null) return undefined
  const Database = database.constructor as new (file: string, options: object) => ReturnType<typeof reopenDatabase> & object
  return new Database(file, { readOnly: true })
}
