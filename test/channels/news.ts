// Orders and the channel of their events, served by an application of each process.
import { application, controller, endpoint, mediaType, route, t } from 'edict'
import { type Carrier, channel, openChannel } from 'edict/channels'

const Order = mediaType('Order', {
  attributes: {
    id: t.integer({ required: true, min: 1 }),
    customer: t.string(),
    placed: t.dateTime(),
    total: t.bigint(),
  },
  views: { short: ['id', 'customer'] },
})

/** The events of orders. */
const OrderNews = channel(
  'orders',
  { created: Order, changed: Order.view('short'), gone: t.object({ id: t.integer({ required: true }) }) },
  { heartbeat: '100ms', retry: '20ms' },
)

export const Orders = endpoint('Orders', {
  mediaType: Order,
  actions: {
    watch: {
      routing: route.get('/events'),
      headers: { 'Last-Event-ID': t.string() },
      params: { customer: t.string() },
      responses: { ok: OrderNews.events },
    },
    create: {
      routing: route.post('/'),
      payload: { id: t.integer({ required: true }) },
      responses: { noContent: true },
    },
  },
})

/** A logger that drops everything: processes of tests serve this application, too. */
export const silent = { info() {}, warn() {}, error() {} }

/** The application of one process, with its own view of the channel. */
export function serveNews(carrier: Carrier, keep?: { readonly count?: number; readonly age?: number }) {
  const orders = openChannel(OrderNews, { carrier, ...(keep && { keep }) })
  const app = application({
    logger: silent,
    controllers: [
      controller(Orders, {
        watch({ customer }, { request, reply }) {
          const after = request.headers['Last-Event-ID']
          if (customer === undefined) return reply.ok(orders.follow(after))
          const where: NonNullable<Parameters<typeof orders.follow>[1]>['where'] = (event) =>
            event.event !== 'gone' && event.data.customer === customer
          return reply.ok(orders.follow(after, { where }))
        },
        async create(_, { request, reply }) {
          await orders.publish('created', { id: request.payload.id, placed: new Date(0), total: 12n })
          return reply.noContent()
        },
      }),
    ],
  })
  return { app, orders }
}
