// The notes of the server under test: one table in PostgreSQL, in a file of SQLite, or in memory.
import { createClient } from '@libsql/client'
import { drizzle as sqlite } from 'drizzle-orm/libsql'
import { drizzle as postgres } from 'drizzle-orm/node-postgres'
import { pgTable, text as pgText, serial } from 'drizzle-orm/pg-core'
import { integer, sqliteTable, text as sqliteText } from 'drizzle-orm/sqlite-core'
import { mediaType, t } from 'edict'
import { type Datastore, memoryDatastore } from 'edict/mapper'
import { drizzleDatastore } from 'edict/mapper/drizzle'
import pg from 'pg'
import type { Gauge, Settings } from './settings.ts'

/** One note. */
export const Note = mediaType('Note', {
  attributes: { id: t.integer({ required: true }), text: t.string({ required: true, max: 200 }) },
})

/** An open database with its table. */
export interface Opened {
  readonly datastore: Datastore<never>
  readonly table: unknown
  pool(): Gauge['pool']
  close(): Promise<void>
}

const none = { total: 0, idle: 0, waiting: 0 }
const rows = pgTable('notes', { id: serial().primaryKey(), text: pgText().notNull() })
const fileRows = sqliteTable('notes', { id: integer().primaryKey(), text: sqliteText().notNull() })

/** Opens the database that the settings name. */
export function open(settings: Settings, told: (error: Error) => void): Opened {
  const { database = '' } = settings
  if (database.startsWith('postgres:')) return openPostgres(settings, database, told)
  if (database.startsWith('file:')) {
    const client = createClient({ url: database })
    return opened(
      drizzleDatastore(sqlite(client)),
      fileRows,
      () => none,
      async () => client.close(),
    )
  }
  const columns = { id: { kind: 'integer', generated: true }, text: { kind: 'text' } } as const
  return opened(
    memoryDatastore({ notes: { columns, key: ['id'] } }),
    'notes',
    () => none,
    async () => {},
  )
}

function openPostgres(
  { pool: settings, poolListener = true }: Settings,
  url: string,
  told: (error: Error) => void,
): Opened {
  const pool = new pg.Pool({
    connectionString: url,
    max: 10,
    connectionTimeoutMillis: 1000,
    statement_timeout: 1000,
    query_timeout: 1500,
    ...settings,
  })
  // Without a listener, an idle connection that breaks is an uncaught error.
  if (poolListener) pool.on('error', told)
  const counts = (): Gauge['pool'] => ({ total: pool.totalCount, idle: pool.idleCount, waiting: pool.waitingCount })
  return opened(drizzleDatastore(postgres(pool)), rows, counts, () => pool.end())
}

function opened(datastore: unknown, table: unknown, pool: Opened['pool'], close: Opened['close']): Opened {
  return { datastore: datastore as Datastore<never>, table, pool, close }
}
