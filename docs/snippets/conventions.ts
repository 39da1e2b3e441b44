// The snippets of docs/guide/conventions.md.
import { application, mediaType, t } from 'edict'
import { client } from 'edict/client'
import { mapper, memoryDatastore, resource } from 'edict/mapper'
import { aip, cursors, jsonApi, jsonApiPages, pageNumbers, pagination, stripe } from 'edict/pagination'
import type { Shown } from '../../scripts/snippets.ts'
import { answers, exchange } from './support/http.ts'

const datastore = memoryDatastore({
  books: {
    columns: { id: { kind: 'integer' }, title: { kind: 'text' }, year: { kind: 'integer', nullable: true } },
    key: ['id'],
    rows: [
      { id: 1, title: 'Middlemarch', year: 1871 },
      { id: 2, title: 'Kokoro', year: 1914 },
      { id: 3, title: 'Dubliners', year: 1914 },
      { id: 4, title: 'Beowulf', year: null },
    ],
  },
})
const Book = mediaType('Book', {
  attributes: {
    id: t.integer({ required: true }),
    title: t.string({ required: true }),
    year: t.integer({ nullable: true }),
  },
})
const books = resource(datastore, Book, { table: 'books' })

// #region smallest
import { controller, endpoint, route } from 'edict'
import { limitOffset } from 'edict/pagination'

const bookList = limitOffset.for(Book, { order: ['-year'], body: { books: 'elements', booksCount: 'total' } })

const Books = endpoint('Books', {
  actions: { index: { routing: route.get('/'), params: bookList.params, responses: { ok: bookList.body } } },
})

const booksController = controller(Books, {
  index: async (_, { request, reply }) => reply.ok(bookList.answer(request, await books.list(request))),
})
// #endregion

const asked = { orderBy: ['id', 'title', 'year'], filterBy: { title: { wildcards: true }, year: {} } } as const
const lists = {
  pages: pageNumbers.for(Book, asked),
  stripe: stripe.for(Book),
  aip: aip.for(Book, asked),
  cursors: cursors.for(Book, asked),
  jsonapi: jsonApi.for(Book, { ...asked, filterBy: { title: {}, year: {} }, fields: true, type: 'books' }),
  numbers: jsonApiPages.for(Book, { type: 'books' }),
}

// #region own
import { constant, convention } from 'edict/pagination'

const house = convention({
  name: 'house',
  params: { top: 'items', skip: 'offset', order: 'order' },
  body: { ok: constant(true), result: { rows: 'elements', of: 'total' }, next: 'next' },
  headers: { link: true },
})

const houseList = house.with({ maxItems: 50, pageSize: 20 }).for(Book, { orderBy: ['title', 'year'] })
// #endregion

// #region absolute
const publicList = pageNumbers.with({ links: 'absolute' }).for(Book)
const plugin = pagination({ baseUrl: 'https://api.example.com' })
// #endregion

const actionsOf = (all: Readonly<Record<string, { readonly params: object; readonly body: unknown }>>) =>
  Object.fromEntries(
    Object.entries(all).map(([name, { params, body }]) => [
      name,
      { routing: route.get(`/${name}`), params, responses: { ok: body } },
    ]),
  )
const every = { ...lists, house: houseList, public: publicList }
const Shelf = endpoint('Shelf', { actions: actionsOf(every) as Record<string, never> })
const functions = Object.entries(every).map(([name, list]) => [
  name,
  async (_: unknown, { request, reply }: never) =>
    (reply as { ok(body: unknown): never }).ok(
      (list as typeof houseList).answer(request, await books.list(request as never)),
    ),
])
const app = application({
  environment: 'production',
  plugins: [mapper({ resources: [books] }), plugin, pagination.defaults({ maxItems: 100 })],
  controllers: [booksController, controller(Shelf, Object.fromEntries(functions) as never) as never],
})

async function walked(): Promise<string> {
  const said: unknown[] = []
  const console = { log: (one: unknown) => said.push(one) }
  const options = { baseUrl: 'http://localhost', fetch: (request: Request) => app.fetch(request) }
  // #region client
  const api = client({ Books }, options)
  for await (const book of api.Books.index.all({ limit: 2 })) console.log(book.title)
  // #endregion
  return said.join('\n')
}

/** The answers that the page shows. */
export const shown: Shown = {
  smallest: () => exchange(app, 'GET /books?limit=2&offset=1'),
  client: walked,
  others: () =>
    answers(app, [
      'GET /shelf/pages?per_page=1&page=2&sort=title',
      'GET /shelf/stripe?limit=1&starting_after=2',
      'GET /shelf/aip?page_size=1&order_by=year%20desc&filter=year%20%3E%3D%201900',
      'GET /shelf/cursors?limit=1',
    ]),
  jsonapi: () =>
    exchange(app, 'GET /shelf/jsonapi?page[size]=1&sort=-title&filter[year]=1871,1914&fields[books]=title'),
  own: () => exchange(app, 'GET /shelf/house?top=1&order=title'),
  absolute: () => exchange(app, 'GET /shelf/public?per_page=3'),
  refused: () =>
    answers(app, [
      'GET /books?limit=0',
      'GET /books?limit=101',
      'GET /shelf/stripe?starting_after=2&ending_before=3',
      'GET /shelf/stripe?starting_after=emma',
      'GET /shelf/aip?filter=year%20%3E',
      'GET /shelf/jsonapi?page[after]=x',
    ]),
}
