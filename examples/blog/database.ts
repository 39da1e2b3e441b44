// The database: SQLite, in memory or in a file, or PostgreSQL. Tables and a few blogs are there from the start.
import { createClient } from '@libsql/client'
import { drizzle as drizzleSqlite } from 'drizzle-orm/libsql'
import { drizzle as drizzlePostgres, type NodePgQueryResultHKT } from 'drizzle-orm/node-postgres'
import type { PgDatabase } from 'drizzle-orm/pg-core'
import pg from 'pg'
import { postgres, sqlite } from './columns.ts'
import { createTables } from './create-tables.ts'
import { oneAtATime } from './one-at-a-time.ts'
import { seed } from './seed.ts'
import { type Tables, tablesOf } from './tables.ts'

/** A runner of Drizzle's queries: a database or a transaction. */
export type Queries = PgDatabase<NodePgQueryResultHKT>

/** An open database. */
export interface Database {
  readonly db: Queries
  readonly tables: Tables
  /** Creates what is not there yet. */
  prepare(): Promise<void>
  close(): Promise<void>
}

/** Opens `postgres://…`, or SQLite in a file, `file:blog.db`; without an address SQLite in memory. */
export function openDatabase(url = ''): Database {
  return /^postgres(ql)?:/.test(url) ? openPostgres(url) : openSqlite(url || ':memory:')
}

function openPostgres(connectionString: string): Database {
  const pool = new pg.Pool({ connectionString })
  // The pool itself replaces a connection that the server has closed; without a listener the process would end.
  pool.on('error', () => {})
  const run = (statements: string) => pool.query(statements)
  return databaseOf(drizzlePostgres(pool), tablesOf(postgres), run, () => pool.end())
}

function openSqlite(url: string): Database {
  const client = oneAtATime(createClient({ url }))
  const run = (statements: string) => client.executeMultiple(statements)
  // The queries of the two are built alike; only the types of Drizzle tell them apart.
  const db = drizzleSqlite(client) as unknown as Queries
  return databaseOf(db, tablesOf(sqlite), run, async () => client.close())
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
