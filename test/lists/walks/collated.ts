// Tables of texts in the collations of each engine, with a key that is a number and with one that begins with a text.
import * as mysql from 'drizzle-orm/mysql-core'
import * as pg from 'drizzle-orm/pg-core'
import * as lite from 'drizzle-orm/sqlite-core'
import { application, collectionOf, controller, endpoint, mediaType, route, t } from 'edict'
import { type Datastore, FieldSelector, mapper, one, resource } from 'edict/mapper'
import { OrderingParams, PaginationParams, pagination } from 'edict/pagination'
import type { DialectName } from '../../../src/plugins/datastores/sql/sql.ts'
import type { Engine } from '../../support/engines/engine.ts'
import { type Client, openConnection, openStore } from './targets.ts'

const Mate = mediaType('Mate', {
  attributes: { id: t.integer({ required: true }), word: t.string({ required: true }) },
})
const Word = mediaType('Word', {
  attributes: {
    id: t.integer({ required: true }),
    word: t.string({ required: true }),
    note: t.string({ nullable: true }),
    mate: Mate,
  },
})

/** The fields that texts are ordered by. */
export const FIELDS = ['id', 'word', 'note', 'mate.word'] as const

const paramsWith = (key: readonly ('id' | 'word')[]) => ({
  fields: FieldSelector.for(Word),
  pagination: PaginationParams.for(Word, { byFields: FIELDS, key }),
  order: OrderingParams.for(Word, { byFields: FIELDS }),
})
const Numbered = endpoint('Numbered', {
  mediaType: Word,
  actions: { index: { routing: route.get('/'), params: paramsWith(['id']), responses: { ok: collectionOf(Word) } } },
})
const Texted = endpoint('Texted', {
  mediaType: Word,
  actions: {
    index: { routing: route.get('/'), params: paramsWith(['word', 'id']), responses: { ok: collectionOf(Word) } },
  },
})

function applicationIn<T>(datastore: Datastore<T>, table: (name: 'numbered' | 'texted') => T) {
  const resources = (name: 'numbered' | 'texted') => {
    const mates = resource(datastore, Mate, { table: table(name), key: ['id'] })
    const key = name === 'texted' ? (['word', 'id'] as const) : (['id'] as const)
    return resource(datastore, Word, { table: table(name), key, attributes: { mate: one(mates, { mate_id: 'id' }) } })
  }
  const [numbered, texted] = [resources('numbered'), resources('texted')]
  return application({
    environment: 'test',
    plugins: [mapper({ resources: { numbered, texted } }), pagination()],
    controllers: [
      controller(Numbered, { index: async (_, { request, reply }) => reply.ok(await numbered.list(request)) }),
      controller(Texted, { index: async (_, { request, reply }) => reply.ok(await texted.list(request)) }),
    ],
  })
}

const DRIZZLE: Readonly<Record<DialectName, (name: string) => unknown>> = {
  sqlite: (name) =>
    lite.sqliteTable(
      name,
      {
        id: lite.integer().notNull().unique(),
        word: lite.text().notNull(),
        note: lite.text(),
        mate_id: lite.integer(),
      },
      ({ word, id }) => [
        name === 'texted' ? lite.primaryKey({ columns: [word, id] }) : lite.primaryKey({ columns: [id] }),
      ],
    ),
  postgres: (name) =>
    pg.pgTable(
      name,
      { id: pg.integer().notNull().unique(), word: pg.text().notNull(), note: pg.text(), mate_id: pg.integer() },
      ({ word, id }) => [name === 'texted' ? pg.primaryKey({ columns: [word, id] }) : pg.primaryKey({ columns: [id] })],
    ),
  mysql: (name) =>
    mysql.mysqlTable(
      name,
      {
        id: mysql.int().notNull().unique(),
        word: mysql.varchar({ length: 50 }).notNull(),
        note: mysql.varchar({ length: 50 }),
        mate_id: mysql.int(),
      },
      ({ word, id }) => [
        name === 'texted' ? mysql.primaryKey({ columns: [word, id] }) : mysql.primaryKey({ columns: [id] }),
      ],
    ),
}

/** A collation of an engine, and what must be done before it can be used. */
export interface Collation {
  readonly name: string
  readonly before?: string
}

/** The collations of each engine that are unlike the order of code points, but for the first two of SQLite. */
export const COLLATIONS: Readonly<Record<DialectName, readonly Collation[]>> = {
  sqlite: [{ name: 'binary' }, { name: 'rtrim' }, { name: 'nocase' }],
  postgres: [
    { name: '"und-x-icu"' },
    { name: '"en-x-icu"' },
    { name: '"sv-x-icu"' },
    {
      name: 'without_case',
      before: `create collation without_case (provider = icu, locale = 'und-u-ks-level2', deterministic = false)`,
    },
    {
      name: 'without_accents',
      before: `create collation without_accents (provider = icu, locale = 'und-u-ks-level1', deterministic = false)`,
    },
    { name: 'numeric', before: `create collation numeric (provider = icu, locale = 'en-u-kn-true')` },
  ],
  mysql: [
    { name: 'utf8mb4_bin' },
    { name: 'utf8mb4_general_ci' },
    { name: 'utf8mb4_unicode_ci' },
    { name: 'utf8mb4_unicode_nopad_ci' },
    { name: 'utf8mb4_swedish_ci' },
  ],
}

/** Texts in a database with a collation. */
export interface Collated {
  readonly app: ReturnType<typeof applicationIn>
  query(statement: string): Promise<readonly (readonly unknown[])[]>
  close(): Promise<void>
}

/** Makes a database with tables in a collation, and opens it. */
export async function openCollated(engine: Engine, client: Client, { name, before }: Collation): Promise<Collated> {
  const { dialect } = engine
  const database = await engine.createDatabase()
  const text = `${dialect === 'mysql' ? 'varchar(50) character set utf8mb4' : 'text'} collate ${name}`
  const columns = `id integer not null, word ${text} not null, note ${text}, mate_id integer`
  await database.run(
    ...(before === undefined ? [] : [before]),
    `create table numbered (${columns}, primary key (id))`,
    `create table texted (${columns}, primary key (word, id), unique (id))`,
  )
  const connection = await openConnection(dialect, database.url)
  const { datastore, end } = await openStore(client, dialect, database.url)
  return {
    app: applicationIn(datastore, (table) => (client === 'Drizzle' ? DRIZZLE[dialect](table) : table) as never),
    query: connection.query,
    async close() {
      await Promise.all([end(), connection.end()])
      await database.close()
    },
  }
}
