// Kysely on every engine of the tests; SQLite through a client that looks like the one Kysely expects.
import {
  Kysely,
  type KyselyPlugin,
  type Logger,
  MysqlDialect,
  PostgresDialect,
  type SqliteDatabase,
  SqliteDialect,
  type SqliteStatement,
} from 'kysely'
import { createPool, type PoolOptions } from 'mysql2'
import sqlite from 'node-sqlite3-wasm'
import pg from 'pg'
import type { DialectName } from '../../../src/plugins/datastores/sql/sql.ts'

/** How an instance differs from the usual one. */
export interface KyselySettings {
  readonly plugins?: readonly KyselyPlugin[]
  readonly log?: Logger
  /** The statement that every connection runs first. */
  readonly session?: string
  /** Whether the driver gives what it reads in other forms than it usually does. */
  readonly odd?: boolean
}

/** Opens an instance on a test database. */
export function openKysely<DB>(dialect: DialectName, url: string, settings: KyselySettings = {}): Kysely<DB> {
  const { plugins = [], session, log, odd = false } = settings
  return new Kysely<DB>({ dialect: DIALECTS[dialect](url, odd, session), plugins: [...plugins], ...(log && { log }) })
}

const DIALECTS = {
  sqlite: (url: string) => new SqliteDialect({ database: sqliteDatabase(url.replace(/^file:/, '')) }),
  postgres(url: string, odd: boolean, session?: string) {
    const pool = new pg.Pool({ connectionString: url, max: 3, ...(odd && { types: unparsed }) })
    // No other listener exists while a transaction of Kysely waits.
    pool.on('connect', (client) => client.on('error', () => {}))
    if (session) pool.on('connect', (client) => void client.query(session))
    return new PostgresDialect({ pool })
  },
  mysql(url: string, odd: boolean, session?: string) {
    const pool = createPool({ uri: url, connectionLimit: 3, ...(odd && parsed) })
    if (session) pool.on('connection', (connection) => connection.query(session))
    return new MysqlDialect({ pool })
  },
}

/** Parsers that parse nothing. */
export const unparsed = { getTypeParser: () => (value: unknown) => String(value) } as unknown as pg.CustomTypesConfig

/** Options of mysql2 that differ from its own. */
export const parsed: PoolOptions = {
  timezone: '+09:00',
  decimalNumbers: true,
  supportBigNumbers: true,
  bigNumberStrings: true,
  typeCast: (field, next) => (field.type === 'TINY' && field.length === 1 ? field.string() === '1' : next()),
}

function sqliteDatabase(file: string): SqliteDatabase {
  const database = new sqlite.Database(file)
  database.exec('pragma foreign_keys = on')
  return {
    close: () => database.close(),
    prepare: (sql) => sqliteStatement(database, sql),
  }
}

function sqliteStatement(database: sqlite.Database, sql: string): SqliteStatement {
  const bound = (parameters: readonly unknown[]): sqlite.BindValues => [...parameters] as sqlite.JSValue[]
  return {
    reader: /^\s*(?:select|with|pragma)\b|\breturning\b/i.test(sql),
    all: (parameters) => database.all(sql, bound(parameters)),
    run: (parameters) => database.run(sql, bound(parameters)),
    iterate: (parameters) => database.all(sql, bound(parameters)).values(),
  }
}
