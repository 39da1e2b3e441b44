// The snippets of docs/guide/lists.md.
import { type Datastore, memoryDatastore } from 'edict/mapper'
import type { Shown } from '../../scripts/snippets.ts'
import { answers, ask, exchange, thrown } from './support/http.ts'

import { application, collectionOf, controller, endpoint, inherit, mediaType, route, t } from 'edict'
import { mapper } from 'edict/mapper'
import { pagination } from 'edict/pagination'

const id = t.integer({ required: true })

// #region declared
import { FieldSelector, FilteringParams } from 'edict/mapper'
import { OrderingParams, PaginationParams } from 'edict/pagination'

const Author = mediaType('Author', { attributes: { id, name: t.string({ required: true }) } })
const Review = mediaType('Review', { attributes: { id, book_id: t.integer(), stars: t.integer() } })
const Book = mediaType('Book', {
  attributes: {
    id,
    title: t.string({ required: true }),
    year: t.integer({ nullable: true }),
    label: t.string(),
    author: Author,
    reviews: t.array(Review),
  },
})
// #endregion

const Books = endpoint('Books', {
  mediaType: Book,
  actions: {
    // #region index
    index: {
      routing: route.get('/'),
      params: {
        fields: FieldSelector.for(Book),
        filters: FilteringParams.for(Book, { title: { wildcards: true }, year: {}, 'reviews.stars': {} }),
        pagination: PaginationParams.for(Book, { byFields: ['id', 'title', 'year'] }),
        order: OrderingParams.for(Book, { byFields: ['id', 'title', 'year'], enforceFor: 'all' }),
      },
      responses: { ok: collectionOf(Book) },
    },
    // #endregion
    show: {
      routing: route.get('/:id'),
      params: { id: t.integer(), fields: FieldSelector.for(Book) },
      responses: { ok: Book, notFound: true },
    },
    update: {
      routing: route.patch('/:id'),
      params: { id: t.integer() },
      payload: { title: t.string(), year: inherit, author: t.object({ id }, { nullable: true }) },
      responses: { noContent: true, notFound: true },
    },
  },
})

const store = memoryDatastore({
  authors: {
    columns: { id: { kind: 'integer', generated: true }, name: { kind: 'text' } },
    key: ['id'],
    rows: [{ name: 'George Eliot' }, { name: 'Natsume Sōseki' }, { name: 'James Joyce' }],
  },
  books: {
    columns: {
      id: { kind: 'integer', generated: true },
      title: { kind: 'text' },
      year: { kind: 'integer', nullable: true },
      author_id: { kind: 'integer', nullable: true },
    },
    key: ['id'],
    rows: [
      { title: 'Middlemarch', year: 1871, author_id: 1 },
      { title: 'Kokoro', year: 1914, author_id: 2 },
      { title: 'Dubliners', year: 1914, author_id: 3 },
      { title: 'Beowulf', year: null },
    ],
  },
  reviews: {
    columns: {
      id: { kind: 'integer', generated: true },
      book_id: { kind: 'integer' },
      stars: { kind: 'integer' },
    },
    key: ['id'],
    rows: [
      { book_id: 2, stars: 5 },
      { book_id: 2, stars: 4 },
      { book_id: 3, stars: 2 },
    ],
  },
})

let statements = 0
const datastore: Datastore<string> = {
  ...store,
  select: (query) => {
    statements++
    return store.select(query)
  },
  count: (query) => {
    statements++
    return store.count(query)
  },
}

// #region resources
import { computed, many, one, resource } from 'edict/mapper'

const authors = resource(datastore, Author, { table: 'authors' })
const reviews = resource(datastore, Review, { table: 'reviews' })
const books = resource(datastore, Book, {
  table: 'books',
  attributes: {
    author: one(authors, { author_id: 'id' }),
    reviews: many(reviews, { id: 'book_id' }, { order: ['-stars'] }),
    label: computed(['title', 'year'], ({ title, year }) => `${title} (${year ?? 'undated'})`),
  },
})
// #endregion

const library = controller(Books, {
  // #region controller
  index: async (_, { request, reply }) => reply.ok(await books.list(request)),
  async show({ id }, { request, reply }) {
    const book = await books.find(id, request)
    return book ? reply.ok(book) : reply.notFound()
  },
  update: async ({ id }, { request, reply }) =>
    (await books.update(id, request.payload)) ? reply.noContent() : reply.notFound(),
  // #endregion
})

const Reviews = endpoint('Reviews', {
  parent: Books,
  actions: {
    index: {
      routing: route.get('/'),
      params: { book_id: t.integer({ required: true }), filters: FilteringParams.for(Review) },
      responses: { ok: collectionOf(Review) },
    },
  },
})

const bookReviews = controller(Reviews, {
  // #region where
  index: async ({ book_id }, { request, reply }) => reply.ok(await reviews.list(request, { book_id })),
  // #endregion
})

// #region application
export const app = application({
  plugins: [mapper({ resources: { authors, reviews, books } }), pagination({ maxItems: 100 })],
  controllers: [library, bookReviews],
})
// #endregion

/** Boots an application that lets clients order by what has no column. */
function mistaken(): unknown {
  const order = OrderingParams.for(Book, { byFields: ['label'] })
  const Wrong = endpoint('Wrong', {
    actions: { index: { routing: route.get('/'), params: { order }, responses: { ok: collectionOf(Book) } } },
  })
  const wrong = Wrong.implement({ index: async (_, { request, reply }) => reply.ok(await books.list(request)) })
  return application({ plugins: [mapper({ resources: [books] }), pagination()], controllers: [wrong] })
}

/** How many statements each request costs. */
async function cost(lines: readonly string[]): Promise<string> {
  const width = Math.max(...lines.map((line) => line.length))
  const counted: string[] = []
  for (const line of lines) {
    statements = 0
    await ask(app, line)
    counted.push(`${line.padEnd(width)}  ${statements}`)
  }
  return counted.join('\n')
}

/** A book after each of several changes. */
async function changes(bodies: readonly object[]): Promise<string> {
  const lines: string[] = []
  for (const body of bodies) {
    const { status } = await ask(app, 'PATCH /books/4', { body })
    const book = await ask(app, 'GET /books/4?fields=year,author')
    lines.push(`${JSON.stringify(body).padEnd(32)}  →  ${status}, then  ${await book.text()}`)
  }
  return lines.join('\n')
}

// --- what the page shows ---------------------------------------------------------------------------------------

/** The answers that the page shows. */
export const shown: Shown = {
  list: () =>
    exchange(
      app,
      'GET /books?filters=year>=1900&order=-year,title&pagination=by=year,items=1,total_count=true&fields=id,title,author{name}',
    ),
  fields: () =>
    answers(app, ['GET /books/2', 'GET /books/2?fields=title,author', 'GET /books/2?fields=title,reviews{stars}']),
  child: () => answers(app, ['GET /books/2/reviews', 'GET /books/2/reviews?filters=stars=4|book_id=3']),
  patch: () => changes([{ year: 1000, author: { id: 1 } }, { year: null }, { author: null }]),
  cost: () =>
    cost([
      'GET /books',
      'GET /books?pagination=total_count=true',
      'GET /books?fields=id,author{name}&filters=reviews.stars>3',
      'GET /books?fields=id,author,reviews{stars}&order=title',
      'GET /books?order=year&pagination=items=4',
    ]),
  mistaken: () => thrown(mistaken),
  surprising: () =>
    answers(app, [
      'GET /books?order=year&fields=id,year',
      'GET /books?order=-year&fields=id,year',
      'GET /books?filters=year!=1914&fields=id,year',
      'GET /books?pagination=by=year,from=1914&fields=id,year',
    ]),
}
