// The neutral query tree, and the small interface that a datastore implements. Lists, filters and field selection write
// the tree; a datastore translates it. The memory datastore defines the meaning of the tree.
import type { StatementObserver } from '../../extend.ts'
import type { Replication } from './replication.ts'
import type { IndexUseReport } from './index-use.ts'
import type { Snapshot } from './snapshot.ts'

/**
 * The kind of a column's values: text and time of day as strings, whole numbers as numbers or bigints, `decimal` as its exact
 * text, `date` as YYYY-MM-DD, `dateTime` as a Date, `json` as a structure, bytes as Uint8Array; `other` is passed through.
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

/** A column as its datastore knows it. */
export interface Column {
  readonly name: string
  readonly kind: ColumnKind
  readonly nullable: boolean
  /** Whether a new row may leave it out: it is nullable, generated, or has a default. */
  readonly optional: boolean
  /** Whether the database works it out from other columns of its row, so that nothing can be written to it. */
  readonly readOnly?: boolean
  /** The whole numbers that fit into it; what lies beyond is answered without asking the datastore. */
  readonly range?: readonly [least: bigint, greatest: bigint]
  /** How many digits of a decimal it keeps exactly; all of them when absent. */
  readonly digits?: number
  /** Why no list can go by it, where the datastore has no order of its values that it could be exact in. */
  readonly unordered?: string
  /** How it is worked out from columns of the same row, where the table itself does not have it. */
  readonly derived?: Derived
  /** Returns whether a value that comes back in a link can be one of this column's places. */
  isCursorValue(value: unknown): boolean
  /** Finds the rows that may have a place with such ends, where its text is not that of the value. */
  filterByEnds?(reference: Reference, ends: TruncatedValue): Filter
}

/** The source of a computed column: an expression of SQL, or a function of the values. */
export interface Derived {
  readonly columns: readonly Column[]
  /** Gives the expression, with the columns as they are written. */
  sql(written: readonly string[]): string
  /** Gives the value; null for none. */
  run(values: readonly unknown[]): unknown
}

/** A table as its datastore describes it; T is how the datastore's users name tables. */
export interface Table<T = unknown> {
  readonly name: string
  readonly source: T
  readonly columns: ReadonlyMap<string, Column>
  /** The names of the columns of the primary key. */
  readonly key: readonly string[]
  /** Identifies rows that the key does not, because it may be null or there is none. */
  readonly rowId?: Column
  /** Further sets of columns that no two rows have in common; absent where the datastore cannot know them, as of a view. */
  readonly unique?: readonly (readonly string[])[]
}

/** A column of one of a query's tables: 0 is the table it reads from, 1 the first joined one, and so on. */
export interface Reference {
  readonly source: number
  readonly column: Column
  /** Set where the column is read for its places as well, which may need more than its values do. */
  readonly forCursor?: true
}

/** A left join: adds at most one row of a table to each row of the tables before it. */
export interface Join<T = unknown> {
  readonly table: Table<T>
  readonly on: readonly (readonly [Reference, Column])[]
  /** The condition on the rows of the table; it refers to the table by the number that the join gives it. */
  readonly where?: Filter<T> | undefined
}

/** How two values are compared; null is neither equal to a value nor before or after one. */
export type Comparison = '=' | '<' | '<=' | '>' | '>='

/** A place in the order of a column, exactly as its datastore knows it; anything that JSON can carry in one value. */
export type CursorValue = string | number | boolean | null

/** The ends of the text of a place that is too long for a link. */
export type TruncatedValue = readonly [beginning: string, end: string]

/** A condition on rows. Every condition is either true or false for a row, also for one with nulls. */
export type Filter<T = unknown> =
  /** All of them; true when there are none. */
  | { readonly op: 'and'; readonly of: readonly Filter<T>[] }
  /** One of them; false when there are none. */
  | { readonly op: 'or'; readonly of: readonly Filter<T>[] }
  | { readonly op: Comparison; readonly reference: Reference; readonly value: unknown }
  /** The same with a place, which may be more exact than any value. */
  | { readonly op: Comparison; readonly reference: Reference; readonly cursorValue: CursorValue }
  /** Exactly the rows without the value: also those that have none. */
  | { readonly op: '!='; readonly reference: Reference; readonly value: unknown }
  | { readonly op: 'in' | 'not in'; readonly reference: Reference; readonly values: readonly unknown[] }
  | { readonly op: 'null' | 'not null'; readonly reference: Reference }
  | { readonly op: 'like' | 'not like'; readonly reference: Reference; readonly pattern: Pattern }
  /** The text contains another without regard to case, as Unicode's simple case folding has it. */
  | { readonly op: 'contains' | 'not contains'; readonly reference: Reference; readonly text: string }
  /** A full-text search in columns of the same table finds all words of the text; none of the reference is compared. */
  | {
      readonly op: 'matches' | 'not matches'
      readonly reference: Reference
      readonly search: Search
      readonly text: string
    }
  | Exists<T>

/** A full-text search: its columns, and the index of the database. */
export interface Search {
  readonly columns: readonly Column[]
  /** The configuration of PostgreSQL. */
  readonly language: string
  /** The FTS5 table of SQLite. */
  readonly index: string
}

/** Some row of another table fits, or none does: a scope of its own, in which 0 is that table. */
export interface Exists<T = unknown> {
  readonly op: 'exists' | 'not exists'
  readonly from: Table<T>
  /** References of the scope around it, and the columns of `from` that equal them. */
  readonly on: readonly (readonly [Reference, Column])[]
  readonly joins: readonly Join<T>[]
  readonly filter: Filter<T>
}

/** A pattern of a text's beginning, end or content, with whether something may stand before the text, and after it. */
export interface Pattern {
  readonly text: string
  readonly before: boolean
  readonly after: boolean
}

/** One step of an order: nulls come last when it ascends and first when it descends. */
export interface OrderStep {
  readonly reference: Reference
  readonly descending: boolean
}

/** The position of a row in one step of an order: a value of the column, or the datastore's exact place. */
export type Operand = { readonly value: unknown } | { readonly cursorValue: CursorValue }

/** A query that counts rows. */
export interface Count<T = unknown> {
  readonly from: Table<T>
  readonly joins: readonly Join<T>[]
  readonly filter: Filter<T> | undefined
}

/** A query: its rows, their order, and the columns that are read. */
export interface Select<T = unknown> extends Count<T> {
  readonly columns: readonly Reference[]
  readonly order: readonly OrderStep[]
  /**
   * Only the rows that come after this in the order: an operand for each step, null for no value. Where there are fewer
   * operands than steps, rows that are equal in all of them are left out as well.
   */
  readonly after?: readonly Operand[] | undefined
  readonly limit: number | undefined
  readonly offset: number
  /** Set where rows are read for several keys at once; there is no `after`, no `limit` and no `offset` then. */
  readonly perKey?: PerKeyLimit | undefined
}

/**
 * Only the rows whose columns equal one of some keys, and of each key at most so many: the first ones in the order. Rows of
 * one key stand in the order, and keys come in any.
 */
export interface PerKeyLimit {
  /** Columns of the first table. */
  readonly columns: readonly Column[]
  /** Values of these columns, none of them null, and no two keys alike. */
  readonly keys: readonly (readonly unknown[])[]
  /** The most rows of one key. */
  readonly limit: number
}

/** The rows of a query. */
export interface SelectedRows {
  /** The values of the query's columns, in their order. */
  readonly rows: readonly (readonly unknown[])[]
  /** The exact place of a row in a column that was read: `rows[row][column]`, but as it can be compared with again. */
  cursorValue(row: number, column: number): CursorValue
  /** The same rows as the client gave them, for callers that decode values on use; `rows` are then made on first use. */
  readonly undecoded?: UndecodedRows
}

/** A row as clients give it: a list of values, or an object with one for each name. */
export type RawRow = readonly unknown[] | Readonly<Record<string, unknown>>

/** Rows before their values were decoded. */
export interface UndecodedRows {
  readonly rows: readonly RawRow[]
  /** Where the values of the query's columns stand in each row; the same list for the same columns and form of rows. */
  readonly keys: readonly (number | string)[]
  /** The functions that turn raw values into values of the columns' kinds; null never reaches them. */
  readonly decoders: readonly ((raw: unknown) => unknown)[]
}

/** In a change: the column's integer plus one. */
export const INCREMENT: unique symbol = Symbol.for('edict.raised') as never

/** Values of a table's columns; those of a change may be `RAISED`. */
export type ColumnValues = ReadonlyMap<Column, unknown>

/** An upsert of one row. */
export interface Upsert<T = unknown> {
  readonly table: Table<T>
  /** The values of a new row. */
  readonly values: ColumnValues
  /** The columns of the key, or of a unique set, that tell whether there is such a row. */
  readonly by: readonly Column[]
  /** The changes to a row that is there. */
  readonly changes: ColumnValues
  /** The condition under which such a row is changed; one that does not meet it stays as it is. */
  readonly filter: Filter<T> | undefined
}

/** The tables that a list reads, and its order. */
export type ListTables<T = unknown> = Pick<Select<T>, 'from' | 'joins' | 'order'>

/** A list as far as an index can serve it; its values stand for any others. */
export type IndexableList<T = unknown> = Pick<Select<T>, 'from' | 'joins' | 'filter' | 'order'>

/** The interface that the mapper needs of a datastore. T is how its users name tables. */
export interface Datastore<T = unknown> {
  /** Describes a table, with its columns, their kinds and its key; throws when there is no such table. */
  table(source: T): Table<T>
  /** Describes a computed column, by its kind; a datastore without it has no computed columns. */
  derive?(name: string, kind: ColumnKind, derived: Derived): Column
  /** Reads the rows of a tree of joins, conditions and order; the result gives exact places of rows. */
  select(query: Select<T>): Promise<SelectedRows>
  /** Counts the rows that match. */
  count(query: Count<T>): Promise<number>
  /** Estimates the number of matching rows from statistics of the database; a datastore without it counts. */
  estimate?(query: Count<T>): Promise<number>
  /** Inserts a row and returns the values of its primary key. */
  insert(table: Table<T>, values: ColumnValues): Promise<ColumnValues>
  /** Updates rows and returns how many matched the filter, whether or not their values changed. */
  update(table: Table<T>, values: ColumnValues, filter: Filter<T>): Promise<number>
  /** Deletes rows and returns their number. */
  delete(table: Table<T>, filter: Filter<T>): Promise<number>
  /** Inserts all rows or none, in as few statements as possible; returns columns of each, in the order of the rows. */
  insertMany?(table: Table<T>, rows: readonly ColumnValues[], columns: readonly Reference[]): Promise<SelectedRows>
  /** Inserts a row unless some row matches the filter, in one statement, and returns how many it inserted; for a datastore without `upsert`. */
  insertUnless?(table: Table<T>, values: ColumnValues, filter: Filter<T>): Promise<number>
  /** Updates rows and returns columns of those that matched the filter, in one statement. */
  updateReturning?(table: Table<T>, values: ColumnValues, filter: Filter<T>, columns: readonly Reference[]): Promise<SelectedRows>
  /** Inserts a row or updates the existing one, in one statement, and returns columns of it; no row if the existing one is not updated. */
  upsert?(upsert: Upsert<T>, columns: readonly Reference[]): Promise<SelectedRows>
  /**
   * Compares the declaration of a list's tables with the database before the first list, and corrects it; throws an
   * InexactListError if the list could not be exact. Undefined once that is done.
   */
  check?(list: ListTables<T>): Promise<void> | undefined
  /** Returns which indexes serve lists without a sort and without reading other rows, and which are missing. */
  indexing?(lists: readonly IndexableList<T>[]): Promise<IndexUseReport>
  /** Adds an observer of the statements, those of its transactions included; the result removes it. */
  observe?(observer: StatementObserver): () => void
  /** The same tables for abortable work: on abort, its statements are cancelled and throw the reason. */
  withSignal?(signal: AbortSignal): Datastore<T>
  /** Opens the tables as they are now, for reads over a longer time; a datastore without it reads the current rows each time. */
  snapshot?(): Promise<Snapshot<Datastore<T>, Select<T>, SelectedRows>>
  /** The most bound values of one query. */
  readonly maxValues: number
  /** The meaning of a datastore's error to a client; undefined for one that is a fault of the server. */
  fault(error: unknown): Fault | undefined
  /** The nodes, where the datastore reads from replicas. */
  readonly replication?: Replication<Datastore<T>>
  /** Retries work that failed for a transient reason and had no effect, a few times; work is a transaction, or a read. */
  retry?<V>(work: () => Promise<V>): Promise<V>
}

/** Thrown by `check` if a list could not be exact in the database. */
export class InexactListError extends Error {
  override readonly name = 'InexactListError'
}

/** A failure in a datastore, as far as clients may know. */
export type Fault =
  /** A value that the datastore cannot take. */
  | 'value'
  /** A conflict with another row: an existing key, or a reference that is missing or in use. */
  | 'conflict'
  /** Nothing is wrong with the request: it may be sent again. */
  | 'unavailable'
