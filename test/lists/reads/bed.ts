// Posts and their comments in every engine, filled anew for each case: what the tests of further ways to read share.
import { mediaType, t } from 'edict'
import {
  type AnyResource,
  type Datastore,
  type MemoryColumn,
  type MemoryTable,
  many,
  memoryDatastore,
  one,
  resource,
} from 'edict/mapper'
import fc from 'fast-check'
import { afterAll, beforeAll, describe } from 'vitest'
import type { DialectName } from '../../../src/plugins/datastores/sql/sql.ts'
import type { Engine, TestDatabase } from '../../support/engines/engine.ts'
import { fill } from '../../support/engines/fill.ts'
import { startMariadb } from '../../support/engines/mariadb.ts'
import { startPostgres } from '../../support/engines/postgres.ts'
import { startSqlite } from '../../support/engines/sqlite.ts'
import { openStore } from '../walks/targets.ts'

const id = t.integer({ required: true })
const whole = t.integer({ nullable: true })

const Author = mediaType('Author', {
  attributes: {
    id,
    name: t.string({ nullable: true }),
    get posts() {
      return t.array(Post)
    },
  },
})

const Comment = mediaType('Comment', {
  attributes: { id, post_id: whole, stars: whole, text: t.string({ nullable: true }), by: t.ref(Author) },
})

export const Post = mediaType('Post', {
  attributes: {
    id,
    title: t.string({ nullable: true }),
    likes: whole,
    author: t.ref(Author),
    comments: t.array(Comment),
    score: whole,
    shout: t.string({ nullable: true }),
  },
})

/** How related lists are read: their order, limit and conditions. */
export interface Best {
  readonly order: readonly string[]
  readonly limit?: number
  readonly where?: Readonly<Record<string, unknown>>
}

/** Authors, posts and comments of a datastore, related both ways. */
export function resourcesIn(datastore: Datastore<string>, best: Best = { order: [] }) {
  const authors = resource(datastore, Author, {
    table: 'authors',
    attributes: { posts: many((): AnyResource => posts, { id: 'author_id' }) },
  })
  const comments = resource(datastore, Comment, {
    table: 'comments',
    attributes: { by: one(authors, { author_id: 'id' }) },
  })
  const posts = resource(datastore, Post, {
    table: 'posts',
    search: { title: {} },
    attributes: {
      author: one(authors, { author_id: 'id' }),
      comments: many(comments, { id: 'post_id' }, best),
      score: false,
      shout: false,
    },
  })
  return { authors, comments, posts }
}

/** The columns of each table; all are whole numbers but for texts. */
const TABLES = {
  authors: ['id', 'name'],
  posts: ['id', 'title', 'likes', 'author_id'],
  comments: ['id', 'post_id', 'author_id', 'stars', 'text'],
} as const

type TableName = keyof typeof TABLES
export type Row = Readonly<Record<string, string | number | null>>
export type Rows = Readonly<Record<TableName, readonly Row[]>>

const NAMES = Object.keys(TABLES) as TableName[]
const isText = (column: string): boolean => ['name', 'title', 'text'].includes(column)

/** Rows of all tables, with texts that a test chooses. */
export function contents(text: fc.Arbitrary<string>, most = 8): fc.Arbitrary<Rows> {
  const few = fc.option(fc.integer({ min: 1, max: 4 }), { freq: 6 })
  const rowsOf = (columns: readonly string[]): fc.Arbitrary<readonly Row[]> => {
    const drawn = columns
      .filter((one) => one !== 'id')
      .map((one) => [one, isText(one) ? fc.option(text, { freq: 6 }) : few])
    return fc
      .array(fc.record(Object.fromEntries(drawn)), { maxLength: most })
      .map((rows) => rows.map((row, i) => ({ id: i + 1, ...row }) as Row))
  }
  return fc.record({
    authors: rowsOf(TABLES.authors),
    posts: rowsOf(TABLES.posts),
    comments: rowsOf(TABLES.comments),
  })
}

/** Where posts are kept. */
export interface Bed {
  readonly dialect: DialectName | 'memory'
  readonly datastore: Datastore<string>
  fill(rows: Rows): Promise<void>
  /** How many statements something takes. */
  statements(work: () => Promise<unknown>): Promise<number>
}

function bedOf(dialect: Bed['dialect'], datastore: Datastore<string>): Bed {
  return {
    dialect,
    datastore,
    fill: (rows) => fill(datastore, rows),
    async statements(work) {
      let count = 0
      const stop = datastore.observe?.(() => {
        count++
        return undefined
      })
      await work()
      stop?.()
      return count
    },
  }
}

/** The tables in memory. */
export function memoryBed(): Bed {
  const tables = NAMES.map((name): [string, MemoryTable] => {
    const columns = TABLES[name].map((column): [string, MemoryColumn] => [
      column,
      { kind: isText(column) ? 'text' : 'integer', nullable: column !== 'id' },
    ])
    return [name, { columns: Object.fromEntries(columns), key: ['id'] }]
  })
  return bedOf('memory', memoryDatastore(Object.fromEntries(tables)))
}

const creations = ({ dialect }: Engine): string[] =>
  NAMES.map((name) => {
    const text = dialect === 'mysql' ? 'varchar(200)' : 'text'
    const columns = TABLES[name].map((column) =>
      column === 'id' ? 'id integer not null primary key' : `${column} ${isText(column) ? text : 'integer'}`,
    )
    return `create table ${name} (${columns.join(', ')})`
  })

/** Describes tests for memory and for each engine. */
export async function everyBed(tests: (bed: () => Bed) => void, more: (dialect: DialectName) => string[] = () => []) {
  describe('memory', () => {
    const bed = memoryBed()
    tests(() => bed)
  })
  for (const need of [await startSqlite(), await startPostgres(), await startMariadb()])
    need.describe((engine) => {
      let opened: { readonly bed: Bed; readonly database: TestDatabase; end(): Promise<unknown> }
      beforeAll(async () => {
        const database = await engine.createDatabase()
        await database.run(...creations(engine), ...more(engine.dialect))
        const { datastore, end } = await openStore('Kysely', engine.dialect, database.url)
        opened = { bed: bedOf(engine.dialect, datastore as unknown as Datastore<string>), database, end }
      }, 60_000)
      afterAll(async () => {
        await opened.end()
        await opened.database.close()
      })
      tests(() => opened.bed)
    })
}
