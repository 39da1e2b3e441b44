// Statements that plugins send to databases, as other plugins follow them.

/** A statement on its way to a database. */
export interface SentStatement {
  /** The kind of the database, as OpenTelemetry names it: `postgresql`, `mysql` or `sqlite`. */
  readonly system: string
  /** `SELECT`, `INSERT`, `UPDATE` or `DELETE`. */
  readonly operation: string
  /** The table that it changes, or reads first. */
  readonly table: string
  /** The SQL, with a sign in the place of every value. */
  readonly text: string
}

/** The end of a statement. */
export interface StatementEnd {
  /** Rows that it gave or changed; undefined when it failed. */
  readonly rows: number | undefined
  /** Why the database refused it, without any values. */
  readonly error: Error | undefined
}

/** Receives a statement before it is sent; the function that it returns receives the end. */
export type StatementObserver = (statement: SentStatement) => ((ended: StatementEnd) => void) | undefined | void

/** A sender of statements, such as a datastore. */
export interface StatementSource {
  /** Registers an observer of its statements; the result removes it. */
  observe(observer: StatementObserver): () => void
}
