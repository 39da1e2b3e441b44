// The books of the library as lists whose params come in the query of a GET, and in the bodies of QUERY and POST.
import { type Application, application, collectionOf, endpoint, route, t } from 'edict'
import { FieldSelector, FilteringParams, mapper } from 'edict/mapper'
import { limitOffset, OrderingParams, PaginationParams, pagination, stripe } from 'edict/pagination'
import { Book } from '../../support/library/design.ts'
import type { Library } from '../../support/library/resources.ts'

const byFields = ['id', 'title', 'pages', 'price'] as const

const params = {
  shelf: t.integer(),
  kinds: t.array(t.string({ values: ['novel', 'essay', 'poems'] })),
  fields: FieldSelector.for(Book),
  filters: FilteringParams.for(
    Book,
    { id: { maxValues: 5000 }, title: { wildcards: true }, pages: {}, kind: {} },
    { maxLength: 20_000 },
  ),
  pagination: PaginationParams.for(Book, { byFields }),
  order: OrderingParams.for(Book, { byFields, enforceFor: 'all' }),
}

const offsets = limitOffset.for(Book, { orderBy: ['id', 'title'], filterBy: { id: {}, pages: {} } })
const keys = stripe.for(Book, { filterBy: { pages: {} } })

export const Books = endpoint('Books', {
  mediaType: Book,
  actions: {
    index: {
      routing: [route.get('/'), route.query('/'), route.post('/search', { params: 'body' })],
      params,
      responses: { ok: collectionOf(Book) },
    },
    found: { routing: route.query('/found'), params, responses: { ok: collectionOf(Book) } },
    offsets: {
      routing: [route.get('/offsets'), route.query('/offsets')],
      params: offsets.params,
      responses: { ok: offsets.body },
    },
    keys: { routing: route.post('/keys', { params: 'body' }), params: keys.params, responses: { ok: keys.body } },
  },
})

/** The application over the library in some datastore. */
export function applicationOf({ books }: Pick<Library, 'books'>): Application {
  return application({
    plugins: [mapper({ resources: [books] }), pagination()],
    controllers: [
      Books.implement({
        index: async (_, { request, reply }) => reply.ok(await books.list(request)),
        found: async (_, { request, reply }) => reply.ok(await books.list(request)),
        offsets: async (_, { request, reply }) => reply.ok(offsets.answer(request, await books.list(request))),
        keys: async (_, { request, reply }) => reply.ok(keys.answer(request, await books.list(request))),
      }),
    ],
  })
}
