// The types of streams of events: what actions give, what clients receive, and what the compiler rejects.
import { expectTypeOf, test } from 'vitest'
import { client } from '../../client/index.ts'
import { t } from '../../schema/t.ts'
import { controller } from '../controller.ts'
import { endpoint } from '../endpoint.ts'
import { type EventOf, events } from './events.ts'
import { mediaType } from './media-type.ts'
import { route } from './route.ts'

const Order = mediaType('Order', {
  attributes: { id: t.integer({ required: true }), placed: t.dateTime() },
  views: { short: ['id'] },
})
const OrderEvents = events({ created: Order, changed: Order.view('short'), gone: t.object({ id: t.integer() }) })
const Orders = endpoint('Orders', {
  actions: {
    watch: { routing: route.get('/'), headers: { 'Last-Event-ID': t.integer() }, responses: { ok: OrderEvents } },
  },
})

test('an action gives an iterable of declared events', () => {
  type Given = EventOf<typeof OrderEvents>
  expectTypeOf<Given['event']>().toEqualTypeOf<'created' | 'changed' | 'gone'>()
  expectTypeOf<Extract<Given, { event: 'changed' }>['data']>().toEqualTypeOf<{ id: number }>()
  async function* follow(): AsyncGenerator<Given> {
    yield { event: 'created', data: { id: 1, placed: new Date() }, id: '1' }
    // @ts-expect-error there is no such event
    yield { event: 'removed', data: { id: 1 } }
    // @ts-expect-error the data of created has an id
    yield { event: 'created', data: {} }
  }
  controller(Orders, {
    watch(_, { request, reply }) {
      expectTypeOf(request.headers['Last-Event-ID']).toEqualTypeOf<number | undefined>()
      return reply.ok(follow())
    },
  })
  controller(Orders, {
    // @ts-expect-error these are no events
    watch: (_, { reply }) => reply.ok([{ id: 1 }]),
  })
})

test('a client receives them by name, with their ids and the event of a failure', async () => {
  const { watch } = client({ Orders }, { baseUrl: 'http://shop.test' }).Orders
  for await (const event of watch.all()) {
    expectTypeOf(event.event).toEqualTypeOf<'created' | 'changed' | 'gone' | 'error'>()
    expectTypeOf(event.id).toEqualTypeOf<string>()
    if (event.event === 'created') expectTypeOf(event.data.placed).toEqualTypeOf<Date | undefined>()
    if (event.event === 'changed') expectTypeOf(event.data).toEqualTypeOf<{ id: number }>()
    if (event.event === 'error') expectTypeOf(event.data).toEqualTypeOf<unknown>()
  }
  const stream = await watch.ok()
  expectTypeOf(stream.lastEventId).toEqualTypeOf<string>()
  for await (const event of stream)
    if (event.event === 'gone') expectTypeOf(event.data.id).toEqualTypeOf<number | undefined>()
})

test('error and open are no names of events', () => {
  // @ts-expect-error the connection has an event of this name
  events({ error: Order })
  // @ts-expect-error the connection has an event of this name
  events({ created: Order, open: Order })
  // @ts-expect-error a type is an attribute
  events({ created: 'Order' })
  // @ts-expect-error there is no such option
  events({ created: Order }, { heartBeat: 1 })
  events({ created: Order }, { heartbeat: '20s', retry: 500 })
})
