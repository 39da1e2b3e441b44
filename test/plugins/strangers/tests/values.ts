// Kinds, formats, transactions and a second protocol: each with a server on a socket and a typed client.
import assert from 'node:assert/strict'
import { createRequire } from 'node:module'
import { test } from 'node:test'
import { setTimeout as later } from 'node:timers/promises'
import { controller, endpoint, mediaType, route, t } from 'edict'
import { client } from 'edict/client'
import { mock } from 'edict/mock'
import {
  audit,
  audited,
  EVENT_STREAM,
  enveloped,
  type Journal,
  jsonRpc,
  listOf,
  type Money,
  money,
  readEvents,
  transactionOf,
  writeEvents,
} from '../src/index.js'
import { served } from './served.js'

const price = money(['EUR', 'CHF'], { max: 5000 })
const Book = mediaType('Book', {
  attributes: { id: t.integer({ required: true }), at: t.dateTime(), price, old: listOf(price) },
})
const Books = endpoint('Books', {
  mediaType: Book,
  actions: {
    show: { routing: route.get('/:id'), params: { id: t.integer(), max: price }, responses: { ok: Book } },
    create: { routing: route.post('/'), payload: { price }, responses: { ok: Book } },
  },
})
const at = new Date('2026-01-02T03:04:05Z')
const books = controller(Books, {
  show: ({ id, max = { cents: 1999, currency: 'EUR' } }, { reply }) => reply.ok({ id, at, price: max, old: [max] }),
  create: (_, { request, reply }) => reply.ok({ id: 1, price: request.payload.price ?? { cents: 0, currency: 'EUR' } }),
})

void test('money is read, written, documented, exemplified, mocked and typed', () =>
  served({ controllers: [books] }, async (url, app) => {
    const api = client({ Books }, { baseUrl: url })
    const shown = await api.Books.show.ok({ id: 1, max: { cents: 1250, currency: 'CHF' } })
    const amount: Money | undefined = shown.price
    assert.deepEqual([amount, shown.old], [{ cents: 1250, currency: 'CHF' }, [{ cents: 1250, currency: 'CHF' }]])
    const wire = (await (await fetch(`${url}/books/1?max=12.50%20CHF`)).json()) as { price: string }
    assert.equal(wire.price, '12.50 CHF')
    const made = await api.Books.create.ok(undefined, { payload: { price: { cents: 7, currency: 'EUR' } } })
    assert.deepEqual(made.price, { cents: 7, currency: 'EUR' })
    const refused = await api.Books.create(undefined, { payload: { price: { cents: 5001, currency: 'EUR' } } })
    assert.equal(
      refused.name === 'failure' && refused.problem?.detail,
      "The attribute 'price' must be at most 50.00 EUR",
    )
    const { Book: schema } = (app.openapi().components?.['schemas'] ?? {}) as Record<string, { properties: object }>
    assert.deepEqual(Object.entries(schema?.properties ?? {}).find(([name]) => name === 'price')?.[1], {
      type: 'string',
      pattern: '^[0-9]{1,10}\\.[0-9]{2} (?:EUR|CHF)$',
    })
    const mocked = await mock([Books] as never).fetch(new Request('http://mock/books/1'))
    assert.match(((await mocked.json()) as { price: string }).price, /^\d+\.\d\d (?:EUR|CHF)$/)
  }))

void test('an envelope is on the wire and in documents, and neither in actions nor in calls', async () => {
  const Wrapped = endpoint('Wrapped', {
    actions: {
      show: {
        routing: route.get('/:id'),
        params: { id: t.integer() },
        responses: { ok: enveloped(Book, { api: '1' }) },
      },
    },
  })
  const wrapped = controller(Wrapped, { show: ({ id }, { reply }) => reply.ok({ id, at }) })
  await served({ controllers: [wrapped] }, async (url, app) => {
    assert.deepEqual(await (await fetch(`${url}/wrapped/7`)).json(), {
      data: { id: 7, at: '2026-01-02T03:04:05.000Z' },
      meta: { api: '1' },
    })
    const body = await client({ Wrapped }, { baseUrl: url }).Wrapped.show.ok({ id: 7 })
    const moment: Date | undefined = body.at
    assert.deepEqual([body.id, moment], [7, at])
    assert.match(
      JSON.stringify(app.openapi().paths['/wrapped/{id}']),
      /"data":\{"\$ref":"#\/components\/schemas\/Book"/,
    )
  })
})

interface Database extends Journal {
  prepare(sql: string): { run(...values: unknown[]): unknown; all(): unknown[] }
}

void test('the journal is written with the change, or neither is', async () => {
  const Sqlite = createRequire(import.meta.url)('libsql') as new (path: string) => Database
  const database = new Sqlite(':memory:')
  database.exec('create table books (title text unique)')
  database.exec('create table journal (action text, request text, input text not null)')
  const Shelf = endpoint('Shelf', {
    actionDefaults: { policies: [audited('db')], needs: { db: transactionOf(() => database) } },
    actions: {
      add: {
        routing: route.post('/'),
        payload: { title: t.string({ required: true }), pin: t.string({ secret: true }) },
        responses: { noContent: true, conflict: true },
      },
    },
  })
  const shelf = controller(Shelf, {
    add(_, { request, db, reply }) {
      db.prepare('insert into books values (?)').run(request.payload.title)
      return request.payload.title === 'bad' ? reply.conflict() : reply.noContent()
    },
  })
  const rows = (table: string): unknown[] => database.prepare(`select * from ${table}`).all()
  await served({ controllers: [shelf], plugins: [audit()] }, async (url) => {
    const api = client({ Shelf }, { baseUrl: url })
    const add = async (title: string): Promise<number> =>
      (await api.Shelf.add(undefined, { payload: { title, pin: 'p1n' } })).status
    assert.deepEqual([await add('Emma'), await add('bad'), await add('Emma')], [204, 409, 500])
    assert.deepEqual([rows('books').length, rows('journal').length], [1, 1])
    const [entry] = rows('journal') as { action: string; input: string }[]
    assert.equal(entry?.action, 'Shelf.add')
    // Secrets stay out of the journal.
    assert.deepEqual(JSON.parse(entry?.input ?? '').payload, { title: 'Emma', pin: '[redacted]' })
    database.exec('drop table journal')
    assert.equal(await add('Persuasion'), 500)
    assert.equal(rows('books').length, 1)
  })
})

void test('events of a declared type are written one by one, and read while they come', async () => {
  let last = 0
  async function* ticks() {
    for (let id = 1; ; id++) {
      last = id
      yield { id, at }
      await later(5)
    }
  }
  const Feed = endpoint('Feed', { actions: { show: { routing: route.get('/'), responses: { ok: EVENT_STREAM } } } })
  const feed = controller(Feed, { show: (_, { reply }) => reply.ok(writeEvents(Book, ticks())) })
  await served({ controllers: [feed] }, async (url) => {
    const body = await client({ Feed }, { baseUrl: url }).Feed.show.ok(undefined, { stream: true })
    const seen: unknown[] = []
    for await (const { id, at: moment } of readEvents(Book, body)) {
      seen.push([id, moment])
      if (seen.length === 3) break
    }
    assert.deepEqual(seen, [
      [1, at],
      [2, at],
      [3, at],
    ])
    // The client has gone, so the endless source ends.
    let before = -1
    while (before !== last) {
      before = last
      await later(50)
    }
  })
})

void test('JSON-RPC calls the same actions, with their checks', () =>
  served({ controllers: [books], plugins: [jsonRpc()] }, async (url) => {
    const call = async (method: string, params: object): Promise<unknown> => {
      const body = JSON.stringify({ jsonrpc: '2.0', id: 5, method, params })
      const headers = { 'Content-Type': 'application/json' }
      return (await fetch(`${url}/rpc`, { method: 'POST', headers, body })).json()
    }
    const amount = '19.99 EUR'
    assert.deepEqual(await call('Books.show', { id: 3 }), {
      jsonrpc: '2.0',
      id: 5,
      result: { id: 3, at: at.toISOString(), price: amount, old: [amount] },
    })
    const refused = (await call('Books.show', { id: 'x' })) as { error: { code: number; data: { code: string } } }
    assert.deepEqual([refused.error.code, refused.error.data.code], [-32000, 'validation'])
    assert.deepEqual(await call('Books.burn', {}), {
      jsonrpc: '2.0',
      id: 5,
      error: { code: -32601, message: 'Method not found' },
    })
    assert.equal((await client({ Books }, { baseUrl: url }).Books.show({ id: 3 })).name, 'ok')
  }))
