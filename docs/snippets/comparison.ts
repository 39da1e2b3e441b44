// The snippets of docs/comparison.md: what routes of Fastify and contracts of ts-rest become.
import type { Shown } from '../../scripts/snippets.ts'
import { answers } from './support/http.ts'

const books = new Map([[1, { id: 1, title: 'Emma', shelf: 'A1' }]])

// #region fastify
import { application, endpoint, mediaType, route, t } from 'edict'

const Book = mediaType('Book', {
  attributes: { id: t.integer({ required: true }), title: t.string({ required: true }) },
})

const Books = endpoint('Books', {
  mediaType: Book,
  actions: {
    show: { routing: route.get('/:id'), params: { id: t.integer() }, responses: { ok: Book, notFound: true } },
  },
})

const controllers = [
  Books.implement({
    show({ id }, { reply }) {
      const book = books.get(id)
      return book ? reply.ok(book) : reply.notFound(`There is no book ${id}.`)
    },
  }),
]

const app = application({ controllers })
// #endregion

// #region ts-rest
import { z } from 'zod'

const Reviews = endpoint('Reviews', {
  actions: {
    create: {
      routing: route.post('/'),
      payload: t.standard(z.object({ book: z.number().int(), stars: z.number().min(1).max(5) }), { required: true }),
      responses: { created: t.standard(z.object({ id: z.number() })), conflict: true },
    },
  },
})

const reviews = Reviews.implement({
  create: (_, { request, reply }) =>
    request.payload.book === 1 ? reply.created({ id: 7 }) : reply.conflict('There is no such book.'),
})
// #endregion

const reviewed = application({ controllers: [reviews] })
const post = (body: unknown) => ['POST /reviews', { body }] as const

/** The answers that the page shows. */
export const shown: Shown = {
  fastify: () => answers(app, ['GET /books/1', 'GET /books/9', 'GET /books/1?colour=red']),
  'ts-rest': () => answers(reviewed, [post({ book: 1, stars: 5 }), post({ book: 2, stars: 5 }), post({ stars: 9 })]),
}
