// Values in filters that columns cannot hold: on every engine they mean what they mean in memory, or a 4xx names the filter.

import { inspect } from 'node:util'
import * as my from 'drizzle-orm/mysql-core'
import * as pg from 'drizzle-orm/pg-core'
import * as lite from 'drizzle-orm/sqlite-core'
import { mediaType, t } from 'edict'
import { memoryDatastore, type Resource, resource } from 'edict/mapper'
import { drizzleDatastore } from 'edict/mapper/drizzle'
import { kyselyDatastore } from 'edict/mapper/kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { FilterExpression } from '../../../src/plugins/mapper/filters/expression.ts'
import { isRefusal } from '../../../src/server/problem/refusal.ts'
import { connectDrizzle } from '../../support/engines/drizzle.ts'
import type { TestDatabase } from '../../support/engines/engine.ts'
import { openKysely } from '../../support/engines/kysely.ts'
import { startMariadb } from '../../support/engines/mariadb.ts'
import { startPostgres } from '../../support/engines/postgres.ts'
import { startSqlite } from '../../support/engines/sqlite.ts'
import { listRequest } from '../../support/list-request.ts'

const Thing = mediaType('Thing', {
  attributes: {
    id: t.integer({ required: true }),
    small: t.integer(),
    i4: t.integer(),
    big: t.bigint(),
    f4: t.number(),
    f8: t.number(),
    n: t.decimal(),
    word: t.string({ allowNul: true }),
    narrow: t.string({ allowNul: true }),
    ascii: t.string({ allowNul: true }),
    key: t.string(),
    kind: t.string(),
    day: t.date(),
  },
})

const KEY = '3e9c4d40-0000-4000-8000-00000000000a'
const ROWS = [
  {
    id: 1,
    small: 1,
    i4: 1,
    big: 1n,
    f4: 0.1,
    f8: 0.1,
    n: '1.25',
    word: 'a',
    narrow: 'a',
    ascii: 'a',
    key: KEY,
    kind: 's',
    day: '2024-02-29',
  },
  {
    id: 2,
    small: -128,
    i4: -(2 ** 31),
    big: -(2n ** 63n),
    f4: -3e38,
    f8: -1e308,
    n: '-9999.99',
    word: 'é',
    narrow: 'é',
    ascii: 'z',
    key: KEY,
    kind: 'm',
    day: '0001-01-01',
  },
  {
    id: 3,
    small: 127,
    i4: 2 ** 31 - 1,
    big: 2n ** 63n - 1n,
    f4: 3e38,
    f8: 1e308,
    n: '9999.99',
    word: '日本',
    narrow: 'ÿ',
    ascii: '?',
    key: KEY,
    kind: 's',
    day: '9999-12-31',
  },
  {
    id: 4,
    small: 0,
    i4: 0,
    big: 0n,
    f4: 0,
    f8: 0,
    n: '0.00',
    word: '',
    narrow: '?',
    ascii: '',
    key: KEY,
    kind: 'm',
    day: '1970-01-01',
  },
] as const

const texts = ['', 'a', 'ab', 'é', 'ÿ', '?', '日本', '日', '😀', 'a\0b', '\0', 'z日', 'x'.repeat(3000)]
const numbers = [
  0,
  0.1,
  0.10000000149011612,
  1e39,
  -1e39,
  3.5e38,
  1e-50,
  -1e-50,
  1e-320,
  1.7e308,
  -1.7e308,
  2 ** 53,
  0.5,
]
const wholes = [0, 1, 127, 128, -129, 2 ** 31, -(2 ** 31) - 1, Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER]
const VALUES: Readonly<Record<string, readonly unknown[]>> = {
  small: wholes,
  i4: wholes,
  big: [0n, 1n, 2n ** 63n, -(2n ** 63n) - 1n, 2n ** 200n, -(2n ** 64n), 2n ** 63n - 1n],
  f4: numbers,
  f8: numbers,
  n: [
    '0',
    '1.25',
    '1.250000000000000000000000000000000000000001',
    '9999.99',
    '9999.991',
    '10000',
    `1${'0'.repeat(80)}`,
    `-1${'0'.repeat(80)}`,
    '-0.0000001',
  ],
  word: texts,
  narrow: texts,
  ascii: texts,
  key: [KEY, 'x', '', '日本', KEY.slice(1)],
  kind: ['s', 'm', 'x', '', '日'],
  day: ['0001-01-01', '0000-01-01', '9999-12-31', '2024-02-29'],
}

// The key and the kind are identifiers and enumerations, which have an order of their own.
const EQUALITY = new Set(['key', 'kind'])

function* filters(): Generator<FilterExpression> {
  for (const [field, values] of Object.entries(VALUES)) {
    for (const value of values) {
      yield { op: '=', field, any: [{ value }] }
      yield { op: '!=', field, any: [{ value }] }
      for (const op of ['<', '<=', '>', '>='] as const) yield { op, field, value }
    }
    yield { op: '=', field, any: values.map((value) => ({ value })) }
    yield { op: '!=', field, any: values.map((value) => ({ value })) }
  }
  for (const field of ['word', 'narrow', 'ascii'])
    for (const text of texts)
      for (const [before, after] of [
        [true, true],
        [false, true],
        [true, false],
      ] as const) {
        yield { op: '=', field, any: [{ pattern: { text, before, after } }] }
        yield { op: '!=', field, any: [{ pattern: { text, before, after } }] }
      }
}

type Things = Pick<Resource, 'list' | 'find'>

const memory = resource(
  memoryDatastore({
    things: {
      columns: {
        id: { kind: 'integer' },
        small: { kind: 'integer' },
        i4: { kind: 'integer' },
        big: { kind: 'bigint' },
        f4: { kind: 'number' },
        f8: { kind: 'number' },
        n: { kind: 'decimal' },
        word: { kind: 'text' },
        narrow: { kind: 'text' },
        ascii: { kind: 'text' },
        key: { kind: 'text' },
        kind: { kind: 'text' },
        day: { kind: 'date' },
      },
      key: ['id'],
      rows: ROWS as never,
    },
  }),
  Thing,
  { table: 'things' },
) as unknown as Things

const idsOf = async (things: Things, filters: FilterExpression): Promise<unknown> =>
  (await things.list(listRequest({ filters }))).map(({ id }: any) => id)

const quote = (value: unknown): string => (typeof value === 'string' ? `'${value}'` : String(value))
const inserts = ROWS.map((row) => `insert into things values (${Object.values(row).map(quote).join(', ')})`)

const DDL = {
  postgres: [
    `create type size as enum ('s', 'm')`,
    `create table things (id int primary key, small int2 not null, i4 int4 not null, big int8 not null, f4 real not null,
      f8 float8 not null, n numeric(6, 2) not null, word text not null, narrow varchar(20) not null, ascii text not null,
      key uuid not null, kind size not null, day date not null)`,
  ],
  mysql: [
    `create table things (id int primary key, small tinyint not null, i4 int not null, big bigint not null,
      f4 float not null, f8 double not null, n decimal(6, 2) not null, word varchar(50) not null,
      narrow varchar(20) character set latin1 collate latin1_nopad_bin not null,
      ascii varchar(20) character set ascii collate ascii_nopad_bin not null, \`key\` char(36) not null,
      kind enum('s', 'm') not null, day date not null)`,
  ],
  sqlite: [
    `create table things (id integer primary key, small int not null, i4 int not null, big bigint not null,
      f4 real not null, f8 real not null, n numeric not null, word text not null, narrow text not null,
      ascii text not null, key text not null, kind text not null, day text not null)`,
  ],
}

const TABLES = {
  postgres: () =>
    pg.pgTable('things', {
      ...{ id: pg.integer().primaryKey(), small: pg.smallint().notNull(), i4: pg.integer().notNull() },
      ...{ big: pg.bigint({ mode: 'bigint' }).notNull(), f4: pg.real().notNull(), f8: pg.doublePrecision().notNull() },
      ...{ n: pg.numeric({ precision: 6, scale: 2 }).notNull(), word: pg.text().notNull() },
      ...{ narrow: pg.varchar({ length: 20 }).notNull(), ascii: pg.text().notNull(), key: pg.uuid().notNull() },
      ...{ kind: pg.pgEnum('size', ['s', 'm'])('kind').notNull(), day: pg.date().notNull() },
    }),
  mysql: () =>
    my.mysqlTable('things', {
      ...{ id: my.int().primaryKey(), small: my.tinyint().notNull(), i4: my.int().notNull() },
      ...{ big: my.bigint({ mode: 'bigint' }).notNull(), f4: my.float().notNull(), f8: my.double().notNull() },
      ...{ n: my.decimal({ precision: 6, scale: 2 }).notNull(), word: my.varchar({ length: 50 }).notNull() },
      ...{ narrow: my.varchar({ length: 20 }).notNull(), ascii: my.varchar({ length: 20 }).notNull() },
      ...{ key: my.char({ length: 36 }).notNull(), kind: my.mysqlEnum(['s', 'm']).notNull() },
      ...{ day: my.date({ mode: 'string' }).notNull() },
    }),
  sqlite: () =>
    lite.sqliteTable('things', {
      ...{ id: lite.integer().primaryKey(), small: lite.integer().notNull(), i4: lite.integer().notNull() },
      ...{ big: lite.numeric({ mode: 'bigint' }).notNull(), f4: lite.real().notNull(), f8: lite.real().notNull() },
      ...{ n: lite.numeric().notNull(), word: lite.text().notNull(), narrow: lite.text().notNull() },
      ...{ ascii: lite.text().notNull(), key: lite.text().notNull(), kind: lite.text().notNull() },
      ...{ day: lite.text().notNull() },
    }),
}

// SQLite keeps fifteen digits of a decimal, and so has a smaller attribute for it.
const Fitting = mediaType('Thing', { attributes: { ...Thing.attributes, n: t.decimal({ precision: 15 }) } })

for (const need of [await startSqlite(), await startPostgres(), await startMariadb()])
  need.describe((engine) => {
    const { dialect } = engine
    const media = (dialect === 'sqlite' ? Fitting : Thing) as typeof Thing
    const closing: (() => Promise<unknown>)[] = []
    let base: TestDatabase
    let drizzle: Things
    let kysely: Things
    beforeAll(async () => {
      base = await engine.createDatabase()
      await base.run(...DDL[dialect], ...inserts)
      const first = connectDrizzle(dialect, base.url)
      const second = openKysely<any>(dialect, base.url)
      closing.push(
        () => first.close(),
        () => second.destroy(),
      )
      drizzle = resource(drizzleDatastore(first.database), media, { table: TABLES[dialect]() as never }) as never
      kysely = resource(await kyselyDatastore(second), media, { table: 'things' }) as never
    }, 30_000)
    afterAll(async () => {
      for (const close of closing) await close()
      await base.close()
    })

    describe.each(['Drizzle', 'Kysely'])('%s', (name) => {
      // The client of SQLite that Kysely has in these tests cuts a text at U+0000 when it binds it.
      const cutsTexts = name === 'Kysely' && dialect === 'sqlite'
      const things = () => (name === 'Drizzle' ? drizzle : kysely)

      test('a filter means what it means in memory, or is refused by name', async () => {
        const wrong: unknown[] = []
        for (const filter of filters()) {
          if (cutsTexts && inspect(filter, { depth: 6 }).includes('\\x00')) continue
          const field = (filter as { readonly field: string }).field
          const found = await idsOf(things(), filter).catch((error: unknown) => {
            if (!isRefusal(error) || error.code !== 'validation') return String(error)
            return error.problem.errors?.[0]?.pointer === '/filters' ? 'refused' : JSON.stringify(error.problem)
          })
          const isOrdered = filter.op !== '=' && filter.op !== '!='
          if (EQUALITY.has(field) && isOrdered) {
            if (typeof found === 'string' && found !== 'refused') wrong.push([filter, found])
          } else {
            const expected = await idsOf(memory, filter)
            if (JSON.stringify(found) !== JSON.stringify(expected)) wrong.push([field, filter, found, expected])
          }
        }
        expect(wrong.map((one) => inspect(one, { depth: 6, breakLength: 400, maxStringLength: 60 }))).toEqual([])
      }, 120_000)

      test('a key that no element can have finds none', async () => {
        for (const id of [2 ** 31, -1e300, 1.5]) expect(await things().find(id)).toBeUndefined()
        expect(await things().find({ key: 'no identifier' } as never)).toBeUndefined()
        if (!cutsTexts) expect(await things().find({ word: 'a\0' } as never)).toBeUndefined()
      })
    })
  })
