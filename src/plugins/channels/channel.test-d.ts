// The types of channels: what is published, what streams have, and what is refused.
import { describe, expectTypeOf, it } from 'vitest'
import { client } from '../../client/index.ts'
import { type EventOf, endpoint, mediaType, route, t } from '../../index.ts'
import { channel, memoryCarrier, openChannel } from './index.ts'

const Order = mediaType('Order', {
  attributes: { id: t.integer({ required: true }), note: t.string(), placed: t.dateTime() },
  views: { short: ['id'] },
})
const OrderNews = channel('orders', { created: Order, changed: Order.view('short') })
const orders = openChannel(OrderNews, { carrier: memoryCarrier() })

describe('a channel', () => {
  it('publishes its events, with the data of their types', () => {
    expectTypeOf(orders.publish).parameter(0).toEqualTypeOf<'created' | 'changed'>()
    void (() => orders.publish('created', { id: 1, placed: new Date() }))
    // @ts-expect-error: the event is not declared
    void (() => orders.publish('gone', { id: 1 }))
    // @ts-expect-error: a gap is nobody's to publish
    void (() => orders.publish('gap', { after: '' }))
    // @ts-expect-error: id is missing
    void (() => orders.publish('created', { note: 'a' }))
    // @ts-expect-error: id is a number
    void (() => orders.publish('created', { id: '1' }))
  })

  it('has streams of its events and the gap', () => {
    type News = EventOf<typeof OrderNews.events>
    expectTypeOf<News['event']>().toEqualTypeOf<'created' | 'changed' | 'gap'>()
    expectTypeOf<Extract<News, { event: 'gap' }>['data']>().toEqualTypeOf<{ after: string }>()
    expectTypeOf(orders.follow()[Symbol.asyncIterator]().next).returns.resolves.toExtend<IteratorResult<News>>()
    void (() =>
      orders.follow('1-1', {
        where(event) {
          expectTypeOf(event.event).toEqualTypeOf<'created' | 'changed'>()
          if (event.event === 'created') expectTypeOf(event.data.placed).toEqualTypeOf<Date | undefined>()
          return true
        },
      }))
  })

  it('is read by clients by the names of its events', () => {
    const Orders = endpoint('Orders', {
      actions: { watch: { routing: route.get('/'), responses: { ok: OrderNews.events } } },
    })
    const api = client({ Orders }, { baseUrl: 'http://orders.test' })
    void (async () => {
      for await (const event of api.Orders.watch.all()) {
        if (event.event === 'changed') expectTypeOf(event.data).toEqualTypeOf<{ id: number }>()
        if (event.event === 'gap') expectTypeOf(event.data.after).toEqualTypeOf<string>()
      }
    })
  })

  it('refuses the names of events that every channel has', () => {
    // @ts-expect-error: a gap is an event of every channel
    void (() => channel('orders', { gap: Order }))
    // @ts-expect-error: error is an event of the connection
    void (() => channel('orders', { error: Order }))
    // @ts-expect-error: no carrier
    void (() => openChannel(OrderNews, {}))
    // @ts-expect-error: not a carrier
    void (() => openChannel(OrderNews, { carrier: new Map() }))
  })
})
