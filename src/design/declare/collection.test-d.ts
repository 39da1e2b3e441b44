import { expectTypeOf, test } from 'vitest'
import { client } from '../../client/index.ts'
import { collectionOf, controller, endpoint, mediaType, route, t } from '../../index.ts'
import { memoryDatastore, resource } from '../../plugins/mapper/index.ts'

const Book = mediaType('Book', {
  attributes: { id: t.integer({ required: true }), title: t.string() },
  views: { spine: ['id'] },
})

const Books = endpoint('Books', {
  mediaType: Book,
  actions: {
    lines: { routing: route.get('/lines'), responses: { ok: collectionOf(Book, { as: 'ndjson' }) } },
    table: { routing: route.get('/table'), responses: { ok: collectionOf(Book, { as: 'csv', spreadsheet: true }) } },
    spines: { routing: route.get('/spines'), responses: { ok: collectionOf(Book, { as: 'ndjson', view: 'spine' }) } },
    any: {
      routing: route.get('/any'),
      responses: { ok: { mediaType: [collectionOf(Book), collectionOf(Book, { as: 'csv' })] } },
    },
    list: { routing: route.get('/'), responses: { ok: collectionOf(Book) } },
  },
})

async function* books(): AsyncGenerator<{ id: number; title?: string }> {
  yield { id: 1 }
}

test('lists that are written element by element take iterables', () => {
  controller(Books, {
    lines: (_, { reply }) => reply.ok(books()),
    table: (_, { reply }) => reply.ok(new Set([{ id: 1 }])),
    spines: (_, { reply }) => reply.ok([{ id: 1 }]),
    any: (_, { reply }) => reply.ok(books()),
    list: (_, { reply }) => reply.ok([{ id: 1 }]),
  })
  const stored = resource(memoryDatastore({ books: { columns: { id: { kind: 'integer' } }, key: ['id'] } }), Book, {
    table: 'books',
  })
  expectTypeOf(stored.stream({ fields: ['id'] })).toExtend<AsyncIterable<{ readonly id: number }>>()
  // @ts-expect-error an export has no pages
  stored.stream({ limit: 5 })
})

test('other lists and other elements are refused', () => {
  Books.implement({
    // @ts-expect-error the elements are of another type
    lines: (_, { reply }) => reply.ok([{ id: 'one' }]),
    // @ts-expect-error a text is not a list of books
    table: (_, { reply }) => reply.ok('id,title'),
    spines: (_, { reply }) => reply.ok([{ id: 1 }]),
    any: (_, { reply }) => reply.ok([]),
    // @ts-expect-error one JSON text requires an array
    list: (_, { reply }) => reply.ok(books()),
  })
  // @ts-expect-error there is no such format
  collectionOf(Book, { as: 'xml' })
  // @ts-expect-error there is no such view
  collectionOf(Book, { as: 'csv', view: 'cover' })
})

test('clients iterate NDJSON, and get CSV as a text', async () => {
  const { Books: api } = client({ Books }, { baseUrl: 'http://books.test' })
  expectTypeOf(await api.lines.ok()).toEqualTypeOf<AsyncIterable<{ id: number; title?: string }>>()
  expectTypeOf(await api.spines.ok()).toExtend<AsyncIterable<{ readonly id: number }>>()
  expectTypeOf(await api.table.ok()).toEqualTypeOf<string>()
  expectTypeOf(await api.any.ok()).toEqualTypeOf<string | readonly { id: number; title?: string }[]>()
})
