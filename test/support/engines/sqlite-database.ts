// A database of SQLite: a file of its own for each user. A database in memory would belong to one connection only, and the
// client opens another one after each transaction. Benchmarks use it, too, so it needs nothing of Vitest.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createClient } from '@libsql/client'
import type { TestDatabase } from './engine.ts'

/** Makes an empty database. */
export async function createSqliteDatabase(): Promise<TestDatabase> {
  const folder = mkdtempSync(join(tmpdir(), 'edict-sqlite-'))
  const url = `file:${join(folder, 'database')}`
  return {
    url,
    run: async (...statements) => {
      const client = createClient({ url })
      for (const statement of statements) await client.execute(statement)
      client.close()
    },
    close: async () => rmSync(folder, { recursive: true, force: true }),
  }
}
