// The snippets of docs/guide/channels.md.
import type { Shown } from '../../scripts/snippets.ts'

// #region smallest
import { application, controller, endpoint, inherit, mediaType, route, t } from 'edict'
import { channel, memoryCarrier, openChannel } from 'edict/channels'

const Order = mediaType('Order', {
  attributes: { id: t.integer({ required: true }), item: t.string({ required: true }) },
})

const OrderNews = channel('orders', { created: Order, gone: t.object({ id: t.integer({ required: true }) }) })

const Orders = endpoint('Orders', {
  mediaType: Order,
  actions: {
    watch: {
      routing: route.get('/events'),
      headers: { 'Last-Event-ID': t.string() },
      params: { item: t.string() },
      responses: { ok: OrderNews.events },
    },
    index: {
      routing: route.get('/'),
      responses: { ok: t.object({ orders: t.array(Order, { required: true }), from: t.string({ required: true }) }) },
    },
    create: { routing: route.post('/'), payload: { item: inherit }, responses: { created: Order } },
  },
})

const news = openChannel(OrderNews, { carrier: memoryCarrier(), keep: { count: 1000, age: '1h' } })
const rows: { id: number; item: string }[] = []

const orders = controller(Orders, {
  watch({ item }, { request, reply }) {
    const after = request.headers['Last-Event-ID']
    if (item === undefined) return reply.ok(news.follow(after))
    return reply.ok(news.follow(after, { where: ({ event, data }) => event === 'created' && data.item === item }))
  },
  async index(_, { reply }) {
    const from = await news.position()
    return reply.ok({ orders: rows, from })
  },
  async create(_, { request, reply }) {
    const order = { id: rows.length + 1, item: request.payload.item }
    rows.push(order)
    await news.publish('created', order)
    return reply.created(order)
  },
})

export const app = application({ controllers: [orders] })
// #endregion

import { client } from 'edict/client'

const api = client({ Orders }, { baseUrl: 'http://localhost', fetch: app.fetch })

async function read(): Promise<string> {
  const lines: string[] = []
  const show = (line: string): void => void lines.push(line)
  const create = (item: string) => api.Orders.create(undefined, { payload: { item } })
  await create('tea')
  // #region client
  const list = await api.Orders.index.ok()
  show(`the list: ${list.orders.map(({ item }) => item).join()}`)
  await Promise.all([create('coffee'), create('milk')])

  for await (const event of api.Orders.watch.all({}, { from: list.from })) {
    if (event.event === 'created') show(`then: ${event.data.item}`)
    if (event.event === 'gap') show('something is missing: read the list again')
    if (event.event === 'created' && event.data.item === 'milk') break
  }
  // #endregion
  return lines.join('\n')
}

/** What the page shows. */
export const shown: Shown = { client: read }
