// Writes at the same time through every kind of client that a datastore can be given: a pool, one connection, one that is in
// a transaction. Each of them is done or leaves nothing, whatever the others do.

import { int, mysqlTable, primaryKey, varchar } from 'drizzle-orm/mysql-core'
import { drizzle as drizzleMysql } from 'drizzle-orm/mysql2'
import { drizzle as drizzlePg } from 'drizzle-orm/node-postgres'
import * as pgCore from 'drizzle-orm/pg-core'
import { mediaType, t } from 'edict'
import { type Datastore, many, mapper, resource } from 'edict/mapper'
import { drizzleDatastore } from 'edict/mapper/drizzle'
import { mysql2Datastore } from 'edict/mapper/mysql2'
import { pgDatastore } from 'edict/mapper/pg'
import fc from 'fast-check'
import * as mysqlCallbacks from 'mysql2'
import * as mysql from 'mysql2/promise'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { DialectName } from '../../../src/plugins/datastores/sql/sql.ts'
import { clientsAndPrismaOn, enginesHere, isNewer, openCatalogued } from '../../support/engines/clients/catalogued.ts'
import type { TestDatabase } from '../../support/engines/engine.ts'
import { runs } from '../../support/runs.ts'

const SLOW = 300_000
const whole = t.integer({ required: true })
const Tag = mediaType('Tag', { attributes: { article: whole, name: t.string({ required: true }) } })
const Article = mediaType('Article', { attributes: { id: whole, tags: t.array(t.string()) } })

const DDL = [
  'create table articles (id integer not null primary key)',
  'create table tags (article integer not null, name varchar(20) not null, primary key (article, name), unique (name))',
]

type Articles = ReturnType<typeof articlesIn>

function articlesIn<T>(datastore: Datastore<T>, table: (name: 'articles' | 'tags') => T) {
  const tags = resource(datastore, Tag, { table: table('tags') })
  const attributes = { tags: many(tags, { id: 'article' }, { value: 'name' }) } as const
  const articles = resource(datastore, Article, { table: table('articles'), attributes })
  mapper({ resources: [tags, articles] })
  return articles
}

const pgTables = {
  articles: pgCore.pgTable('articles', { id: pgCore.integer().primaryKey() }),
  tags: pgCore.pgTable('tags', { article: pgCore.integer().notNull(), name: pgCore.varchar().notNull() }, (own) => [
    pgCore.primaryKey({ columns: [own.article, own.name] }),
  ]),
}
const mysqlTables = {
  articles: mysqlTable('articles', { id: int().primaryKey() }),
  tags: mysqlTable('tags', { article: int().notNull(), name: varchar({ length: 20 }).notNull() }, (own) => [
    primaryKey({ columns: [own.article, own.name] }),
  ]),
}

/** A datastore on a client of one kind. */
interface Given {
  readonly articles: Articles
  /** Does something in a transaction of the datastore. */
  transaction(work: (within: Articles) => Promise<void>): Promise<void>
  close(): Promise<unknown>
}

function give<T>(datastore: Datastore<T>, table: (name: 'articles' | 'tags') => T, close: Given['close']): Given {
  const articles = articlesIn(datastore, table)
  const transaction: Given['transaction'] = async (work) =>
    datastore.transaction?.((within) => work(articles.withDatastore(within)))
  return { articles, transaction, close }
}

const byName = (datastore: Datastore<string>, close: Given['close']): Given => give(datastore, (name) => name, close)

/** The kinds of clients that are one connection, by the dialect. */
const CONNECTIONS: Readonly<Record<DialectName, Readonly<Record<string, (url: string) => Promise<Given>>>>> = {
  sqlite: {},
  postgres: {
    async 'pg Client'(connectionString) {
      const client = new pg.Client({ connectionString })
      await client.connect()
      return byName(await pgDatastore(client), () => client.end())
    },
    async 'pg Client without a status'(connectionString) {
      const client = new pg.Client({ connectionString })
      await client.connect()
      Object.assign(client, { getTransactionStatus: undefined })
      return byName(await pgDatastore(client), () => client.end())
    },
    async 'pg Client in a transaction'(connectionString) {
      const client = new pg.Client({ connectionString })
      await client.connect()
      await client.query('begin')
      return byName(await pgDatastore(client), () => client.end())
    },
    async 'Drizzle on a pg Client'(connectionString) {
      const client = new pg.Client({ connectionString })
      await client.connect()
      const datastore = drizzleDatastore(drizzlePg({ client }))
      return give(
        datastore,
        (name) => pgTables[name],
        () => client.end(),
      )
    },
  },
  mysql: {
    async 'mysql2 Connection'(url) {
      const connection = await mysql.createConnection(url)
      return byName(await mysql2Datastore(connection), () => connection.end())
    },
    async 'mysql2 Connection with callbacks'(url) {
      const connection = mysqlCallbacks.createConnection(url)
      return byName(await mysql2Datastore(connection), () => connection.promise().end())
    },
    async 'mysql2 Connection in a transaction'(url) {
      const connection = await mysql.createConnection(url)
      await connection.beginTransaction()
      return byName(await mysql2Datastore(connection), () => connection.end())
    },
    async 'Drizzle on a mysql2 Connection'(url) {
      const connection = await mysql.createConnection(url)
      const datastore = drizzleDatastore(drizzleMysql({ client: connection }))
      return give(
        datastore,
        (name) => mysqlTables[name],
        () => connection.end(),
      )
    },
  },
}

/** The kinds with pools, and SQLite's, which have transactions in the same way. */
const pools = (dialect: DialectName): Readonly<Record<string, (url: string) => Promise<Given>>> =>
  Object.fromEntries(
    clientsAndPrismaOn(dialect).map((client) => [
      client,
      async (url) => {
        const { datastore, end } = await openCatalogued(client, dialect, url)
        return byName(datastore, end)
      },
    ]),
  )

/** A write of one or several articles with tags; one that fails has a tag that is taken, at a place after the first. */
const write = fc.record({
  way: fc.constantFrom('create' as const, 'createMany' as const, 'upsert' as const, 'transaction' as const),
  size: fc.integer({ min: 1, max: 3 }),
  fails: fc.boolean(),
})

async function expectWholeWrites(
  { articles, transaction }: Given,
  writes: readonly { way: 'create' | 'createMany' | 'upsert' | 'transaction'; size: number; fails: boolean }[],
  first: number,
): Promise<void> {
  const lists = writes.map(({ way, size, fails }, i) =>
    Array.from({ length: way === 'create' || way === 'upsert' ? 1 : size }, (_, j, last = size - 1) => {
      const id = first + i * 10 + j
      const isLast = way === 'create' || way === 'upsert' || j === last
      return { id, tags: fails && isLast ? [`own ${id}`, 'taken'] : [`own ${id}`] }
    }),
  )
  const run = async (i: number): Promise<void> => {
    const list = lists[i] as (typeof lists)[number]
    const [one] = list as [(typeof list)[number]]
    const { way } = writes[i] as (typeof writes)[number]
    if (way === 'create') await articles.create(one)
    else if (way === 'upsert') await articles.upsert(one)
    else if (way === 'createMany') await articles.createMany(list)
    else
      await transaction(async (within) => {
        for (const values of list) await within.create(values)
      })
  }
  const ended = await Promise.allSettled(writes.map((_, i) => run(i)))
  expect(ended.map(({ status }) => status)).toEqual(writes.map(({ fails }) => (fails ? 'rejected' : 'fulfilled')))
  const found = await articles.list({ where: { id: { '>=': first } }, order: ['id'] })
  const expected = lists.flatMap((list, i) => (writes[i]?.fails ? [] : list))
  expect(found.map(({ id, tags }) => ({ id, tags }))).toEqual(expected)
}

for (const need of await enginesHere()) {
  const { dialect } = need
  need.describe((engine) => {
    let base: TestDatabase
    beforeAll(async () => {
      base = await engine.createDatabase()
      await base.run(...DDL, 'insert into articles values (1)', "insert into tags values (1, 'taken')")
    })
    afterAll(() => base.close())

    const kinds = { ...pools(dialect), ...(isNewer ? {} : CONNECTIONS[dialect]) }
    let first = 100
    test.each(Object.entries(kinds))(
      '[FOR-05] %s: writes at the same time are whole',
      async (_, open) => {
        const given = await open(base.url)
        try {
          await fc.assert(
            fc.asyncProperty(fc.array(write, { minLength: 1, maxLength: 6 }), (writes) => {
              first += 100
              return expectWholeWrites(given, writes, first)
            }),
            { numRuns: runs(12, 200) },
          )
        } finally {
          await given.close()
        }
      },
      SLOW,
    )
  })
}
