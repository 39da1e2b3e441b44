// The product of the README: one media type, one endpoint, one controller, the application, a server.
import type { Shown } from '../../scripts/snippets.ts'
import { compileError } from './support/compiler.ts'
import { exchange } from './support/http.ts'

// #region product
import { application, collectionOf, controller, endpoint, inherit, mediaType, route, t } from 'edict'
import { serve } from 'edict/node'

const Book = mediaType('Book', {
  attributes: {
    id: t.integer({ required: true }),
    title: t.string({ required: true, max: 100 }),
    year: t.integer({ min: 1450, max: 2100 }),
  },
})

const Books = endpoint('Books', {
  mediaType: Book,
  actions: {
    index: {
      routing: route.get('/'),
      params: { since: t.integer({ default: 1450 }) },
      responses: { ok: collectionOf(Book) },
    },
    show: { routing: route.get('/:id'), params: { id: t.integer() }, responses: { ok: Book, notFound: true } },
    create: {
      routing: route.post('/'),
      payload: { title: inherit, year: inherit({ required: true }) },
      responses: { created: Book },
    },
  },
})

const shelf = [
  { id: 1, title: 'Middlemarch', year: 1871 },
  { id: 2, title: 'Kokoro', year: 1914 },
]

const books = controller(Books, {
  index: ({ since }, { reply }) => reply.ok(shelf.filter(({ year }) => year >= since)),
  show({ id }, { reply }) {
    const book = shelf.find((one) => one.id === id)
    return book ? reply.ok(book) : reply.notFound(`There is no book ${id}.`)
  },
  create(_, { request, reply }) {
    const book = { id: shelf.length + 1, ...request.payload }
    shelf.push(book)
    return reply.created(book, { location: Books.toHref({ id: book.id }) })
  },
})

export const app = application({ title: 'Library', controllers: [books] })
export const server = await serve(app)
// #endregion

/** Never called: the compiler is the one to see it. */
export const refused = () =>
  controller(Books, {
    index: (_, { reply }) => reply.ok([]),
    create: (_, { reply }) => reply.created({ id: 3, title: 'Emma' }),
    // #region undeclared
    // @ts-expect-error gone is not declared
    show: (_, { reply }) => reply.gone(),
    // #endregion
  })

// --- what the page shows ---------------------------------------------------------------------------------------

/** What the page shows. */
export const shown: Shown = {
  list: () => exchange(app, 'GET /books?since=1900'),
  refused: () => exchange(app, 'POST /books', { body: { titel: 'Emma', year: 'last year' } }),
  undeclared: () => compileError('readme.ts', 'undeclared'),
}
