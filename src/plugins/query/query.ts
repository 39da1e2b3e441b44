// The database-independent query tree, and the interface of a datastore. Lists, filters and field selection build the
// tree; a datastore translates it. The memory datastore defines its semantics.
import type { StatementObserver } from '../../extend.ts'
import type { IndexUseReport } from './index-use.ts'
import type { Replication } from './replication.ts'
import type { Snapshot } from './snapshot.ts'
import type { StatementAccess } from './statement-access.ts'

/**
 * The kind of a column's values: `text` and `time` as strings, `integer` as numbers, `bigint` as bigints, `decimal` as its
 * exact text, `date` as YYYY-MM-DD, `dateTime` as a Date, `json` as parsed JSON, `bytes` as Uint8Array; `other` is passed through.
 */
export type ColumnKind =
  | 'text'
  | 'integer'
  | 'bigint'
  | 'number'
  | 'decimal'
  | 'boolean'
  | 'date'
  | 'dateTime'
  | 'time'
  | 'json'
  | 'bytes'
  | 'other'

/** A column of a table. */
export interface Column {
  readonly name: string
  readonly kind: ColumnKind
  readonly nullable: boolean
  /** Whether an insert may omit it: it is nullable, generated, or has a default. */
  readonly optional: boolean
  /** Whether the database computes it from other columns of the row, so that it cannot be written. */
  readonly readOnly?: boolean
  /** The integers that fit into it; a comparison with one outside is decided without the datastore. */
  readonly range?: readonly [least: bigint, greatest: bigint]
  /** The number of decimal digits that it stores exactly; all of them if absent. */
  readonly digits?: number
  /** The reason why lists cannot be ordered by it: the datastore has no exact order of its values. */
  readonly unorderedReason?: string
  /** The expression of a computed column, which the table itself does not have. */
  readonly derived?: Derived
  /** Set if its values are those of an aggregate: it is a column of a join with this aggregate, and of no table. */
  readonly aggregate?: AggregateOperation
  /** Returns whether a value from a link is a valid cursor value of this column. */
  isCursorValue(value: unknown): boolean
  /** Filters the rows whose cursor value may have these ends, if its text differs from that of the value. */
  filterByTruncatedValue?(reference: Reference, ends: TruncatedValue): Filter
}

/** The source of a computed column: an SQL expression, and the function for other datastores. */
export interface Derived {
  readonly columns: readonly Column[]
  /** Returns the SQL expression; `written` are the columns in SQL. */
  sql(written: readonly string[]): string
  /** Returns the value; null for none. */
  run(values: readonly unknown[]): unknown
}

/** A table of a datastore; T is the type by which the datastore's users name tables. */
export interface Table<T = unknown> {
  readonly name: string
  readonly source: T
  readonly columns: ReadonlyMap<string, Column>
  /** The names of the columns of the primary key. */
  readonly key: readonly string[]
  /** Identifies rows if the key is missing or may be null. */
  readonly rowId?: Column
  /** Further unique sets of columns; absent if the datastore cannot know them, as for a view. */
  readonly unique?: readonly (readonly string[])[]
}

/** The types of a datastore's tables and columns, which may have members that lists do not need. */
export interface Described<T = unknown> {
  readonly table: Table<T>
  readonly column: Column
}

/** A column of one of a query's tables: 0 is `from`, 1 the first joined table, and so on. */
export interface Reference<C extends Column = Column> {
  readonly source: number
  readonly column: C
  /** Set if the column is also read for cursor values, which may require more than its values. */
  readonly forCursor?: true
}

/** An operation on all matching rows: their number, whether there are any, the sum or an extreme of a column. */
export type AggregateOperation = 'count' | 'exists' | 'sum' | 'min' | 'max'

/** One value of all rows that match; null values of the column are ignored. */
export interface Aggregate<T = unknown, D extends Described = Described<T>> {
  readonly operation: AggregateOperation
  /** The kind of the value. */
  readonly kind: ColumnKind
  /** The column that is summed or compared; undefined for `count` and `exists`. The sum of no values is 0. */
  readonly of?: Reference<D['column']> | undefined
  /** Further tables of the matching rows: a separate scope, in which 0 is the table of the join. */
  readonly joins: readonly Join<T, D>[]
  readonly filter?: Filter<T, D> | undefined
  /** A column of the row that the value belongs to, which is null only if a join has not found this row: it has no value then. */
  readonly owner?: Reference<D['column']> | undefined
}

/** A left join: adds at most one row of a table to each row of the tables before it. */
export interface Join<T = unknown, D extends Described = Described<T>> {
  readonly table: D['table']
  readonly on: readonly (readonly [Reference<D['column']>, D['column']])[]
  /** The condition on the rows of the table, which it references by its position among the tables. */
  readonly where?: Filter<T, D> | undefined
  /** Set if the rows of the table are not joined, but one value of all of them; references to it have a column of `aggregate`. */
  readonly aggregate?: Aggregate<T, D> | undefined
}

/** A comparison of two values; null is neither equal to, less nor greater than a value. */
export type Comparison = '=' | '<' | '<=' | '>' | '>='

/** An exact position in the order of a column; any JSON scalar. */
export type CursorValue = string | number | boolean | null

/** The beginning and the end of a cursor value that is too long for a link. */
export type TruncatedValue = readonly [beginning: string, end: string]

/** A condition on rows. Its result is true or false for every row, also for one with nulls. */
export type Filter<T = unknown, D extends Described = Described<T>> =
  /** All of them; true if empty. */
  | { readonly op: 'and'; readonly of: readonly Filter<T, D>[] }
  /** At least one of them; false if empty. */
  | { readonly op: 'or'; readonly of: readonly Filter<T, D>[] }
  | { readonly op: Comparison; readonly reference: Reference<D['column']>; readonly value: unknown }
  /** The same with a cursor value, which may be more precise than the value. */
  | { readonly op: Comparison; readonly reference: Reference<D['column']>; readonly cursorValue: CursorValue }
  /** The rows whose value differs, nulls included. */
  | { readonly op: '!='; readonly reference: Reference<D['column']>; readonly value: unknown }
  | { readonly op: 'in' | 'not in'; readonly reference: Reference<D['column']>; readonly values: readonly unknown[] }
  | { readonly op: 'null' | 'not null'; readonly reference: Reference<D['column']> }
  | { readonly op: 'like' | 'not like'; readonly reference: Reference<D['column']>; readonly pattern: Pattern }
  /** The text contains another without regard to case, by Unicode's simple case folding. */
  | { readonly op: 'contains' | 'not contains'; readonly reference: Reference<D['column']>; readonly text: string }
  /** A full-text search in columns of the same table matches all words of the text; `reference` only names the table. */
  | {
      readonly op: 'matches' | 'not matches'
      readonly reference: Reference<D['column']>
      readonly search: Search<D['column']>
      readonly text: string
    }
  | Exists<T, D>

/** A full-text search: its columns, and the index in the database. */
export interface Search<C extends Column = Column> {
  readonly columns: readonly C[]
  /** The text search configuration of PostgreSQL. */
  readonly language: string
  /** The FTS5 table of SQLite. */
  readonly index: string
}

/** Whether a row of another table matches; its filter is a separate scope, in which 0 is that table. */
export interface Exists<T = unknown, D extends Described = Described<T>> {
  readonly op: 'exists' | 'not exists'
  readonly from: D['table']
  /** References of the outer scope, and the columns of `from` that equal them. */
  readonly on: readonly (readonly [Reference<D['column']>, D['column']])[]
  readonly joins: readonly Join<T, D>[]
  readonly filter: Filter<T, D>
}

/** A pattern for texts: `before` and `after` state whether other characters may precede and follow `text`. */
export interface Pattern {
  readonly text: string
  readonly before: boolean
  readonly after: boolean
}

/** One step of an order: nulls are last when ascending and first when descending. */
export interface OrderStep<C extends Column = Column> {
  readonly reference: Reference<C>
  readonly descending: boolean
}

/** The position of a cursor in one step of an order: a value of the column, or the datastore's exact cursor value. */
export type Operand = { readonly value: unknown } | { readonly cursorValue: CursorValue }

/** The values of an aggregate: their kind, and the column that is summed or compared. */
export interface AggregateDescription {
  readonly operation: AggregateOperation
  readonly kind: ColumnKind
  readonly of?: Column | undefined
}

/** A query that counts rows. */
export interface Count<T = unknown, D extends Described = Described<T>> {
  readonly from: D['table']
  readonly joins: readonly Join<T, D>[]
  readonly filter: Filter<T, D> | undefined
}

/** A query that reads columns of rows in an order. */
export interface Select<T = unknown, D extends Described = Described<T>> extends Count<T, D> {
  readonly columns: readonly Reference<D['column']>[]
  readonly order: readonly OrderStep<D['column']>[]
  /**
   * Only the rows after this cursor in the order: an operand per step, null for no value. With fewer operands than steps,
   * rows that are equal in all of them are skipped as well.
   */
  readonly after?: readonly Operand[] | undefined
  readonly limit: number | undefined
  readonly offset: number
  /** Set if rows with equal columns are read once, without `after` and `perKey`; the order is one of these columns. */
  readonly distinct?: boolean | undefined
  /** Set if rows are read for several keys at once, without `after`, `limit` and `offset`. */
  readonly perKey?: PerKeyLimit<D['column']> | undefined
}

/**
 * Only the rows whose columns equal one of the keys, and at most `limit` rows per key: the first ones in the order. The
 * rows of one key are in order; the keys come in any order.
 */
export interface PerKeyLimit<C extends Column = Column> {
  /** Columns of the first table. */
  readonly columns: readonly C[]
  /** Distinct values of these columns, none of them null. */
  readonly keys: readonly (readonly unknown[])[]
  /** The maximum number of rows per key. */
  readonly limit: number
}

/** The rows of a query. */
export interface SelectedRows {
  /** The values of the query's columns, in their order. */
  readonly rows: readonly (readonly unknown[])[]
  /** Returns the exact cursor value of `rows[row][column]`, for later comparisons. */
  cursorValue(row: number, column: number): CursorValue
  /** The same rows as the driver returned them, for callers that decode values lazily; `rows` is then decoded on first use. */
  readonly undecoded?: UndecodedRows
}

/** A row of a database driver: a list of values, or an object by name. */
export type RawRow = readonly unknown[] | Readonly<Record<string, unknown>>

/** Rows before their values are decoded. */
export interface UndecodedRows {
  readonly rows: readonly RawRow[]
  /** The index or name of each of the query's columns in a row; the same list for the same columns and row format. */
  readonly keys: readonly (number | string)[]
  /** The functions that convert raw values to those of the columns' kinds; null is never passed to them. */
  readonly decoders: readonly ((raw: unknown) => unknown)[]
}

/** In an update: increments the integer of the column by one. */
export const INCREMENT: unique symbol = Symbol.for('edict.raised') as never

/** Values of a table's columns; those of an update may be `INCREMENT`. */
export type ColumnValues<C extends Column = Column> = ReadonlyMap<C, unknown>

/** An upsert of one row. */
export interface Upsert<T = unknown, D extends Described = Described<T>> {
  readonly table: D['table']
  /** The values of a new row. */
  readonly values: ColumnValues<D['column']>
  /** The columns of the key, or of a unique set, that identify an existing row. */
  readonly by: readonly D['column'][]
  /** The changes to an existing row. */
  readonly changes: ColumnValues<D['column']>
  /** The condition for changing an existing row; one that does not meet it stays unchanged. */
  readonly filter: Filter<T, D> | undefined
}

/** The columns of a conflict. */
export interface Conflict {
  /** Whether a row has the same values already, or a reference is missing or in use. */
  readonly kind: 'duplicate' | 'reference'
  /** The columns whose values conflict, all of a set that is unique together. */
  readonly columns: readonly Column[]
  /** The index of the row that conflicts, the first if there are several. */
  readonly row?: number
}

/** The tables that a list reads, and its order. */
export type ListTables<T = unknown, D extends Described = Described<T>> = Pick<Select<T, D>, 'from' | 'joins' | 'order'>

/** The parts of a list that determine which index serves it; its values are examples. */
export type IndexableList<T = unknown, D extends Described = Described<T>> = Pick<
  Select<T, D>,
  'from' | 'joins' | 'filter' | 'order'
>

/** The interface of a datastore that the mapper uses. T is the type by which its users name tables. */
export interface Datastore<T = unknown> {
  /** Describes a table, with its columns, their kinds and its key; throws if there is no such table. */
  table(source: T): Table<T>
  /** Describes a computed column; a datastore without this method has no computed columns. */
  derive?(name: string, kind: ColumnKind, derived: Derived): Column
  /**
   * Describes the values of an aggregate as a column, that of an extreme after the column `of`; a datastore without this method
   * has no aggregates.
   */
  aggregate?(name: string, described: AggregateDescription): Column
  /** Returns whether `select` knows `distinct`. */
  readonly selectsDistinct?: boolean
  /** Reads the rows of a query; the result has their exact cursor values. */
  select(query: Select<T>): Promise<SelectedRows>
  /** Counts the rows that match. */
  count(query: Count<T>): Promise<number>
  /** Estimates the number of matching rows from the statistics of the database; without this method, `count` is called. */
  estimate?(query: Count<T>): Promise<number>
  /** Inserts a row and returns the values of its primary key. */
  insert(table: Table<T>, values: ColumnValues): Promise<ColumnValues>
  /** Updates rows and returns how many matched the filter, whether or not their values changed. */
  update(table: Table<T>, values: ColumnValues, filter: Filter<T>): Promise<number>
  /** Deletes rows and returns their number. */
  delete(table: Table<T>, filter: Filter<T>): Promise<number>
  /**
   * Locks the rows that match until the end of the transaction, and returns their number; without this method, `count` is
   * called. Needed where transactions run at the same time.
   */
  lock?(table: Table<T>, filter: Filter<T>): Promise<number>
  /** Inserts all rows or none, in as few statements as possible; returns columns of each row, in the order of `rows`. */
  insertMany?(table: Table<T>, rows: readonly ColumnValues[], columns: readonly Reference[]): Promise<SelectedRows>
  /** Inserts a row unless one matches the filter, in one statement; returns the number inserted. For a datastore without `upsert`. */
  insertUnless?(table: Table<T>, values: ColumnValues, filter: Filter<T>): Promise<number>
  /** Updates the rows that match the filter and returns columns of them, in one statement. */
  updateReturning?(
    table: Table<T>,
    values: ColumnValues,
    filter: Filter<T>,
    columns: readonly Reference[],
  ): Promise<SelectedRows>
  /** Inserts a row or updates the existing one, in one statement; returns its columns, or no row if the filter excludes it. */
  upsert?(upsert: Upsert<T>, columns: readonly Reference[]): Promise<SelectedRows>
  /**
   * Compares the declaration of a list's tables with the database before the first list, and corrects it; throws an
   * InexactListError if the list cannot be exact. Returns undefined once that is done.
   */
  check?(list: ListTables<T>): Promise<void> | undefined
  /** Returns which indexes serve lists without a sort and without reading other rows, and which indexes are missing. */
  reportIndexUse?(lists: readonly IndexableList<T>[]): Promise<IndexUseReport>
  /** Adds an observer of all statements, transactions included; the result removes it. */
  observe?(observer: StatementObserver): () => void
  /** Returns the same datastore for abortable work: on abort, its statements are cancelled and throw the reason. */
  withSignal?(signal: AbortSignal): Datastore<T>
  /** Opens a snapshot of the tables, for reads over a longer time; without this method, each read returns the current rows. */
  snapshot?(): Promise<Snapshot<Datastore<T>, Select<T>, SelectedRows>>
  /** The maximum number of bound values of one query. */
  readonly maxValues: number
  /** Classifies an error of the datastore for clients; undefined for a server error. */
  classifyError(error: unknown): Fault | undefined
  /** Returns what a conflict is about, for an error of writing these rows or changes; undefined if it cannot be found. */
  findConflict?(error: unknown, table: Table<T>, rows: readonly ColumnValues[]): Promise<Conflict | undefined>
  /** The nodes of a datastore that reads from replicas. */
  readonly replication?: Replication<Datastore<T>>
  /**
   * Runs work in a transaction, and rolls back all that it did in the datastore passed to it if it throws. Without this
   * method, related elements cannot be written with their element.
   */
  transaction?<V>(work: (within: Datastore<T>) => Promise<V>): Promise<V>
  /** Runs statements of plugins that keep tables of their own in the database. */
  readonly '~statements'?: StatementAccess
  /** Retries work, a transaction or a read, a few times if it failed for a transient reason and had no effect. */
  retry?<V>(work: () => Promise<V>): Promise<V>
}

/** Thrown by `check` if a list cannot be exact in the database. */
export class InexactListError extends Error {
  override readonly name = 'InexactListError'
}

/** A failure in a datastore, classified for clients. */
export type Fault =
  /** A value that the datastore does not accept. */
  | 'value'
  /** A conflict with another row: an existing key, or a reference that is missing or in use. */
  | 'conflict'
  /** A transient failure: the request may be sent again. */
  | 'unavailable'
