// A list in memory: fields, filters, order, pages, and one element of it.
import { collectionOf, endpoint, mediaType, route, t } from 'edict'
import { FieldSelector, FilteringParams, memoryDatastore, resource } from 'edict/mapper'
import { OrderingParams, PaginationParams } from 'edict/pagination'

const Book = mediaType('Book', {
  attributes: {
    id: t.integer({ required: true }),
    title: t.string({ required: true, max: 100 }),
    year: t.integer(),
  },
})

const Books = endpoint('Books', {
  mediaType: Book,
  actions: {
    index: {
      routing: route.get('/'),
      params: {
        fields: FieldSelector.for(Book),
        filters: FilteringParams.for(Book),
        order: OrderingParams.for(Book),
        pagination: PaginationParams.for(Book),
      },
      responses: { ok: collectionOf(Book) },
    },
    show: { routing: route.get('/:id'), params: { id: t.integer() }, responses: { ok: Book, notFound: true } },
  },
})

/** Twenty-five books. */
export const shelf = resource(
  memoryDatastore({
    books: {
      columns: {
        id: { kind: 'integer' },
        title: { kind: 'text' },
        year: { kind: 'integer', nullable: true },
      },
      key: ['id'],
      rows: Array.from({ length: 25 }, (_, i) => ({
        id: i + 1,
        title: i === 6 ? 'Die Wahlverwandtschaften – 情書 📚' : `Book ${i + 1}`,
        year: i % 5 === 4 ? null : 1900 + (i % 4),
      })),
    },
  }),
  Book,
  { table: 'books' },
)

/** Lists the books and shows one. */
export const books = Books.implement({
  index: async (_, { request, reply }) => reply.ok(await shelf.list(request)),
  async show({ id }, { reply }) {
    const book = await shelf.find(id)
    return book ? reply.ok(book) : reply.notFound(`There is no book ${id}.`)
  },
})
