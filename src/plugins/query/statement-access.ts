// Statements of plugins that keep tables of their own in the database of an application.

/** SQL text with gaps, and the values that are bound in them: there is one more string than values. */
export interface SqlStatement {
  readonly strings: readonly string[]
  readonly values: readonly unknown[]
}

/** A row: a list of values, or an object by name. */
export type StatementRow = readonly unknown[] | Readonly<Record<string, unknown>>

/** Runs statements on a database, a connection or a transaction. */
export interface StatementRunner {
  readonly dialect: 'sqlite' | 'postgres' | 'mysql'
  /** Runs a statement and returns its rows, whose columns must be named c0, c1 and so on. */
  query(statement: SqlStatement): Promise<readonly StatementRow[]>
  /** Runs a statement that changes rows, and returns their number. */
  execute(statement: SqlStatement): Promise<{ readonly affected: number }>
  /** Runs work in a transaction of its own, which is rolled back if the work throws. */
  transaction?<V>(work: (within: StatementRunner) => Promise<V>): Promise<V>
}

/** The reports of a connection that listens. */
interface ListenReports {
  /** Called for each notification, and once when the connection listens. */
  heard(): void
  /** Called when the connection is lost. */
  lost(): void
}

/** How a datastore runs the statements of plugins. */
export interface StatementAccess {
  readonly runner: StatementRunner
  /** The connection of the statements: connections that nobody else has, one that others may use, or an open transaction. */
  readonly runsOn: 'pool' | 'connection' | 'transaction'
  /** Returns the runner of a transaction of the same library; undefined for anything else. */
  bind(transaction: object): StatementRunner | undefined
  /** Returns whether a statement failed for a reason that passes: a lock, or a lost connection. */
  isTransient(error: unknown): boolean
  /**
   * Listens for notifications of PostgreSQL over a connection of its own, where the client has one; returns a function that
   * closes it.
   */
  listen?(name: string, reports: ListenReports): () => Promise<void>
  /** Returns whether others have begun a transaction on the connection, where its client tells. */
  isInTransaction?(): boolean
}
