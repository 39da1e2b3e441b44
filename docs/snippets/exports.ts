// The snippets of docs/guide/exports.md.
import { memoryDatastore, one } from 'edict/mapper'
import type { Shown } from '../../scripts/snippets.ts'

const number = { kind: 'integer' } as const
const datastore = memoryDatastore({
  authors: { columns: { id: number, name: { kind: 'text' } }, key: ['id'], rows: [{ id: 1, name: 'Jane Austen' }] },
  books: {
    columns: { id: number, title: { kind: 'text' }, year: { kind: 'integer', nullable: true }, author_id: number },
    key: ['id'],
    rows: [
      { id: 1, title: 'Emma', year: 1815, author_id: 1 },
      { id: 2, title: 'Sense, and "Sensibility"', year: null, author_id: 1 },
    ],
  },
})

// #region smallest
import { application, collectionOf, controller, endpoint, mediaType, route, t } from 'edict'
import { FilteringParams, mapper, resource } from 'edict/mapper'
import { OrderingParams, pagination } from 'edict/pagination'

const id = t.integer({ required: true })
const Author = mediaType('Author', { attributes: { id, name: t.string() } })
const Book = mediaType('Book', {
  attributes: { id, title: t.string({ required: true }), year: t.integer(), author: Author },
  views: { export: ['id', 'title', 'year', 'author'] },
})

const Books = endpoint('Books', {
  mediaType: Book,
  actions: {
    export: {
      routing: route.get('/export'),
      params: { filters: FilteringParams.for(Book), order: OrderingParams.for(Book) },
      responses: {
        ok: {
          mediaType: [
            collectionOf(Book, { as: 'ndjson', view: 'export' }),
            collectionOf(Book, { as: 'csv', view: 'export' }),
          ],
        },
      },
    },
  },
})

const authors = resource(datastore, Author, { table: 'authors' })
const books = resource(datastore, Book, { table: 'books', attributes: { author: one(authors, { author_id: 'id' }) } })
const library = controller(Books, { export: (_, { request, reply }) => reply.ok(books.stream(request)) })
// #endregion

const plugins = [mapper({ resources: { books, authors } }), pagination()]
const app = application({ title: 'Library', controllers: [library], plugins })

const exported = async (Accept: string): Promise<string> =>
  (await (await app.fetch(new Request('http://books.test/books/export', { headers: { Accept } }))).text())
    .replaceAll('\r', '')
    .trimEnd()

// #region plain
async function report(): Promise<string[]> {
  const titles: string[] = []
  for await (const { title } of books.stream({ where: { year: { '>': 1800 } }, order: ['-year'], fields: ['title'] }))
    titles.push(title)
  return titles
}
// #endregion

// #region client
import { client } from 'edict/client'

async function received(): Promise<string[]> {
  const api = client({ Books }, { baseUrl: 'http://books.test', fetch: app.fetch })
  const lines: string[] = []
  const list = await api.Books.export.ok()
  // An action with both formats answers with either.
  if (typeof list === 'string') return [list]
  for await (const book of list) lines.push(`${book.title}: ${book.year ?? 'unknown'}`)
  return lines
}
// #endregion

/** The page shows these. */
export const shown: Shown = {
  ndjson: () => exported('application/x-ndjson'),
  csv: () => exported('text/csv'),
  report: async () => (await report()).join('\n'),
  received: async () => (await received()).join('\n'),
}
