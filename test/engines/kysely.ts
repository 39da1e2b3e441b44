// Kysely on every engine of the tests; SQLite through a client that looks like the one Kysely expects.
import {
  Kysely,
  type KyselyPlugin,
  MysqlDialect,
  PostgresDialect,
  type SqliteDatabase,
  SqliteDialect,
  type SqliteStatement,
} from 'kysely'
import { createPool } from 'mysql2'
import sqlite from 'node-sqlite3-wasm'
import pg from 'pg'
import type { DialectName } from '../../src/mapper/datastores/sql.ts'

/** How an instance differs from the usual one. */
export interface KyselySettings {
  readonly plugins?: readonly KyselyPlugin[]
  /** What every connection runs first. */
  readonly session?: string
}

/** Opens an instance on a test database. */
export function openKysely<DB>(dialect: DialectName, url: string, settings: KyselySettings = {}): Kysely<DB> {
  const { plugins = [], session } = settings
  return new Kysely<DB>({ dialect: DIALECTS[dialect](url, session), plugins: [...plugins] })
}

const DIALECTS = {
  sqlite: (url: string) => new SqliteDialect({ database: sqliteDatabase(url.replace(/^file:/, '')) }),
  postgres(url: string, session?: string) {
    const pool = new pg.Pool({ connectionString: url, max: 3 })
    if (session) pool.on('connect', (client) => void client.query(session))
    return new PostgresDialect({ pool })
  },
  mysql(url: string, session?: string) {
    const pool = createPool({ uri: url, connectionLimit: 3 })
    if (session) pool.on('connection', (connection) => connection.query(session))
    return new MysqlDialect({ pool })
  },
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
