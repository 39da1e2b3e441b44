// The snippets of docs/migrating/trpc.md.
import type { Shown } from '../../scripts/snippets.ts'
import { answers } from './support/http.ts'

const books = new Map([[1, { id: 1, title: 'Emma', year: 1815 }]])

// #region declaration
import { endpoint, route, security, t } from 'edict'
import { z } from 'zod'

const Token = security.bearer<{ readonly name: string }>('Token')
const Book = z.object({ id: z.number().int(), title: z.string(), year: z.number().int() })

export const Books = endpoint('Books', {
  actions: {
    list: {
      routing: route.get('/'),
      params: { since: t.integer({ default: 0 }) },
      responses: { ok: t.array(t.standard(Book)) },
    },
    byId: {
      routing: route.get('/:id'),
      params: { id: t.integer() },
      responses: { ok: t.standard(Book), notFound: true },
    },
    add: {
      routing: route.post('/'),
      security: Token,
      payload: t.standard(z.object({ title: z.string().min(1).max(100), year: z.number().int() }), { required: true }),
      responses: { created: t.standard(Book.extend({ addedBy: z.string() })) },
    },
  },
})
// #endregion

// #region server
import { application, controller, verifier } from 'edict'

const controllers = [
  controller(Books, {
    list: ({ since }, { reply }) => reply.ok([...books.values()].filter(({ year }) => year >= since)),
    byId({ id }, { reply }) {
      const book = books.get(id)
      return book ? reply.ok(book) : reply.notFound()
    },
    add(_, { request, reply, principal }) {
      const book = { id: books.size + 1, ...request.payload }
      books.set(book.id, book)
      return reply.created({ ...book, addedBy: principal.name })
    },
  }),
]

const app = application({
  controllers,
  verifiers: [verifier(Token, (sent) => (sent === 'ada' ? { name: 'Ada' } : undefined))],
})
// #endregion

// #region client
import { client } from 'edict/client'

async function titles(fetch: typeof app.fetch): Promise<string[]> {
  const api = client({ Books }, { baseUrl: 'http://localhost:3000', fetch, headers: { Authorization: 'Bearer ada' } })
  const all = await api.Books.list.ok({ since: 1800 })
  const missing = await api.Books.byId({ id: 9 })
  return [...all.map(({ title }) => title), missing.name]
}
// #endregion

/** The answers that the page shows. */
export const shown: Shown = {
  client: async () => (await titles(app.fetch)).join('\n'),
  answers: () =>
    answers(app, [
      'GET /books?since=1900',
      'GET /books/1',
      ['POST /books', { body: { title: 'Kokoro', year: 1914 } }],
      ['POST /books', { headers: { Authorization: 'Bearer ada' }, body: { title: '' } }],
    ]),
}
