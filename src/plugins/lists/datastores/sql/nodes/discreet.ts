// Clients whose errors may end in a log.
import { DatabaseError } from '../../../../../extend.ts'
import type { SqlClient } from '../sql.ts'

/** The same client without the values of statements in its errors: errors end in logs. */
export function discreet({ dialect, query, execute, batch }: SqlClient): SqlClient {
  const run =
    <G, V>(work: (given: G) => Promise<V>) =>
    async (given: G): Promise<V> => {
      try {
        return await work(given)
      } catch (error) {
        throw new DatabaseError(error)
      }
    }
  return { dialect, query: run(query), execute: run(execute), batch: run(batch) }
}
