// Lists that lost or repeated elements without a word: each is walked exactly now, or refused.
import { createClient } from '@libsql/client'
import { drizzle as libsql } from 'drizzle-orm/libsql'
import * as mysql from 'drizzle-orm/mysql-core'
import { drizzle as mysql2 } from 'drizzle-orm/mysql2'
import { drizzle as nodePostgres } from 'drizzle-orm/node-postgres'
import * as pg from 'drizzle-orm/pg-core'
import * as lite from 'drizzle-orm/sqlite-core'
import { type Application, application, collectionOf, controller, endpoint, mediaType, route, t } from 'edict'
import { type Column, type Datastore, FieldSelector, mapper, memoryDatastore, one, resource } from 'edict/mapper'
import { drizzleDatastore } from 'edict/mapper/drizzle'
import { kyselyDatastore } from 'edict/mapper/kysely'
import { OrderingParams, PaginationParams, pagination } from 'edict/pagination'
import { createPool } from 'mysql2/promise'
import pgClient from 'pg'
import { afterAll, describe, expect, test } from 'vitest'
import { askFetch } from '../../support/ask.ts'
import { openKysely } from '../../support/engines/kysely.ts'
import { startMariadb } from '../../support/engines/mariadb.ts'
import { startPostgres } from '../../support/engines/postgres.ts'
import { sqlite } from '../../support/engines/sqlite.ts'
import { follow } from './walk.ts'

const [postgres, mariadb] = await Promise.all([startPostgres(), startMariadb()])
const SLOW = { timeout: 120_000 }
const closings: (() => Promise<unknown>)[] = []
afterAll(async () => {
  for (const close of closings.toReversed()) await close()
})

const Other = mediaType('Other', { attributes: { id: t.integer({ required: true }), name: t.string() } })
const attributes = { id: t.integer({ required: true }), part: t.string({ nullable: true }), other: Other }

/** How a list differs from the usual one. */
interface Settings<T> {
  readonly table: T
  readonly key?: readonly ('id' | 'part')[]
  readonly others?: { readonly table: T; readonly on: Readonly<Record<string, string>> }
}

function listIn<T>(datastore: Datastore<T>, { table, key, others }: Settings<T>): Application {
  const { other, ...own } = attributes
  const Item = mediaType('Item', { attributes: others === undefined ? own : attributes })
  const Items = endpoint('Items', {
    mediaType: Item,
    actions: {
      index: {
        routing: route.get('/'),
        params: {
          fields: FieldSelector.for(Item),
          pagination: PaginationParams.for(Item, { byFields: ['id', 'part'] }),
          order: OrderingParams.for(Item, { byFields: ['id', 'part'] }),
        },
        responses: { ok: collectionOf(Item) },
      },
    },
  })
  const target = others && resource(datastore, Other, { table: others.table })
  const items = resource(
    datastore,
    Item as never,
    {
      table,
      ...(key && { key }),
      ...(target && { attributes: { other: one(target, others.on) } }),
    } as never,
  )
  return application({
    environment: 'test',
    logger: { info() {}, warn() {}, error() {} },
    plugins: [mapper({ resources: target ? [items, target] : [items] }), pagination()],
    controllers: [
      controller(Items, { index: async (_, { request, reply }) => reply.ok((await items.list(request)) as never) }),
    ],
  })
}

type Shown = { readonly id: number; readonly part?: string | null }

async function walked(app: Application, order: string, items: number): Promise<Shown[]> {
  const by = order.replace(/^-|,.*/g, '')
  const start = `/items?fields=id,part&order=${order}&pagination=by=${by},items=${items}`
  const there = await follow({ app }, start, 'next', false)
  const elements = there.flatMap((page) => page.elements) as Shown[]
  const prev = there.at(-1)?.links.get('prev')
  const back = prev === undefined ? [] : await follow({ app }, prev, 'prev', false)
  expect(back.toReversed().flatMap((page) => page.elements)).toEqual(elements.slice(0, (there.length - 1) * items))
  return elements
}

/** Walks in both directions: every row comes once. */
async function expectAll(app: Application, rows: number): Promise<void> {
  for (const order of ['id', '-id', 'part', '-part', 'part,-id'])
    for (const items of [1, 2]) expect([order, (await walked(app, order, items)).length]).toEqual([order, rows])
}

const PAIRS = [1, 2, 3].flatMap((id) => ['a', 'b'].map((part) => ({ id, part })))

test('a key of several columns that PaginationParams was not told lost two of six rows', SLOW, async () => {
  const columns = { id: { kind: 'integer' }, part: { kind: 'text' } } as const
  const memory = memoryDatastore({ items: { columns, key: ['id', 'part'], rows: PAIRS } })
  await expectAll(listIn(memory, { table: 'items', key: ['id', 'part'] }), 6)
})

describe('SQLite', () => {
  const open = async (...statements: string[]) => {
    const database = await sqlite.createDatabase()
    closings.push(database.close)
    await database.run(...statements)
    return database.url
  }
  const drizzled = (url: string) => {
    const client = createClient({ url })
    closings.push(async () => client.close())
    return drizzleDatastore(libsql(client)) as Datastore<never>
  }
  const kyselied = async (url: string) => {
    const db = openKysely<Record<string, object>>('sqlite', url)
    closings.push(() => db.destroy())
    return (await kyselyDatastore(db)) as unknown as Datastore<never>
  }

  test('rows whose key is null were lost: SQLite lets nulls into keys', SLOW, async () => {
    const url = await open(
      'create table items (id integer, part text, primary key (id, part))',
      "insert into items values (1, 'a'), (1, null), (1, null), (2, null), (2, 'b'), (2, null)",
    )
    const items = lite.sqliteTable('items', { id: lite.integer().notNull(), part: lite.text() }, ({ id, part }) => [
      lite.primaryKey({ columns: [id, part] }),
    ])
    await expectAll(listIn(drizzled(url), { table: items as never, key: ['id', 'part'] }), 6)
    await expectAll(listIn(await kyselied(url), { table: 'items' as never, key: ['id', 'part'] }), 6)
  })

  test('nulls in a column that is declared notNull() were lost', SLOW, async () => {
    const url = await open(
      'create table items (id integer primary key, part text)',
      "insert into items values (1, 'a'), (2, null), (3, null), (4, 'b')",
    )
    const items = lite.sqliteTable('items', { id: lite.integer().primaryKey(), part: lite.text().notNull() })
    await expectAll(listIn(drizzled(url), { table: items as never }), 4)
  })

  test('one() to rows that are not unique repeated elements, and is refused', SLOW, async () => {
    const url = await open(
      'create table items (id integer primary key, part text)',
      'create table others (id integer primary key, name text)',
      "insert into items values (1, 'a'), (2, 'b')",
      "insert into others values (1, 'a'), (2, 'a')",
    )
    const items = lite.sqliteTable('items', { id: lite.integer().primaryKey(), part: lite.text() })
    const plain = lite.sqliteTable('others', { id: lite.integer().primaryKey(), name: lite.text() })
    const told = lite.sqliteTable('others', { id: lite.integer().primaryKey(), name: lite.text().unique() })
    const on = { part: 'name' }
    expect(() => listIn(drizzled(url), { table: items as never, others: { table: plain as never, on } })).toThrow(
      /several rows of others may have the same name.*Remedy: connect the two by columns that are unique there/s,
    )
    const kysely = await kyselied(url)
    expect(() => listIn(kysely, { table: 'items' as never, others: { table: 'others' as never, on } })).toThrow(
      'several rows of others',
    )
    // A column that is declared unique and is not fails the start, or the first list.
    const app = listIn(drizzled(url), { table: items as never, others: { table: told as never, on } })
    const answer = await askFetch(app, 'GET /items?fields=id,other{id}')
    expect([answer.status, answer.text]).toEqual([500, expect.stringContaining('no unique index of the database')])
    await expect(app.start()).rejects.toThrow(/resource Items? › other: one\(…\) connects .* no unique index/)
  })
})

postgres.describe((engine) => {
  test('sessions with extra_float_digits=0 rounded places of floats', SLOW, async () => {
    const database = await engine.createDatabase()
    closings.push(database.close)
    await database.run(
      'create table items (id integer primary key, part double precision)',
      'insert into items values (1, 0.1), (2, 0.30000000000000004), (3, 0.3), (4, 1e22), (5, 1.7976931348623157e308)',
    )
    const options = '-c extra_float_digits=0'
    const pool = new pgClient.Pool({ connectionString: database.url, max: 2, options })
    closings.push(() => pool.end())
    const items = pg.pgTable('items', { id: pg.integer().primaryKey(), part: pg.doublePrecision() })
    const Floats = mediaType('Floats', { attributes: { id: t.integer({ required: true }), part: t.number() } })
    const Items = endpoint('Items', {
      mediaType: Floats,
      actions: {
        index: {
          routing: route.get('/'),
          params: {
            fields: FieldSelector.for(Floats),
            pagination: PaginationParams.for(Floats),
            order: OrderingParams.for(Floats),
          },
          responses: { ok: collectionOf(Floats) },
        },
      },
    })
    const floats = resource(drizzleDatastore(nodePostgres(pool)), Floats, { table: items })
    const app = application({
      environment: 'test',
      plugins: [mapper({ resources: { floats } }), pagination()],
      controllers: [
        controller(Items, { index: async (_, { request, reply }) => reply.ok(await floats.list(request)) }),
      ],
    })
    for (const items of [1, 2]) expect((await walked(app, 'part', items)).map(({ id }) => id)).toEqual([1, 3, 2, 4, 5])
    expect((await walked(app, 'part', 9)).map(({ part }) => part)).toEqual([
      0.1, 0.3, 0.30000000000000004, 1e22, 1.7976931348623157e308,
    ])
  })

  test('a location that somebody invents is refused, though only the database can tell', SLOW, async () => {
    const database = await engine.createDatabase()
    closings.push(database.close)
    await database.run(
      'create table items (id integer primary key, part interval)',
      "insert into items values (1, '1 day'), (2, '2 days')",
    )
    const db = openKysely<Record<string, object>>('postgres', database.url)
    closings.push(() => db.destroy())
    const app = listIn((await kyselyDatastore(db)) as unknown as Datastore<string>, { table: 'items' })
    const first = await askFetch(app, 'GET /items?order=part&pagination=by=part,items=1')
    const link = decodeURIComponent(
      decodeURIComponent(/after[^,]*?(?:%3D|=)([\w-]+)/.exec(String(first.headers['link']))?.[1] ?? ''),
    )
    const place = JSON.parse(Buffer.from(link, 'base64url').toString()) as unknown[]
    const forged = Buffer.from(JSON.stringify([place[0], 'not an interval', place[2]])).toString('base64url')
    const answer = await askFetch(app, `GET /items?order=part&pagination=by=part,after=${forged},items=1`)
    expect([answer.status, answer.text]).toEqual([400, expect.stringContaining('pagination-continuation')])
  })
})

mariadb.describe((engine) => {
  test('timestamps in a session with summer time lost the hour that comes twice', SLOW, async () => {
    const database = await engine.createDatabase()
    closings.push(database.close)
    const zone = `Test/${crypto.randomUUID().slice(0, 8)}`
    const id = 1_000_000 + Math.floor(Math.random() * 1_000_000)
    await database.run(
      `insert into mysql.time_zone values (${id}, 'N')`,
      `insert into mysql.time_zone_name values ('${zone}', ${id})`,
      `insert into mysql.time_zone_transition values (${id}, 1711846800, 1), (${id}, 1729990800, 0)`,
      `insert into mysql.time_zone_transition_type values (${id}, 0, 3600, 0, 'T'), (${id}, 1, 7200, 1, 'TS')`,
      'create table items (id integer primary key, part timestamp(6) null)',
      "set time_zone = '+00:00'",
      `insert into items values (1, '2024-10-26 23:30:00'), (2, '2024-10-27 01:30:00'), (3, '2024-10-27 00:30:00'),
        (4, '2024-10-27 00:30:00.5'), (5, '2024-10-27 01:30:00.000001'), (6, '2024-10-27 02:30:00'), (7, null)`,
    )
    const Moments = mediaType('Moments', {
      attributes: { id: t.integer({ required: true }), part: t.dateTime({ nullable: true }) },
    })
    const Items = endpoint('Items', {
      mediaType: Moments,
      actions: {
        index: {
          routing: route.get('/'),
          params: {
            fields: FieldSelector.for(Moments),
            pagination: PaginationParams.for(Moments),
            order: OrderingParams.for(Moments),
          },
          responses: { ok: collectionOf(Moments) },
        },
      },
    })
    const session = `set time_zone = '${zone}'`
    const pool = createPool({ uri: database.url, connectionLimit: 2 })
    pool.pool.on('connection', (connection) => connection.query(session))
    closings.push(() => pool.end())
    const db = openKysely<Record<string, object>>('mysql', database.url, { session })
    closings.push(() => db.destroy())
    const items = mysql.mysqlTable('items', { id: mysql.int().primaryKey(), part: mysql.timestamp({ fsp: 6 }) })
    const lists = [
      resource(drizzleDatastore(mysql2(pool)), Moments, { table: items }),
      resource((await kyselyDatastore(db)) as unknown as Datastore<string>, Moments, { table: 'items' }),
    ]
    for (const moments of lists) {
      const app = application({
        environment: 'test',
        plugins: [mapper({ resources: [moments] }), pagination()],
        controllers: [
          controller(Items, { index: async (_, { request, reply }) => reply.ok(await moments.list(request)) }),
        ],
      })
      for (const size of [1, 2, 3]) {
        expect((await walked(app, 'part', size)).map((one) => one.id)).toEqual([1, 3, 4, 2, 5, 6, 7])
        expect((await walked(app, '-part', size)).map((one) => one.id)).toEqual([7, 6, 5, 2, 4, 3, 1])
      }
      expect((await walked(app, 'part', 9))[1]?.part).toBe('2024-10-27T00:30:00.000Z')
    }
  })

  test(
    'a SET that is declared as varchar was compared as text and ordered as a number, and is refused',
    SLOW,
    async () => {
      const database = await engine.createDatabase()
      closings.push(database.close)
      await database.run(
        "create table items (id integer primary key, part set('z', 'a'))",
        "insert into items values (1, 'z'), (2, 'a'), (3, 'z,a'), (4, '')",
      )
      const pool = createPool({ uri: database.url, connectionLimit: 1 })
      closings.push(() => pool.end())
      const items = mysql.mysqlTable('items', { id: mysql.int().primaryKey(), part: mysql.varchar({ length: 9 }) })
      const app = listIn(drizzleDatastore(mysql2(pool)) as Datastore<never>, { table: items as never })
      const answer = await askFetch(app, 'GET /items?order=part')
      expect([answer.status, answer.text]).toEqual([
        500,
        expect.stringContaining("declared as varchar(9) while the database has set('z','a')"),
      ])
      expect((await askFetch(app, 'GET /items?order=id')).status).toBe(200)
      await expect(app.start()).rejects.toThrow(
        /Items › index\.params\.order: The list of items goes by 'part', and it is declared as varchar\(9\)/,
      )
    },
  )
})

test('a text that is too long for a link was refused in the next link; its row stands for it', SLOW, async () => {
  const columns = { id: { kind: 'integer' }, part: { kind: 'text', nullable: true } } as const
  const rows = [1, 2, 3, 4, 5, 6].map((id) => ({ id, part: 'é'.repeat(5000) + (7 - id) }))
  const memory = memoryDatastore({ items: { columns, key: ['id'], rows } })
  const app = listIn(memory, { table: 'items' })
  await expectAll(app, 6)
  // A row that is gone, or has another place, continues nothing.
  const first = await askFetch(app, 'GET /items?fields=id&order=part&pagination=by=part,items=2')
  const next = /<([^>]*)>; rel="next"/.exec(String(first.headers['link']))?.[1] ?? ''
  expect(next.length).toBeLessThan(300)
  const table = memory.table('items')
  const [id, part] = [table.columns.get('id'), table.columns.get('part')] as [Column, Column]
  await memory.update(table, new Map([[part, 'short']]), { op: '=', reference: { source: 0, column: id }, value: 5 })
  expect((await askFetch(app, `GET ${next}`)).status).toBe(400)
})
