// The snippets of docs/guide/events.md.
import type { Shown } from '../../scripts/snippets.ts'

// #region smallest
import { EventEmitter, on } from 'node:events'
import { application, controller, type EventOf, endpoint, events, mediaType, route, t } from 'edict'

const Order = mediaType('Order', {
  attributes: { id: t.integer({ required: true }), item: t.string({ required: true }), placed: t.dateTime() },
  views: { short: ['id', 'item'] },
})

const OrderEvents = events({
  created: Order,
  changed: Order.view('short'),
  gone: t.object({ id: t.integer({ required: true }) }),
})

const Orders = endpoint('Orders', {
  mediaType: Order,
  actions: {
    watch: {
      routing: route.get('/events'),
      headers: { 'Last-Event-ID': t.integer({ min: 0 }) },
      responses: { ok: OrderEvents },
    },
  },
})

const journal: EventOf<typeof OrderEvents>[] = []
const news = new EventEmitter()

async function* follow(after: number, signal: AbortSignal): AsyncGenerator<EventOf<typeof OrderEvents>> {
  const arrivals = on(news, 'event', { signal })
  yield* journal.slice(after)
  for await (const [event] of arrivals) yield event
}

const orders = controller(Orders, {
  watch: (_, { request, reply }) => reply.ok(follow(request.headers['Last-Event-ID'] ?? 0, request.signal)),
})

export const app = application({ controllers: [orders] })
// #endregion

function tell(event: EventOf<typeof OrderEvents>): void {
  journal.push({ ...event, id: String(journal.length + 1) })
  news.emit('event', journal.at(-1))
}

tell({ event: 'created', data: { id: 1, item: 'tea', placed: new Date('2026-05-01T12:00:00Z') } })
tell({ event: 'gone', data: { id: 1 } })

import { client } from 'edict/client'

const api = client({ Orders }, { baseUrl: 'http://localhost', fetch: app.fetch })

async function read(): Promise<string> {
  const lines: string[] = []
  const show = (line: string): void => void lines.push(line)
  // #region client
  const all = api.Orders.watch.all()
  for await (const event of all) {
    if (event.event === 'created') show(`${event.data.item}, placed in ${event.data.placed?.getUTCFullYear()}`)
    if (event.event === 'gone') break
  }
  show(`the next time from ${all.cursor}`)
  // #endregion
  return lines.join('\n')
}

/** What the page shows. */
export const shown: Shown = {
  client: read,
  async wire() {
    const { body } = await app.fetch(new Request('http://localhost/orders/events'))
    const reader = (body as ReadableStream<Uint8Array>).getReader()
    let text = ''
    while (!text.includes('gone')) text += new TextDecoder().decode((await reader.read()).value)
    await reader.cancel()
    return text.trimEnd()
  },
}
