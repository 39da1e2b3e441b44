// Snapshots of SQL databases: a transaction that only reads, held open between one part of a list and the next.
import type { Reference, Select, Selected } from '../../query.ts'
import { command, SAVEPOINT } from './batch.ts'
import { DIALECTS } from './dialect.ts'
import type { Run } from './nodes/nodes.ts'
import { readingOf, selectedRows, valueIn } from './rows.ts'
import type { DialectName, SqlClient, Statement } from './sql.ts'
import { writeSelect } from './statements/select.ts'

/** A client that sees one moment, until it is closed. */
export interface HeldClient {
  readonly client: SqlClient
  /** Whether it sees one moment; without a way to that, it sees what is there. */
  readonly isOne: boolean
  close(): Promise<void>
}

/** Opens a snapshot on a node that is right for reading, and holds it; one that cannot be opened is tried again as a read is. */
export function openSnapshot(run: Run): Promise<HeldClient> {
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
        resolve({ client, isOne, close })
      })
    }
    const over = run('read', (node) =>
      node.snapshot === undefined ? held(node, false) : node.snapshot((within) => held(within, true)),
    ).catch(reject)
  })
}

const BEGIN: Readonly<Record<DialectName, readonly string[]>> = {
  postgres: ['begin isolation level repeatable read read only'],
  mysql: ['set transaction isolation level repeatable read', 'start transaction with consistent snapshot, read only'],
  sqlite: ['begin'],
}

/** Runs work in a transaction of a connection that only reads, and sees one moment. */
export async function inSnapshot<V>({ dialect, execute }: SqlClient, work: () => Promise<V>): Promise<V> {
  for (const one of BEGIN[dialect]) await execute(command(one))
  try {
    return await work()
  } finally {
    // Nothing was written. A connection that was lost has no transaction to end.
    await execute(command('rollback')).catch(() => undefined)
  }
}

/** Tells whether a database of SQLite writes ahead: a reader then keeps no writer waiting. */
export const isWal = async ({ query }: SqlClient): Promise<boolean> =>
  valueIn((await query(command('pragma journal_mode')))[0]) === 'wal'

let cursors = 0

/** Reads a query by a cursor of the database; `learn` tells whether a refused statement may be written anew. */
export async function* cursorRows(
  client: SqlClient,
  query: Select,
  size: () => number,
  learn: (error: unknown) => Promise<boolean>,
): AsyncGenerator<Selected, void, undefined> {
  const form = readingOf(query.columns)
  const name = `edict_${cursors++}`
  const fetch = (): ReturnType<SqlClient['query']> => client.query(command(`fetch ${size()} from ${name}`))
  const open = async (): ReturnType<SqlClient['query']> => {
    await client.execute(declared(client.dialect, name, query, form.columns))
    return fetch()
  }
  const [save, , undo] = SAVEPOINT
  await client.execute(command(save))
  let rows = await open().catch(async (error: unknown) => {
    if (!(await learn(error))) throw error
    await client.execute(command(undo))
    return open()
  })
  for (; rows.length > 0; rows = await fetch()) yield selectedRows(rows, form)
}

function declared(dialect: DialectName, name: string, query: Select, columns: readonly Reference[]): Statement {
  const { strings, values } = writeSelect(DIALECTS[dialect], query, columns)
  const [first = '', ...rest] = strings
  return { strings: [`declare ${name} no scroll cursor for ${first}`, ...rest], values }
}
