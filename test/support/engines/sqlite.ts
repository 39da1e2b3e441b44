// SQLite for tests: a file of its own for each user. A database in memory would belong to one connection only, and the
// client opens another one after each transaction.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createClient } from '@libsql/client'
import type { Engine, TestDatabase } from './engine.ts'

/** Gives SQLite, which needs no server. */
export async function startSqlite(): Promise<Engine> {
  return { name: 'SQLite', dialect: 'sqlite', createDatabase }
}

async function createDatabase(): Promise<TestDatabase> {
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
