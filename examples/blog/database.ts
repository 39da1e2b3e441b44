// The database: SQLite in a file, or PostgreSQL. Tables and a few blogs are there from the start.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createClient } from '@libsql/client'
import { drizzle as drizzleSqlite } from 'drizzle-orm/libsql'
import { drizzle as drizzlePostgres, type NodePgQueryResultHKT } from 'drizzle-orm/node-postgres'
import type { PgDatabase } from 'drizzle-orm/pg-core'
import pg from 'pg'
import { postgres, sqlite } from './columns.ts'
import { createTables } from './create-tables.ts'
import { seed } from './seed.ts'
import { type Tables, tablesOf } from './tables.ts'

/** What runs Drizzle's queries: a database or a transaction. */
export type Queries = PgDatabase<NodePgQueryResultHKT>

/** An open database. */
export interface Database {
  readonly db: Queries
  readonly tables: Tables
  /** Creates what is not there yet. */
  prepare(): Promise<void>
  close(): Promise<void>
}

/**
 * Opens `postgres://…`, or a file of SQLite: `file:blog.db`. Without an address the file is a new one, and goes when the
 * process ends.
 */
export function openDatabase(url?: string): Database {
  if (url === undefined || url === '') return openTemporary()
  return /^postgres(ql)?:/.test(url) ? openPostgres(url) : openSqlite(url)
}

function openPostgres(connectionString: string): Database {
  const pool = new pg.Pool({ connectionString })
  const run = (statements: string) => pool.query(statements)
  return databaseOf(drizzlePostgres(pool), tablesOf(postgres), run, () => pool.end())
}

function openSqlite(url: string): Database {
  const client = createClient({ url })
  const run = (statements: string) => client.executeMultiple(statements)
  // The queries of the two are built alike; only the types of Drizzle tell them apart.
  const db = drizzleSqlite(client) as unknown as Queries
  return databaseOf(db, tablesOf(sqlite), run, async () => client.close())
}

// Not `:memory:`, which would be another database for each connection.
function openTemporary(): Database {
  const folder = mkdtempSync(join(tmpdir(), 'blog-'))
  const database = openSqlite(`file:${join(folder, 'blog.db')}`)
  const remove = () => rmSync(folder, { recursive: true, force: true })
  process.once('exit', remove)
  const close = async () => {
    await database.close()
    process.off('exit', remove)
    remove()
  }
  return { ...database, close }
}

function databaseOf(
  db: Queries,
  tables: Tables,
  run: (statements: string) => Promise<unknown>,
  close: () => Promise<void>,
): Database {
  const prepare = async () => {
    await run(createTables(tables))
    if ((await db.$count(tables.people)) === 0) await db.transaction((tx) => seed(tx, tables))
  }
  return { db, tables, prepare, close }
}
