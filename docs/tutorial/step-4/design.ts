// Step 4: books can be added, changed and removed.
import { collectionOf, endpoint, inherit, mediaType, route, t } from 'edict'
import { FieldSelector, FilteringParams } from 'edict/mapper'
import { OrderingParams, PaginationParams } from 'edict/pagination'

/** An author, as clients see it. */
export const Author = mediaType('Author', {
  attributes: { id: t.integer({ required: true }), name: t.string({ required: true, min: 1, max: 100 }) },
})

/** A book, as clients see it. */
export const Book = mediaType('Book', {
  attributes: {
    id: t.integer({ required: true }),
    title: t.string({ required: true, min: 1, max: 100 }),
    year: t.integer({ nullable: true, min: 0, max: 2100 }),
    author: Author,
  },
})

/** The actions on books. */
export const Books = endpoint('Books', {
  mediaType: Book,
  actions: {
    index: {
      routing: route.get('/'),
      params: {
        filters: FilteringParams.for(Book, { title: { wildcards: true }, year: {}, 'author.name': {} }),
        order: OrderingParams.for(Book, { byFields: ['id', 'title', 'year', 'author.name'], enforceFor: 'all' }),
        pagination: PaginationParams.for(Book, { byFields: ['id', 'title', 'year'] }),
        fields: FieldSelector.for(Book),
      },
      responses: { ok: collectionOf(Book) },
    },
    show: {
      routing: route.get('/:id'),
      params: { id: t.integer(), fields: FieldSelector.for(Book) },
      responses: { ok: Book, notFound: true },
    },
    // #region writes
    create: {
      routing: route.post('/'),
      payload: { title: inherit, year: inherit, author: t.object({ id: t.integer({ required: true }) }) },
      responses: { created: { location: /^\/books\/\d+$/ } },
    },
    update: {
      routing: route.patch('/:id'),
      params: { id: t.integer() },
      payload: { title: inherit({ required: false }), year: inherit },
      responses: { noContent: true, notFound: true },
    },
    remove: {
      routing: route.delete('/:id'),
      params: { id: t.integer() },
      responses: { noContent: true, notFound: true },
    },
    // #endregion
  },
})
