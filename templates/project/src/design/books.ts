// The media type of books and their endpoint. Nothing here depends on a server or a database.
import { collectionOf, endpoint, inherit, mediaType, route, t } from 'edict'
import { FieldSelector, FilteringParams } from 'edict/mapper'
import { OrderingParams, PaginationParams } from 'edict/pagination'

/** A book, as clients see it. */
export const Book = mediaType('Book', {
  attributes: {
    id: t.integer({ required: true }),
    title: t.string({ required: true, min: 1, max: 200 }),
    year: t.integer({ nullable: true }),
  },
})

// The attributes that lists can be ordered and paginated by. A database index on each of them keeps long lists fast.
const byFields = ['id', 'title', 'year'] as const

/** The actions on books. */
export const Books = endpoint('Books', {
  description: 'Everything about books.',
  mediaType: Book,
  actions: {
    index: {
      description: 'All books, or those that match.',
      routing: route.get('/'),
      params: {
        // Which of them: `filters=title=…`. A text with wildcards may begin or end with `*`.
        filters: FilteringParams.for(Book, {
          title: { wildcards: true },
          year: {},
        }),
        // In which order: `order=-title,id`.
        order: OrderingParams.for(Book, { byFields }),
        // Which part: `pagination=page=2,items=5`, or `pagination=by=id,items=5` and then from link to link.
        pagination: PaginationParams.for(Book, { byFields }),
        // And what of each: `fields=id,title`.
        fields: FieldSelector.for(Book),
      },
      responses: { ok: collectionOf(Book) },
    },
    show: {
      description: 'One book.',
      routing: route.get('/:id'),
      params: { id: t.integer() },
      responses: { ok: Book, notFound: true },
    },
    create: {
      description: 'Adds a book.',
      routing: route.post('/'),
      // `inherit` takes an attribute over from the media type, with its options.
      payload: {
        title: inherit,
        year: inherit,
      },
      responses: { created: { location: /\/\d+$/ } },
    },
    update: {
      description: 'Changes the attributes that are sent.',
      routing: route.patch('/:id'),
      params: { id: t.integer() },
      payload: {
        title: inherit({ required: false }),
        year: inherit,
      },
      responses: { noContent: true, notFound: true },
    },
    remove: {
      description: 'Removes a book.',
      routing: route.delete('/:id'),
      params: { id: t.integer() },
      responses: { noContent: true, notFound: true },
    },
  },
})
