// Opens the library in every datastore: memory, and on each database engine Drizzle and all that read the catalogue.
import { createClient } from '@libsql/client'
import type { Table } from 'drizzle-orm'
import { drizzle as libsql } from 'drizzle-orm/libsql'
import { drizzle as mysql } from 'drizzle-orm/mysql2'
import { drizzle as postgres } from 'drizzle-orm/node-postgres'
import { type Datastore, memoryDatastore } from 'edict/mapper'
import { drizzleDatastore } from 'edict/mapper/drizzle'
import { createPool } from 'mysql2/promise'
import pg from 'pg'
import { describe } from 'vitest'
import type { DialectName } from '../../../src/plugins/datastores/sql/sql.ts'
import { type CatalogueClient, clientsOn, enginesHere, isNewer, openCatalogued } from '../engines/clients/catalogued.ts'
import type { Engine, EngineNeed } from '../engines/engine.ts'
import { type Library, libraryIn, libraryUsing, type Tables } from './resources.ts'
import * as rows from './rows.ts'
import { createTables, memoryTables, mysqlTables, postgresTables, sqliteTables } from './schema.ts'

/** The library in some datastore. */
export interface OpenLibrary {
  readonly library: Library
  /** The SQL of every statement so far; a test empties it when it begins to count. */
  readonly statements: string[]
  /** Runs something with the library in a transaction, which is rolled back when it throws. */
  transaction(work: (library: Library) => Promise<void>): Promise<void>
  /** Takes the database away while the library is still there. */
  end(): Promise<void>
  close(): Promise<void>
}

/** A datastore that a library can be opened in; a fresh library for each call. */
export interface Shelf {
  readonly name: string
  /** The engine below it; undefined for memory. */
  readonly engine: EngineNeed | undefined
  /** Describes tests of it, which are skipped where its engine is missing. */
  describe(tests: (open: () => Promise<OpenLibrary>) => void): void
}

/** Opens the library in memory. */
export async function openMemory(): Promise<OpenLibrary> {
  const datastore = memoryDatastore(memoryTables)
  const tables: Tables<string> = {
    authors: 'authors',
    books: 'books',
    reviews: 'reviews',
    tags: 'tags',
    book_tags: 'book_tags',
  }
  await fill(datastore, tables)
  const nothing = async (): Promise<void> => undefined
  const transaction = (): never => {
    throw new Error('Memory has no transactions')
  }
  return { library: libraryIn(datastore, tables), statements: [], transaction, end: nothing, close: nothing }
}

/** Every datastore, the engines started as they are needed. */
export async function shelves(): Promise<readonly Shelf[]> {
  const engines = await enginesHere()
  return [
    ...(isNewer ? [] : [inMemory]),
    ...engines.flatMap((engine) => [
      ...(isNewer ? [] : [shelfOn(engine, 'Drizzle', openDrizzle)]),
      ...clientsOn(engine.dialect).map((client) => shelfOn(engine, client, (running) => openOther(running, client))),
    ]),
  ]
}

const inMemory: Shelf = {
  name: 'memory',
  engine: undefined,
  describe: (tests) => describe('memory', () => tests(openMemory)),
}

function shelfOn(need: EngineNeed, client: string, open: (engine: Engine) => Promise<OpenLibrary>): Shelf {
  const name = `${client} on ${need.name}`
  return {
    name,
    engine: need,
    describe: (tests) => need.describe((engine) => describe(name, () => tests(() => open(engine)))),
  }
}

async function openDrizzle(engine: Engine): Promise<OpenLibrary> {
  const database = await engine.createDatabase()
  await database.run(...createTables(engine.dialect))
  const statements: string[] = []
  const logger = { logQuery: (query: string) => void statements.push(query) }
  const { datastore, tables, transaction, end } = DRIZZLE[engine.dialect](database.url, logger)
  await fill(datastore, tables)
  await database.run(...DIGITS[engine.dialect])
  statements.length = 0
  const library = libraryIn(datastore, tables)
  return {
    library,
    statements,
    transaction: (work) => transaction((within) => work(libraryUsing(library, within))),
    end,
    close: async () => {
      await end()
      await database.close()
    },
  }
}

interface Opened {
  readonly datastore: Datastore<never>
  readonly tables: Tables<never>
  transaction(work: (datastore: Datastore<never>) => Promise<void>): Promise<void>
  end(): Promise<void>
}

type Logger = { logQuery(query: string): void }

const DRIZZLE = {
  sqlite(url: string, logger: Logger): Opened {
    const client = createClient({ url })
    const db = libsql(client, { logger })
    return {
      datastore: drizzleDatastore(db),
      tables: sqliteTables,
      transaction: (work: (datastore: Datastore<Table>) => Promise<void>) =>
        db.transaction((within) => work(drizzleDatastore(within))),
      end: async () => client.close(),
    } as unknown as Opened
  },
  postgres(url: string, logger: Logger): Opened {
    const pool = new pg.Pool({ connectionString: url, max: 3 })
    const db = postgres(pool, { logger })
    return {
      datastore: drizzleDatastore(db),
      tables: postgresTables,
      transaction: (work: (datastore: Datastore<Table>) => Promise<void>) =>
        db.transaction((within) => work(drizzleDatastore(within))),
      end: once(() => pool.end()),
    } as unknown as Opened
  },
  mysql(url: string, logger: Logger): Opened {
    const pool = createPool({ uri: url, connectionLimit: 3 })
    const db = mysql(pool, { logger })
    return {
      datastore: drizzleDatastore(db),
      tables: mysqlTables,
      transaction: (work: (datastore: Datastore<Table>) => Promise<void>) =>
        db.transaction((within) => work(drizzleDatastore(within))),
      end: once(() => pool.end()),
    } as unknown as Opened
  },
}

async function openOther(engine: Engine, client: CatalogueClient): Promise<OpenLibrary> {
  const database = await engine.createDatabase()
  await database.run(...createTables(engine.dialect))
  const statements: string[] = []
  // Without the mark by which a statement can be cancelled.
  const log = (sql: string): void => void statements.push(sql.replace(/^\/\* edict [\w-]+ \*\/ /, ''))
  const { datastore, transaction, ...opened } = await openCatalogued(client, engine.dialect, database.url, { log })
  const tables: Tables<string> = {
    authors: 'authors',
    books: 'books',
    reviews: 'reviews',
    tags: 'tags',
    book_tags: 'book_tags',
  }
  await fill(datastore, tables)
  await database.run(...DIGITS[engine.dialect])
  statements.length = 0
  const library = libraryIn(datastore, tables)
  const end = once(opened.end)
  return {
    library,
    statements,
    transaction: (work) => transaction((within) => work(libraryUsing(library, within as unknown as Datastore<never>))),
    end,
    close: async () => {
      await end()
      await database.close()
    },
  }
}

/** Does something when first asked to, and then never again. */
function once(work: () => Promise<unknown>): () => Promise<void> {
  let done: Promise<unknown> | undefined
  return async () => {
    done ??= work()
    await done
  }
}

// Moments that differ by less than a millisecond, which only a database can tell apart.
const DIGITS: Readonly<Record<DialectName, readonly string[]>> = {
  sqlite: [],
  postgres: [
    `update books set added_at = added_at + interval '1 microsecond' * (id % 7)`,
    // It does not count the ids that were given to it.
    ...['authors', 'books', 'tags'].map((table) => `alter table ${table} alter column id restart with 1000`),
  ],
  mysql: ['update books set added_at = added_at + interval (id % 7) microsecond'],
}

async function fill<T>(datastore: Datastore<T>, tables: Tables<T>): Promise<void> {
  await insert(datastore, tables.authors, rows.authors)
  await insert(datastore, tables.books, rows.books)
  await insert(datastore, tables.reviews, rows.reviews)
  await insert(datastore, tables.tags, rows.tags)
  await insert(datastore, tables.book_tags, rows.bookTags)
}

async function insert<T>(datastore: Datastore<T>, source: T, all: readonly rows.Row[]): Promise<void> {
  const table = datastore.table(source)
  for (const row of all) {
    const values = Object.entries(row).map(([name, value]) => {
      const column = table.columns.get(name)
      if (column === undefined) throw new Error(`${table.name} has no column ${name}`)
      return [column, value !== null && column.kind === 'integer' ? Number(value) : value] as const
    })
    await datastore.insert(table, new Map(values))
  }
}
