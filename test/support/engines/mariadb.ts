// MariaDB for tests: a database of its own for each user, in a binary collation that does not pad texts.
import { createConnection } from 'mysql2/promise'
import { ask, type EngineNeed, freshName, needServer, type TestDatabase } from './engine.ts'

/** Gives the MariaDB server of this run. */
export async function startMariadb(): Promise<EngineNeed> {
  return needServer({ name: 'MariaDB', dialect: 'mysql' }, await ask('mariadb'), createDatabase)
}

async function createDatabase(server: string): Promise<TestDatabase> {
  const name = freshName()
  const url = `${server}/${name}`
  await run(server, `create database ${name} character set utf8mb4 collate utf8mb4_nopad_bin`)
  return {
    url,
    run: (...statements) => run(url, ...statements),
    close: () => run(server, `drop database ${name}`),
  }
}

async function run(uri: string, ...statements: readonly string[]): Promise<void> {
  const connection = await createConnection({ uri })
  try {
    for (const statement of statements) await connection.query(statement)
  } finally {
    await connection.end()
  }
}
