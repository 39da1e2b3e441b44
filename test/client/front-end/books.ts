// The declarations of a small front end, as its users write them: one endpoint, and a resource of twelve attributes.
import { collectionOf, endpoint, inherit, mediaType, route, t } from 'edict'

const Book = mediaType('Book', {
  attributes: {
    id: t.integer({ required: true }),
    isbn: t.string({ required: true, pattern: /97[89]\d{10}/ }),
    title: t.string({ required: true, min: 1, max: 200 }),
    subtitle: t.string({ nullable: true }),
    language: t.string({ values: ['de', 'en', 'fr'] }),
    price: t.decimal({ precision: 10, scale: 2 }),
    rating: t.number({ min: 0, max: 5 }),
    inPrint: t.boolean({ default: true }),
    published: t.date(),
    addedAt: t.dateTime({ required: true }),
    sold: t.bigint(),
    tags: t.array(t.string({ max: 30 }), { max: 10 }),
  },
})

export const Books = endpoint('Books', {
  mediaType: Book,
  actions: {
    index: {
      routing: route.get('/'),
      params: { limit: t.integer({ min: 1, max: 100, default: 20 }) },
      responses: { ok: collectionOf(Book) },
    },
    show: { routing: route.get('/:id'), params: { id: t.integer() }, responses: { ok: Book, notFound: true } },
    create: {
      routing: route.post('/'),
      payload: {
        isbn: inherit,
        title: inherit,
        subtitle: inherit,
        price: inherit,
        published: inherit,
        addedAt: inherit,
        sold: inherit,
        tags: inherit,
      },
      responses: { created: Book },
    },
  },
})
