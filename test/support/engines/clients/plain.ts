// Plain clients on the engines of the tests.
import { createRequire } from 'node:module'
import type BetterSqlite3 from 'better-sqlite3'
import { betterSqlite3Datastore } from 'edict/mapper/better-sqlite3'
import { mysql2Datastore } from 'edict/mapper/mysql2'
import { type NodeSqliteDatabase, nodeSqliteDatastore } from 'edict/mapper/node-sqlite'
import { pgDatastore } from 'edict/mapper/pg'
import { createPool } from 'mysql2'
import pg from 'pg'
import { parsed, unparsed } from '../kysely.ts'
import type { CatalogueClient, Catalogued, ClientSettings } from './catalogued.ts'

const requireThere = createRequire(new URL('../../../lists/prisma/package.json', import.meta.url))

type PlainClient = Exclude<CatalogueClient, 'Kysely' | 'Prisma'>

/** Opens a datastore of a plain client. */
export const openPlain = (client: PlainClient, url: string, settings: ClientSettings): Promise<Catalogued> =>
  PLAIN[client](url, settings)

const PLAIN: Readonly<Record<PlainClient, (url: string, settings: ClientSettings) => Promise<Catalogued>>> = {
  async pg(connectionString, { session, odd = false, prepare = false, log }) {
    const pool = new pg.Pool({ connectionString, max: 3, ...(odd && { types: unparsed }) })
    if (session) pool.on('connect', (client) => void client.query(session))
    const { query } = pg.Client.prototype
    if (log)
      pool.on('connect', (client) => {
        client.query = function (this: pg.Client, statement: { text: string }, ...rest: unknown[]) {
          log(statement.text)
          return (query as (...all: unknown[]) => unknown).call(this, statement, ...rest)
        } as never
      })
    const datastore = await pgDatastore(pool, { prepare })
    return {
      datastore,
      async transaction(work) {
        const client = await pool.connect()
        try {
          await client.query({ text: 'begin' })
          await work(datastore.withDatabase(client))
          await client.query({ text: 'commit' })
        } catch (error) {
          await client.query({ text: 'rollback' })
          throw error
        } finally {
          client.release()
        }
      },
      end: () => pool.end(),
    }
  },
  async mysql2(uri, { session, odd = false, prepare = false, log }) {
    const callbacks = createPool({ uri, connectionLimit: 3, ...(odd && parsed) })
    if (session) callbacks.on('connection', (connection) => connection.query(session))
    const pool = callbacks.promise()
    const logQueries = (on: Pick<typeof pool, 'query' | 'execute'>) => ({
      query(statement: { sql: string }) {
        log?.(statement.sql)
        return on.query(statement)
      },
      execute: (statement: { sql: string }) => on.execute(statement),
    })
    const logged = {
      ...logQueries(pool),
      async getConnection() {
        const connection = await pool.getConnection()
        return { ...logQueries(connection), release: () => connection.release() }
      },
    }
    const datastore = await mysql2Datastore(log ? logged : callbacks, { prepare })
    return {
      datastore,
      async transaction(work) {
        const connection = await pool.getConnection()
        try {
          await connection.beginTransaction()
          await work(datastore.withDatabase(connection))
          await connection.commit()
        } catch (error) {
          await connection.rollback()
          throw error
        } finally {
          connection.release()
        }
      },
      end: () => pool.end(),
    }
  },
  async 'better-sqlite3'(url, { odd = false, log }) {
    // Its package is compiled where it is installed, so that only those get it who ask for it.
    const Database = requireThere('better-sqlite3') as typeof BetterSqlite3
    const database = new Database(url.replace(/^file:/, ''))
    database.defaultSafeIntegers(odd)
    const datastore = await betterSqlite3Datastore(log ? logging(database, log) : database)
    return {
      datastore,
      transaction: (work) => datastore.transaction(work),
      end: async () => void database.close(),
    }
  },
  async 'node:sqlite'(url, { odd = false, log }) {
    const database = new (nodeSqlite().DatabaseSync)(url.replace(/^file:/, ''), { readBigInts: odd })
    const datastore = await nodeSqliteDatastore(log ? logging(database, log) : database)
    return {
      datastore,
      transaction: (work) => datastore.transaction(work),
      end: async () => database.close(),
    }
  },
}

// Statements are prepared once and run often.
function logging<S extends { all(...values: never[]): unknown; run(...values: never[]): unknown }>(
  database: { prepare(sql: string): S },
  log: (sql: string) => void,
): { prepare(sql: string): S } {
  return {
    prepare: (sql) => {
      const statement = database.prepare(sql)
      return new Proxy(statement, {
        get(_, name) {
          if (name === 'all' || name === 'run') log(sql)
          const value: unknown = statement[name as keyof S]
          return typeof value === 'function' ? value.bind(statement) : value
        },
      })
    },
  }
}

/** As much of `node:sqlite` as tests need: the types of the oldest Node do not have it. */
interface NodeSqlite {
  readonly DatabaseSync: new (
    path: string,
    options?: { readonly readBigInts?: boolean },
  ) => NodeSqliteDatabase & { exec(sql: string): void; close(): void }
}

/** Gives the module, which bundlers do not know. */
const nodeSqlite = (): NodeSqlite => process.getBuiltinModule('node:sqlite') as unknown as NodeSqlite
