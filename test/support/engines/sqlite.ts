// SQLite for tests.
import { type Engine, EngineNeed } from './engine.ts'
import { createSqliteDatabase } from './sqlite-database.ts'

/** SQLite, which every machine has: npm installs it. */
export const sqlite: Engine = { name: 'SQLite', dialect: 'sqlite', createDatabase: createSqliteDatabase }

/** Gives SQLite among engines that a machine may not have. */
export async function startSqlite(): Promise<EngineNeed> {
  return new EngineNeed(sqlite)
}
