// The transactions of synchronous SQLite clients, which anyone who has the connection may begin.
import { readProperty } from '../../../extend.ts'

/** Returns whether a connection is in a transaction; undefined if its client does not tell. */
export function isInTransaction(connection: unknown): boolean | undefined {
  // The names of better-sqlite3 and, from Node 22.16 on, of node:sqlite.
  const state = readProperty(connection, 'inTransaction') ?? readProperty(connection, 'isTransaction')
  return typeof state === 'boolean' ? state : undefined
}
