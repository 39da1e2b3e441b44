// PostgreSQL for tests: a database of its own for each user, in the collation "C".
import pg from 'pg'
import { ask, type EngineNeed, freshName, needServer, type TestDatabase } from './engine.ts'

/** Gives the PostgreSQL server of this run. */
export async function startPostgres(): Promise<EngineNeed> {
  return needServer({ name: 'PostgreSQL', dialect: 'postgres' }, await ask('postgres'), createDatabase)
}

async function createDatabase(server: string): Promise<TestDatabase> {
  const name = freshName()
  const url = new URL(server)
  url.pathname = name
  await run(server, `create database ${name} template template0 encoding 'UTF8' lc_collate 'C' lc_ctype 'C'`)
  return {
    url: url.href,
    run: (...statements) => run(url.href, ...statements),
    // The server waits for connections that are just being closed; told to cut them, it would report to clients that
    // nobody listens to any more.
    close: () => run(server, `drop database ${name}`).catch(() => run(server, `drop database ${name} with (force)`)),
  }
}

async function run(connectionString: string, ...statements: readonly string[]): Promise<void> {
  const client = new pg.Client({ connectionString })
  await client.connect()
  try {
    for (const statement of statements) await client.query(statement)
  } finally {
    await client.end()
  }
}
