// Streams of events by edict: a channel in memory, a heartbeat of 15 s.
import { serve } from '../../dist/adapters/node/index.js'
import { application, controller, endpoint, route, t } from '../../dist/index.js'
import { channel, memoryCarrier, openChannel } from '../../dist/plugins/channels/index.js'
import { event, follow } from './server.js'

const Order = t.object({
  id: t.integer({ required: true }),
  customer: t.string({ required: true }),
  placed: t.dateTime({ required: true }),
  lines: t.array(t.object({ item: t.string({ required: true }), count: t.integer({ required: true }) })),
})
const OrderNews = channel('orders', { created: Order })
const Orders = endpoint('Orders', {
  actions: {
    watch: {
      routing: route.get('/events'),
      headers: { 'Last-Event-ID': t.string() },
      responses: { ok: OrderNews.events },
    },
    ping: { routing: route.get('/ping'), responses: { ok: t.object({ ok: t.boolean({ required: true }) }) } },
  },
})
const orders = openChannel(OrderNews, { carrier: memoryCarrier() })
const app = application({
  environment: 'production',
  controllers: [
    controller(Orders, {
      watch: (_, { request, reply }) => reply.ok(orders.follow(request.headers['Last-Event-ID'])),
      ping: (_, { reply }) => reply.ok({ ok: true }),
    }),
  ],
})
const { port } = await serve(app, { port: 0, host: '127.0.0.1', maxConnections: 0 })
follow(`http://127.0.0.1:${port}/orders`, () => orders.publish('created', event))
