// The snippets of docs/guide/datastores.md and docs/guide/columns.md.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createClient } from '@libsql/client'
import { application, collectionOf, controller, endpoint, mediaType, route, t } from 'edict'
import { FieldSelector, type MemoryTable, mapper, memoryDatastore } from 'edict/mapper'
import { OrderingParams, PaginationParams, pagination } from 'edict/pagination'
import type { Shown } from '../../scripts/snippets.ts'
import { openKysely } from '../../test/support/engines/kysely.ts'
import { ask } from './support/http.ts'

const folder = mkdtempSync(join(tmpdir(), 'edict-guide-'))
process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
const url = `file:${join(folder, 'library')}`
const client = createClient({ url })
await client.executeMultiple(`
  create table authors (id integer primary key, name text not null, home_city text, home_country text);
  create table books (id integer primary key, title text not null unique, year integer, author_id integer references authors);
  create table editions (book_id integer, number integer, pages integer, primary key (book_id, number));
  create table tags (id integer primary key, name text not null);
  create table shelves (id integer primary key, name text not null, parent_id integer references shelves);
  create table book_tags (book_id integer, tag_id integer, primary key (book_id, tag_id));
  create index books_by_year on books (year, id);
  insert into authors values (1, 'George Eliot', 'Nuneaton', 'GB'), (2, 'Natsume Sōseki', '東京', 'JP');
  insert into books values (1, 'Middlemarch', 1871, 1), (2, 'Kokoro', 1914, 2), (3, 'Beowulf', null, null);
  insert into editions values (1, 1, 904), (1, 2, 880);
  insert into tags values (1, 'novel'), (2, 'poem');
  insert into book_tags values (1, 1), (2, 1), (3, 2);
`)

const statements: { text: string; values: unknown[] }[] = []
const logger = { logQuery: (text: string, values: unknown[]) => void statements.push({ text, values }) }

import { integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'

const tables = {
  authors: sqliteTable('authors', {
    id: integer().primaryKey(),
    name: text().notNull(),
    homeCity: text('home_city'),
    homeCountry: text('home_country'),
  }),
  books: sqliteTable('books', {
    id: integer().primaryKey(),
    title: text().notNull(),
    year: integer(),
    authorId: integer('author_id'),
  }),
  editions: sqliteTable(
    'editions',
    { bookId: integer('book_id').notNull(), number: integer().notNull(), pages: integer() },
    (table) => [primaryKey({ columns: [table.bookId, table.number] })],
  ),
  shelves: sqliteTable('shelves', {
    id: integer().primaryKey(),
    name: text().notNull(),
    parentId: integer('parent_id'),
  }),
  tags: sqliteTable('tags', { id: integer().primaryKey(), name: text().notNull() }),
  bookTags: sqliteTable('book_tags', { bookId: integer('book_id').notNull(), tagId: integer('tag_id').notNull() }),
}

const id = t.integer({ required: true })
const home = t.object({ city: t.string(), country: t.string() })
const Author = mediaType('Author', { attributes: { id, name: t.string({ required: true }), home } })
const Tag = mediaType('Tag', { attributes: { id, name: t.string() } })
const Shelf = mediaType('Shelf', {
  attributes: {
    id,
    name: t.string(),
    get parent() {
      return t.ref(Shelf)
    },
  },
})
const Edition = mediaType('Edition', { attributes: { book_id: id, number: t.integer(), pages: t.integer() } })
const Book = mediaType('Book', {
  attributes: {
    id,
    title: t.string({ required: true }),
    year: t.integer({ nullable: true }),
    author: Author,
    editions: t.array(Edition),
    tags: t.array(t.string()),
  },
})

// #region drizzle
import { drizzle } from 'drizzle-orm/libsql'
import { drizzleDatastore } from 'edict/mapper/drizzle'

const db = drizzle(client, { logger })
const datastore = drizzleDatastore(db)
// #endregion

// #region mapped
import { many, one, resource } from 'edict/mapper'

const authors = resource(datastore, Author, {
  table: tables.authors,
  attributes: { home: { city: 'homeCity', country: 'homeCountry' } },
})
const editions = resource(datastore, Edition, { table: tables.editions })
const tags = resource(datastore, Tag, { table: tables.tags })
const books = resource(datastore, Book, {
  table: tables.books,
  attributes: {
    author: one(authors, { authorId: 'id' }),
    editions: many(editions, { id: 'bookId' }, { order: ['-number'] }),
    tags: many(tags, { id: 'bookId' }, { value: 'name', through: { table: tables.bookTags, on: { tagId: 'id' } } }),
  },
})
// #endregion

// #region itself
import type { AnyResource } from 'edict/mapper'

const shelves = resource(datastore, Shelf, {
  table: tables.shelves,
  attributes: { parent: one((): AnyResource => shelves, { parentId: 'id' }) },
})
// #endregion

const Books = endpoint('Books', {
  actions: {
    index: {
      routing: route.get('/'),
      params: {
        fields: FieldSelector.for(Book),
        pagination: PaginationParams.for(Book, { byFields: ['id', 'title', 'year'] }),
        order: OrderingParams.for(Book, { byFields: ['id', 'title', 'year'], enforceFor: 'all' }),
      },
      responses: { ok: collectionOf(Book) },
    },
    create: {
      routing: route.post('/'),
      payload: { title: t.string({ required: true }), year: t.integer(), author: t.object({ id }) },
      responses: { created: { location: /^\/books\/\d+$/ }, conflict: true },
    },
  },
})

import { isConflict } from 'edict/mapper'

const library = controller(Books, {
  index: async (_, { request, reply }) => reply.ok(await books.list(request)),
  // #region conflict
  async create(_, { request, reply }) {
    try {
      const { id } = await books.create(request.payload)
      return reply.created(undefined, { location: `/books/${id}` })
    } catch (error) {
      if (isConflict(error)) return reply.conflict('There is such a title, or no such author.')
      throw error
    }
  },
  // #endregion
})

const app = application({
  plugins: [mapper({ resources: { authors, editions, tags, books, shelves } }), pagination()],
  controllers: [library],
})

// #region transaction
await db.transaction(async (transaction) => {
  const inside = drizzleDatastore(transaction)
  const { id } = await authors.withDatastore(inside).create({ name: 'James Joyce', home: { city: 'Dublin' } })
  await books.withDatastore(inside).create({ title: 'Dubliners', year: 1914, author: { id: id as number } })
})
// #endregion

const kysely = openKysely<{ authors: object; editions: object }>('sqlite', url)

// #region kysely
import { kyselyDatastore } from 'edict/mapper/kysely'

const other = await kyselyDatastore(kysely)
const printed = resource(other, Edition, { table: 'editions' })
console.log(await printed.find({ book_id: 1, number: 2 })) // { book_id: 1, number: 2, pages: 880 }
// #endregion

const tests: (readonly [name: string, run: () => Promise<void>])[] = []
const test = (name: string, run: () => Promise<void>): void => void tests.push([name, run])
async function found(): Promise<string> {
  const said: string[] = []
  const console = { log: (...all: unknown[]) => said.push(all.map(String).join(' ')) }
  // #region found
  const table = datastore.table(tables.books)
  const title = table.columns.get('title')
  const row = new Map(title && [[title, 'Kokoro']])
  const conflict = await datastore
    .insert(table, row)
    .then(() => undefined)
    .catch((error: unknown) => datastore.findConflict?.(error, table, [row]))
  console.log(conflict?.kind, conflict?.row, conflict?.columns[0] === title)
  // #endregion
  return said.join('\n')
}

const afterAll = (run: () => Promise<void>): void => test('the end', run)

// #region suite
import type { Datastore } from 'edict/mapper'
import { datastoreSuite } from 'edict/mapper/suite'

let selects = 0
const counting = (inner: Datastore<string>): Datastore<string> => ({
  ...inner,
  select(query) {
    selects++
    return inner.select(query)
  },
})

datastoreSuite({
  test, // of your test runner
  afterAll,
  open: async (tables) => ({
    datastore: counting(memoryDatastore(Object.fromEntries(tables.map(declared)))),
    table: (name) => name,
    close: async () => {},
  }),
})
// #endregion

/** A table of the suite as the memory datastore declares it. */
function declared({ name, columns, key }: Parameters<Parameters<typeof datastoreSuite<string>>[0]['open']>[0][number]) {
  const made = columns.map(({ name: column, ...rest }) => [column, rest] as const)
  return [name, { columns: Object.fromEntries(made), key } satisfies MemoryTable] as const
}

/** The statements of a request. */
async function statementsOf(line: string): Promise<string> {
  // The first list asks for the catalogue as well.
  await ask(app, line)
  statements.length = 0
  await ask(app, line)
  return `${line}\n\n${statements.map(({ text }) => text.replaceAll(/ (from|where|order by)/g, '\n  $1')).join('\n')}`
}

/** How SQLite answers the second page by year. */
async function explained(): Promise<string> {
  const first = await ask(app, 'GET /books?pagination=by=year,items=1&order=-year&fields=id')
  const next = /<([^>]*)>; rel="next"/.exec(first.headers.get('Link') ?? '')?.[1] ?? ''
  const second = await ask(app, `GET ${next}`)
  const third = /<([^>]*)>; rel="next"/.exec(second.headers.get('Link') ?? '')?.[1] ?? ''
  statements.length = 0
  await ask(app, `GET ${third}`)
  const plans: string[] = []
  for (const { text, values } of statements) {
    const { rows } = await client.execute({ sql: `explain query plan ${text}`, args: values as number[] })
    plans.push(...rows.map((row) => String(row['detail'])).filter((line) => /\bt0\b|TEMP/.test(line)))
  }
  return plans.join('\n')
}

// --- what the page shows ---------------------------------------------------------------------------------------

/** The answers that the page shows. */
export const shown: Shown = {
  statements: () => statementsOf('GET /books?fields=title,author{home},tags&order=title&pagination=items=2'),
  explained,
  found,
  async suite() {
    for (const [, run] of tests) await run()
    if (selects === 0) throw new Error('the suite asked nothing')
    return `${tests.length - 1} tests passed`
  },
}
