// Members of related lists and the scopes of their own resource: whatever a caller reads of a list is what it would read if
// hidden rows did not exist, and whatever it writes into a list changes, links and unlinks nothing that it does not see.
import { mediaType, t } from 'edict'
import { Refusal } from 'edict/extend'
import {
  count,
  type Datastore,
  exists,
  many,
  mapper,
  max,
  memoryDatastore,
  min,
  one,
  resource,
  sum,
} from 'edict/mapper'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { enginesHere, openCatalogued } from '../../support/engines/clients/catalogued.ts'
import type { TestDatabase } from '../../support/engines/engine.ts'
import { fill } from '../../support/engines/fill.ts'
import { runs } from '../../support/runs.ts'

const whole = t.integer({ required: true })
const maybe = t.integer({ nullable: true })
const Genre = mediaType('Genre', { attributes: { id: whole } })
const Book = mediaType('Book', {
  attributes: { id: whole, level: maybe, tenant: maybe, genre: t.ref(Genre, { nullable: true }) },
})
const Tag = mediaType('Tag', { attributes: { id: whole, name: t.string(), level: maybe } })
const Shelf = mediaType('Shelf', {
  attributes: {
    id: whole,
    books: t.array(Book),
    tags: t.array(Tag),
    names: t.array(t.string()),
    bookCount: whole,
    hasBooks: t.boolean({ required: true }),
    levels: whole,
    least: maybe,
    most: maybe,
    tagCount: whole,
  },
})

type Name = 'shelves' | 'books' | 'genres' | 'tags' | 'shelf_tags'
type Row = Readonly<Record<string, number | string | null>>
type Rows = Readonly<Record<Name, readonly Row[]>>

const COLUMNS: Readonly<Record<Name, readonly string[]>> = {
  shelves: ['id', 'size'],
  books: ['id', 'shelf_id', 'genre_id', 'tenant', 'level'],
  genres: ['id', 'tenant'],
  tags: ['id', 'name', 'tenant', 'level'],
  shelf_tags: ['shelf_id', 'tag_id', 'place', 'note'],
}
const keyOf = (name: Name): string[] => (name === 'shelf_tags' ? ['shelf_id', 'tag_id'] : ['id'])
const NAMES = Object.keys(COLUMNS) as Name[]

const inMemory = () =>
  memoryDatastore(
    Object.fromEntries(
      NAMES.map((name) => {
        const columns = COLUMNS[name].map((column) => {
          const kind = column === 'name' ? ('text' as const) : ('integer' as const)
          return [column, { kind, nullable: !keyOf(name).includes(column) }]
        })
        return [name, { columns: Object.fromEntries(columns), key: keyOf(name) }]
      }),
    ),
  )

const creations = NAMES.map((name) => {
  const columns = COLUMNS[name].map((column) => {
    const type = column === 'name' ? 'varchar(40)' : 'integer'
    return `${column} ${type}${keyOf(name).includes(column) ? ' not null' : ''}`
  })
  return `create table ${name} (${columns.join(', ')}, primary key (${keyOf(name).join(', ')}))`
})

/** The scopes of the related resources: what they ask, and which rows a reference sees. */
const SCOPES = {
  none: { where: {}, sees: () => true },
  tenant: { where: { tenant: 1 }, sees: (row: Row) => row['tenant'] === 1 },
  level: { where: { level: { '<=': 2 } }, sees: (row: Row) => row['level'] !== null && Number(row['level']) <= 2 },
  either: {
    where: [{ tenant: 1 }, { level: 1 }],
    sees: (row: Row) => row['tenant'] === 1 || row['level'] === 1,
  },
} as const
type Scope = keyof typeof SCOPES

/** A caller: the scopes that its resources have. */
interface Caller {
  readonly books: Scope | 'genre'
  readonly tags: Scope
  readonly genres: 'none' | 'tenant'
}

function shelvesIn(datastore: Datastore<string>) {
  const genres = resource(datastore, Genre, {
    table: 'genres',
    scope: ({ genres }: Caller) => SCOPES[genres].where as never,
  })
  const books = resource(datastore, Book, {
    table: 'books',
    scope: ({ books }: Caller) => (books === 'genre' ? { 'genre.id': { '<=': 2 } } : SCOPES[books].where) as never,
    attributes: { genre: one(genres, { genre_id: 'id' }) },
  })
  const tags = resource(datastore, Tag, {
    table: 'tags',
    scope: ({ tags }: Caller) => SCOPES[tags].where as never,
  })
  const through = { table: 'shelf_tags', on: { tag_id: 'id' } }
  const own = many(books, { id: 'shelf_id' }, { order: ['id'] })
  const linked = many(tags, { id: 'shelf_id' }, { through })
  const shelves = resource(datastore, Shelf, {
    table: 'shelves',
    attributes: {
      books: own,
      tags: linked,
      names: many(tags, { id: 'shelf_id' }, { through, position: 'place', value: 'name' }),
      bookCount: count(own),
      hasBooks: exists(own),
      levels: sum(own, 'level'),
      least: min(own, 'level'),
      most: max(own, 'level'),
      tagCount: count(linked),
    },
  })
  mapper({ resources: [genres, books, tags, shelves] })
  return shelves
}

// --- rows and what a caller sees of them ---------------------------------------------------

const small = fc.integer({ min: 1, max: 3 })
const few = fc.option(small, { freq: 5 })
const rowsOf = (shape: Record<string, fc.Arbitrary<number | string | null>>, length: number) =>
  fc
    .array(fc.record(shape), { minLength: length, maxLength: length })
    .map((all) => all.map((row, i): Row => ({ id: i + 1, ...row })))
const contents: fc.Arbitrary<Rows> = fc
  .record({
    shelves: rowsOf({ size: few }, 2),
    genres: rowsOf({ tenant: small }, 3),
    books: rowsOf({ shelf_id: fc.constantFrom(1, 1, 1, 2), genre_id: few, tenant: few, level: few }, 5),
    tags: rowsOf({ tenant: few, level: few }, 4),
    links: fc.uniqueArray(
      fc.record({ shelf_id: fc.integer({ min: 1, max: 2 }), tag_id: fc.integer({ min: 1, max: 4 }) }),
      {
        maxLength: 6,
        selector: (link) => JSON.stringify(link),
      },
    ),
  })
  .map(({ links, tags, ...rest }) => ({
    ...rest,
    tags: tags.map((row) => ({ ...row, name: `t${row['id']}` })),
    shelf_tags: links.map((link, i): Row => ({ ...link, place: i, note: i + 10 })),
  }))
const callers: fc.Arbitrary<Caller> = fc.record({
  books: fc.constantFrom<Caller['books']>('none', 'tenant', 'level', 'either', 'genre'),
  tags: fc.constantFrom<Scope>('none', 'tenant', 'level', 'either'),
  genres: fc.constantFrom<Caller['genres']>('none', 'tenant'),
})

const find = (rows: readonly Row[], id: unknown): Row | undefined => rows.find((row) => row['id'] === id)
const seesGenre = (rows: Rows, { genres }: Caller, id: unknown): boolean => {
  const genre = find(rows.genres, id)
  return genre !== undefined && SCOPES[genres].sees(genre)
}
const seesBook = (rows: Rows, caller: Caller, book: Row): boolean =>
  caller.books === 'genre'
    ? Number(book['genre_id']) <= 2 && seesGenre(rows, caller, book['genre_id'])
    : SCOPES[caller.books].sees(book)
const seesTag = (rows: Rows, { tags }: Caller, id: unknown): boolean => {
  const tag = find(rows.tags, id)
  return tag !== undefined && SCOPES[tags].sees(tag)
}

/** The rows without those that a caller does not see. */
const withoutHidden = (rows: Rows, caller: Caller): Rows => ({
  shelves: rows.shelves,
  genres: rows.genres.filter((row) => seesGenre(rows, caller, row['id'])),
  books: rows.books.filter((row) => seesBook(rows, caller, row)),
  tags: rows.tags.filter((row) => seesTag(rows, caller, row['id'])),
  shelf_tags: rows.shelf_tags.filter((row) => seesTag(rows, caller, row['tag_id'])),
})

async function readRows(datastore: Datastore<string>): Promise<Rows> {
  const all: [Name, Row[]][] = []
  for (const name of NAMES) {
    const from = datastore.table(name)
    const columns = COLUMNS[name].map((column) => ({ source: 0, column: from.columns.get(column)! }))
    const order = keyOf(name).map((column) => {
      return { reference: { source: 0, column: from.columns.get(column)! }, descending: false }
    })
    const query = { from, joins: [], columns, filter: undefined, order, limit: undefined, offset: 0 }
    const { rows } = await datastore.select(query)
    all.push([
      name,
      rows.map((row) => Object.fromEntries(COLUMNS[name].map((column, i) => [column, row[i] as number]))),
    ])
  }
  return Object.fromEntries(all) as unknown as Rows
}

// --- reads ---------------------------------------------------------------------------------

const FIELDS = [
  'id',
  'books.id',
  'books.level',
  'books.genre.id',
  'tags.id',
  'names',
  'bookCount',
  'hasBooks',
  'levels',
]
const AGGREGATES = ['least', 'most', 'tagCount']
const CONDITIONS: readonly object[] = [
  {},
  { books: { any: { level: { '>=': 2 } } } },
  { books: { none: { level: 1 } } },
  { books: { all: { level: { '<=': 2 } } } },
  { 'books.genre.id': 1 },
  { 'books.level': null },
  { tags: { any: { level: 1 } } },
  { tags: { none: { id: 2 } } },
  { names: 't1' },
  { bookCount: { '>=': 2 } },
  { hasBooks: false },
]
const ORDERS: readonly string[] = ['bookCount', '-levels', 'least', '-most', 'tagCount']
const LISTED = ['books.level', 'books.genre.id', 'tags.name', 'names'] as const

/** All that a caller reads of lists. */
async function readAll(datastore: Datastore<string>, caller: Caller): Promise<unknown> {
  const shelves = shelvesIn(datastore).within(caller) as unknown as {
    list(query: object): Promise<readonly unknown[]>
    find(key: number, shown: object): Promise<unknown>
    distinct(field: string, query?: object): Promise<readonly unknown[]>
  }
  const fields = [...FIELDS, ...AGGREGATES]
  const read: unknown[] = []
  for (const where of CONDITIONS) read.push([where, await shelves.list({ where, fields, order: ['id'] })])
  for (const order of ORDERS) read.push([order, await shelves.list({ fields: ['id'], order: [order, 'id'] })])
  const related = { books: { limit: 1, order: ['-level'], where: { level: { '<=': 3 } } }, tags: { limit: 2 } }
  read.push(await shelves.list({ fields, related, order: ['id'] }), await shelves.find(1, { fields }))
  for (const field of LISTED) read.push([field, await shelves.distinct(field)])
  return read
}

const OPEN: Caller = { books: 'none', tags: 'none', genres: 'none' }

async function expectReads(datastore: Datastore<string>, [few, many]: Runs): Promise<void> {
  await fc.assert(
    fc.asyncProperty(contents, callers, async (rows, caller) => {
      await fill(datastore, rows)
      const seen = await readAll(datastore, caller)
      await fill(datastore, withoutHidden(rows, caller))
      expect(seen).toEqual(await readAll(datastore, OPEN))
    }),
    { numRuns: runs(few, many) },
  )
}

// --- writes --------------------------------------------------------------------------------

interface Member {
  readonly id: number
  readonly level?: number | null | undefined
  readonly tenant?: number | null | undefined
  readonly genre?: { readonly id: number } | null | undefined
}
const bookId = fc.oneof(fc.integer({ min: 1, max: 3 }), fc.integer({ min: 4, max: 9 }))
const tagId = fc.integer({ min: 1, max: 5 })
const member: fc.Arbitrary<Member> = fc.record(
  {
    id: bookId,
    level: few,
    tenant: few,
    genre: fc.option(
      small.map((id) => ({ id })),
      { freq: 4 },
    ),
  },
  { requiredKeys: ['id'] },
)
const listOf = <V>(item: fc.Arbitrary<V>, selector: (item: V) => unknown) => {
  const list = fc.uniqueArray(item, { maxLength: 3, selector })
  return fc.oneof(
    list,
    list.chain((all) => fc.nat(all.length).map((at) => ({ add: all.slice(0, at), remove: all.slice(at) }))),
  )
}
const payloads = fc.oneof(
  { weight: 2, arbitrary: fc.record({ books: listOf(member, ({ id }) => id) }) },
  {
    weight: 1,
    arbitrary: fc.record({
      tags: listOf(
        tagId.map((id) => ({ id })),
        ({ id }) => id,
      ),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      names: listOf(
        tagId.map((id) => `t${id}`),
        (name) => name,
      ),
    }),
  },
)
const ways = fc.constantFrom('update', 'update', 'update shown', 'upsert', 'create', 'createMany')

const sorted = (rows: readonly Row[]): string[] => rows.map((row) => JSON.stringify(row)).sort()

async function expectWrites(datastore: Datastore<string>, [few, many]: Runs): Promise<void> {
  const outcomes = { written: 0, refused: 0 }
  await fc.assert(
    fc.asyncProperty(contents, callers, payloads, ways, async (rows, caller, payload, way) => {
      await fill(datastore, rows)
      const shelves = shelvesIn(datastore).within(caller) as unknown as Record<
        string,
        (...given: unknown[]) => Promise<unknown>
      >
      const work = {
        update: () => shelves['update']!(1, payload),
        'update shown': () => shelves['update']!(1, payload, { shown: Shelf }),
        upsert: () => shelves['upsert']!({ id: 1, ...payload }),
        create: () => shelves['create']!({ id: 9, ...payload }),
        createMany: () => shelves['createMany']!([{ id: 8 }, { id: 9, ...payload }]),
      }[way]
      const refused = await work().then(
        () => undefined,
        (error: unknown) => error,
      )
      const after = await readRows(datastore)
      if (refused !== undefined) {
        outcomes.refused++
        expect(refused).toBeInstanceOf(Refusal)
        for (const name of NAMES) expect(sorted(after[name])).toEqual(sorted(rows[name].map((row) => pick(name, row))))
        return
      }
      outcomes.written++
      // What is hidden is as it was.
      for (const name of ['genres', 'tags'] as const)
        expect(sorted(after[name])).toEqual(sorted(rows[name].map((row) => pick(name, row))))
      for (const book of rows.books)
        if (!seesBook(rows, caller, book)) expect(after.books).toContainEqual(pick('books', book))
      for (const link of rows.shelf_tags)
        if (!seesTag(rows, caller, link['tag_id'])) expect(after.shelf_tags).toContainEqual(pick('shelf_tags', link))
      // Lists of other elements are as they were.
      for (const name of ['books', 'shelf_tags'] as const)
        for (const row of rows[name]) if (row['shelf_id'] === 2) expect(after[name]).toContainEqual(pick(name, row))
      // What is written stays in sight, and leads to nothing hidden.
      for (const book of after.books) {
        const before = find(rows.books, book['id'])
        if (before !== undefined && JSON.stringify(pick('books', before)) === JSON.stringify(book)) continue
        expect(seesBook(rows, caller, book), JSON.stringify(book)).toBe(true)
        if (book['genre_id'] !== null && book['genre_id'] !== before?.['genre_id'])
          expect(seesGenre(rows, caller, book['genre_id']), JSON.stringify(book)).toBe(true)
      }
      for (const link of after.shelf_tags)
        if (!rows.shelf_tags.some((one) => one['shelf_id'] === link['shelf_id'] && one['tag_id'] === link['tag_id']))
          expect(seesTag(rows, caller, link['tag_id'])).toBe(true)
      // A member that was there keeps what was not sent, also where the list is put in another order.
      for (const link of after.shelf_tags) {
        const before = rows.shelf_tags.find(
          (one) => one['shelf_id'] === link['shelf_id'] && one['tag_id'] === link['tag_id'],
        )
        expect(link['note']).toBe(before === undefined ? null : before['note'])
      }
      const sent = 'books' in payload ? payload.books : []
      for (const given of Array.isArray(sent) ? sent : []) {
        const before = find(rows.books, given.id)
        const left = find(after.books, given.id)
        if (before === undefined || left === undefined) continue
        for (const column of ['level', 'tenant'] as const)
          if (given[column] === undefined) expect(left[column]).toBe(before[column])
      }
    }),
    { numRuns: runs(few, many) },
  )
  expect(outcomes.written).toBeGreaterThan(0)
  expect(outcomes.refused).toBeGreaterThan(0)
}

const pick = (name: Name, row: Row): Row => Object.fromEntries(COLUMNS[name].map((column) => [column, row[column]!]))

const SLOW = 120_000

/** How many cases, in every run and in a campaign. */
type Runs = readonly [few: number, many: number]

function describeLaws(open: () => Datastore<string>, reads: Runs, writes: Runs): void {
  test('[LST-04] reads of related lists know nothing that is hidden', () => expectReads(open(), reads), SLOW)
  test('[LST-04] writes of related lists reach nothing that is hidden', () => expectWrites(open(), writes), SLOW)
}

describe('members of related lists in memory', () => {
  const datastore = inMemory()
  describeLaws(() => datastore, [20, 400], [300, 10_000])

  test('[LST-04] a refusal names the member, and nothing of what is hidden', async () => {
    const shared = [2, 1].map((tenant, i) => ({ id: 3 + i, shelf_id: 2, tenant, level: 1, genre_id: null }))
    await fill(datastore, {
      shelves: [{ id: 1 }, { id: 2 }],
      genres: [1, 2].map((id) => ({ id, tenant: id })),
      books: [...[1, 2].map((id) => ({ id, shelf_id: 1, tenant: id, level: id, genre_id: null })), ...shared],
    })
    const before = await readRows(datastore)
    const as = (books: Caller['books']) => shelvesIn(datastore).within({ books, tags: 'none', genres: 'tenant' })
    const problemOf = (work: Promise<unknown>): Promise<unknown> =>
      work.then(
        () => 'written',
        ({ problem }: Refusal) => [problem.code, ...(problem.errors ?? []).map((one) => `${one.pointer} ${one.code}`)],
      )
    const change = (books: Caller['books'], member: object) =>
      problemOf(as(books).update(1, { books: [member] } as never))
    expect(await change('none', { id: 1, genre: { id: 2 } })).toEqual([
      'conflict',
      '/books/0/genre/id missing-reference',
    ])
    expect(await change('none', { id: 1, genre: { id: 9 } })).toEqual([
      'conflict',
      '/books/0/genre/id missing-reference',
    ])
    expect(await change('level', { id: 1, level: 3 })).toEqual(['out-of-scope'])
    expect(await change('tenant', { id: 1, tenant: 2 })).toEqual(['validation', '/books/0/tenant scope-value'])
    // So are new ones.
    expect(await change('none', { id: 7, genre: { id: 2 } })).toEqual([
      'conflict',
      '/books/0/genre/id missing-reference',
    ])
    expect(await change('level', { id: 7, level: 3 })).toEqual(['out-of-scope'])
    expect(await change('tenant', { id: 7, tenant: 2 })).toEqual(['validation', '/books/0/tenant scope-value'])
    // One that is seen by the second alternative only stays in it, whatever the write says of the first.
    for (const ids of [[3], [3, 4], [4, 3]]) {
      const either = as('either').update(2, { books: ids.map((id) => ({ id, level: 2 })) } as never)
      expect(await problemOf(either)).toEqual(['out-of-scope'])
    }
    expect(await readRows(datastore)).toEqual(before)
    // The list of tenant 1 is replaced; book 2, of which it knows nothing, stays.
    expect(await change('tenant', { id: 1, level: 2, genre: { id: 1 } })).toBe('written')
    expect((await readRows(datastore)).books).toEqual([
      { id: 1, shelf_id: 1, tenant: 1, level: 2, genre_id: 1 },
      { id: 2, shelf_id: 1, tenant: 2, level: 2, genre_id: null },
      ...shared,
    ])
  })
})

const Part = mediaType('Part', { attributes: { id: whole, name: t.string(), version: t.integer(), owner: maybe } })
const Plan = mediaType('Plan', { attributes: { id: whole, parts: t.array(Part), mine: t.array(Part) } })

function plansWithParts() {
  const [number, words] = [{ kind: 'integer' }, { kind: 'text' }] as const
  const datastore = memoryDatastore({
    plans: { columns: { id: number }, key: ['id'], rows: [{ id: 1 }] },
    parts: {
      columns: { id: number, plan_id: number, name: words, version: number, owner: { ...number, nullable: true } },
      key: ['id'],
      rows: [1, 2].map((id) => ({ id, plan_id: 1, name: 'old', version: 4, owner: id })),
    },
  })
  const parts = resource(datastore, Part, { table: 'parts', version: 'version' })
  const where = ({ owner }: { readonly owner: number }) => ({ owner })
  const attributes = { parts: many(parts, { id: 'plan_id' }), mine: many(parts, { id: 'plan_id' }, { where }) }
  return resource(datastore, Plan, { table: 'plans', attributes }).within({ owner: 1 })
}

test('[LST-04] a list with a condition on its caller is a part of the related elements, and is not written', async () => {
  const plans = plansWithParts()
  for (const mine of [[], [{ id: 1 }], { remove: [{ id: 2 }] }])
    await expect(plans.update(1, { mine } as never)).rejects.toMatchObject({
      problem: { errors: [{ pointer: '/mine', code: 'unwritable' }] },
    })
  expect((await plans.find(1, { fields: ['parts.id'] }))?.parts).toEqual([{ id: 1 }, { id: 2 }])
})

test('[LST-04] a value that another alternative shows stays as it is when its list is put in another order', async () => {
  const [number, words] = [{ kind: 'integer' }, { kind: 'text' }] as const
  const Word = mediaType('Word', { attributes: { plan_id: whole, word: t.string() } })
  const Text = mediaType('Text', { attributes: { id: whole, words: t.array(t.string()) } })
  const rows = ['a', 'b'].map((word, place) => ({ plan_id: 1, word, place, tenant: 2, shared: 1 }))
  const datastore = memoryDatastore({
    texts: { columns: { id: number }, key: ['id'], rows: [{ id: 1 }] },
    words: {
      columns: { plan_id: number, word: words, place: number, tenant: number, shared: { ...number, nullable: true } },
      key: ['plan_id', 'word'],
      rows,
    },
  })
  const scope = ({ tenant }: { readonly tenant: number }) => [{ tenant }, { shared: 1 }]
  const own = resource(datastore, Word, { table: 'words', key: ['plan_id', 'word'], scope })
  const texts = resource(datastore, Text, {
    table: 'texts',
    attributes: { words: many(own, { id: 'plan_id' }, { value: 'word', position: 'place' }) },
  }).within({ tenant: 1 })
  await texts.update(1, { words: ['b', 'new', 'a'] })
  const from = datastore.table('words')
  const columns = ['word', 'tenant', 'shared'].map((name) => ({ source: 0, column: from.columns.get(name)! }))
  const query = { from, joins: [], columns, filter: undefined, order: [], limit: undefined, offset: 0 }
  const left = (await datastore.select(query)).rows
  expect(left).toHaveLength(3)
  expect(left).toEqual(
    expect.arrayContaining([
      ['a', 2, 1],
      ['b', 2, 1],
      ['new', 1, null],
    ]),
  )
})

test('[LST-08] the version of a member increases with its changes, and is not what a client sends', async () => {
  const plans = plansWithParts()
  const versions = async (): Promise<unknown> =>
    (await plans.find(1, { fields: ['parts.id', 'parts.version'] }))?.parts?.map(({ version }) => version)
  await plans.update(1, { parts: [{ id: 1, name: 'new' }, { id: 2 }] } as never)
  expect(await versions()).toEqual([5, 4])
  await plans.update(1, {
    parts: [
      { id: 1, name: 'newer', version: 5 },
      { id: 2, version: 4 },
      { id: 3, name: 'own' },
    ],
  } as never)
  expect(await versions()).toEqual([6, 4, 1])
  await expect(plans.update(1, { parts: [{ id: 1, version: 9 }] } as never)).rejects.toMatchObject({
    problem: { errors: [{ pointer: '/parts/0/version', code: 'unchangeable' }] },
  })
  expect(await versions()).toEqual([6, 4, 1])
})

for (const need of await enginesHere())
  need.describe((engine) => {
    let opened: { readonly datastore: Datastore<string>; readonly base: TestDatabase; end(): Promise<void> }
    beforeAll(async () => {
      const base = await engine.createDatabase()
      await base.run(...creations)
      const [client] =
        engine.dialect === 'sqlite' && process.env['EDICT_NEWER_NODE']
          ? (['better-sqlite3'] as const)
          : (['Kysely'] as const)
      opened = { base, ...(await openCatalogued(client, engine.dialect, base.url)) }
    }, SLOW)
    afterAll(async () => {
      await opened.end()
      await opened.base.close()
    })
    describeLaws(() => opened.datastore, [3, 200], [20, 2_000])
  })
