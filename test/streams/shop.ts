// A shop whose orders are a stream of events: a journal keeps them, and every subscriber reads it from its own position.
import { EventEmitter, once } from 'node:events'
import {
  type ApplicationOptions,
  application,
  collectionOf,
  controller,
  type EventOf,
  endpoint,
  events,
  mediaType,
  route,
  t,
} from '../../src/index.ts'
import { recorder } from '../support/ask.ts'

export const Order = mediaType('Order', {
  attributes: {
    id: t.integer({ required: true, min: 1 }),
    note: t.string(),
    placed: t.dateTime(),
  },
  views: { short: ['id'] },
})

const OrderEvents = events(
  { created: Order, changed: Order.view('short'), gone: t.object({ id: t.integer({ required: true }) }) },
  { heartbeat: '100ms', retry: '20ms' },
)
export type OrderEvent = EventOf<typeof OrderEvents>

export const Orders = endpoint('Orders', {
  mediaType: Order,
  actions: {
    watch: {
      routing: route.get('/events'),
      headers: { 'Last-Event-ID': t.integer({ min: 0 }) },
      responses: { ok: OrderEvents, noContent: true, tooManyRequests: true, forbidden: true },
    },
    lines: { routing: route.get('/lines'), responses: { ok: collectionOf(Order, { as: 'jsonl' }) } },
    texts: { routing: route.get('/texts'), responses: { ok: collectionOf(Order, { as: 'json-seq' }) } },
  },
})

/** The events of a shop, which grow by `append`; the id of each is its place. */
export class Journal {
  readonly events: OrderEvent[] = []
  /** How often a subscriber has begun and ended. */
  opened = 0
  closed = 0
  /** The events that subscribers have taken. */
  taken = 0
  readonly #grown = new EventEmitter().setMaxListeners(0)

  append(event: Omit<OrderEvent, 'id'>): void {
    this.events.push({ ...event, id: String(this.events.length + 1) } as OrderEvent)
    this.#grown.emit('grown')
  }

  create(id: number, note = `order ${id}`): void {
    this.append({ event: 'created', data: { id, note, placed: new Date(id * 1000) } })
  }

  async *follow(after: number, signal: AbortSignal): AsyncGenerator<OrderEvent> {
    this.opened++
    try {
      for (let at = after; ; at++) {
        while (at >= this.events.length) await once(this.#grown, 'grown', { signal })
        this.taken++
        yield this.events[at] as OrderEvent
      }
    } finally {
      this.closed++
    }
  }
}

type Watch = Parameters<typeof controller<typeof Orders.spec>>[1] extends infer C
  ? C extends { watch: infer W }
    ? W
    : never
  : never

/** Serves a journal; `watch` replaces the action. */
export function shop(journal: Journal, options: Partial<ApplicationOptions> & { readonly watch?: Watch } = {}) {
  const { watch, ...more } = options
  const list = [
    { id: 1, note: 'a\nb' },
    { id: 2, placed: new Date(0) },
  ]
  const orders = controller(Orders, {
    watch:
      watch ??
      ((_, { request, reply }) => reply.ok(journal.follow(request.headers['Last-Event-ID'] ?? 0, request.signal))),
    lines: (_, { reply }) => reply.ok(list),
    texts: (_, { reply }) => reply.ok(list),
  })
  return application({ logger: recorder(), ...more, controllers: [orders] })
}
