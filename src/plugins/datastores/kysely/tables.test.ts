// Tests the tables of the Kysely datastore: keys, defaults, names that plugins change, schemas; and transactions.
import { CamelCasePlugin, type Kysely, ParseJSONResultsPlugin, SqliteAdapter } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Engine, TestDatabase } from '../../../../test/support/engines/engine.ts'
import { openKysely } from '../../../../test/support/engines/kysely.ts'
import { startMariadb } from '../../../../test/support/engines/mariadb.ts'
import { startPostgres } from '../../../../test/support/engines/postgres.ts'
import { sqlite, startSqlite } from '../../../../test/support/engines/sqlite.ts'
import type { Column, ColumnValues, Datastore, Table } from '../../query/query.ts'
import type { DialectName } from '../sql/sql.ts'
import { kyselyDatastore } from './kysely.ts'

interface Tables {
  people: { id: number; full_name: string; note: string | null; level: number; size: number; doubled: number }
  memberships: { member: number; club: string }
  notes: { text: string }
  views: { id: number }
  missing: { id: number }
}

const ID: Readonly<Record<DialectName, string>> = {
  sqlite: 'integer primary key',
  postgres: 'integer generated always as identity primary key',
  mysql: 'integer auto_increment primary key',
}

const statements = (dialect: DialectName): readonly string[] => [
  `create table people (
    id ${ID[dialect]},
    full_name varchar(40) not null unique,
    note varchar(40),
    level integer not null default 3,
    size integer not null,
    doubled integer generated always as (size * 2) stored
  )`,
  `create table memberships (
    club varchar(20) not null, member integer not null references people (id), primary key (member, club)
  )`,
  'create table notes (text varchar(200) not null)',
  'create view views as select id from people',
]

function toColumnValues(table: Table, row: Readonly<Record<string, unknown>>): ColumnValues {
  return new Map(Object.entries(row).map(([name, value]) => [table.columns.get(name) as Column, value]))
}

function insert<T extends string>(
  store: Datastore<T>,
  name: T,
  row: Readonly<Record<string, unknown>>,
): Promise<ColumnValues> {
  const table = store.table(name)
  return store.insert(table, toColumnValues(table, row))
}

async function getFault<T>(store: Datastore<T>, work: Promise<unknown>): Promise<unknown> {
  return work.then(
    () => 'nothing',
    (error: unknown) => store.classifyError(error),
  )
}

function describeTables(engine: Engine): void {
  let database: TestDatabase
  let db: Kysely<Tables>
  const count = async (store: Datastore<keyof Tables>, name: keyof Tables) =>
    store.count({ from: store.table(name), joins: [], filter: undefined })

  beforeAll(async () => {
    database = await engine.createDatabase()
    await database.run(...statements(engine.dialect))
    db = openKysely<Tables>(engine.dialect, database.url)
  })
  afterAll(async () => {
    await db.destroy()
    await database.close()
  })

  test('keys are in their own order, and columns tell what new rows need', async () => {
    const store = await kyselyDatastore(db)
    const people = store.table('people')
    const described = [...people.columns.values()].map(({ name, nullable, optional }) => [name, nullable, optional])
    expect(described).toEqual([
      ['id', false, true],
      ['full_name', false, false],
      ['note', true, true],
      ['level', false, true],
      ['size', false, false],
      ['doubled', true, true],
    ])
    expect(people.key).toEqual(['id'])
    expect(store.table('memberships').key).toEqual(['member', 'club'])
    expect(store.table('views').key).toEqual([])
    expect(store.table('people')).toBe(people)
  })

  test('a table that the database does not have is refused by name', async () => {
    const store = await kyselyDatastore(db)
    expect(() => store.table('missing')).toThrow("no table 'missing'")
    expect(() => store.table('people as p' as 'people')).toThrow('no table')
    expect(() => store.table('people"; --' as 'people')).toThrow('no table')
  })

  test('the same tables serve a transaction, and what it did is gone when it fails', async () => {
    const store = await kyselyDatastore(db)
    const before = await count(store, 'people')
    const failing = db.transaction().execute(async (transaction) => {
      const inside = store.withDatabase(transaction)
      expect(inside.table('people')).toBe(store.table('people'))
      await insert(inside, 'people', { full_name: 'Gone', size: 1 })
      expect(await count(inside, 'people')).toBe(before + 1)
      throw new Error('enough')
    })
    await expect(failing).rejects.toThrow('enough')
    expect(await count(store, 'people')).toBe(before)
    await db
      .transaction()
      .execute((transaction) => insert(store.withDatabase(transaction), 'people', { full_name: 'Kept', size: 1 }))
    expect(await count(store, 'people')).toBe(before + 1)
  })

  test('changes tell how many rows fitted, also when nothing changed in them', async () => {
    const store = await kyselyDatastore(db)
    const table = store.table('people')
    const key = await insert(store, 'people', { full_name: 'Same', size: 7 })
    const [[id, value]] = [...key] as [[Column, unknown]]
    expect(value).toEqual(expect.any(Number))
    const filter = { op: '=', reference: { source: 0, column: id }, value } as const
    expect(await store.update(table, toColumnValues(table, { size: 7 }), filter)).toBe(1)
    expect(await store.delete(table, filter)).toBe(1)
    expect(await store.delete(table, filter)).toBe(0)
  })

  test('errors of the database tell whose fault they are', async () => {
    const store = await kyselyDatastore(db)
    await insert(store, 'people', { full_name: 'Only', size: 1 })
    expect(await getFault(store, insert(store, 'people', { full_name: 'Only', size: 1 }))).toBe('conflict')
    expect(await getFault(store, insert(store, 'memberships', { member: -5, club: 'x' }))).toBe('conflict')
    expect(await getFault(store, insert(store, 'people', { full_name: null, size: 1 }))).toBe('value')
  })

  test('plugins rename columns and tables, and change no values', async () => {
    await database.run('create table user_logins (id integer not null primary key, last_seen_at varchar(40) not null)')
    const plugins = [new CamelCasePlugin(), new ParseJSONResultsPlugin()]
    const renamed = openKysely<{ userLogins: { id: number; lastSeenAt: string } }>(engine.dialect, database.url, {
      plugins,
    })
    const store = await kyselyDatastore(renamed)
    const table = store.table('userLogins')
    expect([...table.columns.keys()]).toEqual(['id', 'lastSeenAt'])
    expect(table.columns.get('lastSeenAt')?.name).toBe('lastSeenAt')
    await insert(store, 'userLogins', { id: 1, lastSeenAt: '{"a_b":1}' })
    const columns = [...table.columns.values()].map((column) => ({ source: 0, column }))
    const query = { from: table, joins: [], filter: undefined, columns, order: [], limit: undefined, offset: 0 }
    expect((await store.select(query)).rows).toEqual([[1, '{"a_b":1}']])
    await renamed.destroy()
  })

  test('names are quoted, whatever is in them', async () => {
    const [quote, doubled] = engine.dialect === 'mysql' ? ['`', '``'] : ['"', '""']
    await database.run(
      `create table ${quote}or${doubled}der${quote} (${quote}gro${doubled}up${quote} integer primary key)`,
    )
    const store = (await kyselyDatastore(db)) as unknown as Datastore<string>
    const table = store.table(`or${quote}der`)
    expect(await insert(store, `or${quote}der`, { [`gro${quote}up`]: 5 })).toEqual(
      new Map([[table.columns.get(`gro${quote}up`), 5]]),
    )
  })

  if (engine.dialect === 'sqlite') return
  test('tables of other schemas have its name before theirs, by name or by instance', async () => {
    const other = `other_${crypto.randomUUID().slice(0, 8).replaceAll('-', '')}`
    await database.run(`create schema ${other}`, `create table ${other}.things (id integer primary key)`)
    const store = (await kyselyDatastore(db, { schemas: [other] })) as unknown as Datastore<string>
    expect(store.table(`${other}.things`).key).toEqual(['id'])
    expect(() => store.table('things')).toThrow('no table')
    await insert(store, `${other}.things`, { id: 4 })
    const within = (await kyselyDatastore(db.withSchema(other))) as unknown as Datastore<string>
    expect(await within.count({ from: within.table('things'), joins: [], filter: undefined })).toBe(1)
    expect(() => within.table('people')).toThrow('no table')
    await database.run(`drop schema ${other}${engine.dialect === 'postgres' ? ' cascade' : ''}`)
  })
}

for (const need of await Promise.all([startSqlite(), startPostgres(), startMariadb()]))
  need.describe((engine) => describeTables(engine))

describe('SQLite', () => {
  test('gives numbers only to rows that have them', async () => {
    const database = await sqlite.createDatabase()
    await database.run(
      'create table numbered (id INTEGER PRIMARY KEY)',
      'create table counted (id integer primary key autoincrement)',
      'create table named (id int primary key)',
      'create table bare (id integer primary key) without rowid',
      'create table pairs (id integer, other integer, primary key (id, other))',
    )
    const db = openKysely<Record<string, object>>('sqlite', database.url)
    const store = await kyselyDatastore(db)
    const isOptional = (name: string) => store.table(name).columns.get('id')?.optional
    expect(['numbered', 'counted', 'named', 'bare', 'pairs'].map(isOptional)).toEqual([true, true, false, false, false])
    await db.destroy()
    await database.close()
  })
})

describe('the dialect', () => {
  test('is found by the adapter, or has to be named', async () => {
    const database = await sqlite.createDatabase()
    await database.run('create table notes (text text primary key)')
    const db = openKysely<Pick<Tables, 'notes'>>('sqlite', database.url)
    const withAdapter = (adapter: object): typeof db =>
      Object.create(db, {
        getExecutor: { value: () => ({ adapter, plugins: [] }) },
        withoutPlugins: { value: () => db },
        selectFrom: { value: db.selectFrom.bind(db) },
      }) as typeof db
    const unknownAdapter = withAdapter(new (class Strange {})())
    await expect(kyselyDatastore(unknownAdapter)).rejects.toThrow("adapter 'Strange': name one in the option 'dialect'")
    expect((await kyselyDatastore(unknownAdapter, { dialect: 'sqlite' })).table('notes').key).toEqual(['text'])
    const copied = withAdapter(new { SqliteAdapter: class SqliteAdapter {} }.SqliteAdapter())
    expect((await kyselyDatastore(copied)).table('notes').key).toEqual(['text'])
    const derived = withAdapter(new (class extends SqliteAdapter {})())
    expect((await kyselyDatastore(derived)).table('notes').key).toEqual(['text'])
    await db.destroy()
    await database.close()
  })
})
