// Describes the statements that plugins send to databases, for plugins that observe them.

/** A statement that is sent to a database. */
export interface SentStatement {
  /** The database system, as OpenTelemetry names it: `postgresql`, `mysql` or `sqlite`. */
  readonly system: string
  /** `SELECT`, `INSERT`, `UPDATE` or `DELETE`. */
  readonly operation: string
  /** The table that it changes, or reads first. */
  readonly table: string
  /** The SQL, with a placeholder for every value. */
  readonly text: string
}

/** The end of a statement. */
export interface StatementEnd {
  /** The number of rows that it returned or changed; undefined if it failed. */
  readonly rows: number | undefined
  /** The error of the database, without any values. */
  readonly error: Error | undefined
}

/** Receives a statement before it is sent; the returned function receives the end. */
export type StatementObserver = (statement: SentStatement) => ((ended: StatementEnd) => void) | undefined | void

/** A sender of statements, such as a datastore. */
export interface StatementSource {
  /** Registers an observer of its statements; the returned function removes it. */
  observe(observer: StatementObserver): () => void
}
