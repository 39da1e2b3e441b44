// The product of the README: one media type, one endpoint, a table, one controller, the application, a server.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createClient } from '@libsql/client'
import type { Shown } from '../../scripts/snippets.ts'
import { compileError } from './support/compiler.ts'
import { exchange } from './support/http.ts'

const folder = mkdtempSync(join(tmpdir(), 'edict-readme-'))
process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
const url = `file:${join(folder, 'library.db')}`
const client = createClient({ url })
await client.executeMultiple(`
  create table books (id integer primary key, title text not null, year integer);
  insert into books (title, year) values ('Middlemarch', 1871), ('Kokoro', 1914), ('Dubliners', 1914), ('Beowulf', null);
`)
client.close()

// #region product
import { drizzle } from 'drizzle-orm/libsql'
import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { application, collectionOf, controller, endpoint, inherit, mediaType, route, t } from 'edict'
import { docs } from 'edict/docs'
import { FieldSelector, FilteringParams, mapper, resource } from 'edict/mapper'
import { drizzleDatastore } from 'edict/mapper/drizzle'
import { serve } from 'edict/node'
import { OrderingParams, PaginationParams, pagination } from 'edict/pagination'

const Book = mediaType('Book', {
  attributes: {
    id: t.integer({ required: true }),
    title: t.string({ required: true, max: 100 }),
    year: t.integer({ min: 1450, max: 2100 }),
  },
})

const Books = endpoint('Books', {
  mediaType: Book,
  actions: {
    index: {
      routing: route.get('/'),
      params: {
        fields: FieldSelector.for(Book),
        filters: FilteringParams.for(Book),
        order: OrderingParams.for(Book),
        pagination: PaginationParams.for(Book),
      },
      responses: { ok: collectionOf(Book) },
    },
    show: { routing: route.get('/:id'), params: { id: t.integer() }, responses: { ok: Book, notFound: true } },
    create: {
      routing: route.post('/'),
      payload: { title: inherit, year: inherit({ required: true }) },
      responses: { created: { location: /^\/books\/\d+$/ } },
    },
  },
})

const table = sqliteTable('books', { id: integer().primaryKey(), title: text().notNull(), year: integer() })
const shelf = resource(drizzleDatastore(drizzle(url)), Book, { table })

const books = controller(Books, {
  index: async (_, { request, reply }) => reply.ok(await shelf.list(request)),
  async show({ id }, { reply }) {
    const book = await shelf.find(id)
    return book ? reply.ok(book) : reply.notFound(`There is no book ${id}.`)
  },
  async create(_, { request, reply }) {
    const { id } = await shelf.create(request.payload)
    return reply.created(undefined, { location: `/books/${id}` })
  },
})

const plugins = [mapper({ resources: [shelf] }), pagination(), docs()]
export const app = application({ title: 'Library', controllers: [books], plugins })
export const server = await serve(app)
// #endregion

/** Never called: the compiler is the one to see it. */
export const refused = () =>
  controller(Books, {
    index: (_, { reply }) => reply.ok([]),
    create: (_, { reply }) => reply.created(undefined, { location: '/books/3' }),
    // #region undeclared
    // @ts-expect-error gone is not declared
    show: (_, { reply }) => reply.gone(),
    // #endregion
  })

// --- what the page shows ---------------------------------------------------------------------------------------

/** The answers that the page shows. */
export const shown: Shown = {
  list: () =>
    exchange(
      app,
      'GET /books?filters=year>=1900&order=-year,title&fields=id,title&pagination=items=1,total_count=true',
    ),
  refused: () => exchange(app, 'POST /books', { body: { titel: 'Emma', year: 'last year' } }),
  undeclared: () => compileError('readme.ts', 'undeclared'),
}
