// `checkApplication` on exports: lists that are sent element by element, as NDJSON or as CSV.
import { type Application, application, collectionOf, controller, endpoint, mediaType, route, t } from 'edict'
import { FilteringParams, mapper, memoryDatastore, resource } from 'edict/mapper'
import { OrderingParams, pagination } from 'edict/pagination'
import { checkApplication } from 'edict/testing'
import { expect, it } from 'vitest'
import { runs } from '../support/runs.ts'

const Book = mediaType('Book', {
  attributes: {
    id: t.integer({ required: true }),
    title: t.string({ required: true, max: 20 }),
    year: t.integer({ min: 1800, max: 1803, required: true }),
  },
})

const params = { filters: FilteringParams.for(Book, { year: {} }), order: OrderingParams.for(Book) }

const Books = endpoint('Books', {
  mediaType: Book,
  actions: {
    lines: { routing: route.get('/lines'), params, responses: { ok: collectionOf(Book, { as: 'ndjson' }) } },
    sheet: { routing: route.get('/sheet'), params, responses: { ok: collectionOf(Book, { as: 'csv' }) } },
  },
})

const rows = Array.from({ length: 12 }, (_, i) => ({ id: i + 1, title: `Book ${i}`, year: 1800 + (i % 4) }))

const columns = { id: { kind: 'integer' }, title: { kind: 'text' }, year: { kind: 'integer' } } as const

/** Serves exports, of which that of lines may have a fault. */
function exporting(faulty: 'none' | 'filters'): Application {
  const datastore = memoryDatastore({ books: { columns, key: ['id'], rows } })
  const books = resource(datastore, Book, { table: 'books' })
  const library = controller(Books, {
    lines: (_, { request, reply }) => {
      if (faulty === 'filters') return reply.ok(books.stream({ order: ['id'] }))
      return reply.ok(books.stream(request))
    },
    sheet: (_, { request, reply }) => reply.ok(books.stream(request)),
  })
  return application({ plugins: [mapper({ resources: { books } }), pagination()], controllers: [library] })
}

it('[TKT-01] [LST-10] finds nothing in exports that are right', { timeout: 60_000 }, async () => {
  const { cases } = await checkApplication(() => exporting('none'), { seed: 5, runs: runs(6, 60) })
  expect(cases['filters']).toBeGreaterThan(0)
})

it('[TKT-01] [LST-10] finds an export that does not heed its filters', { timeout: 60_000 }, async () => {
  const checked = checkApplication(() => exporting('filters'), { seed: 5, runs: runs(12, 60) })
  await expect(checked).rejects.toThrow(/filters/)
})
