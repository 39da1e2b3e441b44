// The snippets of docs/guide/cors.md.
import type { Shown } from '../../scripts/snippets.ts'
import { exchange } from './support/http.ts'

// #region smallest
import { application, endpoint, mediaType, route, security, t, verifier } from 'edict'
import { cors } from 'edict/cors'

const Card = security.bearer<{ readonly name: string }>('Card')
const Book = mediaType('Book', { attributes: { id: t.integer(), title: t.string() } })

const Books = endpoint('Books', {
  mediaType: Book,
  actions: {
    show: { routing: route.get('/:id'), params: { id: t.integer() }, responses: { ok: Book, notFound: true } },
    create: {
      routing: route.post('/'),
      security: Card,
      headers: { 'X-Shelf': t.string() },
      payload: { title: t.string({ required: true }) },
      responses: { created: { location: /^\/books\/\d+$/ } },
    },
  },
})

const books = Books.implement({
  show: ({ id }, { reply }) => (id === 1 ? reply.ok({ id, title: 'Emma' }) : reply.notFound()),
  create: (_, { reply }) => reply.created(undefined, { location: '/books/2' }),
})

export const app = application({
  controllers: [books],
  verifiers: [verifier(Card, (number) => (number === '1815' ? { name: 'Ada' } : undefined))],
  plugins: [cors({ origins: ['https://shop.example', /^https:\/\/[a-z]+\.shop\.example$/] })],
})
// #endregion

/** The answers that the page shows. */
export const shown: Shown = {
  preflight: () =>
    exchange(app, 'OPTIONS /books', {
      headers: { Origin: 'https://shop.example', 'Access-Control-Request-Method': 'POST' },
    }),
  missing: () => exchange(app, 'GET /books/9', { headers: { Origin: 'https://eu.shop.example' } }),
  other: () => exchange(app, 'GET /books/1', { headers: { Origin: 'https://other.example' } }),
}
