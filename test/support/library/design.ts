// A library, declared: what tests of lists list.
import { collectionOf, endpoint, mediaType, route, t } from 'edict'
import { FieldSelector, FilteringParams } from 'edict/mapper'
import { OrderingParams, PaginationParams } from 'edict/pagination'

export const Author = mediaType('Author', {
  attributes: {
    id: t.integer({ required: true }),
    name: t.string({ required: true }),
    born_on: t.date({ nullable: true }),
    home: t.object({ city: t.string(), country: t.string() }),
  },
})

export const Review = mediaType('Review', {
  attributes: {
    book_id: t.integer({ required: true }),
    number: t.integer({ required: true }),
    stars: t.integer({ required: true }),
    text: t.string({ nullable: true }),
    by: Author,
  },
})

export const Tag = mediaType('Tag', {
  attributes: { id: t.integer({ required: true }), name: t.string({ required: true }) },
})

export const Book = mediaType('Book', {
  attributes: {
    id: t.integer({ required: true }),
    title: t.string({ required: true, max: 200 }),
    subtitle: t.string({ nullable: true }),
    kind: t.string({ values: ['novel', 'essay', 'poems'] }),
    pages: t.integer({ nullable: true }),
    price: t.number({ nullable: true }),
    copies: t.bigint({ nullable: true }),
    lent: t.boolean(),
    published_on: t.date({ nullable: true }),
    added_at: t.dateTime({ nullable: true }),
    opens_at: t.time({ nullable: true }),
    notes: t.any({ nullable: true }),
    label: t.string(),
    shelf_mates: t.integer(),
    author: Author,
    tags: t.array(t.string()),
    reviews: t.array(Review),
  },
  views: { card: ['id', 'title', 'author'] },
})

const orderable = [
  'id',
  'title',
  'subtitle',
  'kind',
  'pages',
  'price',
  'copies',
  'lent',
  'published_on',
  'added_at',
  'opens_at',
  'author.id',
  'author.name',
  'author.born_on',
  'author.home.city',
] as const

export const Books = endpoint('Books', {
  mediaType: Book,
  actions: {
    index: {
      routing: route.get('/'),
      params: {
        shelf: t.integer(),
        fields: FieldSelector.for(Book),
        filters: FilteringParams.for(Book, {
          id: {},
          title: { wildcards: true },
          subtitle: { wildcards: true },
          kind: {},
          pages: {},
          price: {},
          copies: {},
          lent: {},
          published_on: {},
          added_at: {},
          opens_at: {},
          tags: {},
          author: {},
          reviews: {},
          'author.id': {},
          'author.name': { operators: ['=', '!=', '!', '!!'], wildcards: true },
          'author.home.city': {},
          'reviews.stars': {},
          'reviews.by.name': {},
        }),
        pagination: PaginationParams.for(Book, { byFields: orderable }),
        order: OrderingParams.for(Book, { byFields: orderable, enforceFor: 'all' }),
      },
      responses: { ok: collectionOf(Book) },
    },
    cards: {
      routing: route.get('/cards'),
      params: { pagination: PaginationParams.for(Book, { byFields: ['title'] }) },
      responses: { ok: collectionOf(Book, { view: 'card' }) },
    },
    show: {
      routing: route.get('/:id'),
      params: { id: t.integer(), fields: FieldSelector.for(Book) },
      responses: { ok: Book, notFound: true },
    },
    create: {
      routing: route.post('/'),
      payload: {
        title: t.string({ required: true }),
        pages: t.integer({ nullable: true }),
        copies: t.bigint({ nullable: true }),
        added_at: t.dateTime({ nullable: true }),
        notes: t.any({ nullable: true }),
        author: t.object({ id: t.integer({ required: true }) }, { nullable: true }),
      },
      responses: { created: { location: /^\/books\/\d+$/ } },
    },
    update: {
      routing: route.patch('/:id'),
      params: { id: t.integer() },
      payload: {
        title: t.string(),
        subtitle: t.string({ nullable: true }),
        pages: t.integer({ nullable: true }),
        author: t.object({ id: t.integer({ required: true }) }, { nullable: true }),
      },
      responses: { noContent: true, notFound: true },
    },
    remove: {
      routing: route.delete('/:id'),
      params: { id: t.integer() },
      responses: { noContent: true, notFound: true },
    },
  },
})

/** Reviews have a key of two fields. */
export const Reviews = endpoint('Reviews', {
  mediaType: Review,
  actions: {
    index: {
      routing: route.get('/'),
      params: {
        pagination: PaginationParams.for(Review, { key: ['book_id', 'number'] }),
        order: OrderingParams.for(Review),
        fields: FieldSelector.for(Review),
      },
      responses: { ok: collectionOf(Review) },
    },
  },
})
