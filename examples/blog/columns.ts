// The kinds of columns, once for each kind of database. Drizzle has builders of its own for each of them, which differ in
// their names and not in what tables need of them: so the tables are written once, and have the types of PostgreSQL.
import * as pg from 'drizzle-orm/pg-core'
import * as lite from 'drizzle-orm/sqlite-core'

const bytea = pg.customType<{ data: Buffer; driverData: Buffer }>({ dataType: () => 'bytea' })

/** The columns of PostgreSQL. */
export const postgres = {
  table: pg.pgTable,
  primaryKey: pg.primaryKey,
  foreignKey: pg.foreignKey,
  id: () => pg.bigserial({ mode: 'number' }).primaryKey(),
  integer: () => pg.bigint({ mode: 'number' }),
  number: () => pg.doublePrecision(),
  bigint: () => pg.bigint({ mode: 'bigint' }),
  boolean: () => pg.boolean(),
  text: () => pg.text(),
  date: () => pg.date(),
  dateTime: () => pg.timestamp({ withTimezone: true, precision: 3 }),
  json: () => pg.jsonb(),
  bytes: () => bytea(),
}

/** The columns of both kinds of databases. */
export type Columns = typeof postgres

/** The columns of SQLite. */
export const sqlite = {
  table: lite.sqliteTable,
  primaryKey: lite.primaryKey,
  foreignKey: lite.foreignKey,
  id: () => lite.integer().primaryKey(),
  integer: () => lite.integer(),
  number: () => lite.real(),
  bigint: () => lite.numeric({ mode: 'bigint' }),
  boolean: () => lite.integer({ mode: 'boolean' }),
  text: () => lite.text(),
  date: () => lite.text(),
  dateTime: () => lite.integer({ mode: 'timestamp_ms' }),
  json: () => lite.text({ mode: 'json' }),
  bytes: () => lite.blob({ mode: 'buffer' }),
} satisfies Record<keyof Columns, unknown> as unknown as Columns
