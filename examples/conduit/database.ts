// The database: SQLite, in memory or in a file.
import { fileURLToPath } from 'node:url'
import { createClient } from '@libsql/client'
import { drizzle } from 'drizzle-orm/libsql'
import { migrate } from 'drizzle-orm/libsql/migrator'
import { oneAtATime } from '../blog/one-at-a-time.ts'

const migrationsFolder = fileURLToPath(new URL('migrations', import.meta.url))

/** A database with all tables. */
export type Database = Awaited<ReturnType<typeof openDatabase>>

/** Opens `file:conduit.db`, or a database in memory, and applies the migrations that it has not seen. */
export async function openDatabase(url = ':memory:') {
  const db = drizzle(oneAtATime(createClient({ url })))
  await migrate(db, { migrationsFolder })
  return db
}
