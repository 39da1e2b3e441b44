// Snapshots of SQL databases: a transaction that only reads, held open between one part of a list and the next.
import type { Reference, Select, SelectedRows } from '../../query/query.ts'
import { toStatement, SAVEPOINT } from './batch.ts'
import { DIALECTS } from './dialect.ts'
import type { RunOnNode } from './nodes/database-nodes.ts'
import { getRowFormat, toSelected, getValueAt } from './sql-rows.ts'
import type { DialectName, SqlClient, Statement } from './sql.ts'
import { writeSelect } from './statements/select.ts'

/** A client that sees one moment, until it is closed. */
export interface SnapshotClient {
  readonly client: SqlClient
  /** Whether it sees one moment; without a way to that, it sees what is there. */
  readonly isSnapshot: boolean
  close(): Promise<void>
}

/** Opens a snapshot on a node that is right for reading, and holds it; one that cannot be opened is tried again as a read is. */
export function openSnapshot(run: RunOnNode): Promise<SnapshotClient> {
  return new Promise((resolve, reject) => {
    let isOpen = false
    const held = (client: SqlClient, isOne: boolean): Promise<void> => {
      // An end that fails has nothing to repeat: all that was wanted has been read.
      if (isOpen) return Promise.resolve()
      isOpen = true
      return new Promise((end) => {
        const close = (): Promise<void> => {
          end()
          return over
        }
        resolve({ client, isSnapshot: isOne, close })
      })
    }
    const over = run('read', (node) =>
      node.snapshot === undefined ? held(node, false) : node.snapshot((within) => held(within, true)),
    ).catch(reject)
  })
}

const BEGIN_SNAPSHOT: Readonly<Record<DialectName, readonly string[]>> = {
  postgres: ['begin isolation level repeatable read read only'],
  mysql: ['set transaction isolation level repeatable read', 'start transaction with consistent snapshot, read only'],
  sqlite: ['begin'],
}

/** Runs work in a transaction of a connection that only reads, and sees one moment. */
export async function runInSnapshot<V>({ dialect, execute }: SqlClient, work: () => Promise<V>): Promise<V> {
  for (const one of BEGIN_SNAPSHOT[dialect]) await execute(toStatement(one))
  try {
    return await work()
  } finally {
    // Nothing was written. A connection that was lost has no transaction to end.
    await execute(toStatement('rollback')).catch(() => undefined)
  }
}

/** Tells whether a database of SQLite writes ahead: a reader then keeps no writer waiting. */
export const isWal = async ({ query }: SqlClient): Promise<boolean> =>
  getValueAt((await query(toStatement('pragma journal_mode')))[0]) === 'wal'

let cursorCount = 0

/** Reads a query by a cursor of the database; `learn` tells whether a refused statement may be written anew. */
export async function* readByCursor(
  client: SqlClient,
  query: Select,
  size: () => number,
  learn: (error: unknown) => Promise<boolean>,
): AsyncGenerator<SelectedRows, void, undefined> {
  const form = getRowFormat(query.columns)
  const name = `edict_${cursorCount++}`
  const fetch = (): ReturnType<SqlClient['query']> => client.query(toStatement(`fetch ${size()} from ${name}`))
  const open = async (): ReturnType<SqlClient['query']> => {
    await client.execute(writeDeclareCursor(client.dialect, name, query, form.columns))
    return fetch()
  }
  const [save, , undo] = SAVEPOINT
  await client.execute(toStatement(save))
  let rows = await open().catch(async (error: unknown) => {
    if (!(await learn(error))) throw error
    await client.execute(toStatement(undo))
    return open()
  })
  for (; rows.length > 0; rows = await fetch()) yield toSelected(rows, form)
}

function writeDeclareCursor(dialect: DialectName, name: string, query: Select, columns: readonly Reference[]): Statement {
  const { strings, values } = writeSelect(DIALECTS[dialect], query, columns)
  const [first = '', ...rest] = strings
  return { strings: [`declare ${name} no scroll cursor for ${first}`, ...rest], values }
}
