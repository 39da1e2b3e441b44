// Related lists are written with their element: what they hold afterwards is what a model says, in every datastore.
import { createClient } from '@libsql/client'
import { drizzle } from 'drizzle-orm/libsql'
import { int, mysqlTable, varchar } from 'drizzle-orm/mysql-core'
import * as pg from 'drizzle-orm/pg-core'
import { integer, sqliteTable, text, unique } from 'drizzle-orm/sqlite-core'
import { mediaType, t } from 'edict'
import { type Datastore, many, mapper, memoryDatastore, resource } from 'edict/mapper'
import { drizzleDatastore } from 'edict/mapper/drizzle'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { DialectName } from '../../../src/plugins/datastores/sql/sql.ts'
import type { Column, Filter } from '../../../src/plugins/query/query.ts'
import { clientsAndPrismaOn, enginesHere, isNewer, openCatalogued } from '../../support/engines/clients/catalogued.ts'
import { connectDrizzle } from '../../support/engines/drizzle.ts'
import { runs } from '../../support/runs.ts'

const SLOW = 300_000
const whole = t.integer({ required: true })
const name = t.string({ required: true })
const Tag = mediaType('Tag', { attributes: { article: whole, name } })
const Line = mediaType('Line', { attributes: { id: whole, label: name, note: t.string({ nullable: true }) } })
const Author = mediaType('Author', { attributes: { id: whole, name } })
const Article = mediaType('Article', {
  attributes: {
    id: whole,
    title: t.string({ required: true }),
    version: t.integer(),
    tags: t.array(t.string(), { max: 6 }),
    lines: t.array(Line),
    authors: t.array(Author),
    names: t.array(t.string()),
  },
  views: { default: ['id', 'title', 'version', 'tags', 'lines', 'authors', 'names'] },
})

type Table = 'articles' | 'tags' | 'lines' | 'authors' | 'article_authors'

const KEYS: Readonly<Record<DialectName, string>> = {
  sqlite: 'integer primary key',
  postgres: 'integer generated always as identity primary key',
  mysql: 'integer not null auto_increment primary key',
}

const ddl = (dialect: DialectName): readonly string[] => [
  `create table articles (id ${KEYS[dialect]}, title varchar(40) not null, version integer not null, tenant integer)`,
  `create table tags (article_id integer not null references articles (id), place integer not null,
    name varchar(40) not null, added integer, primary key (article_id, name), unique (article_id, place))`,
  `create table lines_of (id ${KEYS[dialect]}, article_id integer not null references articles (id),
    place integer not null, label varchar(40) not null, note varchar(40))`,
  'create table authors (id integer not null primary key, name varchar(40) not null unique, tenant integer not null)',
  `create table article_authors (article_id integer not null references articles (id),
    author_id integer not null references authors (id), place integer not null, role varchar(40),
    primary key (article_id, author_id))`,
  ...[1, 2, 3, 4, 5, 6].map((id) => `insert into authors values (${id}, 'a${id}', ${id === 6 ? 2 : 1})`),
]

const tablesOf = (dialect: DialectName): Readonly<Record<Table, unknown>> => {
  const [table, number, label, primaryKey] = {
    sqlite: [sqliteTable, integer, () => text(), () => integer().primaryKey()] as const,
    postgres: [
      pg.pgTable,
      pg.integer,
      () => pg.varchar(),
      () => pg.integer().generatedAlwaysAsIdentity().primaryKey(),
    ] as const,
    mysql: [mysqlTable, int, () => varchar({ length: 40 }), () => int().autoincrement().primaryKey()] as const,
  }[dialect] as unknown as readonly [
    (name: string, columns: object) => unknown,
    () => { notNull(): { primaryKey(): unknown } },
    () => { notNull(): unknown },
    () => unknown,
  ]
  const [required, words] = [() => number().notNull(), () => label().notNull()]
  return {
    articles: table('articles', { id: primaryKey(), title: words(), version: required(), tenant: number() }),
    tags: table('tags', { article_id: required().primaryKey(), place: required(), name: words(), added: number() }),
    lines: table('lines_of', {
      id: primaryKey(),
      article_id: required(),
      place: required(),
      label: words(),
      note: label(),
    }),
    authors: table('authors', { id: required().primaryKey(), name: words(), tenant: required() }),
    article_authors: table('article_authors', {
      article_id: required(),
      author_id: required(),
      place: required(),
      role: label(),
    }),
  }
}

interface Caller {
  readonly tenant: number
}

function articlesIn<T>(datastore: Datastore<T>, table: (name: Table) => T) {
  const tags = resource(datastore, Tag, {
    table: table('tags'),
    key: ['article', 'name'],
    attributes: { article: 'article_id' },
  })
  const lines = resource(datastore, Line, { table: table('lines') })
  const authors = resource(datastore, Author, { table: table('authors'), scope: ({ tenant }: Caller) => ({ tenant }) })
  const through = { table: table('article_authors'), on: { author_id: 'id' } }
  const articles = resource(datastore, Article, {
    table: table('articles'),
    version: 'version',
    attributes: {
      tags: many(tags, { id: 'article_id' }, { value: 'name', position: 'place' }),
      lines: many(lines, { id: 'article_id' }, { position: 'place' }),
      authors: many(authors, { id: 'article_id' }, { through, position: 'place' }),
      names: many(authors, { id: 'article_id' }, { through, position: 'place', value: 'name' }),
    },
  })
  mapper({ resources: [tags, lines, authors, articles] })
  const tables = { tags: datastore.table(table('tags')), links: datastore.table(table('article_authors')) }
  return { articles: articles.within({ tenant: 1 }), others: articles.within({ tenant: 2 }), datastore, tables }
}

type Articles = ReturnType<typeof articlesIn>['articles']

function inMemory() {
  const [number, words] = [{ kind: 'integer' }, { kind: 'text' }] as const
  const id = { kind: 'integer', generated: true } as const
  return memoryDatastore({
    articles: { columns: { id, title: words, version: number, tenant: { ...number, nullable: true } }, key: ['id'] },
    tags: {
      columns: { article_id: number, place: number, name: words, added: { ...number, nullable: true } },
      key: ['article_id', 'name'],
      unique: [['article_id', 'place']],
    },
    lines: {
      columns: { id, article_id: number, place: number, label: words, note: { ...words, nullable: true } },
      key: ['id'],
    },
    authors: {
      columns: { id: number, name: words, tenant: number },
      key: ['id'],
      rows: [1, 2, 3, 4, 5, 6].map((one) => ({ id: one, name: `a${one}`, tenant: one === 6 ? 2 : 1 })),
    },
    article_authors: {
      columns: { article_id: number, author_id: number, place: number, role: { ...words, nullable: true } },
      key: ['article_id', 'author_id'],
    },
  })
}

/** The refusal of a write: its code, and the pointers with their codes. */
async function refusal(work: Promise<unknown>): Promise<unknown> {
  try {
    await work
  } catch (error) {
    const { problem } = error as { problem?: { code: string; errors?: { pointer: string; code: string }[] } }
    if (problem === undefined) throw error
    return [problem.code, ...(problem.errors ?? []).map(({ pointer, code }) => `${pointer} ${code}`)]
  }
  return 'written'
}

/** The content of an article. */
async function read(articles: Articles, id: number) {
  const { version: _, ...rest } = (await articles.find(id)) ?? {}
  const lines = (rest as { lines?: readonly { label: string }[] }).lines?.map(({ label }) => label)
  const authors = (rest as { authors?: readonly { id: number }[] }).authors?.map((one) => one.id)
  return { ...rest, lines, authors }
}

// --- laws ----------------------------------------------------------------------------------

const tag = fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f')
const set = <V>(one: fc.Arbitrary<V>): fc.Arbitrary<V[]> => fc.uniqueArray(one, { maxLength: 4 })
const author = fc.integer({ min: 1, max: 5 })

/** Lists as a write replaces them, or adds and removes members that differ. */
const change = <V>(one: fc.Arbitrary<V>): fc.Arbitrary<V[] | { add: V[]; remove: V[] }> =>
  fc.oneof(
    set(one),
    fc
      .uniqueArray(one, { maxLength: 5 })
      .chain((all) => fc.nat(all.length).map((at) => ({ add: all.slice(0, at), remove: all.slice(at) }))),
  )

const writes = fc.array(
  fc.record(
    {
      title: fc.constantFrom('x', 'y'),
      tags: change(tag),
      authors: change(author),
      lines: fc.array(fc.constantFrom('l', 'm', 'n'), { maxLength: 4 }),
    },
    { requiredKeys: [] },
  ),
  { minLength: 1, maxLength: 5 },
)

function applyChange<V>(list: readonly V[], given: readonly V[] | { add: V[]; remove: V[] } | undefined): readonly V[] {
  if (given === undefined) return list
  if (Array.isArray(given)) return given as readonly V[]
  const { add, remove } = given as { add: V[]; remove: V[] }
  const left = list.filter((one) => !remove.includes(one))
  return [...left, ...add.filter((one) => !left.includes(one))]
}

const toAuthors = (given: number[] | { add: number[]; remove: number[] }) =>
  Array.isArray(given)
    ? given.map((id) => ({ id }))
    : { add: given.add.map((id) => ({ id })), remove: given.remove.map((id) => ({ id })) }

async function expectLaws(articles: Articles): Promise<void> {
  await fc.assert(
    fc.asyncProperty(writes, async (all) => {
      const model = {
        title: 'new',
        tags: [] as readonly string[],
        authors: [] as readonly number[],
        lines: [] as readonly string[],
      }
      const { id } = await articles.create({ title: 'new', tags: [], authors: [], lines: [] })
      for (const write of all) {
        const { authors, lines, ...rest } = write
        const values = {
          ...rest,
          ...(authors && { authors: toAuthors(authors) }),
          ...(lines && { lines: lines.map((label) => ({ label })) }),
        }
        expect(await articles.update(id, values as Parameters<typeof articles.update>[1])).toBe(true)
        Object.assign(model, {
          title: write.title ?? model.title,
          tags: applyChange(model.tags, write.tags),
          authors: applyChange(model.authors, write.authors),
          lines: write.lines ?? model.lines,
        })
        const names = model.authors.map((one) => `a${one}`)
        expect(await read(articles, id)).toEqual({ id, ...model, names })
      }
    }),
    { numRuns: runs(8, 200) },
  )
}

// --- cases ---------------------------------------------------------------------------------

async function expectCases({ articles, others, datastore, tables }: ReturnType<typeof articlesIn>): Promise<void> {
  const count = async (): Promise<number> => (await articles.list({ limit: 100 })).length
  const made = await articles.create({ title: 'x', tags: ['b', 'a'], names: ['a2', 'a1'] }, { shown: Article })
  expect(made).toMatchObject({ tags: ['b', 'a'], names: ['a2', 'a1'], authors: [{ id: 2 }, { id: 1 }], version: 1 })
  const { id } = made
  expect(
    await articles.update(id, { tags: { add: ['c', 'b'], remove: ['a', 'z'] } }, { shown: Article }),
  ).toMatchObject({
    tags: ['b', 'c'],
    version: 2,
  })

  // Rows keep what the list does not say, also when they move.
  for (const [table, column, value] of [
    [tables.tags, 'added', 7] as const,
    [tables.links, 'role', 'editor'] as const,
  ]) {
    const [owner, other] = ['article_id', column].map((one) => table.columns.get(one)!) as [Column, Column]
    const ofArticle: Filter = { op: '=', reference: { source: 0, column: owner }, value: id }
    await datastore.update(table, new Map([[other, value]]), ofArticle)
    await articles.update(id, { tags: ['c', 'new', 'b'], names: ['a1', 'a2'] })
    const columns = [{ source: 0, column: other }]
    const query = { from: table, joins: [], columns, filter: ofArticle, order: [], limit: undefined, offset: 0 }
    const { rows } = await datastore.select(query)
    const kept = rows.map(([one]) => one)
    expect(kept.filter((one) => one === value)).toHaveLength(2)
    expect(kept.filter((one) => one !== value)).toEqual(column === 'added' ? [null] : [])
    await articles.update(id, { tags: ['b', 'c'], names: ['a2', 'a1'] })
  }

  // Nothing is seen, removed or linked that belongs to another tenant.
  await others.update(id, { names: { add: ['a6'] } })
  expect((await articles.find(id))?.names).toEqual(['a2', 'a1'])
  expect((await others.find(id))?.names).toEqual(['a6'])
  const before = await count()
  expect(await refusal(articles.update(id, { title: 'no', names: ['a1', 'a6'] }))).toEqual([
    'validation',
    '/names/1 unknown-related',
  ])
  expect(await refusal(articles.create({ title: 'no', authors: [{ id: 6 }, { id: 9 }] }))).toEqual([
    'validation',
    '/authors/0 unknown-related',
    '/authors/1 unknown-related',
  ])
  await articles.update(id, { names: [] })
  expect((await others.find(id))?.names).toEqual(['a6'])
  await articles.update(id, { names: { remove: ['a6'] } })
  expect((await others.find(id))?.names).toEqual(['a6'])

  // A refused write leaves nothing behind.
  expect((await articles.find(id))?.title).toBe('x')
  expect(await refusal(articles.update(id, { tags: ['a', 'b', 'a'] }))).toEqual([
    'validation',
    '/tags/2 repeated-related',
  ])
  expect(await refusal(articles.update(id, { tags: { add: ['a'], remove: ['a'] } }))).toEqual([
    'validation',
    '/tags/remove/0 repeated-related',
  ])
  expect(await refusal(articles.update(id, { tags: { add: ['1', '2', '3', '4', '5'] } }))).toEqual([
    'validation',
    '/tags/add max-items',
  ])
  const seven = ['1', '2', '3', '4', '5', '6', '7']
  expect(await refusal(articles.update(id, { tags: seven }))).toEqual(['validation', '/tags max-items'])
  expect(await refusal(articles.create({ title: 'no', tags: seven }))).toEqual(['validation', '/tags max-items'])
  expect(await refusal(articles.update(id, { tags: 'a' } as never))).toEqual(['validation', '/tags type'])
  expect(await refusal(articles.update(id, { tags: { added: [] } } as never))).toEqual([
    'validation',
    '/tags/added unwritable',
  ])
  expect(await refusal(articles.update(id, { lines: [{ label: 'l', other: 1 }] } as never))).toEqual([
    'validation',
    '/lines/0/other unwritable',
  ])
  const bulk = [
    { title: 'p', tags: ['a'] },
    { title: 'q', names: ['a1', 'none'] },
  ]
  expect(await refusal(articles.createMany(bulk))).toEqual(['validation', '/1/names/1 unknown-related'])
  expect(await count()).toBe(before)
  expect((await articles.find(id))?.tags).toEqual(['b', 'c'])

  // Lines with their keys stay, and those of another article are not taken.
  const { lines = [] } = (await articles.update(
    id,
    { lines: [{ label: 'l' }, { label: 'm', note: 'n' }] },
    { shown: Article },
  ))!
  const [first, second] = lines as unknown as [{ id: number }, { id: number }]
  const changed = await articles.update(
    id,
    { lines: [{ id: second.id, label: 'k' }, { label: 'new' }] },
    { shown: Article },
  )
  expect(changed?.lines?.[0]).toEqual({ id: second.id, label: 'k', note: 'n' })
  expect(changed?.lines?.map(({ label }) => label)).toEqual(['k', 'new'])
  const other = await articles.create({ title: 'other' })
  expect(await refusal(articles.update(other.id, { lines: [{ id: second.id, label: 'stolen' }] }))).toEqual([
    'validation',
    '/lines/0 unknown-related',
  ])
  expect(first.id).not.toBe(changed?.lines?.[1]?.id)
  await articles.update(id, { lines: { remove: [{ id: second.id }] } })
  expect((await articles.find(id))?.lines?.map(({ label }) => label)).toEqual(['new'])
  expect(await articles.update(999, { tags: ['a'] })).toBe(false)
  expect(await articles.update(999, { tags: ['a'] }, { shown: Article })).toBeUndefined()

  // A fault in the middle undoes all of it.
  const failing = failingAt(datastore, 'article_authors')
  const planted = articles.withDatastore(failing as never)
  await expect(planted.update(id, { title: 'half', tags: ['half'], names: ['a3'] })).rejects.toThrow('planted')
  await expect(planted.createMany([{ title: 'half', tags: ['half'], names: ['a3'] }])).rejects.toThrow('planted')
  expect(await articles.find(id)).toMatchObject({ title: 'x', tags: ['b', 'c'] })
  expect(await count()).toBe(before + 1)

  // Many elements with many members.
  const list = Array.from({ length: 20 }, (_, i) => ({
    title: `t${i}`,
    tags: ['a', 'b', 'c', `d${i}`],
    names: ['a3', 'a1'],
  }))
  const all = await articles.createMany(list, { shown: Article })
  expect(all.map(({ title, tags, names }) => ({ title, tags, names }))).toEqual(list)
}

/** A datastore that refuses to insert into one table, also in transactions. */
function failingAt<T>(datastore: Datastore<T>, table: string): Datastore<T> {
  return {
    ...datastore,
    insertMany: async (into, rows, columns) => {
      if (into.name === table) throw new Error('planted')
      return (datastore.insertMany as NonNullable<Datastore<T>['insertMany']>)(into, rows, columns)
    },
    transaction: (work) =>
      (datastore.transaction as NonNullable<Datastore<T>['transaction']>)((within) => work(failingAt(within, table))),
  }
}

/** Two writers of one element: each change is done as a whole, one after the other. */
async function expectRaces(articles: Articles): Promise<void> {
  const { id } = await articles.create({ title: 'x', tags: ['a'] })
  await Promise.all([
    articles.update(id, { tags: { add: ['b'] } }),
    articles.update(id, { tags: { add: ['c'] } }),
    articles.update(id, { tags: { add: ['b'] } }),
    articles.update(id, { tags: { remove: ['a'] } }),
  ])
  const { tags, version } = (await articles.find(id)) as { tags: string[]; version: number }
  expect([...tags].sort()).toEqual(['b', 'c'])
  expect(version).toBe(5)
  const lists = [['x', 'y'], ['y', 'x', 'z'], ['z'], ['x', 'z', 'y', 'a']]
  await Promise.all(lists.map((one) => articles.update(id, { tags: one })))
  expect(lists).toContainEqual((await articles.find(id))?.tags)
}

test('[FOR-05] memory: related lists are written with their element', async () => {
  const world = articlesIn(inMemory(), (one) => one)
  await expectCases(world)
  await expectRaces(world.articles)
  await expectLaws(world.articles)
})

for (const need of await enginesHere()) {
  const { dialect } = need
  need.describe((engine) => {
    test.each(clientsAndPrismaOn(dialect))(
      '[FOR-05] %s: related lists are written with their element',
      async (client) => {
        const base = await engine.createDatabase()
        await base.run(...ddl(dialect))
        const statements: string[] = []
        const { datastore, transaction, end } = await openCatalogued(client, dialect, base.url, {
          log: (sql) => void statements.push(sql),
        })
        try {
          const world = articlesIn(datastore, (one) => (one === 'lines' ? 'lines_of' : one))
          await expectCases(world)
          await expectRaces(world.articles)
          await expectLaws(world.articles)
          // In a transaction of the application, a refused write is undone and the transaction goes on.
          await transaction(async (within) => {
            const inside = world.articles.withDatastore(within)
            const { id } = await inside.create({ title: 'kept', tags: ['a'] })
            expect(await refusal(inside.update(id, { title: 'no', names: ['none'] }))).toEqual([
              'validation',
              '/names/0 unknown-related',
            ])
            expect(await inside.find(id)).toMatchObject({ title: 'kept', tags: ['a'] })
          })
          const countStatements = async (length: number): Promise<number> => {
            statements.length = 0
            const list = Array.from({ length }, (_, i) => ({ title: 't', tags: [`${i}`, 'b', 'c'], names: ['a1'] }))
            await world.articles.createMany(list)
            return statements.length
          }
          const few = await countStatements(2)
          expect(await countStatements(60)).toBe(few)
        } finally {
          await end()
          await base.close()
        }
      },
      SLOW,
    )

    // There is no Drizzle for the clients of a newer Node here.
    test.runIf(!isNewer)(
      '[FOR-05] Drizzle: related lists are written with their element',
      async () => {
        const base = await engine.createDatabase()
        await base.run(...ddl(dialect))
        const { database, close } = connectDrizzle(dialect, base.url)
        try {
          const tables = tablesOf(dialect)
          const world = articlesIn(drizzleDatastore(database), (one) => tables[one] as never)
          await expectCases(world)
          await expectRaces(world.articles)
          await expectLaws(world.articles)
          const undone = database.transaction(async (transaction: never) => {
            const inside = world.articles.withDatastore(drizzleDatastore(transaction) as never)
            const { id } = await inside.create({ title: 'kept', tags: ['a'] })
            expect(await inside.update(id, { tags: { add: ['b'] } })).toBe(true)
            expect(await inside.find(id)).toMatchObject({ title: 'kept', tags: ['a', 'b'] })
            throw new Error('undone')
          })
          await expect(undone).rejects.toThrow('undone')
          expect(await world.articles.list({ where: { title: 'kept' } })).toEqual([])
        } finally {
          await close()
          await base.close()
        }
      },
      SLOW,
    )
  })
}

describe('the memory', () => {
  test('[FOR-05] is not seen in the middle of a write', async () => {
    const { articles } = articlesIn(inMemory(), (one) => one)
    const { id } = await articles.create({ title: 'x', tags: ['a', 'b'] })
    const seen: unknown[] = []
    await Promise.all([
      articles.update(id, { title: 'y', tags: ['c'] }),
      ...Array.from({ length: 20 }, async (_, i) => {
        for (let turn = 0; turn < i; turn++) await Promise.resolve()
        const { title, tags } = (await articles.find(id)) as { title: string; tags: string[] }
        seen.push(`${title} ${tags.join()}`)
      }),
    ])
    expect(new Set(seen)).toContain('y c')
    expect(await articles.find(id)).toMatchObject({ title: 'y', tags: ['c'] })
  })

  test('[FOR-05] rows without a primary key are told apart by the key of their resource', async () => {
    const client = createClient({ url: ':memory:' })
    await client.executeMultiple(`
      create table bills (id integer primary key, title text not null);
      create table positions (bill integer not null, place integer not null, label text not null, unique (bill, place));
    `)
    const bills = sqliteTable('bills', { id: integer().primaryKey(), title: text().notNull() })
    const columns = { bill: integer().notNull(), place: integer().notNull(), label: text().notNull() }
    const positions = sqliteTable('positions', columns, (of) => [unique().on(of.bill, of.place)])
    const Position = mediaType('Position', {
      attributes: { bill: whole, place: whole, label: name },
      views: { default: ['label'] },
    })
    const Bill = mediaType('Bill', {
      attributes: { id: whole, title: name, positions: t.array(Position) },
      views: { default: ['title', 'positions'] },
    })
    const datastore = drizzleDatastore(drizzle(client))
    const rows = resource(datastore, Position, { table: positions, key: ['bill', 'place'] })
    const all = resource(datastore, Bill, {
      table: bills,
      attributes: { positions: many(rows, { id: 'bill' }, { position: 'place' }) },
    })
    const [a, b] = [{ label: 'a' }, { label: 'b' }]
    const { id } = await all.create({ title: 'x', positions: [b, a] as never })
    expect(await all.find(id, Bill)).toEqual({ title: 'x', positions: [b, a] })
    expect(await all.update(id, { positions: [a, a, b] as never }, { shown: Bill })).toEqual({
      title: 'x',
      positions: [a, a, b],
    })
    expect(await all.update(id, { positions: [] }, { shown: Bill })).toEqual({ title: 'x', positions: [] })
  })
})
