// Tests pg and mysql2: their own settings, prepared statements and further schemas.
import { createPool } from 'mysql2/promise'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { TestDatabase } from '../../../../test/support/engines/engine.ts'
import { startMariadb } from '../../../../test/support/engines/mariadb.ts'
import { startPostgres } from '../../../../test/support/engines/postgres.ts'
import type { Column, Datastore } from '../../query/query.ts'
import { mysql2Datastore } from './mysql2.ts'
import { pgDatastore } from './pg.ts'

async function all(store: Datastore<string>, name: string): Promise<unknown> {
  const from = store.table(name)
  const columns = [...from.columns.values()].map((column) => ({ source: 0, column }))
  const read = await store.select({
    ...{ from, joins: [], filter: undefined, columns, limit: undefined, offset: 0 },
    order: [{ reference: { source: 0, column: from.columns.get('id') as Column }, descending: false }],
  })
  return read.rows
}

const [postgres, mariadb] = await Promise.all([startPostgres(), startMariadb()])

postgres.describe((engine) => {
  let database: TestDatabase
  let pool: pg.Pool
  beforeAll(async () => {
    database = await engine.createDatabase()
    await database.run(
      'create table things (id integer primary key, word varchar(9), letters char(3), at timestamptz, big bigint, sizes integer[])',
      "insert into things values (1, ' a ', 'b', '2024-05-06 07:08:09.123456+00', 9007199254740993, '{1,2}')",
      'create schema other',
      'create table other.things (id integer primary key)',
    )
    pool = new pg.Pool({ connectionString: database.url, max: 1 })
  })
  afterAll(async () => {
    await pool.end()
    await database.close()
  })
  const row = [1, ' a ', 'b  ', new Date('2024-05-06T07:08:09.123Z'), 9007199254740993n, [1, 2]]

  test('parsers that users have for texts change no values, and stay theirs; what is passed through is parsed', async () => {
    const customPool = new pg.Pool({
      connectionString: database.url,
      types: {
        getTypeParser: ((oid: number, format: 'text') =>
          oid === 25 || oid === 1043 || oid === 1042 ? () => 'changed' : pg.types.getTypeParser(oid, format)) as never,
      },
    })
    expect(await all(await pgDatastore(customPool), 'things')).toEqual([row])
    const client = await customPool.connect()
    client.setTypeParser(1007 as never, () => 'mine')
    expect(await all((await pgDatastore(customPool)).withDatabase(client), 'things')).toEqual([
      [...row.slice(0, 5), 'mine'],
    ])
    expect((await client.query('select word from things')).rows).toEqual([{ word: 'changed' }])
    client.release()
    await customPool.end()
  })

  test('statements have names only where they are requested, and one name each', async () => {
    const countPrepared = async () =>
      (await pool.query('select count(*)::int as n, count(distinct name)::int as names from pg_prepared_statements'))
        .rows[0]
    const plain = await pgDatastore(pool)
    expect(await all(plain, 'things')).toEqual([row])
    expect(await countPrepared()).toEqual({ n: 0, names: 0 })
    const prepared = await pgDatastore(pool, { prepare: true })
    for (let i = 0; i < 3; i++) expect(await all(prepared, 'things')).toEqual([row])
    expect(await countPrepared()).toEqual({ n: 2, names: 2 })
  })

  test('no more statements are prepared than a connection should keep', async () => {
    const otherPool = new pg.Pool({ connectionString: database.url, max: 1 })
    const store = await pgDatastore(otherPool, { prepare: true })
    const from = store.table('things')
    const reference = { source: 0, column: from.columns.get('id') as Column }
    for (let size = 1; size <= 520; size++)
      await store.count({
        from,
        joins: [],
        filter: { op: 'in', reference, values: Array.from({ length: size }, (_, i) => i) },
      })
    expect((await otherPool.query('select count(*)::int as n from pg_prepared_statements')).rows).toEqual([{ n: 500 }])
    await otherPool.end()
  })

  test('tables of other schemas have its name before theirs', async () => {
    const store = await pgDatastore(pool, { schemas: ['other'] })
    expect(store.table('other.things').columns.size).toBe(1)
    expect(store.table('things').columns.size).toBe(6)
  })

  test('a setting that there is not is refused by name', async () => {
    await expect(pgDatastore(pool, { prepared: true } as never)).rejects.toThrow('prepared')
    await expect(pgDatastore(pool, { schemas: 'other' } as never)).rejects.toThrow('schemas')
  })
})

mariadb.describe((engine) => {
  let database: TestDatabase
  beforeAll(async () => {
    database = await engine.createDatabase()
    await database.run(
      'create table things (id bigint unsigned auto_increment primary key, word varchar(9), at datetime(6), price decimal(30, 5))',
      "insert into things values (18446744073709551000, ' a ', '2024-05-06 07:08:09.123456', 1234567890123456789.12345)",
    )
  })
  afterAll(() => database.close())

  test('what users have set for values changes none, and generated keys are exact', async () => {
    const pool = createPool({
      uri: database.url,
      decimalNumbers: true,
      timezone: '+09:00',
      typeCast: (field, next) => (field.type === 'VAR_STRING' ? 'changed' : next()),
    })
    const row = [18446744073709551000n, ' a ', new Date('2024-05-06T07:08:09.123Z'), '1234567890123456789.12345']
    for (const prepare of [false, true]) {
      const store = await mysql2Datastore(pool, { prepare })
      expect(await all(store, 'things')).toEqual([row])
      const table = store.table('things')
      const [id, word] = ['id', 'word'].map((name) => table.columns.get(name) as Column) as [Column, Column]
      const key = await store.insert(table, new Map([[word, 'b']]))
      expect(key.get(id)).toBe(prepare ? 18446744073709551002n : 18446744073709551001n)
      const reference = { source: 0, column: id }
      expect(await store.delete(table, { op: '=', reference, value: key.get(id) })).toBe(1)
    }
    await pool.end()
  })

  test('values stay values where a backslash is only a character', async () => {
    const pool = createPool({ uri: database.url, connectionLimit: 1 })
    await pool.query("set sql_mode = concat(@@sql_mode, ',NO_BACKSLASH_ESCAPES')")
    const store = await mysql2Datastore(pool)
    const from = store.table('things')
    const reference = { source: 0, column: from.columns.get('word') as Column }
    const filter = { op: '=', reference, value: "\\' or 1=1 -- " } as const
    expect(await store.count({ from, joins: [], filter })).toBe(0)
    await pool.end()
  })
})
