// The snippets of docs/guide/query.md.
import type { Shown } from '../../scripts/snippets.ts'
import { answers, exchange } from './support/http.ts'

// #region smallest
import { application, collectionOf, endpoint, mediaType, route, t } from 'edict'
import { FilteringParams, mapper, memoryDatastore, resource } from 'edict/mapper'
import { PaginationParams, pagination } from 'edict/pagination'

const Book = mediaType('Book', {
  attributes: { id: t.integer({ required: true }), title: t.string({ required: true }), year: t.integer() },
})

const params = { filters: FilteringParams.for(Book), pagination: PaginationParams.for(Book) }

export const Books = endpoint('Books', {
  mediaType: Book,
  actions: {
    index: {
      routing: [route.get('/'), route.query('/'), route.post('/search', { params: 'body' })],
      params,
      responses: { ok: collectionOf(Book) },
    },
  },
})
// #endregion

const columns = { id: { kind: 'integer' }, title: { kind: 'text' }, year: { kind: 'integer' } } as const
const rows = [
  { id: 1, title: 'Emma', year: 1815 },
  { id: 2, title: 'Persuasion', year: 1817 },
  { id: 3, title: 'Dubliners', year: 1914 },
]
const shelf = resource(memoryDatastore({ books: { columns, key: ['id'], rows } }), Book, { table: 'books' })

export const app = application({
  controllers: [Books.implement({ index: async (_, { request, reply }) => reply.ok(await shelf.list(request)) })],
  plugins: [mapper({ resources: [shelf] }), pagination()],
})

// #region client
import { client } from 'edict/client'

const api = client({ Books }, { baseUrl: 'http://localhost', fetch: app.fetch })

export async function titles(): Promise<string[]> {
  const found: string[] = []
  for await (const { title } of api.Books.index.all({ pagination: 'items=1' }, { method: 'QUERY' })) found.push(title)
  return found
}
// #endregion

/** The answers that the page shows. */
export const shown: Shown = {
  query: () => exchange(app, 'QUERY /books', { body: { filters: 'year<1900', pagination: 'items=1' } }),
  refused: () => exchange(app, 'QUERY /books', { body: { filters: 'year<', page: 2 } }),
  others: () =>
    answers(app, [
      ['POST /books/search', { body: { filters: 'year>1900' } }],
      ['QUERY /books', { headers: { 'Content-Type': 'text/plain' }, body: 'year>1900' }],
      ['OPTIONS /books', {}],
    ]),
  titles: async () => (await titles()).join('\n'),
}
