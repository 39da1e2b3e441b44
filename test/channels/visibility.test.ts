// Events of channels as different clients may see them, and how often each is written.
import { application, controller, endpoint, mediaType, route, security, t, verifier } from 'edict'
import { channel, memoryCarrier, openChannel } from 'edict/channels'
import { client } from 'edict/client'
import { attribute, type Kind } from 'edict/extend'
import { audience, members, visibility, visibleTo } from 'edict/visibility'
import { describe, expect, it } from 'vitest'

/** How often a mark was written. */
let written = 0
const markKind: Kind<null> = {
  name: 'mark',
  loader: () => (value) => value,
  dumper: () => (value) => {
    written++
    return value
  },
  jsonSchema: () => ({ type: 'string' }),
  example: () => 'mark',
}

interface User {
  readonly role: 'staff' | 'guest'
}
const Token = security.bearer<User>('Token')
const Staff = audience<User>('staff')
const Book = mediaType('Book', {
  attributes: {
    id: t.integer({ required: true }),
    cost: visibleTo(Staff, t.integer({ required: true })),
    mark: attribute<null, string, true>(markKind, null, { required: true }),
  },
})
const BookNews = channel('books', { created: Book })
const Books = endpoint('Books', {
  mediaType: Book,
  actions: {
    watch: {
      routing: route.get('/events'),
      security: Token,
      headers: { 'Last-Event-ID': t.string() },
      responses: { ok: BookNews.events },
    },
  },
})

function serveBooks() {
  const books = openChannel(BookNews, { carrier: memoryCarrier() })
  const app = application({
    verifiers: [verifier(Token, (role) => ({ role: role === 'staff' ? 'staff' : 'guest' }))],
    plugins: [visibility([members(Staff, ({ role }) => role === 'staff')])],
    controllers: [
      controller(Books, { watch: (_, { request, reply }) => reply.ok(books.follow(request.headers['Last-Event-ID'])) }),
    ],
  })
  const watch = (role: string, from?: string) =>
    client(
      { Books },
      { baseUrl: 'http://books.test', fetch: app.fetch, headers: { Authorization: `Bearer ${role}` } },
    ).Books.watch.all({}, from === undefined ? {} : { from })
  return { books, watch }
}

describe('an event of a channel', () => {
  it('[EVT-06] [EVT-08] is written once for each way of seeing it, and shows each client what it may see', async () => {
    const { books, watch } = serveBooks()
    const begin = await books.position()
    const roles = ['staff', 'guest', 'guest', 'staff', 'guest', 'guest']
    const streams = roles.map((role) => watch(role))
    const first = streams.map((one) => one.next())
    await expect.poll(() => streams.every(({ cursor }) => cursor === begin)).toBe(true)
    written = 0
    await books.publish('created', { id: 1, cost: 300, mark: 'a' })
    expect(written).toBe(1)
    const seen = (await Promise.all(first)).map(({ value }) => value)
    expect(seen.map((event) => event?.data)).toEqual(
      roles.map((role) => (role === 'staff' ? { id: 1, cost: 300, mark: 'a' } : { id: 1, mark: 'a' })),
    )
    // Once to be published, once for staff, and once for guests.
    expect(written).toBe(3)
    for (const one of streams) await one.return?.()
  })

  it('[EVT-06] shows each client what it may see of what is kept, too', async () => {
    const { books, watch } = serveBooks()
    const begin = await books.position()
    await books.publish('created', { id: 1, cost: 300, mark: 'a' })
    for (const role of ['staff', 'guest'] as const)
      for await (const event of watch(role, begin)) {
        expect([role, event.data]).toEqual([
          role,
          role === 'staff' ? { id: 1, cost: 300, mark: 'a' } : { id: 1, mark: 'a' },
        ])
        break
      }
  })
})
