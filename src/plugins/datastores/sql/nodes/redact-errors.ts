// Clients whose errors may end in a log.
import { DatabaseError } from '../../../../extend.ts'
import { isIndexMissing, NO_SUCH_INDEX } from '../classify-error.ts'
import type { SqlClient } from '../sql.ts'

/** The same client without the values of statements in its errors: errors end in logs. An aborted one throws the reason. */
export function redactErrors(client: SqlClient, signal?: AbortSignal): SqlClient {
  const run =
    <G, V>(work: (given: G) => Promise<V>) =>
    async (given: G): Promise<V> => {
      signal?.throwIfAborted()
      try {
        return await work(given)
      } catch (error) {
        if (signal?.aborted === true) throw signal.reason
        const told = new DatabaseError(error)
        // SQLite tells of a missing index in words only, which may be followed by values.
        if (isIndexMissing(error)) Object.defineProperty(told, 'errno', { value: NO_SUCH_INDEX })
        throw told
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
    withSignal: (by) => redactErrors(client.withSignal?.(by) ?? client, by),
  }
}
