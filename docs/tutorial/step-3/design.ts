// Step 3: the list of books, with everything that clients may ask of it.
import { collectionOf, endpoint, mediaType, route, t } from 'edict'
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
    // #region index
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
    // #endregion
    show: {
      routing: route.get('/:id'),
      params: { id: t.integer(), fields: FieldSelector.for(Book) },
      responses: { ok: Book, notFound: true },
    },
  },
})
