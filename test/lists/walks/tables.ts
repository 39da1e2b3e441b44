// The tables of the lists: as SQL for each dialect, as Drizzle's tables, and for the memory datastore.
import * as mysql from 'drizzle-orm/mysql-core'
import * as pg from 'drizzle-orm/pg-core'
import * as lite from 'drizzle-orm/sqlite-core'
import type { MemoryTable } from 'edict/mapper'
import type { DialectName } from '../../../src/plugins/datastores/sql/sql.ts'

const TYPES = {
  sqlite: { text: 'text', float: 'real', moment: 'datetime' },
  postgres: { text: 'text', float: 'double precision', moment: 'timestamptz' },
  mysql: { text: 'varchar(100)', float: 'double', moment: 'datetime(6)' },
} as const

/** The statements that create the tables. */
export function createTables(dialect: DialectName): string[] {
  const { text, float, moment } = TYPES[dialect]
  const columns = `section ${text} not null, number integer not null, word ${text} not null, note ${text},
    count integer not null, size integer, ratio ${float}, big bigint, flag boolean, day date, at ${moment}, owner_id integer`
  return [
    `create table towns (id integer not null primary key, name ${text})`,
    `create table owners (id integer not null primary key, name ${text}, \`rank\` integer not null, town_id integer)`,
    `create table singles (${columns}, primary key (number))`,
    `create table pairs (${columns}, primary key (section, number))`,
    `create table marks (id integer not null primary key, section ${text} not null, number integer not null,
      score integer, note ${text})`,
  ].map((statement) => (dialect === 'postgres' ? statement.replaceAll('`', '"') : statement))
}

const sqliteItem = () => ({
  section: lite.text().notNull(),
  number: lite.integer().notNull(),
  word: lite.text().notNull(),
  note: lite.text(),
  count: lite.integer().notNull(),
  size: lite.integer(),
  ratio: lite.real(),
  big: lite.integer(),
  flag: lite.integer({ mode: 'boolean' }),
  day: lite.text(),
  at: lite.integer({ mode: 'timestamp_ms' }),
  owner_id: lite.integer(),
})

const postgresItem = () => ({
  section: pg.text().notNull(),
  number: pg.integer().notNull(),
  word: pg.text().notNull(),
  note: pg.text(),
  count: pg.integer().notNull(),
  size: pg.integer(),
  ratio: pg.doublePrecision(),
  big: pg.bigint({ mode: 'bigint' }),
  flag: pg.boolean(),
  day: pg.date(),
  at: pg.timestamp({ withTimezone: true }),
  owner_id: pg.integer(),
})

const mysqlText = () => mysql.varchar({ length: 100 })

const mysqlItem = () => ({
  section: mysqlText().notNull(),
  number: mysql.int().notNull(),
  word: mysqlText().notNull(),
  note: mysqlText(),
  count: mysql.int().notNull(),
  size: mysql.int(),
  ratio: mysql.double(),
  big: mysql.bigint({ mode: 'bigint' }),
  flag: mysql.boolean(),
  day: mysql.date({ mode: 'string' }),
  at: mysql.datetime({ fsp: 6 }),
  owner_id: mysql.int(),
})

export const sqliteTables = {
  towns: lite.sqliteTable('towns', { id: lite.integer().primaryKey(), name: lite.text() }),
  owners: lite.sqliteTable('owners', {
    id: lite.integer().primaryKey(),
    name: lite.text(),
    rank: lite.integer().notNull(),
    town_id: lite.integer(),
  }),
  singles: lite.sqliteTable('singles', sqliteItem(), (table) => [lite.primaryKey({ columns: [table.number] })]),
  pairs: lite.sqliteTable('pairs', sqliteItem(), (table) => [
    lite.primaryKey({ columns: [table.section, table.number] }),
  ]),
  marks: lite.sqliteTable('marks', {
    id: lite.integer().primaryKey(),
    section: lite.text().notNull(),
    number: lite.integer().notNull(),
    score: lite.integer(),
    note: lite.text(),
  }),
}

export const postgresTables = {
  towns: pg.pgTable('towns', { id: pg.integer().primaryKey(), name: pg.text() }),
  owners: pg.pgTable('owners', {
    id: pg.integer().primaryKey(),
    name: pg.text(),
    rank: pg.integer().notNull(),
    town_id: pg.integer(),
  }),
  singles: pg.pgTable('singles', postgresItem(), (table) => [pg.primaryKey({ columns: [table.number] })]),
  pairs: pg.pgTable('pairs', postgresItem(), (table) => [pg.primaryKey({ columns: [table.section, table.number] })]),
  marks: pg.pgTable('marks', {
    id: pg.integer().primaryKey(),
    section: pg.text().notNull(),
    number: pg.integer().notNull(),
    score: pg.integer(),
    note: pg.text(),
  }),
}

export const mysqlTables = {
  towns: mysql.mysqlTable('towns', { id: mysql.int().primaryKey(), name: mysqlText() }),
  owners: mysql.mysqlTable('owners', {
    id: mysql.int().primaryKey(),
    name: mysqlText(),
    rank: mysql.int().notNull(),
    town_id: mysql.int(),
  }),
  singles: mysql.mysqlTable('singles', mysqlItem(), (table) => [mysql.primaryKey({ columns: [table.number] })]),
  pairs: mysql.mysqlTable('pairs', mysqlItem(), (table) => [
    mysql.primaryKey({ columns: [table.section, table.number] }),
  ]),
  marks: mysql.mysqlTable('marks', {
    id: mysql.int().primaryKey(),
    section: mysqlText().notNull(),
    number: mysql.int().notNull(),
    score: mysql.int(),
    note: mysqlText(),
  }),
}

const column = (kind: MemoryTable['columns'][string]['kind'], nullable = true) => ({ kind, nullable })
const needed = (kind: MemoryTable['columns'][string]['kind']) => column(kind, false)

const memoryItem = {
  section: needed('text'),
  number: needed('integer'),
  word: needed('text'),
  note: column('text'),
  count: needed('integer'),
  size: column('integer'),
  ratio: column('number'),
  big: column('bigint'),
  flag: column('boolean'),
  day: column('date'),
  at: column('dateTime'),
  owner_id: column('integer'),
}

export const memoryTables = {
  towns: { key: ['id'], columns: { id: needed('integer'), name: column('text') } },
  owners: {
    key: ['id'],
    columns: {
      id: needed('integer'),
      name: column('text'),
      rank: needed('integer'),
      town_id: column('integer'),
    },
  },
  singles: { key: ['number'], columns: memoryItem },
  pairs: { key: ['section', 'number'], columns: memoryItem },
  marks: {
    key: ['id'],
    columns: {
      id: needed('integer'),
      section: needed('text'),
      number: needed('integer'),
      score: column('integer'),
      note: column('text'),
    },
  },
} satisfies Readonly<Record<string, MemoryTable>>
