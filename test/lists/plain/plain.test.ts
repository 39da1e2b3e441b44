// Plain calls of a list: what an application asks for itself is what a client could ask for, and walks by places are exact.
import { mediaType, t } from 'edict'
import { type Datastore, memoryDatastore, one, resource } from 'edict/mapper'
import fc from 'fast-check'
import { describe, expect, expectTypeOf, test } from 'vitest'
import { startMariadb } from '../../support/engines/mariadb.ts'
import { startPostgres } from '../../support/engines/postgres.ts'
import { startSqlite } from '../../support/engines/sqlite.ts'
import { listRequest } from '../../support/list-request.ts'
import { runs } from '../../support/runs.ts'
import { openStore } from '../walks/targets.ts'

const Author = mediaType('Author', { attributes: { id: t.integer({ required: true }), name: t.string() } })
const Book = mediaType('Book', {
  attributes: {
    id: t.integer({ required: true }),
    title: t.string({ nullable: true }),
    year: t.integer({ nullable: true }),
    author: t.ref(Author, { nullable: true }),
  },
})

const libraryIn = (datastore: Datastore<string>) => {
  const authors = resource(datastore, Author, { table: 'authors' })
  return resource(datastore, Book, { table: 'books', attributes: { author: one(authors, { author_id: 'id' }) } })
}

const inMemory = (): Datastore<string> =>
  memoryDatastore({
    authors: { columns: { id: { kind: 'integer' }, name: { kind: 'text' } }, key: ['id'] },
    books: {
      columns: {
        id: { kind: 'integer' },
        title: { kind: 'text', nullable: true },
        year: { kind: 'integer', nullable: true },
        author_id: { kind: 'integer', nullable: true },
      },
      key: ['id'],
    },
  })

const TABLES = (text: string): string[] => [
  `create table authors (id integer not null primary key, name ${text})`,
  `create table books (id integer not null primary key, title ${text}, year integer, author_id integer)`,
]

interface Row {
  readonly id: number
  readonly title: string | null
  readonly year: number | null
  readonly author_id: number | null
}

const rows = fc
  .array(
    fc.record({
      title: fc.option(fc.constantFrom('a', 'b', 'B', 'c')),
      year: fc.option(fc.integer({ min: 1, max: 3 })),
      author_id: fc.option(fc.integer({ min: 1, max: 3 })),
    }),
    { maxLength: 14 },
  )
  .map((all) => all.map((row, i): Row => ({ id: i + 1, ...row })))

const NAMES = ['Zoë', 'Ana', 'Bob']

async function fill(datastore: Datastore<string>, all: readonly Row[]): Promise<void> {
  const put = async (name: string, values: readonly object[]): Promise<void> => {
    const table = datastore.table(name)
    await datastore.delete(table, { op: 'and', of: [] })
    for (const row of values)
      await datastore.insert(
        table,
        new Map(Object.entries(row).map(([column, value]) => [table.columns.get(column)!, value])),
      )
  }
  await put(
    'authors',
    NAMES.map((name, i) => ({ id: i + 1, name })),
  )
  await put('books', all)
}

const ORDERED = ['id', 'title', 'year', 'author.name'] as const
const queries = fc.record({
  order: fc.uniqueArray(fc.tuple(fc.constantFrom(...ORDERED), fc.boolean()), {
    maxLength: 3,
    selector: ([field]) => field,
  }),
  year: fc.option(fc.integer({ min: 1, max: 3 }), { nil: undefined }),
  limit: fc.integer({ min: 1, max: 5 }),
  offset: fc.nat(6),
})

/** The rows of a query in their order, worked out by hand. */
function byHand(all: readonly Row[], order: readonly (readonly [string, boolean])[], year: number | undefined): Row[] {
  const value = (row: Row, field: string): string | number | null => {
    if (field !== 'author.name') return row[field as keyof Row]
    return row.author_id === null ? null : (NAMES[row.author_id - 1] as string)
  }
  const last = order.at(-1)?.[1] ?? false
  return all
    .filter((row) => year === undefined || row.year === year)
    .toSorted((a, b) => {
      for (const [field, down] of [...order, ['id', last] as const]) {
        const [x, y] = [value(a, field), value(b, field)]
        if (x === y) continue
        const isBefore = y === null || (x !== null && x < y)
        return isBefore === down ? 1 : -1
      }
      return 0
    })
}

async function walks(datastore: Datastore<string>, count: number): Promise<void> {
  const books = libraryIn(datastore)
  await fc.assert(
    fc.asyncProperty(rows, fc.array(queries, { minLength: 4, maxLength: 4 }), async (all, asked) => {
      await fill(datastore, all)
      for (const { order: terms, year, limit, offset } of asked) {
        const order = terms.map(([field, down]) => (down ? (`-${field}` as const) : field))
        const query = { order, limit, count: true, ...(year !== undefined && { where: { year } }) }
        const expected = byHand(all, terms, year).map(({ id }) => id)
        const ids = (page: readonly { readonly id: number }[]) => page.map(({ id }) => id)
        const found: number[] = []
        let page = await books.list(query)
        for (found.push(...ids(page)); page.next !== undefined; found.push(...ids(page)))
          page = await books.list({ ...query, after: page.next })
        expect(found).toEqual(expected)
        expect(page.total).toBe(expected.length)
        const back = [...ids(page)]
        for (; page.prev !== undefined; back.unshift(...ids(page)))
          page = await books.list({ ...query, before: page.prev })
        expect(back).toEqual(expected)
        const part = await books.list({ ...query, offset })
        expect(ids(part)).toEqual(expected.slice(offset, offset + limit))
        if (part.next !== undefined)
          expect(ids(await books.list({ ...query, after: part.next }))).toEqual(
            expected.slice(offset + limit, offset + 2 * limit),
          )
      }
    }),
    { numRuns: count },
  )
}

describe('[LST-01] a plain call of a list', () => {
  test('walks forwards and backwards, by cursors and by numbers, in memory', () => walks(inMemory(), runs(40, 1000)))

  test('gives at most 100 elements unless it says otherwise', async () => {
    const datastore = inMemory()
    await fill(
      datastore,
      Array.from({ length: 130 }, (_, i) => ({ id: i + 1, title: 'a', year: null, author_id: null })),
    )
    const books = libraryIn(datastore)
    const page = await books.list({})
    expect([page.length, page.total, page.next !== undefined]).toEqual([100, undefined, true])
    expect(await books.list({ limit: Number.POSITIVE_INFINITY })).toHaveLength(130)
    expect(await books.list({ limit: 0, count: true })).toMatchObject({ length: 0, total: 130 })
    expect(Object.keys(page)).toHaveLength(100)
    expect(JSON.parse(JSON.stringify(page))).toHaveLength(100)
  })

  test('reads the fields that it names, and knows their types', async () => {
    const datastore = inMemory()
    await fill(datastore, [{ id: 1, title: 'a', year: 2, author_id: 2 }])
    const [book] = await libraryIn(datastore).list({ fields: ['title', 'author.name'] })
    expect(book).toEqual({ title: 'a', author: { name: 'Ana' } })
    expectTypeOf(book!.author).toEqualTypeOf<{ name?: string } | null | undefined>()
    // @ts-expect-error it was not asked for
    book?.year
  })

  test.each([
    [{ params: {} }, /got params instead of the request of an action/],
    [{ params: { pagination: undefined }, action: { name: 'index' } }, /instead of the request of an action/],
    [{ limit: -1 }, /'limit'/],
    [{ limit: 1.5 }, /'limit'/],
    [{ limit: '10' }, /'limit'/],
    [{ offset: -1 }, /'offset'/],
    [{ lmit: 10 }, /'lmit'/],
    [{ where: 'id=1' }, /'where'/],
    [{ where: { id: undefined } }, /is undefined/],
    [{ order: ['year', 'nowhere'] }, /orders by 'nowhere'/],
    [{ fields: ['nothing'] }, /reads 'nothing', which does not exist/],
    [{ fields: ['author.nothing'] }, /reads 'author.nothing'/],
    [{ fields: [] }, /reads no fields/],
    [{ offset: 1, after: 'x' }, /has offset and after/],
  ])('never means the whole table by mistake: %o', async (query, message) => {
    await expect(libraryIn(inMemory()).list(query as never)).rejects.toThrow(message)
    await expect(libraryIn(inMemory()).list(query as never)).rejects.toThrow(TypeError)
  })

  test('takes places of the same list only, and refuses others as a client can understand', async () => {
    const datastore = inMemory()
    await fill(
      datastore,
      [1, 2, 3].map((id) => ({ id, title: 'a', year: id, author_id: null })),
    )
    const books = libraryIn(datastore)
    const { next } = await books.list({ order: ['year'], limit: 1 })
    expect(await books.list({ order: ['year'], after: next })).toHaveLength(2)
    for (const after of [next, 'x', '', btoa('[]'), btoa('["=x",{}]')])
      await expect(books.list({ order: ['title'], after })).rejects.toMatchObject({ code: 'validation' })
  })

  test('gives pages of requests the same members', async () => {
    const datastore = inMemory()
    await fill(datastore, [])
    const page = await libraryIn(datastore).list(listRequest({}))
    expect([page.total, page.next, page.prev]).toEqual([undefined, undefined, undefined])
  })
})

for (const need of [await startSqlite(), await startPostgres(), await startMariadb()])
  need.describe((engine) => {
    test('[LST-01] walks forwards and backwards, by cursors and by numbers', async () => {
      const database = await engine.createDatabase()
      await database.run(...TABLES(engine.dialect === 'mysql' ? 'varchar(50)' : 'text'))
      const { datastore, end } = await openStore('Kysely', engine.dialect, database.url)
      await walks(datastore as unknown as Datastore<string>, runs(5, 250))
      await end()
      await database.close()
    }, 120_000)
  })
