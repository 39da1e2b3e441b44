// The interface between the shared SQL writer (datastore.ts) and the client of a database.
import type { Column, Comparison, CursorValue, RawRow, Table } from '../../query/query.ts'

/** The three families of SQL that are written. */
export type DialectName = 'sqlite' | 'postgres' | 'mysql'

/** The result of a comparison: true or false for every value of the column, or another comparison. */
export type FoldedComparison = 'always' | 'never' | { readonly op: Comparison; readonly value: unknown }

/** Decides or rewrites a comparison with a value; undefined where it stands as it is. */
export type ComparisonFold = (op: Comparison, value: unknown) => FoldedComparison | undefined

/** A column of a database: how its values are bound and read. */
export interface SqlColumn extends Column {
  /** The name as it is written in SQL, quoted. */
  readonly sqlName: string
  /** Turns a value of the column's kind into what the client binds. */
  encode(value: unknown): unknown
  /** Turns a value into what it is compared with, where `encode` would round it to what the column can have. */
  encodeForComparison?(value: unknown): unknown
  /** Decides or rewrites comparisons with values that the column cannot hold. */
  readonly foldComparison?: ComparisonFold
  /** Turns what the client gives into a value of the column's kind. */
  decode(raw: unknown): unknown
  /** Writes how the column is read, where the client would lose something of its plain value; it then gives text. */
  toSelectSql?(expression: string): string
  /** Writes how the column is read where its places are asked for, if its values can do with less. */
  toCursorSql?(expression: string): string
  /** The SQL around every bound value and place of it, where a bare one would be taken for something else. */
  readonly parameterSql?: readonly [before: string, after: string]
  /** The name of its type, where a bound value alone may be told that it is one; no value of it has a comma. */
  readonly type?: string
  /** The most characters of a text, where the database sorts texts by their beginnings unless it is told otherwise. */
  readonly sortLength?: number
  /** Turns what the client gives into a place, where the value as it is would not do. */
  toCursorValue?(raw: unknown): CursorValue
  /** Gives what is bound for a place, with the SQL around it, where that is not what is bound for a value. */
  bindCursorValue?(place: CursorValue): { readonly value: unknown; readonly parameterSql?: readonly [before: string, after: string] }
  /** Writes a comparison with what would be bound, where the database's own is not exact. */
  writeComparison?(expression: string, op: Comparison, value: unknown): Statement
  /** Gives the value of a new row that has none, where the client's users expect that it is made here. */
  defaultFn?(): unknown
  /** Gives the value of a changed row for which none was set, where the client's users expect that it is made here. */
  onUpdateFn?(): unknown
}

/** A table of a database. */
export interface SqlTable<T = unknown> extends Table<T> {
  readonly columns: ReadonlyMap<string, SqlColumn>
  /** The name as it is written in SQL, quoted, with its schema where it has one. */
  readonly sqlName: string
  /** Its indexes, as they were when the catalogue was read. */
  readonly indexes?: readonly SqlIndex[]
  /** The text behind its name in a query that has to be led to an index. */
  readonly indexHint?: string
}

/** An index of a table. */
export interface SqlIndex {
  /** The name as it is written in SQL, quoted. */
  readonly sqlName: string
  /** Its columns, and behind them those of the key where the database adds them. */
  readonly columns: readonly SqlIndexColumn[]
}

/** A column of an index. */
export interface SqlIndexColumn {
  readonly column: SqlColumn
  readonly descending: boolean
}

/** SQL text with gaps, and the values that are bound in them: one text more than values. */
export interface Statement {
  readonly strings: readonly string[]
  readonly values: readonly unknown[]
}

/** The result of a statement that changes rows. */
export interface WriteResult {
  /** How many rows the statement's condition found. */
  readonly affected: number
  /** The generated key of a new row, in databases that cannot return it otherwise. */
  readonly insertId?: unknown
}

/** A database client: a pool, a connection, or a transaction of one. */
export interface SqlClient {
  readonly dialect: DialectName
  /** Runs a statement and gives its rows: lists of values, or objects with one for each name, `c0`, `c1`, … */
  query(statement: Statement): Promise<readonly RawRow[]>
  /** Runs a statement that changes rows. */
  execute(statement: Statement): Promise<WriteResult>
  /** Runs statements on one connection, all or none of them, and gives the rows of each. */
  batch(statements: readonly Statement[]): Promise<readonly (readonly RawRow[])[]>
  /** The same client, whose statements the database ends once the signal is aborted. */
  withSignal?(signal: AbortSignal): SqlClient
  /**
   * Runs work with a client whose reads all see the database as it is at one moment, and whose statements the database ends
   * once the signal is aborted; absent where there is none, and where it would keep others from the only connection.
   */
  snapshot?<V>(work: (within: SqlClient) => Promise<V>, signal?: AbortSignal): Promise<V>
}
