// Removes the values of statements from a client's errors.
import { DatabaseError } from '../../../extend.ts'
import { isIndexMissing, NO_SUCH_INDEX } from './classify-error.ts'
import { keepConflictDetails } from './conflict-details.ts'
import type { SqlClient } from './sql.ts'

/** Returns the client with errors that contain no bound values, since logs contain them. If aborted, it throws the reason. */
export function redactErrors(client: SqlClient, signal?: AbortSignal): SqlClient {
  const run =
    <G, V>(work: (input: G) => Promise<V>) =>
    async (input: G): Promise<V> => {
      signal?.throwIfAborted()
      try {
        return await work(input)
      } catch (error) {
        if (signal?.aborted === true) throw signal.reason
        const redacted = new DatabaseError(error)
        keepConflictDetails(error, redacted)
        // SQLite reports a missing index only in its message, which may contain values and is then not copied.
        if (isIndexMissing(error)) Object.defineProperty(redacted, 'errno', { value: NO_SUCH_INDEX })
        throw redacted
      }
    }
  return {
    dialect: client.dialect,
    query: run(client.query),
    execute: run(client.execute),
    batch: run(client.batch),
    ...(client.snapshot && {
      snapshot: <V>(work: (within: SqlClient) => Promise<V>) =>
        (client.snapshot as NonNullable<SqlClient['snapshot']>)((within) => work(redactErrors(within, signal)), signal),
    }),
    ...(client.transaction && {
      transaction: <V>(work: (within: SqlClient) => Promise<V>) =>
        (client.transaction as NonNullable<SqlClient['transaction']>)((within) => work(redactErrors(within))),
    }),
    withSignal: (other) => redactErrors(client.withSignal?.(other) ?? client, other),
  }
}
