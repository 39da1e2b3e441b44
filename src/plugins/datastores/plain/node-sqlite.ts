// The entry point `edict/mapper/node-sqlite`: a datastore of a `node:sqlite` database.
import type { RawRow } from '../../query/query.ts'
import { openSqliteDatastore, type PreparedStatement, type SqliteDatastore } from './sqlite-connection.ts'

/** A database of `node:sqlite`, a `DatabaseSync`. */
export interface NodeSqliteDatabase {
  /** Prepares a statement. */
  prepare(sql: string): NodeSqliteStatement
}

/** A statement of `node:sqlite`, a `StatementSync`. */
export interface NodeSqliteStatement {
  /** Sets whether it returns integers as bigints. */
  setReadBigInts(enabled: boolean): void
  /** Makes it return rows as arrays; not available before Node 22.16. */
  setReturnArrays?(enabled: boolean): void
  /** Returns all rows. */
  all(...values: never[]): unknown[]
  /** Changes rows. */
  run(...values: never[]): { readonly changes: number | bigint }
}

/** A datastore of the tables of a `node:sqlite` database. */
export interface NodeSqliteDatastore extends SqliteDatastore<NodeSqliteDatabase> {}

/** Creates a datastore of a `node:sqlite` database: reads its tables from the catalogue first. */
export const nodeSqliteDatastore = (database: NodeSqliteDatabase): Promise<NodeSqliteDatastore> =>
  openSqliteDatastore(database, { prepare: prepareStatement, reopen: reopenDatabase })

// Statements select integers that a JavaScript number cannot hold as texts, so that all others can be numbers, whatever
// the database was configured to return.
function prepareStatement(database: NodeSqliteDatabase, sql: string): PreparedStatement {
  const statement = database.prepare(sql)
  statement.setReadBigInts(false)
  statement.setReturnArrays?.(true)
  return {
    all: (values) => statement.all(...(values as never[])) as RawRow[],
    run: (values) => Number(statement.run(...(values as never[])).changes),
  }
}

// Versions before 22.16 do not report the file of a database.
function reopenDatabase(database: NodeSqliteDatabase): (NodeSqliteDatabase & { close(): void }) | undefined {
  const { location } = database as { readonly location?: () => string | null }
  const file = location?.call(database) ?? null
  if (file === null) return undefined
  const Database = database.constructor as new (
    file: string,
    options: object,
  ) => ReturnType<typeof reopenDatabase> & object
  return new Database(file, { readOnly: true })
}
