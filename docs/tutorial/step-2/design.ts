// Step 2: what a book is, and what can be done with books. Nothing here knows a server.
import { endpoint, inherit, mediaType, route, t } from 'edict'

/** A book, as clients see it. */
export const Book = mediaType('Book', {
  attributes: {
    id: t.integer({ required: true }),
    title: t.string({ required: true, min: 1, max: 100 }),
    year: t.integer({ nullable: true, min: 0, max: 2100 }),
  },
})

/** The actions on books. */
export const Books = endpoint('Books', {
  mediaType: Book,
  actions: {
    show: {
      routing: route.get('/:id'),
      params: { id: t.integer() },
      responses: { ok: Book, notFound: true },
    },
    create: {
      routing: route.post('/'),
      payload: { title: inherit, year: inherit },
      responses: { created: { location: /^\/books\/\d+$/ } },
    },
  },
})
