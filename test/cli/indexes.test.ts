// `edict indexes` as a child process: its table, its statements, its JSON, and the exit code for CI.
import { beforeAll, expect, it, vi } from 'vitest'
import { compile, edict, project } from '../support/project.ts'

// Each test starts processes, on machines that may be busy.
vi.setConfig({ testTimeout: 30_000 })

const source = (tables: string): string => `
import { application, collectionOf, controller, endpoint, mediaType, route, t } from 'edict'
import { mapper, resource } from 'edict/mapper'
import { drizzleDatastore } from 'edict/mapper/drizzle'
import { OrderingParams, PaginationParams, pagination } from 'edict/pagination'
import { createClient } from '@libsql/client'
import { drizzle } from 'drizzle-orm/libsql'
import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'

const client = createClient({ url: ':memory:' })
await client.executeMultiple(\`${tables}\`)
const table = sqliteTable('books', { id: integer().primaryKey(), title: text().notNull(), tenant: integer().notNull() })
const Book = mediaType('Book', { attributes: { id: t.integer({ required: true }), title: t.string() } })
const books = resource(drizzleDatastore(drizzle(client)), Book, {
  table,
  scope: ({ user }) => (user.isAdmin ? {} : { tenant: user.tenant }),
})
const byFields = ['title']
const params = { order: OrderingParams.for(Book, { byFields }), pagination: PaginationParams.for(Book, { byFields }) }
const Books = endpoint('Books', {
  mediaType: Book,
  actions: { index: { routing: route.get('/'), params, responses: { ok: collectionOf(Book) } } },
})
export const app = application({
  plugins: [mapper({ resources: [books] }), pagination()],
  controllers: [controller(Books, { index: async (_, c) => c.reply.ok(await books.within({ user: {} }).list(c.request)) })],
})
`
const TABLE = 'create table books (id integer primary key, title text not null, tenant integer not null);'
const CALLER = ['--context', '{ "user": { "tenant": 7 } }']

let folder: string

beforeAll(async () => {
  await compile()
  folder = project(
    'indexed',
    {
      'app.js': source(TABLE),
      'served.js': source(`${TABLE} create index by_title on books (tenant, title)`),
      'empty.js': source(''),
      'bare.js': `import { application, endpoint, route } from 'edict'
const Ping = endpoint('Ping', { actions: { ping: { routing: route.get('/'), responses: { ok: true } } } })
export const app = application({ controllers: [Ping.implement({ ping: () => 'pong' })] })`,
    },
    ['drizzle-orm', '@libsql/client'],
  )
}, 120_000)

it('[LST-11] prints which index serves each list, and the statement that creates a missing one', async () => {
  const { code, stdout, stderr } = await edict(folder, 'indexes', ...CALLER)
  expect([code, stderr]).toEqual([0, ''])
  expect(stdout).toBe(`list         order        filters  scope    index
Books.index  (key) title           tenant=  missing

Missing
create index "books_tenant_title_idx" on "books" ("tenant", "title");
create index "books_tenant_idx" on "books" ("tenant");

Not judged
  orders by several fields that no default names (Books.index)

0 of 2 lists are served; 2 indexes are missing for 2.
`)
})

it('[LST-11] fails CI where an index is missing, if asked to', async () => {
  const missing = await edict(folder, 'indexes', '--strict', '--sql', ...CALLER)
  expect(missing).toEqual({
    code: 1,
    stdout:
      'create index "books_tenant_title_idx" on "books" ("tenant", "title");\ncreate index "books_tenant_idx" on "books" ("tenant");\n',
    stderr: '',
  })
  // In a context in which everything is there, the caller is an administrator.
  const { code, stdout } = await edict(folder, 'indexes', '--strict', '--json', '--app', 'served.js')
  expect(code).toBe(1)
  expect(JSON.parse(stdout)).toMatchObject({
    lists: [
      { origin: 'Books.index', order: '', scope: '', index: 'primary key' },
      { origin: 'Books.index', order: 'title', create: expect.stringContaining('("title")') },
    ],
    missing: [{ create: 'create index "books_title_idx" on "books" ("title")', serves: 1 }],
  })
  const limited = await edict(folder, 'indexes', '--most', '1', '--json', '--app', 'served.js')
  expect(JSON.parse(limited.stdout).lists).toHaveLength(1)
})

it('[LST-11] says what is wrong where there is nothing to judge', async () => {
  const problems = [
    ['bare.js', 'The application has no resources whose lists could be judged.\nRemedy: name them to the mapper'],
    ['empty.js', 'The database has no table books.\nRemedy: create the tables first'],
  ] as const
  for (const [app, problem] of problems) {
    const { code, stdout, stderr } = await edict(folder, 'indexes', '--app', app)
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(stderr).toContain(problem)
  }
  expect((await edict(folder, 'indexes', '--context', '7')).code).toBe(2)
})
