import * as my from 'drizzle-orm/mysql-core'
import { customType, mysqlTable } from 'drizzle-orm/mysql-core'
import * as pg from 'drizzle-orm/pg-core'
import * as lite from 'drizzle-orm/sqlite-core'
import { expect, test } from 'vitest'
import type { DialectName, SqlColumn } from '../sql/sql.ts'
import { describeTable } from './describe-table.ts'

function columns(dialect: DialectName, table: Parameters<typeof describeTable>[1]): Record<string, SqlColumn> {
  return Object.fromEntries(describeTable(dialect, table, ({ name }) => name).columns)
}

const kinds = (described: Record<string, SqlColumn>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(described).map(([name, { kind, range }]) => [name, range ? `${kind} ${range}` : kind]),
  )

const INT8 = '-9223372036854775808,9223372036854775807'

test('columns of PostgreSQL', () => {
  const size = pg.pgEnum('size', ['s', 'm'])
  const described = columns(
    'postgres',
    pg.pgTable('t', {
      serial: pg.serial(),
      small: pg.smallint(),
      int: pg.integer(),
      number: pg.bigint({ mode: 'number' }),
      bigint: pg.bigint({ mode: 'bigint' }),
      decimal: pg.numeric(),
      decimalNumber: pg.numeric({ mode: 'number' }),
      decimalBigint: pg.numeric({ mode: 'bigint' }),
      real: pg.real(),
      flag: pg.boolean(),
      text: pg.varchar({ length: 5 }),
      uuid: pg.uuid(),
      size: size(),
      date: pg.date({ mode: 'date' }),
      dateString: pg.date(),
      moment: pg.timestamp(),
      momentString: pg.timestamp({ mode: 'string', withTimezone: true }),
      time: pg.time(),
      json: pg.json(),
      list: pg.integer().array(),
    }),
  )
  expect(kinds(described)).toEqual({
    serial: 'integer -2147483648,2147483647',
    small: 'integer -32768,32767',
    int: 'integer -2147483648,2147483647',
    number: `integer ${INT8}`,
    bigint: `bigint ${INT8}`,
    decimal: 'decimal',
    decimalNumber: 'number',
    decimalBigint: 'bigint',
    real: 'number',
    flag: 'boolean',
    text: 'text',
    uuid: 'text',
    size: 'text',
    date: 'date',
    dateString: 'date',
    moment: 'dateTime',
    momentString: 'dateTime',
    time: 'time',
    json: 'json',
    list: 'other',
  })
  const date = new Date('2024-01-02T03:04:05.678Z')
  const { momentString, moment, date: day, json } = described as Record<string, SqlColumn>
  expect(momentString?.decode('2024-01-02 05:04:05.678912+02')).toEqual(date)
  expect(momentString?.decode('1900-01-01T00:00:00-00:01:15')).toEqual(new Date('1900-01-01T00:01:15Z'))
  expect(momentString?.decode('infinity')).toEqual(new Date(8.64e15))
  expect(momentString?.encode(date)).toBe('2024-01-02T03:04:05.678Z')
  expect(moment?.decode('2024-01-02 03:04:05.678912')).toEqual(date)
  expect(day?.decode('2024-01-02')).toBe('2024-01-02')
  expect(day?.encode('2024-01-02')).toBe('2024-01-02')
  expect(json?.decode('"5"')).toBe('5')
})

test('columns of MySQL', () => {
  const point = customType<{ data: { x: number }; driverData: string }>({
    dataType: () => 'varchar(9)',
    toDriver: ({ x }) => `x${x}`,
    fromDriver: (text) => ({ x: Number(text.slice(1)) }),
  })
  const described = columns(
    'mysql',
    mysqlTable('t', {
      serial: my.serial(),
      tiny: my.tinyint(),
      small: my.smallint({ unsigned: true }),
      medium: my.mediumint(),
      int: my.int({ unsigned: true }),
      bigint: my.bigint({ mode: 'bigint', unsigned: true }),
      year: my.year(),
      decimal: my.decimal(),
      float: my.float(),
      date: my.date(),
      moment: my.datetime({ fsp: 6 }),
      momentString: my.timestamp({ mode: 'string' }),
      time: my.time(),
      json: my.json(),
      bytes: my.varbinary({ length: 4 }),
      size: my.mysqlEnum(['s', 'm']),
      point: point(),
    }),
  )
  expect(kinds(described)).toEqual({
    serial: 'integer 0,18446744073709551615',
    tiny: 'integer -128,127',
    small: 'integer 0,65535',
    medium: 'integer -8388608,8388607',
    int: 'integer 0,4294967295',
    bigint: 'bigint 0,18446744073709551615',
    year: 'integer 0,2155',
    decimal: 'decimal',
    float: 'number',
    date: 'date',
    moment: 'dateTime',
    momentString: 'dateTime',
    time: 'time',
    json: 'json',
    bytes: 'bytes',
    size: 'text',
    point: 'other',
  })
  const date = new Date('2024-01-02T03:04:05.678Z')
  expect(described['momentString']?.decode('1704164645.678912')).toEqual(date)
  expect(described['momentString']?.encode(date)).toBe('2024-01-02 03:04:05.678')
  expect(described['moment']?.encode(date)).toBe('2024-01-02 03:04:05.678')
  expect([0.1, 3.25, 16_777_216, 1e-10].map((n) => described['float']?.decode(Math.fround(n)))).toEqual([
    0.1, 3.25, 16_777_216, 1e-10,
  ])
  expect(described['point']?.decode(described['point'].encode({ x: 5 }))).toEqual({ x: 5 })
  expect([described['size']?.encode('m'), described['size']?.encode('?'), described['size']?.decode(2)]).toEqual([
    2,
    '?',
    'm',
  ])
})

test('columns of SQLite', () => {
  const described = columns(
    'sqlite',
    lite.sqliteTable('t', {
      id: lite.integer().primaryKey(),
      flag: lite.integer({ mode: 'boolean' }),
      seconds: lite.integer({ mode: 'timestamp' }),
      millis: lite.integer({ mode: 'timestamp_ms' }),
      real: lite.real(),
      decimal: lite.numeric(),
      text: lite.text(),
      json: lite.text({ mode: 'json' }),
      bytes: lite.blob({ mode: 'buffer' }),
      digits: lite.blob({ mode: 'bigint' }),
    }),
  )
  expect(kinds(described)).toEqual({
    id: `integer ${INT8}`,
    flag: 'boolean',
    seconds: 'dateTime',
    millis: 'dateTime',
    real: 'number',
    decimal: 'decimal',
    text: 'text',
    json: 'json',
    bytes: 'bytes',
    digits: 'other',
  })
  const date = new Date(1500)
  expect([described['seconds']?.encode(date), described['seconds']?.encodeForComparison?.(date)]).toEqual([1, 1.5])
  expect([described['millis']?.encode(date), described['millis']?.encodeForComparison]).toEqual([1500, undefined])
})

test('what a row may leave out, and what makes its key', () => {
  const table = pg.pgTable(
    't',
    {
      one: pg.integer('first'),
      two: pg.text(),
      needed: pg.text().notNull(),
      nullable: pg.text(),
      withDefault: pg.text().notNull().default('x'),
      made: pg
        .text()
        .notNull()
        .$defaultFn(() => 'x'),
      renewed: pg
        .text()
        .notNull()
        .$onUpdateFn(() => 'y'),
      identity: pg.integer().generatedAlwaysAsIdentity(),
      generated: pg.text().notNull().generatedAlwaysAs('x'),
    },
    (t) => [pg.primaryKey({ columns: [t.two, t.one] })],
  )
  const { key, columns: described } = describeTable('postgres', table, ({ name }) => name)
  expect(key).toEqual(['one', 'two'])
  expect(described.get('one')).toMatchObject({ name: 'first', sqlName: '"first"', nullable: false, optional: false })
  const optional = [...described].filter(([, column]) => column.optional).map(([name]) => name)
  expect(optional).toEqual(['nullable', 'withDefault', 'made', 'renewed', 'identity', 'generated'])
  expect([...described].filter(([, column]) => column.readOnly).map(([name]) => name)).toEqual(['generated'])
  expect(described.get('made')?.defaultFn?.()).toBe('x')
  expect([described.get('renewed')?.defaultFn?.(), described.get('renewed')?.onUpdateFn?.()]).toEqual(['y', 'y'])
})

const size = pg.pgEnum('size', ['s', 'm'])
const asText = 'x::text'
const asChar = 'cast(x as char)'

// The kind of each type and mode, the expression that selects it, and whether lists can go by it.
test.each([
  ['postgres', pg.bigserial({ mode: 'number' }), 'integer', asText],
  ['postgres', pg.bigserial({ mode: 'bigint' }), 'bigint', asText],
  ['postgres', pg.smallserial(), 'integer', undefined],
  ['postgres', pg.numeric({ precision: 10, scale: 2 }), 'decimal', asText],
  ['postgres', pg.numeric({ precision: 10, mode: 'number' }), 'number', asText],
  ['postgres', pg.numeric({ mode: 'bigint' }), 'bigint', asText],
  ['postgres', pg.timestamp({ precision: 3, withTimezone: true }), 'dateTime', "to_json(x) #>> '{}'"],
  ['postgres', pg.time({ precision: 3, withTimezone: true }), 'time', asText],
  ['postgres', pg.interval({ fields: 'day', precision: 6 }), 'text', asText],
  ['postgres', pg.inet(), 'text', asText],
  ['postgres', pg.macaddr8(), 'text', asText],
  ['postgres', pg.char({ length: 5 }), 'text', undefined],
  ['postgres', pg.text({ enum: ['a'] }), 'text', undefined],
  ['postgres', size(), 'text', undefined],
  ['postgres', pg.bit({ dimensions: 3 }), 'text', asText],
  ['postgres', pg.customType<{ data: number }>({ dataType: () => 'integer' })(), 'other', undefined],
  ['mysql', my.tinyint({ unsigned: true }), 'integer', undefined],
  ['mysql', my.boolean(), 'boolean', undefined],
  ['mysql', my.bigint({ mode: 'number' }), 'integer', asChar],
  ['mysql', my.decimal({ mode: 'number' }), 'number', asChar],
  ['mysql', my.decimal({ mode: 'bigint' }), 'bigint', asChar],
  ['mysql', my.real(), 'number', undefined],
  ['mysql', my.datetime({ mode: 'string', fsp: 6 }), 'dateTime', asChar],
  ['mysql', my.binary({ length: 4 }), 'bytes', 'lower(hex(x))'],
  ['mysql', my.tinytext(), 'text', undefined],
  ['mysql', my.mysqlEnum(["it's", 'm']), 'text', '(x + 0)'],
  ['sqlite', lite.text({ length: 5 }), 'text', '+x'],
  ['sqlite', lite.numeric({ mode: 'number' }), 'number', expect.stringContaining('typeof(x)')],
  ['sqlite', lite.numeric({ mode: 'bigint' }), 'bigint', expect.stringContaining('typeof(x)')],
] as const)('%s, column %#: by its SQL type and its mode', (dialect, builder, kind, selected) => {
  const tables = { postgres: pg.pgTable, mysql: mysqlTable, sqlite: lite.sqliteTable }
  const table = (tables[dialect] as (name: string, columns: object) => unknown)('t', { one: builder })
  const { one } = columns(dialect, table as never)
  expect([one?.kind, one?.toSelectSql?.('x'), one?.unorderedReason]).toEqual([kind, selected, undefined])
})

test.each([
  ['postgres', pg.json()],
  ['postgres', pg.integer().array()],
  ['postgres', pg.point()],
  ['postgres', pg.vector({ dimensions: 3 })],
  ['postgres', pg.geometry({ type: 'point' })],
  ['mysql', my.json()],
  ['mysql', my.mediumtext()],
  ['mysql', my.longtext()],
  ['sqlite', lite.blob({ mode: 'bigint' })],
  ['sqlite', lite.blob({ mode: 'json' })],
] as const)('%s, column %#: no list goes by it', (dialect, builder) => {
  const tables = { postgres: pg.pgTable, mysql: mysqlTable, sqlite: lite.sqliteTable }
  const table = (tables[dialect] as (name: string, columns: object) => unknown)('t', { one: builder })
  expect(columns(dialect, table as never)['one']?.unorderedReason).toMatch(/order|beginnings/)
})
