// The program under valgrind: lists and writes of one table without relations, in memory and on Drizzle with a database that
// gives fixed rows. `node bench/lists/count-program.js <stretches>` prints the sizes of its stretches.
import { getPriority } from 'node:os'
import { integer, pgTable, varchar } from 'drizzle-orm/pg-core'
import { drizzle } from 'drizzle-orm/pg-proxy'
import { application, collectionOf, endpoint, mediaType, route, t } from '../../dist/index.js'
import { drizzleDatastore } from '../../dist/plugins/datastores/drizzle/drizzle.js'
import { FilteringParams, mapper, memoryDatastore, resource } from '../../dist/plugins/mapper/index.js'
import { OrderingParams, PaginationParams, pagination } from '../../dist/plugins/pagination/index.js'

const WARMUP = 400
const STRETCH = 20

const Book = mediaType('Book', {
  attributes: { id: t.integer({ required: true }), title: t.string({ required: true }), year: t.integer() },
})
const Books = endpoint('Books', {
  mediaType: Book,
  actions: {
    index: {
      routing: route.get('/'),
      params: {
        filters: FilteringParams.for(Book, { year: {} }),
        order: OrderingParams.for(Book, { byFields: ['id', 'title'] }),
        pagination: PaginationParams.for(Book),
      },
      responses: { ok: collectionOf(Book) },
    },
    show: { routing: route.get('/:id'), params: { id: t.integer() }, responses: { ok: Book, notFound: true } },
    update: {
      routing: route.patch('/:id'),
      params: { id: t.integer() },
      payload: { title: t.string() },
      responses: { ok: Book, notFound: true },
    },
  },
})

const rows = Array.from({ length: 20 }, (_, i) => ({ id: i + 1, title: `Book ${i + 1}`, year: 1900 + (i % 2) }))
const columns = { id: { kind: 'integer' }, title: { kind: 'text' }, year: { kind: 'integer', nullable: true } }
const memory = memoryDatastore({ books: { columns, key: ['id'], rows } })
const fixed = drizzle(async (sql) => ({
  rows: (/limit|"id" = /.test(sql) && !/>=/.test(sql) ? rows.slice(0, 1) : rows).map(({ id, title, year }) => [
    id,
    title,
    year,
  ]),
}))
const table = pgTable('books', { id: integer().primaryKey(), title: varchar().notNull(), year: integer() })

/** @param {any} books */
function served(books) {
  return application({
    controllers: [
      Books.implement({
        index: async (_, { request, reply }) => reply.ok(await books.list(request)),
        show: async ({ id }, { reply }) => {
          const found = await books.find(id, Book)
          return found ? reply.ok(found) : reply.notFound()
        },
        update: async ({ id }, { request, reply }) => {
          const found = await books.update(id, request.payload, { shown: Book })
          return found ? reply.ok(found) : reply.notFound()
        },
      }),
    ],
    plugins: [mapper({ resources: [books] }), pagination()],
  })
}

const inMemory = served(resource(memory, Book, { table: 'books' }))
const onDrizzle = served(resource(drizzleDatastore(fixed), Book, { table }))
const list = '/books?order=-title&pagination=items=20'
const filtered = '/books?filters=year=1900&pagination=items=20'
const patch = { method: 'PATCH', headers: { 'content-type': 'application/json' }, body: '{"title":"Emma"}' }
const subjects = [
  ['list, memory', inMemory, list],
  ['filtered list, memory', inMemory, filtered],
  ['list, Drizzle', onDrizzle, list],
  ['filtered list, Drizzle', onDrizzle, filtered],
  ['one element, Drizzle', onDrizzle, '/books/1'],
  ['update, Drizzle', onDrizzle, '/books/1', patch],
]

/** @param {any} app @param {string} path @param {object | undefined} init @param {number} count */
async function ask(app, path, init, count) {
  for (let i = 0; i < count; i++) {
    const answer = await app.fetch(new Request(`http://x${path}`, init))
    if (answer.status !== 200) throw new Error(`${path}: ${answer.status} ${await answer.text()}`)
    await answer.text()
  }
}

for (let turn = 0; turn < 20; turn++)
  for (const [, app, path, init] of subjects) await ask(app, path, init, WARMUP / 20)
const sizes = []
for (let i = 0; i < Number(process.argv[2] ?? 1); i++) {
  for (const [id, app, path, init] of subjects) {
    globalThis.gc?.({ type: 'minor' })
    getPriority()
    await ask(app, path, init, STRETCH)
    getPriority()
    sizes.push({ id, count: STRETCH })
  }
}
console.log(JSON.stringify(sizes))
