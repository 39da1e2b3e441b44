// The interface between the shared SQL datastore (sql-datastore.ts) and the client of a database.
import type {
  Aggregate,
  Column,
  ColumnValues,
  Comparison,
  Count,
  CursorValue,
  Exists,
  Filter,
  IndexableList,
  Join,
  OrderStep,
  PerKeyLimit,
  RawRow,
  Reference,
  Select,
  Table,
  Upsert,
} from '../../query/query.ts'

/** The supported SQL dialects. */
export type DialectName = 'sqlite' | 'postgres' | 'mysql'

/** The result of a comparison: true or false for every value of the column, or another comparison. */
export type FoldedComparison = 'always' | 'never' | { readonly op: Comparison; readonly value: unknown }

/** Decides or rewrites a comparison with a value; undefined if it needs neither. */
export type ComparisonFold = (op: Comparison, value: unknown) => FoldedComparison | undefined

/** A column of a SQL database, with the functions that bind and read its values. */
export interface SqlColumn extends Column {
  /** The quoted name; for an expression, the type that it is cast to. */
  readonly sqlName: string
  /** The column whose least or greatest value this is. */
  readonly extremeOf?: SqlColumn
  /** Converts a value of the column's kind into the value that the client binds. */
  encode(value: unknown): unknown
  /** Converts a value for a comparison, where `encode` would round it to one that the column can hold. */
  encodeForComparison?(value: unknown): unknown
  /** Decides or rewrites comparisons with values that the column cannot hold. */
  readonly rewriteComparison?: ComparisonFold
  /** Converts a value from the client into a value of the column's kind. */
  decode(raw: unknown): unknown
  /** Writes the expression that selects the column, where the client would lose precision; its result is a text. */
  toSelectSql?(expression: string): string
  /** Writes the expression that selects the column for a cursor, if its values need no such expression. */
  toCursorSql?(expression: string): string
  /** The SQL around every bound value and cursor value, where the database would otherwise infer another type. */
  readonly parameterWrapper?: readonly [before: string, after: string]
  /** The name of its type, if a bound value can be cast to it; none of its values contains a comma. */
  readonly type?: string
  /** The most characters of a text, if the database sorts texts by their beginnings unless configured otherwise. */
  readonly maxTextLength?: number
  /** Converts a value from the client into a cursor value, where the value itself is not suitable. */
  toCursorValue?(raw: unknown): CursorValue
  /** Returns the value to bind for a cursor value, and the SQL around it, where they differ from those of a value. */
  bindCursorValue?(cursorValue: CursorValue): {
    readonly value: unknown
    readonly parameterWrapper?: readonly [before: string, after: string]
  }
  /** Writes a comparison with a bound value, where the comparison of the database is not exact. */
  writeComparison?(expression: string, op: Comparison, value: unknown): Statement
  /** Returns the value for a new row without one, where users of the client expect it to be generated here. */
  defaultFn?(): unknown
  /** Returns the value for a changed row that sets none, where users of the client expect it to be generated here. */
  onUpdateFn?(): unknown
}

/** A table of a database. */
export interface SqlTable<T = unknown> extends Table<T> {
  readonly columns: ReadonlyMap<string, SqlColumn>
  /** The quoted name, with its schema if it has one. */
  readonly sqlName: string
  /** Its indexes at the time when the catalogue was read. */
  readonly indexes?: readonly SqlIndex[]
  /** The SQL after its name in a query that must use a certain index. */
  readonly indexHint?: string
}

/** The tables and columns of SQL databases, in the types of queries. */
interface SqlDescribed<T = unknown> {
  readonly table: SqlTable<T>
  readonly column: SqlColumn
}

export type SqlReference = Reference<SqlColumn>
export type SqlOrderStep = OrderStep<SqlColumn>
export type SqlPerKeyLimit = PerKeyLimit<SqlColumn>
export type SqlColumnValues = ColumnValues<SqlColumn>
export type SqlFilter<T = unknown> = Filter<T, SqlDescribed<T>>
export type SqlExists<T = unknown> = Exists<T, SqlDescribed<T>>
export type SqlJoin<T = unknown> = Join<T, SqlDescribed<T>>
export type SqlAggregate<T = unknown> = Aggregate<T, SqlDescribed<T>>
/** A join for one value of all its rows. */
export type SqlAggregateJoin<T = unknown> = SqlJoin<T> & { readonly aggregate: SqlAggregate<T> }
export type SqlCount<T = unknown> = Count<T, SqlDescribed<T>>
export type SqlSelect<T = unknown> = Select<T, SqlDescribed<T>>
export type SqlUpsert<T = unknown> = Upsert<T, SqlDescribed<T>>
export type SqlIndexableList<T = unknown> = IndexableList<T, SqlDescribed<T>>

/** An index of a table. */
export interface SqlIndex {
  /** The quoted name. */
  readonly sqlName: string
  /** Its columns, followed by those of the key if the database appends them. */
  readonly columns: readonly SqlIndexColumn[]
}

/** A column of an index. */
export interface SqlIndexColumn {
  readonly column: SqlColumn
  readonly descending: boolean
}

/** SQL text with gaps, and the values that are bound in them: there is one more string than values. */
export interface Statement {
  readonly strings: readonly string[]
  readonly values: readonly unknown[]
}

/** The result of a statement that changes rows. */
export interface WriteResult {
  /** The number of rows that the condition of the statement found. */
  readonly affected: number
  /** The generated key of a new row, in databases that cannot return it otherwise. */
  readonly insertId?: unknown
}

/** A database client: a pool, a connection, or a transaction. */
export interface SqlClient {
  readonly dialect: DialectName
  /** Runs a statement and returns its rows: arrays of values, or objects with the keys `c0`, `c1`, … */
  query(statement: Statement): Promise<readonly RawRow[]>
  /** Runs a statement that changes rows. */
  execute(statement: Statement): Promise<WriteResult>
  /** Runs statements on one connection, all or none of them, and returns the rows of each. */
  batch(statements: readonly Statement[]): Promise<readonly (readonly RawRow[])[]>
  /**
   * Runs work with a client whose statements are one transaction, which is rolled back if the work throws. In a transaction
   * that has already begun it is a savepoint.
   */
  transaction?<V>(work: (within: SqlClient) => Promise<V>): Promise<V>
  /** Returns the same client, whose statements the database cancels once the signal is aborted. */
  withSignal?(signal: AbortSignal): SqlClient
  /**
   * Runs work with a client whose reads all see the database at one moment, and whose statements the database cancels once the
   * signal is aborted; undefined if snapshots are not supported, or would block the only connection.
   */
  snapshot?<V>(work: (within: SqlClient) => Promise<V>, signal?: AbortSignal): Promise<V>
}
