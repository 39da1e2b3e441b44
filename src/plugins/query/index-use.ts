// The indexes that serve lists, as a datastore reports them.

/** The way a list is served: by an index, by one that is missing, or by none that could exist. */
export interface IndexUse {
  /** The name of the index that serves it. */
  readonly index?: string
  /** Which of the missing indexes would serve it, counted from 0. */
  readonly missing?: number
  /** Why no index can serve it. */
  readonly never?: string
  /** Conditions that no index can have together with the order: rows that do not meet them are read and passed over. */
  readonly passes: readonly string[]
  /** The statement that reads the beginning of the list, without its values. */
  readonly statement: string
}

/** The indexes of a datastore that serve lists. */
export interface IndexUseReport {
  /** One for each list, in their order. */
  readonly uses: readonly IndexUse[]
  /** The statements that create the indexes which are missing. */
  readonly missing: readonly string[]
}

/** Thrown by `indexing` where the database lacks a table. */
export class MissingTableError extends Error {
  override readonly name = 'MissingTableError'
}
