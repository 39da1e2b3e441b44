// Snapshots: the state of a datastore at one moment, for lists that are read over a longer time.

/** The state of a datastore D at one moment, until it is closed; Q is the type of its queries, R that of rows. */
export interface Snapshot<out D, Q, out R> {
  /** Reads the state of that moment; the current state if the database does not support snapshots. */
  readonly datastore: D
  /**
   * Reads the rows of a query without `after`, `limit` and `offset` in chunks; `size` returns the size of the next chunk.
   * Without this method, the caller reads one page after the other by cursor.
   */
  cursor?(query: Q, size: () => number): AsyncIterable<R>
  close(): Promise<void>
}
