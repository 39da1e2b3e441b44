// Step 6: everybody may read, and librarians may write.
import { collectionOf, endpoint, inherit, mediaType, route, security, t } from 'edict'
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

/** A reader with a library card. */
export interface Reader {
  readonly name: string
  readonly librarian: boolean
}

/** Says who sends a request, with a token. */
export const Card = security.bearer<Reader>('Card', { description: 'The number of a library card.' })

/** The actions on books. */
export const Books = endpoint('Books', {
  description: 'Everything on the **shelves**.',
  mediaType: Book,
  actions: {
    index: {
      description: 'All books, or those that match.',
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
      description: 'One book.',
      routing: route.get('/:id'),
      params: { id: t.integer(), fields: FieldSelector.for(Book) },
      responses: { ok: Book, notFound: true },
    },
    create: {
      description: 'Adds a book. For librarians.',
      security: Card.scopes('write'),
      routing: route.post('/'),
      payload: { title: inherit, year: inherit, author: t.object({ id: t.integer({ required: true }) }) },
      responses: { created: { location: /^\/books\/\d+$/ } },
    },
    update: {
      description: 'Changes what is sent. For librarians.',
      security: Card.scopes('write'),
      routing: route.patch('/:id'),
      params: { id: t.integer() },
      payload: { title: inherit({ required: false }), year: inherit },
      responses: { noContent: true, notFound: true },
    },
    remove: {
      description: 'Removes a book. For librarians.',
      security: Card.scopes('write'),
      routing: route.delete('/:id'),
      params: { id: t.integer() },
      responses: { noContent: true, notFound: true },
    },
  },
})
