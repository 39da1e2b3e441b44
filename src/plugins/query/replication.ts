// Replication: the primary node of a datastore that reads from replicas, its log positions, and its callers.

/** The nodes of a datastore that reads from replicas; D is the datastore. */
export interface Replication<D = unknown> {
  /** The datastore without its replicas, for all reads that decide about a write. */
  readonly primary: D
  /** Runs work on behalf of a caller. */
  runAs<V>(caller: Caller, work: () => V): V
  /** Returns a position in the log of the database that is after everything written so far. */
  position(): Promise<string>
  /** Rejects if the database has no log positions. */
  ready(): Promise<void>
}

/** The request on whose behalf a replicated datastore is used. */
export interface Caller {
  /** The replication position that reads must have reached; unvalidated text from the client. */
  readonly position: string | undefined
  /** Whether the caller has written, so that it reads from the primary node. */
  wrote: boolean
}
