// The snippets of docs/guide/outbox.md.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createClient } from '@libsql/client'
import { drizzle } from 'drizzle-orm/libsql'
import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { application, controller, endpoint, inherit, mediaType, route, t } from 'edict'
import type { Shown } from '../../scripts/snippets.ts'

const folder = mkdtempSync(join(tmpdir(), 'edict-guide-'))
process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
const sqlite = createClient({ url: `file:${join(folder, 'shop')}` })
await sqlite.executeMultiple(`
  create table orders (id integer primary key, item text not null, paid integer not null);
`)
const table = sqliteTable('orders', {
  id: integer().primaryKey(),
  item: text().notNull(),
  paid: integer({ mode: 'boolean' }).notNull(),
})
const said: string[] = []
const show = (line: string): void => void said.push(line)

// #region smallest
import { channel, memoryCarrier, openChannel } from 'edict/channels'
import { mapper, resource } from 'edict/mapper'
import { drizzleDatastore } from 'edict/mapper/drizzle'
import { outbox, outboxRelay } from 'edict/outbox'

const Order = mediaType('Order', {
  attributes: {
    id: t.integer({ required: true }),
    item: t.string({ required: true }),
    paid: t.boolean({ required: true }),
  },
})
const OrderNews = channel('orders', { created: Order })
const Orders = endpoint('Orders', {
  mediaType: Order,
  actions: {
    create: {
      routing: route.post('/'),
      payload: { item: inherit, paid: inherit },
      responses: { created: true, unprocessableContent: true },
    },
  },
})

const datastore = drizzleDatastore(drizzle(sqlite))
const orders = resource(datastore, Order, { table })
const box = outbox(datastore)
const news = openChannel(OrderNews, { carrier: memoryCarrier(), outbox: box })

const implementation = controller(Orders, {
  async create(_, { request: { payload }, reply }) {
    await datastore.transaction?.(async (transaction) => {
      const order = await orders.withDatastore(transaction).create(payload, { shown: Order })
      await news.publish('created', order, { within: transaction })
      if (!order.paid) throw reply.unprocessableContent()
    })
    return reply.created()
  },
})

export const app = application({
  controllers: [implementation],
  plugins: [mapper({ resources: [orders] }), outboxRelay(box)],
})
// #endregion

async function read(): Promise<string> {
  await app.start?.()
  const begin = await news.position()
  for (const [item, paid] of [
    ['tea', true],
    ['coffee', false],
    ['milk', true],
  ]) {
    const body = JSON.stringify({ item, paid })
    const headers = { 'Content-Type': 'application/json' }
    const { status } = await app.fetch(new Request('http://localhost/orders', { method: 'POST', headers, body }))
    show(`POST /orders  ${body}  →  ${status}`)
  }
  for await (const event of news.follow(begin)) {
    if (event.event === 'created') show(`created: ${event.data.item}`)
    if (event.event === 'created' && event.data.item === 'milk') break
  }
  await app.close?.()
  return said.join('\n')
}

/** What the page shows. */
export const shown: Shown = { smallest: read }
