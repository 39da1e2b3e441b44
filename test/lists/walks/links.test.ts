// The links of lists, as a law: each leads to elements, wherever a walk begins, unless the whole list is empty.
import { createClient } from '@libsql/client'
import { drizzle } from 'drizzle-orm/libsql'
import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { type AnyController, type Application, application, collectionOf, endpoint, mediaType, route, t } from 'edict'
import { mapper, memoryDatastore, resource } from 'edict/mapper'
import { drizzleDatastore } from 'edict/mapper/drizzle'
import { OrderingParams, PaginationParams, paginate, pagination } from 'edict/pagination'
import { checkApplication } from 'edict/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { askFetch } from '../../support/ask.ts'
import { sqlite as sqliteEngine } from '../../support/engines/sqlite.ts'
import { runs } from '../../support/runs.ts'

const Item = mediaType('Item', {
  attributes: { id: t.integer({ required: true }), name: t.string({ nullable: true }) },
})
const Items = endpoint('Items', {
  actions: {
    index: {
      routing: route.get('/'),
      params: { pagination: PaginationParams.for(Item), order: OrderingParams.for(Item) },
      responses: { ok: collectionOf(Item) },
    },
  },
})
interface Row {
  readonly id: number
  readonly name: string | null
}
const ROWS: readonly Row[] = [
  { id: 2, name: 'b' },
  { id: 4, name: null },
  { id: 5, name: 'b' },
  { id: 7, name: 'd' },
  { id: 9, name: 'f' },
]
const served = (controller: AnyController, resources: readonly unknown[] = []): Application =>
  application({ plugins: [mapper({ resources: resources as never }), pagination()], controllers: [controller] })
const columns = { id: integer().primaryKey(), name: text() }
const tables = { full: sqliteTable('full_items', columns), none: sqliteTable('no_items', columns) }

const apps: Record<string, (empty: boolean) => Application> = {}
let close = async (): Promise<void> => {}

beforeAll(async () => {
  const database = await sqliteEngine.createDatabase()
  close = () => database.close()
  await database.run(
    'create table full_items (id integer primary key, name text)',
    'create table no_items (id integer primary key, name text)',
    `insert into full_items values ${ROWS.map(({ id, name }) => `(${id}, ${name === null ? 'null' : `'${name}'`})`)}`,
  )
  const sqlite = drizzleDatastore(drizzle(createClient({ url: database.url })))
  const listing = (shelf: { list(request: never): Promise<unknown> }): AnyController =>
    Items.implement({ index: async (_, { request, reply }) => reply.ok((await shelf.list(request as never)) as never) })
  apps['SQLite'] = (empty) => {
    const shelf = resource(sqlite, Item, { table: empty ? tables.none : tables.full })
    return served(listing(shelf), [shelf])
  }
  apps['memory'] = (empty) => {
    const store = memoryDatastore({
      items: {
        columns: { id: { kind: 'integer' }, name: { kind: 'text', nullable: true } },
        key: ['id'],
        rows: empty ? [] : ROWS.map((row) => ({ ...row })),
      },
    })
    const shelf = resource(store, Item, { table: 'items' })
    return served(listing(shelf), [shelf])
  }
  apps['a controller'] = (empty) =>
    served(
      Items.implement({ index: (_, { request, reply }) => reply.ok(paginate(request, empty ? [] : ROWS) as never) }),
    )
})
afterAll(() => close())

const linksOf = (header = ''): Map<string, string> =>
  new Map(
    [...header.matchAll(/<([^>]*)>; rel="(\w+)"/g)].map(([, url, relation]) => [relation as string, url as string]),
  )

describe.each(['memory', 'SQLite', 'a controller'])('links of lists: %s', (name) => {
  it('[PGN-12] a hand-typed from before the first element linked prev to an empty list', async () => {
    const app = (apps[name] as (empty: boolean) => Application)(false)
    for (const from of [-1, 0, 1]) {
      const { headers } = await askFetch(app, `GET /items?pagination=by=id,from=${from},items=2`)
      expect([...linksOf(headers['link']).keys()]).toEqual(['first', 'next'])
    }
    const { headers } = await askFetch(app, 'GET /items?pagination=by=id,from=2,items=2')
    expect([...linksOf(headers['link']).keys()]).toEqual(['first', 'prev', 'next'])
  })

  it('[PGN-12] [PGN-14] every link leads to elements unless the list has none, in both directions', async () => {
    for (const empty of [false, true]) {
      const app = (apps[name] as (empty: boolean) => Application)(empty)
      const { cases } = await checkApplication(app, { only: ['pages'], runs: runs(20, 400) })
      expect(cases['pages']).toBeGreaterThan(15)
    }
  }, 60_000)
})
