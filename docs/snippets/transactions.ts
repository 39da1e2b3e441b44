// The snippets of docs/guide/transactions.md.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createClient } from '@libsql/client'
import { drizzle } from 'drizzle-orm/libsql'
import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { application, controller, endpoint, mediaType, route, t } from 'edict'
import type { Shown } from '../../scripts/snippets.ts'
import { answers } from './support/http.ts'

const folder = mkdtempSync(join(tmpdir(), 'edict-guide-'))
process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
const sqlite = createClient({ url: `file:${join(folder, 'shop')}` })
await sqlite.executeMultiple(`
  create table products (id integer primary key, name text not null);
  create table orders (id integer primary key, customer text not null);
  create table lines (id integer primary key, order_id integer not null, product_id integer not null references products);
  insert into products values (1, 'Emma'), (2, 'Kokoro');
`)
const tables = {
  orders: sqliteTable('orders', { id: integer().primaryKey(), customer: text().notNull() }),
  lines: sqliteTable('lines', {
    id: integer().primaryKey(),
    order: integer('order_id').notNull(),
    product: integer('product_id').notNull(),
  }),
}

// #region example
import { mapper, resource, retry } from 'edict/mapper'
import { drizzleDatastore } from 'edict/mapper/drizzle'

const Order = mediaType('Order', {
  attributes: { id: t.integer({ required: true }), customer: t.string({ required: true }) },
})
const Line = mediaType('Line', {
  attributes: {
    id: t.integer({ required: true }),
    order: t.integer({ required: true }),
    product: t.integer({ required: true }),
  },
})
const Orders = endpoint('Orders', {
  mediaType: Order,
  actions: {
    create: {
      routing: route.post('/'),
      payload: { customer: t.string({ required: true }), products: t.array(t.integer(), { required: true, min: 1 }) },
      responses: { created: true },
    },
  },
})

const db = drizzle(sqlite)
const datastore = drizzleDatastore(db)
const orders = resource(datastore, Order, { table: tables.orders })
const lines = resource(datastore, Line, { table: tables.lines })

/** Adds an order with its lines, or nothing. */
async function place(customer: string, products: readonly number[]): Promise<number> {
  return await db.transaction(async (transaction) => {
    const inside = drizzleDatastore(transaction)
    const { id } = await orders.withDatastore(inside).create({ customer })
    for (const product of products) await lines.withDatastore(inside).create({ order: id, product })
    return id
  })
}

const implementation = controller(Orders, {
  async create(_, { request: { payload }, reply }) {
    const id = await retry(datastore, () => place(payload.customer, payload.products))
    return reply.created(undefined, { location: `/orders/${id}` })
  },
})
// #endregion

async function own(): Promise<string> {
  const said: string[] = []
  const console = { log: (one: unknown) => said.push(JSON.stringify(one)) }
  // #region own
  const placed = await datastore.transaction?.(async (inside) => {
    const { id } = await orders.withDatastore(inside).create({ customer: 'Grace' })
    await lines.withDatastore(inside).create({ order: id, product: 2 })
    return id
  })
  console.log(await lines.list({ where: { order: Number(placed) }, fields: ['product'] }))
  // #endregion
  return said.join('\n')
}

const quiet = { info() {}, warn() {}, error() {} }
/** The application of this page. */
export const app = application({
  controllers: [implementation],
  plugins: [mapper({ resources: [orders, lines] })],
  logger: quiet,
})

/** The responses that the page shows. */
export const shown: Shown = {
  example: async () => {
    const told: string[] = []
    for (const products of [
      [1, 2],
      [1, 7],
    ])
      told.push(await answers(app, [['POST /orders', { body: { customer: 'Ada', products } }]]))
    told.push(`orders: ${(await orders.list({})).length}, lines: ${(await lines.list({})).length}`)
    return told.join('\n')
  },
  own,
}
