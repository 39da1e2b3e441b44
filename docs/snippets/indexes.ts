// The snippets of docs/guide/indexes.md.
import { createClient } from '@libsql/client'
import { application, collectionOf, controller, endpoint, mediaType, route, t } from 'edict'
import { drizzle } from 'drizzle-orm/libsql'
import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import type { Shown } from '../../scripts/snippets.ts'
import { formatIndexReport } from '../../src/cli/index-list.ts'
import type { IndexesReport } from '../../src/plugins/mapper/indexes/report.ts'

import { FilteringParams, mapper, resource } from 'edict/mapper'
import { drizzleDatastore } from 'edict/mapper/drizzle'
import { OrderingParams, PaginationParams, pagination } from 'edict/pagination'

const client = createClient({ url: ':memory:' })
await client.executeMultiple(`
  create table books (id integer primary key, title text not null, year integer, shelf text, tenant_id integer not null);
  create index books_by_year on books (tenant_id, year);
`)
const books = sqliteTable('books', {
  id: integer().primaryKey(),
  title: text().notNull(),
  year: integer(),
  shelf: text(),
  tenant_id: integer().notNull(),
})
const Book = mediaType('Book', {
  attributes: {
    id: t.integer({ required: true }),
    title: t.string({ required: true }),
    year: t.integer({ nullable: true }),
    shelf: t.string({ nullable: true }),
  },
})

interface Caller {
  readonly tenant: number
}

// #region declared
const stored = resource(drizzleDatastore(drizzle(client)), Book, {
  table: books,
  scope: ({ tenant }: Caller) => ({ tenant_id: tenant }),
})
const Books = endpoint('Books', {
  mediaType: Book,
  actions: {
    index: {
      routing: route.get('/'),
      params: {
        filters: FilteringParams.for(Book, { shelf: { operators: ['='] }, year: { operators: ['=', '<', '>'] } }),
        order: OrderingParams.for(Book, { byFields: ['title', 'year'] }),
        pagination: PaginationParams.for(Book, { byFields: ['title', 'year'] }),
      },
      responses: { ok: collectionOf(Book) },
    },
  },
})
// #endregion

const app = application({
  plugins: [mapper({ resources: [stored] }), pagination()],
  controllers: [
    controller(Books, {
      index: async (_, { request, reply }) => reply.ok(await stored.within({ tenant: 7 }).list(request)),
    }),
  ],
})

const report = async (settings = {}): Promise<IndexesReport> =>
  (await app.tools['indexes']?.(settings)) as IndexesReport

/** The answers that the page shows. */
export const shown: Shown = {
  transcript: async () => `$ npx edict indexes\n${formatIndexReport(await report()).trimEnd()}`,
}
