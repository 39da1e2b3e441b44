// The index use of lists, as a datastore reports it.

/** The index use of one list: an existing index, a missing one, or none that could serve it. */
export interface IndexUse {
  /** The name of the index that serves the list. */
  readonly index?: string
  /** The position of the missing index in `IndexUseReport.missing`, from 0. */
  readonly missing?: number
  /** The reason why no index can serve the list. */
  readonly reason?: string
  /** Conditions that no index can combine with the order: rows that do not meet them are read and skipped. */
  readonly residualConditions: readonly string[]
  /** The statement that reads the beginning of the list, without its bound values. */
  readonly statement: string
}

/** The index use of some lists in one datastore. */
export interface IndexUseReport {
  /** One entry per list, in the order of the lists. */
  readonly uses: readonly IndexUse[]
  /** The `CREATE INDEX` statements of the missing indexes. */
  readonly missing: readonly string[]
}

/** Thrown by `reportIndexUse` if the database lacks a table. */
export class MissingTableError extends Error {
  override readonly name = 'MissingTableError'
}
