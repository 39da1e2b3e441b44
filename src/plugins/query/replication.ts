// Replication of a datastore that reads from replicas: its primary node, its positions, and its callers.

/** The nodes of a datastore that reads from replicas; D is the datastore. */
export interface Replication<D = unknown> {
  /** The same datastore without its replicas: for all that decides about a write. */
  readonly primary: D
  /** Runs work on behalf of a caller. */
  callAs<V>(caller: Caller, work: () => V): V
  /** Gives a position in the log of the database; everything that has been written is before it. */
  position(): Promise<string>
  /** Fails where the database has no positions. */
  ready(): Promise<void>
}

/** The request that a datastore of several nodes is used for. */
export interface Caller {
  /** A position that nothing may be older than which the caller reads; any text, as it came from a client. */
  readonly position: string | undefined
  /** Whether the caller has written, so that it reads from the primary node. */
  wrote: boolean
}
