// Measures a bulk create: 1,000 elements by `createMany`, against the same by Drizzle's own insert on the same connection.
// `tsx bench/lists/bulk.ts [--engine name] [--rounds n]`; ends with 1 when a bound is broken.
import { performance } from 'node:perf_hooks'
import { parseArgs } from 'node:util'
import { createClient } from '@libsql/client'
import { drizzle as libsql } from 'drizzle-orm/libsql'
import * as my from 'drizzle-orm/mysql-core'
import { drizzle as mysql2 } from 'drizzle-orm/mysql2'
import { drizzle as nodePostgres } from 'drizzle-orm/node-postgres'
import * as pgCore from 'drizzle-orm/pg-core'
import * as lite from 'drizzle-orm/sqlite-core'
import { createPool } from 'mysql2/promise'
import pg from 'pg'
import { mediaType, t } from '../../src/index.ts'
import { drizzleDatastore } from '../../src/plugins/datastores/drizzle/drizzle.ts'
import { resource } from '../../src/plugins/mapper/index.ts'
import { serveMariadb } from '../../test/support/engines/mariadb-server.ts'
import { servePostgres } from '../../test/support/engines/postgres-server.ts'
import { createSqliteDatabase } from '../../test/support/engines/sqlite-database.ts'
import { judgeEach, median, ratio } from './report.ts'

const { values: options } = parseArgs({
  options: {
    engine: { type: 'string', multiple: true, default: ['sqlite', 'postgres', 'mysql'] },
    rounds: { type: 'string', default: '60' },
  },
})

const COUNT = 1000
const MOST = 1.2
const COLUMNS = 'title varchar(200) not null, kind varchar(20) not null, price double precision, stock integer not null'

const Item = mediaType('Item', {
  attributes: {
    id: t.integer({ required: true }),
    title: t.string({ required: true }),
    kind: t.string({ required: true, values: ['book', 'film', 'game', 'song'] }),
    price: t.number({ nullable: true }),
    stock: t.integer({ required: true }),
  },
})

type NewItem = Readonly<{ title: string; kind: 'book' | 'film' | 'game' | 'song'; price: number | null; stock: number }>

/** A list of new items, another one for each round. */
const drawn = (round: number): readonly NewItem[] =>
  Array.from({ length: COUNT }, (_, i) => ({
    title: `The item number ${round * COUNT + i}`,
    kind: (['book', 'film', 'game', 'song'] as const)[i % 4] as 'book',
    price: i % 10 === 0 ? null : (i % 500) + 0.25,
    stock: i % 97,
  }))

interface Opened {
  readonly name: string
  /** Both ways give the keys of what they created. */
  own(items: readonly NewItem[]): Promise<readonly { readonly id: number }[]>
  byDrizzle(items: readonly NewItem[]): Promise<readonly { readonly id: number }[]>
  empty(): Promise<unknown>
  close(): Promise<unknown>
}

const OPEN: Readonly<Record<string, () => Promise<Opened>>> = {
  async sqlite() {
    const { url, close } = await createSqliteDatabase()
    const client = createClient({ url })
    await client.execute(`create table items (id integer primary key, ${COLUMNS})`)
    const items = lite.sqliteTable('items', {
      id: lite.integer().primaryKey(),
      title: lite.text().notNull(),
      kind: lite.text().notNull(),
      price: lite.real(),
      stock: lite.integer().notNull(),
    })
    const db = libsql(client)
    const own = resource(drizzleDatastore(db), Item, { table: items })
    return {
      name: 'SQLite',
      own: (list) => own.createMany(list as never) as never,
      byDrizzle: (list) =>
        db
          .insert(items)
          .values([...list])
          .returning({ id: items.id }),
      empty: () => client.execute('delete from items'),
      close,
    }
  },
  async postgres() {
    const { started, stop } = await servePostgres()
    const pool = new pg.Pool({ connectionString: (started as { url: string }).url, max: 1 })
    await pool.query(`create table items (id integer primary key generated always as identity, ${COLUMNS})`)
    const items = pgCore.pgTable('items', {
      id: pgCore.integer().primaryKey().generatedAlwaysAsIdentity(),
      title: pgCore.text().notNull(),
      kind: pgCore.text().notNull(),
      price: pgCore.doublePrecision(),
      stock: pgCore.integer().notNull(),
    })
    const db = nodePostgres(pool)
    const own = resource(drizzleDatastore(db), Item, { table: items })
    return {
      name: 'PostgreSQL',
      own: (list) => own.createMany(list as never) as never,
      byDrizzle: (list) =>
        db
          .insert(items)
          .values([...list])
          .returning({ id: items.id }),
      empty: () => pool.query('truncate items'),
      close: () => pool.end().then(stop),
    }
  },
  async mysql() {
    const { started, stop } = await serveMariadb()
    const pool = createPool({ uri: (started as { url: string }).url, connectionLimit: 1 })
    await pool.query('create database bench')
    await pool.query('use bench')
    await pool.query(`create table items (id integer primary key auto_increment, ${COLUMNS})`)
    const items = my.mysqlTable('items', {
      id: my.int().primaryKey().autoincrement(),
      title: my.varchar({ length: 200 }).notNull(),
      kind: my.varchar({ length: 20 }).notNull(),
      price: my.double(),
      stock: my.int().notNull(),
    })
    const db = mysql2(pool)
    const own = resource(drizzleDatastore(db), Item, { table: items })
    return {
      name: 'MariaDB',
      own: (list) => own.createMany(list as never) as never,
      byDrizzle: (list) =>
        db
          .insert(items)
          .values([...list])
          .$returningId(),
      empty: () => pool.query('truncate table items'),
      close: () => pool.end().then(stop),
    }
  },
}

async function contest({ name, own, byDrizzle, empty }: Opened): Promise<boolean> {
  const spent: Readonly<Record<'own' | 'drizzle', number[]>> = { own: [], drizzle: [] }
  const ways = { own, drizzle: byDrizzle }
  for (let round = -10; round < Number(options.rounds); round++) {
    const order = round % 2 === 0 ? (['own', 'drizzle'] as const) : (['drizzle', 'own'] as const)
    for (const way of order) {
      const list = drawn(round + 10)
      const before = performance.now()
      const made = await ways[way](list)
      if (round >= 0) spent[way].push(performance.now() - before)
      if (new Set(made.map(({ id }) => id)).size !== COUNT) throw new Error(`${name}, ${way}: ${made.length} keys`)
      await empty()
    }
  }
  const found = ratio(spent.own, spent.drizzle)
  const holds = found <= MOST
  const figures = `${median(spent.own).toFixed(1)} ms, Drizzle's insert ${median(spent.drizzle).toFixed(1)} ms`
  console.log(
    `${holds ? 'holds ' : 'BROKEN'} ${name}: creating ${COUNT} takes ${found.toFixed(2)} times Drizzle's insert (at most ${MOST}): ${figures}`,
  )
  return holds
}

await judgeEach(options.engine, OPEN, contest)
