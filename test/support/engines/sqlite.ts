// SQLite for tests: a file of its own for each user. A database in memory would belong to one connection only, and the
// client opens another one after each transaction.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createClient } from '@libsql/client'
import { type Engine, EngineNeed, type TestDatabase } from './engine.ts'

/** SQLite, which every machine has: npm installs it. */
export const sqlite: Engine = { name: 'SQLite', dialect: 'sqlite', createDatabase }

/** Gives SQLite among engines that a machine may not have. */
export async function startSqlite(): Promise<EngineNeed> {
  return new EngineNeed(sqlite)
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
