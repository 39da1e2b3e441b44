// Drizzle on every engine of the tests: three tables, and short ways to ask a datastore for them.
import { createClient } from '@libsql/client'
import { drizzle as libsql } from 'drizzle-orm/libsql'
import * as my from 'drizzle-orm/mysql-core'
import { drizzle as mysql2 } from 'drizzle-orm/mysql2'
import { drizzle as nodePostgres } from 'drizzle-orm/node-postgres'
import * as pg from 'drizzle-orm/pg-core'
import * as lite from 'drizzle-orm/sqlite-core'
import { createPool } from 'mysql2/promise'
import pgClient from 'pg'
import type { DrizzleDatabase } from '../../../src/plugins/datastores/drizzle/drizzle.ts'
import type { DialectName } from '../../../src/plugins/datastores/sql/sql.ts'
import type { ColumnValues, Datastore, Join, Reference, Select, Table } from '../../../src/plugins/query/query.ts'
import type { Engine } from './engine.ts'

function postgresTables() {
  const people = pg.pgTable('people', { id: pg.serial().primaryKey(), name: pg.text().notNull().unique() })
  const posts = pg.pgTable('posts', {
    id: pg.serial().primaryKey(),
    author: pg.integer().references(() => people.id),
    title: pg.text('the title'),
    score: pg.integer(),
    big: pg.bigint({ mode: 'bigint' }),
    price: pg.numeric({ precision: 30, scale: 5 }),
    ratio: pg.real(),
    exact: pg.doublePrecision(),
    flag: pg.boolean(),
    day: pg.date(),
    moment: pg.timestamp({ withTimezone: true }),
    at: pg.time(),
    data: pg.jsonb(),
    size: pg.text({ enum: ['s', 'm'] }),
  })
  const tags = pg.pgTable(
    'tags',
    { post: pg.integer(), tag: pg.text(), made: pg.text().$defaultFn(() => 'here') },
    (t) => [pg.primaryKey({ columns: [t.post, t.tag] })],
  )
  return { people, posts, tags }
}

function mysqlTables() {
  const people = my.mysqlTable('people', {
    id: my.serial().primaryKey(),
    name: my.varchar({ length: 50 }).notNull().unique(),
  })
  const posts = my.mysqlTable('posts', {
    id: my.int().autoincrement().primaryKey(),
    author: my.bigint({ mode: 'number', unsigned: true }).references(() => people.id),
    title: my.text('the title'),
    score: my.int(),
    big: my.bigint({ mode: 'bigint' }),
    price: my.decimal({ precision: 30, scale: 5 }),
    ratio: my.float(),
    exact: my.double(),
    flag: my.boolean(),
    day: my.date({ mode: 'string' }),
    moment: my.datetime({ fsp: 6 }),
    at: my.time({ fsp: 6 }),
    data: my.json(),
    size: my.mysqlEnum(['s', 'm']),
  })
  const tags = my.mysqlTable(
    'tags',
    { post: my.int(), tag: my.varchar({ length: 50 }), made: my.text().$defaultFn(() => 'here') },
    (t) => [my.primaryKey({ columns: [t.post, t.tag] })],
  )
  return { people, posts, tags }
}

function sqliteTables() {
  const people = lite.sqliteTable('people', { id: lite.integer().primaryKey(), name: lite.text().notNull().unique() })
  const posts = lite.sqliteTable('posts', {
    id: lite.integer().primaryKey(),
    author: lite.integer().references(() => people.id),
    title: lite.text('the title'),
    score: lite.integer(),
    big: lite.integer(),
    price: lite.numeric(),
    ratio: lite.real(),
    exact: lite.real(),
    flag: lite.integer({ mode: 'boolean' }),
    day: lite.text(),
    moment: lite.integer({ mode: 'timestamp_ms' }),
    at: lite.text(),
    data: lite.text({ mode: 'json' }),
    size: lite.text({ enum: ['s', 'm'] }),
  })
  const tags = lite.sqliteTable(
    'tags',
    { post: lite.integer().notNull(), tag: lite.text().notNull(), made: lite.text().$defaultFn(() => 'here') },
    (t) => [lite.primaryKey({ columns: [t.post, t.tag] })],
  )
  return { people, posts, tags }
}

const DDL = {
  postgres: [
    'create table people (id serial primary key, name text not null unique)',
    `create table posts (id serial primary key, author int references people, "the title" text, score int, big bigint,
      price numeric(30, 5), ratio real, exact double precision, flag boolean, day date, moment timestamptz, at time,
      data jsonb, size text)`,
    'create table tags (post int, tag text, made text, primary key (post, tag))',
  ],
  mysql: [
    'create table people (id serial primary key, name varchar(50) not null unique)',
    `create table posts (id int auto_increment primary key, author bigint unsigned references people (id),
      \`the title\` text, score int, big bigint, price decimal(30, 5), ratio float, exact double, flag boolean, day date,
      moment datetime(6), at time(6), data json, size enum('s', 'm'))`,
    'create table tags (post int, tag varchar(50), made text, primary key (post, tag))',
  ],
  sqlite: [
    'create table people (id integer primary key, name text not null unique)',
    `create table posts (id integer primary key, author integer references people, "the title" text, score integer,
      big integer, price numeric, ratio real, exact real, flag integer, day text, moment integer, at text, data text,
      size text)`,
    'create table tags (post integer not null, tag text not null, made text, primary key (post, tag))',
  ],
}

/** A test database that is open. */
export interface Opened {
  readonly database: DrizzleDatabase & { transaction: any }
  readonly tables: Record<'people' | 'posts' | 'tags', any>
  /** Runs a statement that gives nothing. */
  run(statement: string): Promise<void>
  close(): Promise<void>
}

const TABLES = { postgres: postgresTables, mysql: mysqlTables, sqlite: sqliteTables }

/** Opens a test database. */
export function connectDrizzle(dialect: DialectName, url: string): Pick<Opened, 'database' | 'close'> {
  if (dialect === 'postgres') {
    // Far from UTC, and with a form of dates that no program expects.
    const options = '-c timezone=Asia/Kathmandu -c datestyle=SQL,DMY'
    const pool = new pgClient.Pool({ connectionString: url, max: 3, options })
    return { database: nodePostgres(pool), close: () => pool.end() }
  }
  if (dialect === 'mysql') {
    const pool = createPool({ uri: url, connectionLimit: 3 })
    return { database: mysql2(pool), close: () => pool.end() }
  }
  const client = createClient({ url, intMode: 'number' })
  return { database: libsql(client), close: async () => client.close() }
}

/** Makes a database with the tables, and opens it. */
export async function openDrizzle(engine: Engine): Promise<Opened> {
  const base = await engine.createDatabase()
  await base.run(...DDL[engine.dialect])
  const opened = connectDrizzle(engine.dialect, base.url)
  const close = async () => {
    await opened.close()
    await base.close()
  }
  return { ...opened, tables: TABLES[engine.dialect](), run: (statement) => base.run(statement), close }
}

type Name = 'people' | 'posts' | 'tags'
/** A datastore with the tables. */
export class World {
  readonly store: Datastore<any>
  readonly #tables: Record<Name, any>

  constructor(store: Datastore<any>, tables: Record<Name, any>) {
    this.store = store
    this.#tables = tables
  }

  table = (name: Name): Table<any> => this.store.table(this.#tables[name])
  column = (name: Name, column: string) => this.table(name).columns.get(column)!
  of = (name: Name, column: string, source = 0): Reference => ({ source, column: this.column(name, column) })
  values = (name: Name, given: object): ColumnValues =>
    new Map(Object.entries(given).map(([column, value]) => [this.column(name, column), value]))

  insert = (name: Name, given: object) => this.store.insert(this.table(name), this.values(name, given))

  select(name: Name, columns: readonly (string | Reference)[], rest: Partial<Select<any>> = {}) {
    const references = columns.map((one) => (typeof one === 'string' ? this.of(name, one) : one))
    const from = this.table(name)
    return this.store.select({
      ...{ from, joins: [], filter: undefined, order: [], limit: undefined, offset: 0, columns: references },
      ...rest,
    })
  }

  author = (): Join<any> => ({
    table: this.table('people'),
    on: [[this.of('posts', 'author'), this.column('people', 'id')]],
  })
}
