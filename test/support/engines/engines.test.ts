// The engines by themselves: databases of their own, texts by code points, and servers that end with their starter.
import { createClient } from '@libsql/client'
import { createConnection } from 'mysql2/promise'
import pg from 'pg'
import { expect, test } from 'vitest'
import type { Engine } from './engine.ts'
import { startMariadb } from './mariadb.ts'
import { startPostgres } from './postgres.ts'
import { startSqlite } from './sqlite.ts'

const texts = ['a', 'B', 'a ', '\u{1f600}', '\uffee', 'é', 'e\u0301']
const byCodePoints = ['B', 'a', 'a ', 'e\u0301', 'é', '\uffee', '\u{1f600}']

async function read(engine: Engine, url: string): Promise<unknown[]> {
  const query = 'select name from names order by name'
  if (engine.dialect === 'sqlite') {
    const client = createClient({ url })
    const { rows } = await client.execute(query)
    client.close()
    return rows.map((row) => row['name'])
  }
  if (engine.dialect === 'postgres') {
    const client = new pg.Client({ connectionString: url })
    await client.connect()
    const { rows } = await client.query(query)
    await client.end()
    return rows.map((row) => row.name)
  }
  const connection = await createConnection({ uri: url })
  const [rows] = await connection.query(query)
  await connection.end()
  return (rows as { name: string }[]).map(({ name }) => name)
}

for (const need of await Promise.all([startSqlite(), startPostgres(), startMariadb()])) {
  need.describe((engine) => {
    test('gives every user a database that compares texts by code points', { timeout: 30_000 }, async () => {
      const [one, other] = await Promise.all([engine.createDatabase(), engine.createDatabase()])
      const create = 'create table names (name varchar(20) primary key)'
      await one.run(create, `insert into names values ${texts.map((text) => `('${text}')`).join(', ')}`)
      await other.run(create)
      expect(await read(engine, one.url)).toEqual(byCodePoints)
      expect(await read(engine, other.url)).toEqual([])
      await Promise.all([one.close(), other.close()])
    })
  })
}
