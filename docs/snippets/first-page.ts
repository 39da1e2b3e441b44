// The snippets of docs/index.md: one declaration, and what follows from it.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createClient } from '@libsql/client'
import { drizzle } from 'drizzle-orm/libsql'
import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import type { Shown } from '../../scripts/snippets.ts'
import { compileError } from './support/compiler.ts'
import { ask, exchange, pretty } from './support/http.ts'

const folder = mkdtempSync(join(tmpdir(), 'edict-first-'))
process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
const connection = createClient({ url: `file:${join(folder, 'library.db')}` })
await connection.executeMultiple(`
  create table books (id integer primary key, title text not null, year integer not null);
  insert into books (title, year) values ('Middlemarch', 1871), ('Kokoro', 1914), ('Dubliners', 1914), ('Beowulf', 725);
`)
const table = sqliteTable('books', { id: integer().primaryKey(), title: text().notNull(), year: integer().notNull() })
const statements: { text: string; values: unknown[] }[] = []
const logger = { logQuery: (text: string, values: unknown[]) => void statements.push({ text, values }) }
const db = drizzle(connection, { logger })

// #region declaration
import { collectionOf, endpoint, inherit, mediaType, route, t } from 'edict'
import { FieldSelector, FilteringParams } from 'edict/mapper'
import { OrderingParams, PaginationParams } from 'edict/pagination'

const Book = mediaType('Book', {
  attributes: {
    id: t.integer({ required: true }),
    title: t.string({ required: true, max: 100 }),
    year: t.integer({ required: true, min: 700, max: 2100 }),
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
    show: {
      routing: route.get('/:id'),
      params: { id: t.integer() },
      responses: { ok: Book, notFound: true },
    },
    create: {
      routing: route.post('/'),
      payload: { title: inherit, year: inherit },
      responses: { created: { location: /^\/books\/\d+$/ } },
    },
  },
})
// #endregion

// #region controller
import { application, controller } from 'edict'
import { mapper, resource } from 'edict/mapper'
import { drizzleDatastore } from 'edict/mapper/drizzle'
import { pagination } from 'edict/pagination'

const shelf = resource(drizzleDatastore(db), Book, { table })

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

const app = application({ controllers: [books], plugins: [mapper({ resources: [shelf] }), pagination()] })
// #endregion

/** Never called: the compiler is the one to see it. */
export const refused = () =>
  controller(Books, {
    index: (_, { reply }) => reply.ok([]),
    create: (_, { reply }) => reply.created(undefined, { location: '/books/3' }),
    // #region mistakes
    // @ts-expect-error id is a number, and gone is not declared
    show: ({ id }, { reply }) => (id === 'emma' ? reply.gone() : reply.ok({ id, title: 'Emma', year: 1815 })),
    // #endregion
  })

// #region client
import { client } from 'edict/client'

async function titlesSince(year: number, fetch: typeof app.fetch): Promise<string[]> {
  const api = client({ Books }, { baseUrl: 'http://localhost:3000', fetch })
  const titles: string[] = []
  for await (const book of api.Books.index.all({ filters: `year>=${year}`, order: 'title' })) titles.push(book.title)
  const missing = await api.Books.show({ id: 9 })
  return [...titles, missing.name]
}
// #endregion

// --- what the page shows ---------------------------------------------------------------------------------------

const list = 'GET /books?filters=year>=1900&order=-year,title&fields=id,title&pagination=items=1'

/** The statements of a list, with the values that are bound to them. */
async function statementsOf(line: string): Promise<string> {
  // The first list asks for the catalogue as well.
  await ask(app, line)
  statements.length = 0
  await ask(app, line)
  return statements
    .map(
      ({ text, values }) =>
        `${text.replaceAll(/ (from|where|order by|limit)/g, '\n  $1')}\n-- ${JSON.stringify(values)}`,
    )
    .join('\n')
}

/** The answers that the page shows. */
export const shown: Shown = {
  mistakes: () => compileError('first-page.ts', 'mistakes'),
  request: () => exchange(app, list),
  refusal: () => exchange(app, 'POST /books', { body: { titel: 'Emma', year: 'last year' } }),
  sql: () => statementsOf(list),
  document: () => {
    const { paths } = app.openapi()
    return pretty(JSON.stringify({ requestBody: paths?.['/books']?.post?.requestBody }))
  },
  client: async () => (await titlesSince(1900, app.fetch)).join('\n'),
}
