// Exports of a table that others write to: all of it at one moment where the database can, each element once where it cannot.
import { get } from 'node:http'
import { createClient } from '@libsql/client'
import * as my from 'drizzle-orm/mysql-core'
import * as pg from 'drizzle-orm/pg-core'
import * as lite from 'drizzle-orm/sqlite-core'
import { application, collectionOf, endpoint, mediaType, Responses, route, t } from 'edict'
import type { Plugin } from 'edict/extend'
import { type Datastore, FieldSelector, FilteringParams, many, mapper, memoryDatastore, resource } from 'edict/mapper'
import { serve } from 'edict/node'
import { OrderingParams, pagination } from 'edict/pagination'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { recorder } from '../../support/ask.ts'
import { enginesHere } from '../../support/engines/clients/catalogued.ts'
import type { Engine, TestDatabase } from '../../support/engines/engine.ts'
import { allClientsOn, type Client, type Connection, openConnection, openStore } from '../walks/targets.ts'

const id = t.integer({ required: true })
const Mark = mediaType('Mark', { attributes: { id, version: t.integer() } })
const Item = mediaType('Item', {
  attributes: { id, version: t.integer(), kind: t.string(), words: t.string({ nullable: true }), marks: t.array(Mark) },
  views: { default: ['id', 'version', 'kind', 'words', 'marks'] },
})
const Items = endpoint('Items', {
  mediaType: Item,
  actions: {
    index: {
      routing: route.get('/'),
      params: {
        fields: FieldSelector.for(Item),
        filters: FilteringParams.for(Item),
        order: OrderingParams.for(Item),
      },
      responses: {
        ok: { mediaType: [collectionOf(Item, { as: 'ndjson' }), collectionOf(Item, { as: 'csv' })] },
        conflict: true,
      },
    },
  },
})

const TABLES = {
  postgres: {
    items: pg.pgTable('items', {
      id: pg.integer().primaryKey(),
      version: pg.integer(),
      kind: pg.text(),
      words: pg.text(),
    }),
    marks: pg.pgTable('marks', { id: pg.integer().primaryKey(), item: pg.integer(), version: pg.integer() }),
  },
  mysql: {
    items: my.mysqlTable('items', {
      ...{ id: my.int().primaryKey(), version: my.int() },
      ...{ kind: my.varchar({ length: 20 }), words: my.varchar({ length: 1000 }) },
    }),
    marks: my.mysqlTable('marks', { id: my.int().primaryKey(), item: my.int(), version: my.int() }),
  },
  sqlite: {
    items: lite.sqliteTable('items', {
      ...{ id: lite.integer().primaryKey(), version: lite.integer(), kind: lite.text(), words: lite.text() },
    }),
    marks: lite.sqliteTable('marks', {
      id: lite.integer().primaryKey(),
      item: lite.integer(),
      version: lite.integer(),
    }),
  },
} as const

function appOf(datastore: Datastore<unknown>, tables: { readonly items: unknown; readonly marks: unknown }) {
  const marks = resource(datastore, Mark, { table: tables.marks })
  const items = resource(datastore, Item, {
    table: tables.items,
    attributes: { marks: many(marks, { id: 'item' }) },
  })
  const log = recorder()
  const controller = Items.implement({ index: (_, { request, reply }) => reply.ok(items.stream(request)) })
    // Exports that are not sent: each has read its first elements.
    .after(({ request, response }) => {
      const way = request.env.headers['x-way']
      if (way === 'replaced') return new Responses.Conflict()
      if (way === 'refused') response.headers['X-Odd'] = 'odd\nodd'
      return undefined
    })
  const failing: Plugin = {
    name: 'failing',
    response(_, { headers }) {
      if (headers['x-way'] === 'failed') throw new Error('broken on purpose')
    },
  }
  const plugins = [mapper({ resources: { items, marks } }), pagination(), failing]
  return { app: application({ plugins, controllers: [controller], logger: log }), items, log }
}

/** How many elements there are at every moment. */
const COUNT = 1200

interface Exported {
  readonly id: number
  readonly version: number
  readonly marks?: readonly { readonly id: number; readonly version: number }[]
}

/** At version v, the ids are those from v + 1 on, and everything has the version: no two moments are alike. */
const isMoment = (list: readonly Exported[]): boolean =>
  list.length === COUNT &&
  list.every(
    ({ id, version, marks = [] }, i) =>
      version === list[0]?.version &&
      id === version + 1 + i &&
      marks.every((mark) => mark.version === version) &&
      (marks.length === 1) === (id % 10 === 0),
  )

const step = (kind: string, given: number): readonly string[] => [
  `update items set version = ${given}`,
  `update marks set version = ${given}`,
  `delete from items where id = ${given}`,
  `delete from marks where item = ${given}`,
  `insert into items values (${given + COUNT}, ${given}, '${kind}', 'w${given}')`,
  ...((given + COUNT) % 10 === 0 ? [`insert into marks values (${given + COUNT}, ${given + COUNT}, ${given})`] : []),
]

function exportsOf(engine: Engine, client: Client): void {
  const { dialect } = engine
  let database: TestDatabase
  let store: Awaited<ReturnType<typeof openStore>>
  let writer: Connection
  let lite3: ReturnType<typeof createClient>
  let made: ReturnType<typeof appOf>
  let version = 0
  // The one connection of these belongs to everybody.
  const hasSnapshots = dialect !== 'sqlite' || (client !== 'Kysely' && client !== 'Prisma')

  const write = async (): Promise<void> => {
    version++
    if (dialect === 'sqlite') return void (await lite3.batch([...step('new', version)], 'write'))
    await writer.query('begin')
    for (const statement of step('new', version)) await writer.query(statement)
    await writer.query('commit')
  }

  beforeAll(async () => {
    database = await engine.createDatabase()
    await database.run(
      ...(dialect === 'sqlite' && hasSnapshots ? ['pragma journal_mode = wal'] : []),
      'create table items (id integer not null primary key, version integer, kind varchar(20), words varchar(1000))',
      'create table marks (id integer not null primary key, item integer, version integer)',
    )
    store = await openStore(client, dialect, database.url)
    writer = await openConnection(dialect, database.url)
    if (dialect === 'sqlite') lite3 = createClient({ url: database.url })
    const ids = Array.from({ length: COUNT }, (_, i) => i + 1)
    await writer.query(`insert into items values ${ids.map((one) => `(${one}, 0, 'old', null)`).join()}`)
    const tenths = ids.filter((one) => one % 10 === 0)
    await writer.query(`insert into marks values ${tenths.map((one) => `(${one}, ${one}, 0)`).join()}`)
    const tables = client === 'Drizzle' ? TABLES[dialect] : { items: 'items', marks: 'marks' }
    made = appOf(store.datastore as unknown as Datastore<unknown>, tables)
  })
  afterAll(async () => {
    for (const one of [store, writer]) await one.end()
    if (dialect === 'sqlite') lite3.close()
    await database.close()
  })

  const asked = async (query = '', headers = {}): Promise<Response> =>
    made.app.fetch(new Request(`http://localhost/items${query}`, { headers }))

  it('[LST-10] an export is the table at one moment, whatever is written while it runs', async () => {
    const list: Exported[] = []
    for await (const element of made.items.stream({})) {
      if (list.length === 1 || list.length === 300 || list.length === 900) await write()
      list.push(element as Exported)
    }
    if (hasSnapshots) return expect(isMoment(list)).toBe(true)
    const ids = list.map((one) => one.id)
    expect(ids).toEqual([...new Set(ids)].sort((a, b) => a - b))
    const lasting = Array.from({ length: COUNT - 3 }, (_, i) => version + 1 + i)
    expect(lasting.filter((one) => !ids.includes(one))).toEqual([])
  })

  it('[LST-10] filters, order, fields and conditions hold, in NDJSON and in CSV', async () => {
    const query = `?filters=id<${version + 6}&order=-id&fields=id,kind`
    const lines = (await (await asked(query)).text()).split('\n')
    expect(lines.slice(0, -1).map((line) => JSON.parse(line).id)).toEqual([5, 4, 3, 2, 1].map((one) => version + one))
    expect(lines[0]).toBe(`{"id":${version + 5},"kind":"old"}`)
    const csv = await (await asked(query, { Accept: 'text/csv' })).text()
    expect(csv.split('\r\n').slice(0, 2)).toEqual(['id,kind', `${version + 5},old`])
    const few: number[] = []
    for await (const one of made.items.stream({
      where: { id: { '<': version + 3 } },
      order: ['-kind'],
      fields: ['id'],
    }))
      few.push(one.id)
    expect(few).toEqual([version + 2, version + 1])
    expect((await asked('?filters=id<0')).status).toBe(200)
    expect((await asked('?order=nothing')).status).toBe(400)
  })

  it('[LST-10] a client that leaves gives the connection back', async () => {
    // More often than there are connections.
    for (let i = 0; i < 4; i++) {
      const reader = (await asked()).body?.getReader()
      await reader?.read()
      await reader?.cancel()
    }
    const server = await serve(made.app, {
      port: 0,
      host: '127.0.0.1',
      signals: false,
      fatal: false,
      logger: recorder(),
    })
    for (let i = 0; i < 4; i++) {
      await new Promise<void>((resolve) => {
        get(`${server.url}/items`, (response) => response.once('data', () => resolve(void response.destroy())))
      })
    }
    await write()
    await vi.waitUntil(async () => (await (await asked()).text()).split('\n').length === COUNT + 1, { timeout: 10_000 })
    expect((await (await fetch(`${server.url}/items`, { method: 'HEAD' })).text()).length).toBe(0)
    await server.close()
    expect(made.log.entries.filter(({ level }) => level === 'error')).toEqual([])
  })

  it('[LST-10] an export that is not sent gives the connection back', async () => {
    // Each more often than there are connections.
    for (const headers of [{ 'x-way': 'replaced' }, { 'x-way': 'refused' }, { 'x-way': 'failed' }])
      for (let i = 0; i < 12; i++) expect((await asked('', headers)).status).toBeGreaterThan(400)
    for (let i = 0; i < 12; i++) await made.app.fetch(new Request('http://items.test/items', { method: 'HEAD' }))
    await vi.waitUntil(async () => (await (await asked()).text()).split('\n').length === COUNT + 1, { timeout: 10_000 })
  })

  if (dialect === 'postgres')
    it('[LST-10] a connection that is lost between two parts breaks the export off, and nothing else', async () => {
      const reading = made.items.stream({})[Symbol.asyncIterator]()
      await reading.next()
      await writer.query(
        "select pg_terminate_backend(pid) from pg_stat_activity where state = 'idle in transaction' and pid <> pg_backend_pid()",
      )
      const rest = async (): Promise<void> => {
        for (let one = await reading.next(); one.done !== true; ) one = await reading.next()
      }
      await expect(rest()).rejects.toThrow()
      expect((await (await asked('?fields=id')).text()).split('\n').length).toBe(COUNT + 1)
    })
}

for (const need of await enginesHere())
  need.describe((engine) => {
    for (const one of allClientsOn(engine.dialect)) describe(one, () => exportsOf(engine, one))
  })

it('[LST-10] tables in memory are exported as they are at one moment', async () => {
  const columns = { id: { kind: 'integer' }, version: { kind: 'integer' } } as const
  const rows = Array.from({ length: COUNT }, (_, i) => ({ id: i + 1, version: 0 }))
  const datastore = memoryDatastore({
    items: {
      columns: { ...columns, kind: { kind: 'text', nullable: true }, words: { kind: 'text', nullable: true } },
      ...{ key: ['id'], rows },
    },
    marks: { columns: { ...columns, item: { kind: 'integer' } }, key: ['id'] },
  })
  const { items } = appOf(datastore as Datastore<unknown>, { items: 'items', marks: 'marks' })
  const seen: number[] = []
  for await (const { id: one, version } of items.stream({ fields: ['id', 'version'] })) {
    if (one === 1) await items.update(COUNT, { version: 1 })
    if (one === 2) await items.delete(3)
    seen.push(one)
    expect(version).toBe(0)
  }
  expect(seen.length).toBe(COUNT)
})

it('[LST-10] an export has no parts', async () => {
  const datastore = memoryDatastore({ items: { columns: { id: { kind: 'integer' } }, key: ['id'] } })
  const Small = mediaType('Small', { attributes: { id } })
  const small = resource(datastore, Small, { table: 'items' })
  expect(() => small.stream({ limit: 5 } as never)).toThrow("is streamed with 'limit'")
})
