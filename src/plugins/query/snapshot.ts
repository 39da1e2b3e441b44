// Snapshots: a datastore as it is at one moment, for lists that are read over a longer time.

/** The tables of a datastore D as they are at one moment, until it is closed; Q are its queries, and R are rows. */
export interface Snapshot<out D, Q, out R> {
  /** Reads what was there at the moment; where the database cannot do that, what is there now. */
  readonly datastore: D
  /**
   * Reads the rows of a query without `after`, `limit` and `offset`, some at a time, as many as `size` says each time. A
   * datastore without it is asked for one part behind the other by their places.
   */
  cursor?(query: Q, size: () => number): AsyncIterable<R>
  /** Ends it. */
  close(): Promise<void>
}
