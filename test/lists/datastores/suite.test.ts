// The datastore suite for Drizzle on every engine.
import { createClient } from '@libsql/client'
import type { Table } from 'drizzle-orm'
import { drizzle as libsql } from 'drizzle-orm/libsql'
import * as my from 'drizzle-orm/mysql-core'
import { drizzle as mysql2 } from 'drizzle-orm/mysql2'
import { drizzle as nodePostgres } from 'drizzle-orm/node-postgres'
import * as pg from 'drizzle-orm/pg-core'
import * as lite from 'drizzle-orm/sqlite-core'
import { createPool } from 'mysql2/promise'
import pgClient from 'pg'
import { afterAll, test } from 'vitest'
import { type DrizzleDatabase, drizzleDatastore } from '../../../src/plugins/datastores/drizzle/drizzle.ts'
import type { DialectName } from '../../../src/plugins/datastores/sql/sql.ts'
import {
  datastoreSuite,
  type SuiteKind,
  type SuiteStore,
  type SuiteTable,
  suiteKinds,
} from '../../../src/suites/datastores/suite.ts'
import type { Engine } from '../../support/engines/engine.ts'
import { startMariadb } from '../../support/engines/mariadb.ts'
import { startPostgres } from '../../support/engines/postgres.ts'
import { startSqlite } from '../../support/engines/sqlite.ts'

interface Vocabulary {
  /** The columns of Drizzle, by kind; it has none for kinds that are not here. */
  readonly columns: Readonly<Partial<Record<SuiteKind, () => any>>>
  readonly generated: () => any
  readonly table: (name: string, columns: any, extra: (table: any) => any[]) => Table
  readonly primaryKey: (config: any) => any
  /** The types in the database. */
  readonly types: Readonly<Partial<Record<SuiteKind, string>>>
  readonly generatedType: string
  open(url: string): { database: DrizzleDatabase; close(): Promise<void> }
}

const common = { integer: 'integer', bigint: 'bigint', decimal: 'decimal(20, 4)', boolean: 'boolean', json: 'json' }

const vocabularies: Readonly<Record<DialectName, Vocabulary>> = {
  postgres: {
    columns: {
      text: () => pg.text(),
      integer: () => pg.integer(),
      bigint: () => pg.bigint({ mode: 'bigint' }),
      number: () => pg.doublePrecision(),
      decimal: () => pg.numeric({ precision: 20, scale: 4 }),
      boolean: () => pg.boolean(),
      date: () => pg.date(),
      dateTime: () => pg.timestamp({ withTimezone: true }),
      time: () => pg.time(),
      json: () => pg.jsonb(),
    },
    generated: () => pg.serial(),
    table: pg.pgTable as Vocabulary['table'],
    primaryKey: pg.primaryKey,
    types: {
      ...{ ...common, text: 'text', number: 'double precision', date: 'date', dateTime: 'timestamptz', time: 'time' },
      json: 'jsonb',
    },
    generatedType: 'serial',
    open: (connectionString) => {
      const pool = new pgClient.Pool({ connectionString, max: 3 })
      return { database: nodePostgres(pool), close: () => pool.end() }
    },
  },
  mysql: {
    columns: {
      text: () => my.varchar({ length: 40 }),
      integer: () => my.int(),
      bigint: () => my.bigint({ mode: 'bigint' }),
      number: () => my.double(),
      decimal: () => my.decimal({ precision: 20, scale: 4 }),
      boolean: () => my.boolean(),
      date: () => my.date({ mode: 'string' }),
      dateTime: () => my.datetime({ fsp: 3 }),
      time: () => my.time(),
      json: () => my.json(),
    },
    generated: () => my.int().autoincrement(),
    table: my.mysqlTable as Vocabulary['table'],
    primaryKey: my.primaryKey,
    types: { ...common, text: 'varchar(40)', number: 'double', date: 'date', dateTime: 'datetime(3)', time: 'time' },
    generatedType: 'integer auto_increment',
    open: (uri) => {
      const pool = createPool({ uri, connectionLimit: 3 })
      return { database: mysql2(pool), close: () => pool.end() }
    },
  },
  sqlite: {
    columns: {
      text: () => lite.text(),
      integer: () => lite.integer(),
      number: () => lite.real(),
      boolean: () => lite.integer({ mode: 'boolean' }),
      dateTime: () => lite.integer({ mode: 'timestamp_ms' }),
      json: () => lite.text({ mode: 'json' }),
      bytes: () => lite.blob({ mode: 'buffer' }),
    },
    generated: () => lite.integer(),
    table: lite.sqliteTable as Vocabulary['table'],
    primaryKey: lite.primaryKey,
    types: {
      ...{ text: 'text', integer: 'integer', number: 'real', boolean: 'integer', dateTime: 'integer' },
      ...{ json: 'text', bytes: 'blob' },
    },
    generatedType: 'integer',
    open: (url) => {
      const client = createClient({ url })
      return { database: libsql(client), close: async () => client.close() }
    },
  },
}

function declared({ name, columns, key }: SuiteTable, words: Vocabulary): Table {
  const entries = columns.map((column) => {
    const made = column.generated ? words.generated() : words.columns[column.kind as SuiteKind]!()
    if (key.length === 1 && key[0] === column.name) return [column.name, made.primaryKey()]
    return [column.name, column.nullable ? made : made.notNull()]
  })
  const composite = (table: any) => [words.primaryKey({ columns: key.map((one) => table[one]) })]
  return words.table(name, Object.fromEntries(entries), key.length === 1 ? () => [] : composite)
}

function creation({ name, columns, key }: SuiteTable, words: Vocabulary): string {
  const written = columns.map((column) => {
    const type = column.generated ? words.generatedType : words.types[column.kind as SuiteKind]
    return `${column.name} ${type}${column.nullable ? ' null' : ' not null'}`
  })
  return `create table ${name} (${written.join(', ')}, primary key (${key.join(', ')}))`
}

async function open(engine: Engine, tables: readonly SuiteTable[]): Promise<SuiteStore<Table>> {
  const words = vocabularies[engine.dialect]
  const base = await engine.createDatabase()
  await base.run(...tables.map((table) => creation(table, words)))
  const opened = words.open(base.url)
  const sources = new Map(tables.map((table) => [table.name, declared(table, words)]))
  return {
    datastore: drizzleDatastore(opened.database),
    table: (name) => sources.get(name)!,
    close: async () => {
      await opened.close()
      await base.close()
    },
  }
}

for (const need of await Promise.all([startSqlite(), startPostgres(), startMariadb()])) {
  need.describe((engine) => {
    const { columns } = vocabularies[engine.dialect]
    const kinds = suiteKinds.filter((kind) => columns[kind] !== undefined)
    datastoreSuite<Table>({
      test: (name, run) => test(name, run, 30_000),
      afterAll,
      open: (tables) => open(engine, tables),
      kinds,
    })
  })
}
