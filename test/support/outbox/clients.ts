// Every client that an outbox takes, on every engine of the tests: its datastore, and the transactions of its library.
import { createClient } from '@libsql/client'
import { drizzle } from 'drizzle-orm/libsql'
import { drizzleDatastore } from 'edict/mapper/drizzle'
import { kyselyDatastore } from 'edict/mapper/kysely'
import { mysql2Datastore } from 'edict/mapper/mysql2'
import { pgDatastore } from 'edict/mapper/pg'
import { createPool } from 'mysql2/promise'
import pg from 'pg'
import type { DialectName } from '../../../src/plugins/datastores/sql/sql.ts'
import { type CatalogueClient, isNewer, openCatalogued } from '../engines/clients/catalogued.ts'
import { openPrisma, prismaNeed } from '../engines/clients/prisma.ts'
import { connectDrizzle } from '../engines/drizzle.ts'
import { openKysely } from '../engines/kysely.ts'

export type BoxClient = CatalogueClient | 'Drizzle'

/** An open client of a database. */
export interface BoxDatabase {
  readonly datastore: object
  /** Runs work in a transaction of the library, which is rolled back if the work throws. */
  transaction(work: (transaction: object) => Promise<void>): Promise<void>
  /** All that the library calls a database, and that is no transaction. */
  readonly database: object
  close(): Promise<void>
}

/** The clients of a dialect that this process can load. */
export function boxClientsOn(dialect: DialectName): readonly BoxClient[] {
  if (isNewer) return dialect === 'sqlite' ? ['better-sqlite3', 'node:sqlite'] : []
  const prisma = prismaNeed.missing === undefined ? (['Prisma'] as const) : []
  const plain = { sqlite: [], postgres: ['pg'], mysql: ['mysql2'] } as const
  return ['Drizzle', 'Kysely', ...plain[dialect], ...prisma]
}

/** Opens a client on a test database. */
export async function openBoxDatabase(client: BoxClient, dialect: DialectName, url: string): Promise<BoxDatabase> {
  if (client === 'Drizzle') {
    const { database, close } = dialect === 'sqlite' ? openLibsql(url) : connectDrizzle(dialect, url)
    return { datastore: drizzleDatastore(database), transaction: (work) => database.transaction(work), database, close }
  }
  if (client === 'Kysely') {
    const db = openKysely<Record<string, object>>(dialect, url)
    const transaction: BoxDatabase['transaction'] = (work) => db.transaction().execute(work)
    return { datastore: await kyselyDatastore(db), transaction, database: db, close: () => db.destroy() }
  }
  if (client === 'Prisma') {
    const prisma = openPrisma(dialect, url)
    const { datastore } = await openCatalogued('Prisma', dialect, url)
    return {
      datastore,
      transaction: (work) => prisma.$transaction((transaction) => work(transaction)),
      database: prisma,
      close: () => prisma.$disconnect(),
    }
  }
  if (client === 'pg') return openPg(url)
  if (client === 'mysql2') return openMysql2(url)
  const { datastore, transaction, end } = await openCatalogued(client, dialect, url)
  return { datastore, transaction, database: datastore, close: end }
}

/** Opens SQLite for several processes: without a timeout, libsql fails for ever once it met the lock of another. */
function openLibsql(url: string): ReturnType<typeof connectDrizzle> {
  const client = createClient({ url, timeout: 20_000 })
  return { database: drizzle(client), close: async () => client.close() }
}

async function openPg(connectionString: string): Promise<BoxDatabase> {
  const pool = new pg.Pool({ connectionString, max: 5 })
  pool.on('error', () => {})
  return {
    datastore: await pgDatastore(pool),
    async transaction(work) {
      const client = await pool.connect()
      try {
        await client.query('begin')
        await work(client)
        await client.query('commit')
      } catch (error) {
        await client.query('rollback')
        throw error
      } finally {
        client.release()
      }
    },
    database: pool,
    close: () => pool.end(),
  }
}

async function openMysql2(uri: string): Promise<BoxDatabase> {
  const pool = createPool({ uri, connectionLimit: 5 })
  return {
    datastore: await mysql2Datastore(pool),
    async transaction(work) {
      const connection = await pool.getConnection()
      try {
        await connection.beginTransaction()
        await work(connection)
        await connection.commit()
      } catch (error) {
        await connection.rollback()
        throw error
      } finally {
        connection.release()
      }
    },
    database: pool,
    close: () => pool.end(),
  }
}
