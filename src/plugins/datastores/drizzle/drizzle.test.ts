import { drizzle as nodePostgres } from 'drizzle-orm/node-postgres'
import * as pg from 'drizzle-orm/pg-core'
import { drizzle as sqlJs } from 'drizzle-orm/sql-js'
import * as lite from 'drizzle-orm/sqlite-core'
import sqlite from 'node-sqlite3-wasm'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type Opened, openDrizzle, World } from '../../../../test/support/engines/drizzle.ts'
import { startMariadb } from '../../../../test/support/engines/mariadb.ts'
import { startPostgres } from '../../../../test/support/engines/postgres.ts'
import { startSqlite } from '../../../../test/support/engines/sqlite.ts'
import type { Column, Filter } from '../../query/query.ts'
import type { SqlTable } from '../sql/sql.ts'
import { type DrizzleDatabase, drizzleDatastore } from './drizzle.ts'

const engines = await Promise.all([startSqlite(), startPostgres(), startMariadb()])

for (const need of engines) {
  need.describe((engine) => {
    let opened: Opened
    let world: World

    beforeEach(async () => {
      opened = await openDrizzle(engine)
      world = new World(drizzleDatastore(opened.database), opened.tables)
    })
    afterEach(() => opened.close())

    test('adds rows and gives their keys, with the values that the tables make themselves', async () => {
      expect([...(await world.insert('people', { name: 'Ann' })).entries()]).toEqual([
        [world.column('people', 'id'), 1],
      ])
      expect([...(await world.insert('posts', {})).values()]).toEqual([1])
      expect([...(await world.insert('posts', { id: 7, title: undefined })).values()]).toEqual([7])
      expect([...(await world.insert('tags', { post: 7, tag: 'x' })).entries()]).toEqual([
        [world.column('tags', 'post'), 7],
        [world.column('tags', 'tag'), 'x'],
      ])
      expect((await world.select('tags', ['made', 'tag'])).rows).toEqual([['here', 'x']])
      expect(world.table('tags').key).toEqual(['post', 'tag'])
    })

    test('changes and removes rows, and tells how many fitted', async () => {
      for (const score of [1, 1, 2]) await world.insert('posts', { score })
      const ones: Filter = { op: '=', reference: world.of('posts', 'score'), value: 1 }
      const set = (values: object) => world.store.update(world.table('posts'), world.values('posts', values), ones)
      const data = { a: ['5', null, 1.5], b: 'ü' }
      expect(await set({ title: 'x', data, size: 'm' })).toBe(2)
      expect(await set({ title: 'x' })).toBe(2)
      expect(await set({})).toBe(2)
      const read = await world.select('posts', ['title', 'data', 'size'], {
        order: [{ reference: world.of('posts', 'id'), descending: false }],
      })
      expect(read.rows).toEqual([
        ['x', data, 'm'],
        ['x', data, 'm'],
        [null, null, null],
      ])
      await set({ data: '5' })
      expect((await world.select('posts', ['data'], { filter: ones })).rows).toEqual([['5'], ['5']])
      expect(await world.store.delete(world.table('posts'), ones)).toBe(2)
      expect(await world.store.delete(world.table('posts'), ones)).toBe(0)
      expect(await world.store.count({ from: world.table('posts'), joins: [], filter: undefined })).toBe(1)
    })

    test('tells what errors mean', async () => {
      const getFault = (promise: Promise<unknown>) =>
        promise.then(
          () => 'no error',
          (error: unknown) => world.store.classifyError(error),
        )
      expect(await getFault(world.insert('people', { name: 'Ann' }))).toBe('no error')
      expect(await getFault(world.insert('people', { name: 'Ann' }))).toBe('conflict')
      expect(await getFault(world.insert('people', { name: null }))).toBe('value')
      expect(await getFault(world.insert('people', {}))).toBe('value')
      expect(await getFault(world.insert('posts', { author: 99 }))).toBe('conflict')
      if (engine.dialect !== 'sqlite') {
        expect(await getFault(world.insert('posts', { score: 99_999_999_999 }))).toBe('value')
        expect(await getFault(world.insert('posts', { day: 'nonsense' }))).toBe('value')
      }
    })

    test('runs inside of a transaction that it is given', async () => {
      const { database, tables } = opened
      const rolledBack = database.transaction(async (tx: DrizzleDatabase) => {
        const inner = new World(drizzleDatastore(tx), tables)
        expect(inner.table('people')).toBe(world.table('people'))
        await inner.insert('people', { name: 'Ann' })
        expect((await inner.select('people', ['name'])).rows).toEqual([['Ann']])
        throw new Error('back')
      })
      await expect(rolledBack).rejects.toThrow('back')
      expect((await world.select('people', ['name'])).rows).toEqual([])
      await database.transaction(async (tx: DrizzleDatabase) => {
        await new World(drizzleDatastore(tx), tables).insert('people', { name: 'Bob' })
      })
      expect((await world.select('people', ['name'])).rows).toEqual([['Bob']])
    })
  })
}

describe('a database that responds at once', () => {
  const people = lite.sqliteTable('people', {
    id: lite.integer().primaryKey(),
    name: lite.text().notNull().unique(),
    picture: lite.blob({ mode: 'buffer' }),
    seen: lite.integer({ mode: 'number' }).$onUpdateFn(() => 7),
  })

  // The client that Drizzle expects, implemented with the available one.
  function openDatabase() {
    const database = new sqlite.Database()
    database.exec('create table people (id integer primary key, name text not null unique, picture blob, seen integer)')
    const prepare = (sql: string) => {
      let rows: unknown[][] = []
      const read = (values: unknown) => {
        rows = database.all(sql, values as sqlite.BindValues).map((row) => Object.values(row))
      }
      return { bind: read, run: read, step: () => rows.length > 0, get: () => rows.shift(), free: () => true }
    }
    return sqlJs({ prepare } as unknown as Parameters<typeof sqlJs>[0])
  }

  test('is used like one that does not', async () => {
    const store = drizzleDatastore(openDatabase())
    const table = store.table(people)
    const [id, name, picture, seen] = [...table.columns.values()] as [Column, Column, Column, Column]
    const bytes = Uint8Array.of(0, 255)
    const first = new Map<Column, unknown>([
      [name, 'Ann'],
      [picture, bytes],
    ])
    expect(await store.insert(table, first)).toEqual(new Map([[id, 1]]))
    const again = await store.insert(table, first).catch((error: unknown) => store.classifyError(error))
    expect(again).toBe('conflict')
    const all = { from: table, joins: [], filter: undefined }
    const columns = [id, name, picture, seen].map((column) => ({ source: 0, column }))
    const read = await store.select({ ...all, columns, order: [], limit: undefined, offset: 0 })
    expect(read.rows.map((row) => row.map((value) => (value instanceof Uint8Array ? [...value] : value)))).toEqual([
      [1, 'Ann', [0, 255], 7],
    ])
    expect([0, 1, 2].map((column) => read.cursorValue(0, column))).toEqual([1, 'Ann', "X'b00ff"])
    const same: Filter = { op: '=', reference: { source: 0, column: picture }, cursorValue: read.cursorValue(0, 2) }
    expect(await store.count({ ...all, filter: same })).toBe(1)
    const updateAndRead = async (values: readonly (readonly [Column, unknown])[]): Promise<unknown[]> => {
      const count = await store.update(table, new Map(values), same)
      const { rows } = await store.select({ ...all, columns, order: [], limit: undefined, offset: 0 })
      return [count, rows[0]?.[1], rows[0]?.[3]]
    }
    expect(await updateAndRead([[seen, 1]])).toEqual([1, 'Ann', 1])
    // An empty update does not call `onUpdateFn`; any other does, for columns without a value.
    expect(await updateAndRead([])).toEqual([1, 'Ann', 1])
    expect(
      await updateAndRead([
        [name, 'Bob'],
        [picture, undefined],
      ]),
    ).toEqual([1, 'Bob', 7])
    expect(await store.delete(table, same)).toBe(1)
    expect(await updateAndRead([])).toEqual([0, undefined, undefined])
  })
})

describe('a datastore of Drizzle', () => {
  test('uses the names that the database is told to use', () => {
    const people = pg.pgSchema('own').table('people', { firstName: pg.text(), lastName: pg.text('Last') })
    const store = drizzleDatastore(nodePostgres.mock({ casing: 'snake_case' }))
    const table = store.table(people) as SqlTable
    expect([...table.columns.values()].map(({ sqlName }) => sqlName)).toEqual(['"first_name"', '"Last"'])
    expect(table.sqlName).toBe('"own"."people"')
    expect(drizzleDatastore(nodePostgres.mock()).table(people).columns.get('firstName')?.name).toBe('firstName')
  })

  test('takes the results of clients that give rows as the result itself', async () => {
    const people = pg.pgTable('people', { id: pg.integer().primaryKey(), name: pg.text() })
    const result = Object.assign([{ c0: 1, c1: 'Ann' }], { count: 3 })
    const store = drizzleDatastore(Object.assign(nodePostgres.mock(), { execute: async () => result }))
    const table = store.table(people)
    const columns = [...table.columns.values()].map((column) => ({ source: 0, column }))
    const all = { from: table, joins: [], filter: undefined }
    const { rows } = await store.select({ ...all, columns, order: [], limit: undefined, offset: 0 })
    expect(rows).toEqual([[1, 'Ann']])
    expect(await store.delete(table, { op: 'and', of: [] })).toBe(3)
  })

  test('asks clients of PostgreSQL for rows as lists, also behind replicas', async () => {
    const people = pg.pgTable('people', { id: pg.integer().primaryKey(), name: pg.text() })
    const rowModes: unknown[] = []
    const cursorFunctions = new Set<unknown>()
    const pool = {
      async query({ rowMode }: { rowMode?: string }) {
        rowModes.push(rowMode)
        return { rows: [[1, 'Ann']] }
      },
    }
    const primary = nodePostgres(pool as never)
    for (const database of [primary, pg.withReplicas(primary, [nodePostgres.mock()])]) {
      const store = drizzleDatastore(database)
      const table = store.table(people)
      const columns = [...table.columns.values()].map((column) => ({ source: 0, column }))
      const selected = await store.select({
        from: table,
        joins: [],
        filter: undefined,
        columns,
        order: [],
        limit: undefined,
        offset: 0,
      })
      expect(selected.rows).toEqual([[1, 'Ann']])
      expect(selected.undecoded?.rows).toEqual([[1, 'Ann']])
      // A copy with other rows has no raw rows, and the same cursor values.
      const copy = { ...selected, rows: [] }
      expect(copy.undecoded).toBeUndefined()
      expect([copy.cursorValue(0, 0), copy.cursorValue(0, 1)]).toEqual([1, 'Ann'])
      cursorFunctions.add(selected.cursorValue)
    }
    expect(rowModes).toEqual(['array', 'array'])
    // With a function for each, the rows of every page would leave the young generation before they are collected.
    expect(cursorFunctions.size).toBe(1)
  })

  test('knows a database with replicas', () => {
    const [primary, replica] = [nodePostgres.mock(), nodePostgres.mock()]
    const store = drizzleDatastore(pg.withReplicas(primary, [replica]))
    expect(store.maxValues).toBe(65_000)
  })

  test('refuses what is no database, and tables of another one', () => {
    const people = lite.sqliteTable('people', { id: lite.integer().primaryKey() })
    expect(() => drizzleDatastore({ execute: () => Promise.resolve() })).toThrow(TypeError)
    expect(() => drizzleDatastore(nodePostgres.mock()).table(people)).toThrow('not one of postgres')
    expect(() => drizzleDatastore(nodePostgres.mock()).table({} as typeof people)).toThrow('no table of Drizzle')
  })
})
