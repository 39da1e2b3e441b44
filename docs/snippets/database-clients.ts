// The snippets of docs/guide/database-clients.md.
import { application, collectionOf, controller, endpoint, mediaType, route, t } from 'edict'
import { OrderingParams, PaginationParams, pagination } from 'edict/pagination'
import type { Shown } from '../../scripts/snippets.ts'

const Book = mediaType('Book', {
  attributes: { id: t.integer({ required: true }), title: t.string({ required: true }), year: t.integer() },
})

// #region pg
import { mapper, resource } from 'edict/mapper'
import { type PgDatabase, pgDatastore } from 'edict/mapper/pg'

/** Books in the pool of `pg` that the application has: `new pg.Pool({ connectionString })`. */
export async function booksIn(pool: PgDatabase) {
  const datastore = await pgDatastore(pool)
  return { datastore, books: resource(datastore, Book, { table: 'books' }) }
}
// #endregion

// #region mysql2
import { type Mysql2Database, mysql2Datastore } from 'edict/mapper/mysql2'

/** The pool of `mysql2/promise`, or of `mysql2`. */
export const inMysql = (pool: Mysql2Database) => mysql2Datastore(pool, { schemas: ['archive'] })
// #endregion

// #region sqlite
import { type BetterSqlite3Database, betterSqlite3Datastore } from 'edict/mapper/better-sqlite3'
import { type NodeSqliteDatabase, nodeSqliteDatastore } from 'edict/mapper/node-sqlite'

/** `new Database('library.db')` of `better-sqlite3`. */
export const inFile = (database: BetterSqlite3Database) => betterSqlite3Datastore(database)

/** `new DatabaseSync('library.db')` of `node:sqlite`. */
export const inNode = (database: NodeSqliteDatabase) => nodeSqliteDatastore(database)
// #endregion

// #region prisma
import { type PrismaDatabase, prismaDatastore } from 'edict/mapper/prisma'

/** `new PrismaClient({ adapter })`. */
export const throughPrisma = (prisma: PrismaDatabase) => prismaDatastore(prisma)
// #endregion

// #region transaction
import type { Pool } from 'pg'

/** Adds two books, or none. */
export async function addBoth(pool: Pool, { datastore, books }: Awaited<ReturnType<typeof booksIn>>): Promise<void> {
  const client = await pool.connect()
  try {
    await client.query('begin')
    const inside = books.withDatastore(datastore.withDatabase(client))
    await inside.create({ title: 'Emma', year: 1815 })
    await inside.create({ title: 'Persuasion', year: 1817 })
    await client.query('commit')
  } catch (error) {
    await client.query('rollback')
    throw error
  } finally {
    client.release()
  }
}
// #endregion

// #region one-connection
/** The same on the one connection of SQLite. */
export async function addBothTo(datastore: Awaited<ReturnType<typeof inFile>>): Promise<void> {
  const books = resource(datastore, Book, { table: 'books' })
  await datastore.transaction(async (transaction) => {
    const inside = books.withDatastore(transaction)
    await inside.create({ title: 'Emma', year: 1815 })
    await inside.create({ title: 'Persuasion', year: 1817 })
  })
}
// #endregion

const Books = endpoint('Books', {
  actions: {
    index: {
      routing: route.get('/'),
      params: { pagination: PaginationParams.for(Book), order: OrderingParams.for(Book) },
      responses: { ok: collectionOf(Book) },
    },
  },
})

/** An application over books in PostgreSQL. */
export async function applicationOver(pool: PgDatabase) {
  const { books } = await booksIn(pool)
  const library = controller(Books, { index: async (_, { request, reply }) => reply.ok(await books.list(request)) })
  return application({ plugins: [mapper({ resources: { books } }), pagination()], controllers: [library] })
}

/** The answers that the page shows. */
export const shown: Shown = {}
