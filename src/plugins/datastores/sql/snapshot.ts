// Snapshots of SQL databases: a read-only transaction that stays open from one part of a list to the next.
import type { SelectedRows } from '../../query/query.ts'
import { SAVEPOINT, toStatement } from './batch.ts'
import { DIALECTS } from './dialect.ts'
import type { RunStatements } from './retry-statements.ts'
import type { DialectName, SqlClient, SqlReference, SqlSelect, Statement } from './sql.ts'
import { getRowFormat, getValueAt, toSelected } from './sql-rows.ts'
import { writeSelect } from './statements/select.ts'

/** A client whose reads see one moment, until it is closed. */
export interface SnapshotClient {
  readonly client: SqlClient
  /** Whether its reads see one moment; otherwise the client has no snapshots, and each read sees the current rows. */
  readonly isSnapshot: boolean
  close(): Promise<void>
}

/** Opens a snapshot and holds it open; retries like a read if it cannot be opened. */
export function openSnapshot(run: RunStatements): Promise<SnapshotClient> {
  return new Promise((resolve, reject) => {
    let isOpen = false
    const hold = (client: SqlClient, kind: 'snapshot' | 'connection'): Promise<void> => {
      // Ending the transaction failed: there is nothing to repeat, since everything was read.
      if (isOpen) return Promise.resolve()
      isOpen = true
      return new Promise((end) => {
        const close = (): Promise<void> => {
          end()
          return finished
        }
        resolve({ client, isSnapshot: kind === 'snapshot', close })
      })
    }
    const finished = run('read', (node) =>
      node.snapshot === undefined ? hold(node, 'connection') : node.snapshot((within) => hold(within, 'snapshot')),
    ).catch(reject)
  })
}

const BEGIN_SNAPSHOT: Readonly<Record<DialectName, readonly string[]>> = {
  postgres: ['begin isolation level repeatable read read only'],
  mysql: ['set transaction isolation level repeatable read', 'start transaction with consistent snapshot, read only'],
  sqlite: ['begin'],
}

/** Runs work in a read-only transaction of the connection, which sees one moment. */
export async function runInSnapshot<V>({ dialect, execute }: SqlClient, work: () => Promise<V>): Promise<V> {
  for (const command of BEGIN_SNAPSHOT[dialect]) await execute(toStatement(command))
  try {
    return await work()
  } finally {
    // Nothing was written. A lost connection has no transaction to end.
    await execute(toStatement('rollback')).catch(() => undefined)
  }
}

/** Returns whether a SQLite database uses the write-ahead log: readers then do not block writers. */
export const isWal = async ({ query }: SqlClient): Promise<boolean> =>
  getValueAt((await query(toStatement('pragma journal_mode')))[0]) === 'wal'

let cursorCount = 0

/** Reads a query by a cursor of the database; `learn` returns whether a refused statement can be written differently. */
export async function* readByCursor(
  client: SqlClient,
  query: SqlSelect,
  size: () => number,
  learn: (error: unknown) => Promise<boolean>,
): AsyncGenerator<SelectedRows, void, undefined> {
  const format = getRowFormat(query.columns)
  const name = `edict_${cursorCount++}`
  const fetch = (): ReturnType<SqlClient['query']> => client.query(toStatement(`fetch ${size()} from ${name}`))
  const open = async (): ReturnType<SqlClient['query']> => {
    await client.execute(writeDeclareCursor(client.dialect, name, query, format.columns))
    return fetch()
  }
  const [save, , undo] = SAVEPOINT
  await client.execute(toStatement(save))
  let rows = await open().catch(async (error: unknown) => {
    if (!(await learn(error))) throw error
    await client.execute(toStatement(undo))
    return open()
  })
  for (; rows.length > 0; rows = await fetch()) yield toSelected(rows, format)
}

function writeDeclareCursor(
  dialect: DialectName,
  name: string,
  query: SqlSelect,
  columns: readonly SqlReference[],
): Statement {
  const { strings, values } = writeSelect(DIALECTS[dialect], query, columns)
  const [first = '', ...rest] = strings
  return { strings: [`declare ${name} no scroll cursor for ${first}`, ...rest], values }
}
