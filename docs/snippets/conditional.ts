// The snippets of docs/guide/conditional.md.
import type { Shown } from '../../scripts/snippets.ts'
import { exchange } from './support/http.ts'

// #region smallest
import { application, collectionOf, endpoint, mediaType, route, t } from 'edict'
import { conditional, etag, lastModified } from 'edict/conditional'
import { mapper, memoryDatastore, resource } from 'edict/mapper'

const Book = mediaType('Book', {
  attributes: { id: t.integer(), title: t.string(), version: t.integer(), updated_at: t.dateTime() },
  views: { default: ['id', 'title'] },
})

const Books = endpoint('Books', {
  mediaType: Book,
  actionDefaults: { policies: [etag('version', { required: true })] },
  actions: {
    index: { routing: route.get('/'), policies: [etag('body')], responses: { ok: collectionOf(Book) } },
    show: {
      routing: route.get('/:id'),
      params: { id: t.integer() },
      policies: [lastModified('updated_at')],
      responses: { ok: Book, notFound: true },
    },
    change: {
      routing: route.patch('/:id'),
      params: { id: t.integer() },
      payload: { title: t.string() },
      responses: { ok: Book, notFound: true },
    },
    remove: {
      routing: route.delete('/:id'),
      params: { id: t.integer() },
      responses: { noContent: true, notFound: true },
    },
  },
})
// #endregion

const row = { id: 1, title: 'Emma', version: 7, updated_at: new Date('2026-01-02T03:04:05Z') }
const store = () =>
  memoryDatastore({
    books: {
      columns: {
        id: { kind: 'integer' },
        title: { kind: 'text' },
        version: { kind: 'integer' },
        updated_at: { kind: 'dateTime' },
      },
      key: ['id'],
      rows: [row],
    },
  })

function library() {
  const datastore = store()
  // #region resource
  // Every change of a book raises its version by one, in the statement that changes it.
  const shelf = resource(datastore, Book, { table: 'books', version: 'version' })

  const books = Books.implement({
    index: async (_, { reply }) => reply.ok([(await shelf.find(1)) ?? {}]),
    async show({ id }, { request, reply }) {
      const book = await shelf.find(id, request)
      return book ? reply.ok(book) : reply.notFound()
    },
    async change({ id }, { request, reply }) {
      const changed = await shelf.update(id, request.payload, { request })
      const book = changed ? await shelf.find(id, request) : undefined
      return book ? reply.ok(book) : reply.notFound()
    },
    remove: async ({ id }, { request, reply }) =>
      (await shelf.delete(id, { request })) ? reply.noContent() : reply.notFound(),
  })

  const app = application({ controllers: [books], plugins: [mapper({ resources: { shelf } }), conditional()] })
  // #endregion
  return app
}

export const app = library()

// #region by-hand
import { checkConditions } from 'edict/conditional'

let counter = { count: 3, version: 1 }
const Counter = mediaType('Counter', { attributes: { count: t.integer(), version: t.integer() } })

const Counters = endpoint('Counters', {
  mediaType: Counter,
  actionDefaults: { policies: [etag('version')] },
  actions: {
    show: { routing: route.get('/'), responses: { ok: Counter } },
    set: { routing: route.put('/'), payload: { count: t.integer({ required: true }) }, responses: { ok: Counter } },
  },
})

export const counters = Counters.implement({
  show: (_, { reply }) => reply.ok(counter),
  set(_, { request, reply }) {
    checkConditions(request, counter) // throws the 412
    counter = { count: request.payload.count, version: counter.version + 1 }
    return reply.ok(counter)
  },
})
// #endregion

const json = (title: string, tag: string) => ({ headers: { 'If-Match': tag }, body: { title } })

/** The answers that the page shows. */
export const shown: Shown = {
  read: () => exchange(library(), 'GET /books/1'),
  known: () => exchange(library(), 'GET /books/1', { headers: { 'If-None-Match': '"7"' } }),
  async changes() {
    const fresh = library()
    const first = await exchange(fresh, 'PATCH /books/1', json('Persuasion', '"7"'))
    return `${first}\n\n${await exchange(fresh, 'PATCH /books/1', json('Sanditon', '"7"'))}`
  },
}
