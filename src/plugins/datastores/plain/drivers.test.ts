// Tests the driver datastores: descriptions of tables, transactions, faults of errors, and settings of users that stay.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  type CatalogueClient,
  type Catalogued,
  clientsOn,
  enginesHere,
  isNewer,
  openCatalogued,
} from '../../../../test/support/engines/clients/catalogued.ts'
import type { Engine, TestDatabase } from '../../../../test/support/engines/engine.ts'
import { sqlite } from '../../../../test/support/engines/sqlite.ts'
import type { Column, ColumnValues, Datastore, Table } from '../../query/query.ts'
import type { DialectName } from '../sql/sql.ts'

const ID: Readonly<Record<DialectName, string>> = {
  sqlite: 'integer primary key',
  postgres: 'integer generated always as identity primary key',
  mysql: 'integer auto_increment primary key',
}

function toColumnValues(table: Table, row: Readonly<Record<string, unknown>>): ColumnValues {
  return new Map(Object.entries(row).map(([name, value]) => [table.columns.get(name) as Column, value]))
}

function insert(store: Datastore<string>, name: string, row: Readonly<Record<string, unknown>>): Promise<ColumnValues> {
  const table = store.table(name)
  return store.insert(table, toColumnValues(table, row))
}

const count = (store: Datastore<string>, name: string): Promise<number> =>
  store.count({ from: store.table(name), joins: [], filter: undefined })

async function all(store: Datastore<string>, name: string): Promise<readonly (readonly unknown[])[]> {
  const from = store.table(name)
  const columns = [...from.columns.values()].map((column) => ({ source: 0, column }))
  return (await store.select({ from, joins: [], filter: undefined, columns, order: [], limit: undefined, offset: 0 }))
    .rows
}

const getFault = (store: Datastore<string>, work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => 'nothing',
    (error: unknown) => store.classifyError(error),
  )

function describeClient(engine: Engine, client: CatalogueClient): void {
  const { dialect } = engine
  const quote = dialect === 'mysql' ? '`' : '"'
  let database: TestDatabase
  let opened: Catalogued
  const open = () => openCatalogued(client, dialect, database.url)

  beforeAll(async () => {
    database = await engine.createDatabase()
    await database.run(
      `create table people (id ${ID[dialect]}, name varchar(40) not null unique, note varchar(40))`,
      'create table members (club varchar(20) not null, person integer not null references people (id), primary key (person, club))',
      `create table ${quote}dotted.name${quote} (id integer not null primary key)`,
    )
    opened = await open()
  })
  afterAll(async () => {
    await opened.end()
    await database.close()
  })

  test('[LST-14] tables, columns and keys are those of the catalogue', () => {
    const { datastore } = opened
    const described = [...datastore.table('people').columns.values()]
    expect(described.map(({ name, nullable, optional }) => [name, nullable, optional])).toEqual([
      ['id', false, true],
      ['name', false, false],
      ['note', true, true],
    ])
    expect(datastore.table('members').key).toEqual(['person', 'club'])
    expect(datastore.table('dotted.name').key).toEqual(['id'])
    expect(() => datastore.table('nope')).toThrow(`no table 'nope' (it would be ${quote}nope${quote})`)
    expect(() => datastore.table(`people${quote}; --`)).toThrow('no table')
  })

  test('[LST-14] errors tell whose fault they are, by the codes of the client', async () => {
    const { datastore } = opened
    await insert(datastore, 'people', { name: 'Only' })
    expect(await getFault(datastore, insert(datastore, 'people', { name: 'Only' }))).toBe('conflict')
    expect(await getFault(datastore, insert(datastore, 'members', { person: -5, club: 'x' }))).toBe('conflict')
    expect(await getFault(datastore, insert(datastore, 'people', { name: null }))).toBe('value')
    const closed = await open()
    await closed.end()
    expect(await getFault(closed.datastore, count(closed.datastore, 'people'))).toBe('unavailable')
  })

  test('[LST-14] a transaction that fails leaves nothing, and one that does not leaves all', async () => {
    const { datastore, transaction } = opened
    const before = await count(datastore, 'people')
    const failing = transaction(async (within) => {
      expect(within.table('people')).toBe(datastore.table('people'))
      await insert(within, 'people', { name: 'Gone' })
      expect(await count(within, 'people')).toBe(before + 1)
      throw new Error('enough')
    })
    await expect(failing).rejects.toThrow('enough')
    expect(await count(datastore, 'people')).toBe(before)
    await transaction(async (within) => void (await insert(within, 'people', { name: 'Kept' })))
    expect(await count(datastore, 'people')).toBe(before + 1)
  })

  test('statements next to a transaction see nothing of it, and are not rolled back with it', async () => {
    const { datastore, transaction } = opened
    const before = await count(datastore, 'people')
    let beside: Promise<unknown> = Promise.resolve()
    const failing = transaction(async (within) => {
      await insert(within, 'people', { name: 'Inside' })
      beside = count(datastore, 'people').then(async (seen) => {
        await insert(datastore, 'people', { name: 'Beside' })
        return seen
      })
      await new Promise((resolve) => setImmediate(resolve))
      await insert(within, 'people', { name: 'Inside too' })
      throw new Error('enough')
    })
    await expect(failing).rejects.toThrow('enough')
    expect(await beside).toBe(before)
    expect(await count(datastore, 'people')).toBe(before + 1)
  })

  test('one transaction begins when the other has ended', async () => {
    const { datastore, transaction } = opened
    const before = await count(datastore, 'people')
    const insertInTransaction = (name: string) =>
      transaction(async (within) => {
        await insert(within, 'people', { name })
        await new Promise((resolve) => setImmediate(resolve))
        if (name === 'second') throw new Error(name)
      })
    const ended = await Promise.allSettled(['first', 'second', 'third'].map(insertInTransaction))
    expect(ended.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
    expect(await count(datastore, 'people')).toBe(before + 2)
  })
}

for (const need of await enginesHere()) {
  const clients = clientsOn(need.dialect).filter((client) => client !== 'Kysely')
  if (clients.length > 0) need.describe((engine) => describe.each(clients)('%s', (one) => describeClient(engine, one)))
}

if (isNewer)
  test('whole numbers are kept exactly, as numbers and not as fractions', async () => {
    for (const client of clientsOn('sqlite')) {
      const database = await sqlite.createDatabase()
      await database.run('create table things (id integer primary key, anything, words text, big bigint)')
      const { datastore, end } = await openCatalogued(client, 'sqlite', database.url, { odd: true })
      const big = 9_223_372_036_854_775_807n
      await insert(datastore, 'things', { id: 2 ** 53 - 1, anything: 5, words: 'a', big })
      expect(await all(datastore, 'things')).toEqual([[2 ** 53 - 1, 5, 'a', big]])
      await database.run('create table kept as select typeof(anything) as type from things')
      const again = await openCatalogued(client, 'sqlite', database.url)
      expect(await all(again.datastore, 'kept')).toEqual([['integer']])
      await again.end()
      await end()
      await database.close()
    }
  })
