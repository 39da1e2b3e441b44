// Columns whose filters mean what they mean in memory, with values that they hold.
import * as my from 'drizzle-orm/mysql-core'
import * as pg from 'drizzle-orm/pg-core'
import * as lite from 'drizzle-orm/sqlite-core'
import type { DialectName } from '../../../src/plugins/datastores/sql/sql.ts'
import type { AttributeName } from './tables.ts'

/** A column, the attribute that it is filtered as, and the texts of values in it. */
export interface FilteredColumn {
  readonly type: string
  readonly attribute: AttributeName
  readonly values: readonly string[]
  /** The column as Drizzle declares it; without one only Kysely is asked. */
  readonly drizzle?: () => unknown
  /** Set where the column has an order of its own, so that only equality is compared with memory's. */
  readonly unordered?: true
}

const column = (
  type: string,
  attribute: AttributeName,
  values: readonly string[],
  drizzle?: () => unknown,
): FilteredColumn => ({ type, attribute, values, ...(drizzle && { drizzle }) })

const WHOLE = (bits: number): string[] => {
  const half = 2n ** BigInt(bits - 1)
  return [String(-half), '-1', '0', '1', String(half - 1n)]
}
const UNSIGNED = (bits: number): string[] => ['0', '1', String(2n ** BigInt(bits) - 1n)]
const SINGLE = ['0', '0.1', '-3e38', '3e38', '16777216', '1e-30']
const DOUBLE = ['0', '0.1', '0.30000000000000004', '-1e308', '1e308', '5e-310', '16777217']
const CENTS = ['0', '1.25', '-9999.99', '9999.99', '0.01', '-0.01']
const ASCII = ['', 'a', 'A', 'b', 'z', '?', 'ab', '%', "it's"]
const LATIN = [...ASCII, 'é', 'ÿ', 'ß']
const WIDE = [...LATIN, 'Ł', '€', '日本', '\ufffd']
const ALL = [...WIDE, '😀', '\u{10ffff}']
const DAYS = ['0001-01-01', '1582-10-15', '1970-01-01', '2024-02-29', '9999-12-31']
const MOMENTS = [
  '1970-01-01T00:00:01.000Z',
  '2024-10-27T00:30:00.000Z',
  '2024-10-27T01:30:00.000Z',
  '2038-01-19T03:14:07.000Z',
]
const FAR = [...MOMENTS, '1000-01-01T00:00:00.000Z', '9999-12-31T23:59:59.000Z']
const UUIDS = ['00000000-0000-0000-0000-000000000000', '123e4567-e89b-12d3-a456-426614174000']
const TIMES = ['00:00:00', '12:34:56', '23:59:59']

const postgres: readonly FilteredColumn[] = [
  column('bool', 'boolean', ['true', 'false'], () => pg.boolean()),
  column('int2', 'integer', WHOLE(16), () => pg.smallint()),
  column('int4', 'integer', WHOLE(32), () => pg.integer()),
  column('int8', 'bigint', WHOLE(64), () => pg.bigint({ mode: 'bigint' })),
  column('int8', 'integer', ['0', '-9007199254740991'], () => pg.bigint({ mode: 'number' })),
  column('oid', 'bigint', UNSIGNED(32)),
  column('float4', 'number', SINGLE, () => pg.real()),
  column('float8', 'number', DOUBLE, () => pg.doublePrecision()),
  column('numeric', 'decimal', [...CENTS, `${'9'.repeat(80)}.5`, `0.${'0'.repeat(80)}1`], () => pg.numeric()),
  column('numeric(6,2)', 'decimal', CENTS, () => pg.numeric({ precision: 6, scale: 2 })),
  column('numeric(6,2)', 'number', CENTS, () => pg.numeric({ precision: 6, scale: 2 })),
  column('numeric(30,0)', 'bigint', ['0', '-1', '9'.repeat(30)], () =>
    pg.numeric({ precision: 30, scale: 0, mode: 'bigint' }),
  ),
  column('money', 'decimal', CENTS),
  column('text', 'string', ALL, () => pg.text()),
  column('varchar(9)', 'string', ALL, () => pg.varchar({ length: 9 })),
  { ...column('uuid', 'string', UUIDS, () => pg.uuid()), unordered: true },
  column('date', 'date', DAYS, () => pg.date()),
  column('timestamp', 'dateTime', FAR, () => pg.timestamp()),
  column('timestamptz', 'dateTime', FAR, () => pg.timestamp({ withTimezone: true })),
  column('timestamptz(0)', 'dateTime', FAR, () => pg.timestamp({ withTimezone: true, precision: 0 })),
  column('time', 'time', TIMES, () => pg.time()),
]

const charset = (name: string, values: readonly string[], length = 20): FilteredColumn =>
  column(`varchar(${length}) character set ${name} collate ${name}_nopad_bin`, 'string', values, () =>
    my.varchar({ length }),
  )

const mysql: readonly FilteredColumn[] = [
  column('boolean', 'boolean', ['true', 'false'], () => my.boolean()),
  column('tinyint', 'integer', WHOLE(8), () => my.tinyint()),
  column('smallint unsigned', 'integer', UNSIGNED(16), () => my.smallint({ unsigned: true })),
  column('mediumint', 'integer', WHOLE(24), () => my.mediumint()),
  column('int', 'integer', WHOLE(32), () => my.int()),
  column('bigint', 'bigint', WHOLE(64), () => my.bigint({ mode: 'bigint' })),
  column('bigint unsigned', 'bigint', UNSIGNED(64), () => my.bigint({ mode: 'bigint', unsigned: true })),
  column('year', 'integer', ['1901', '1970', '2155'], () => my.year()),
  column('bit(8)', 'integer', UNSIGNED(8)),
  column('bit(64)', 'bigint', UNSIGNED(64)),
  column('float', 'number', SINGLE, () => my.float()),
  column('double', 'number', DOUBLE, () => my.double()),
  column('decimal(6,2)', 'decimal', CENTS, () => my.decimal({ precision: 6, scale: 2 })),
  column('decimal(6,2)', 'number', CENTS, () => my.decimal({ precision: 6, scale: 2 })),
  column('decimal(65,30)', 'decimal', [...CENTS, `${'9'.repeat(35)}.${'9'.repeat(30)}`, `0.${'0'.repeat(29)}1`], () =>
    my.decimal({ precision: 65, scale: 30 }),
  ),
  column('decimal(20)', 'bigint', ['0', '-1', '9'.repeat(20)], () => my.decimal({ precision: 20, mode: 'bigint' })),
  ...['utf8mb4', 'utf16', 'utf32'].map((name) => charset(name, ALL)),
  ...['utf8mb3', 'ucs2'].map((name) => charset(name, WIDE)),
  // Its order is that of Windows-1252, in which the euro sign comes before é.
  { ...charset('latin1', LATIN), unordered: true },
  charset('ascii', ASCII),
  { ...charset('latin2', [...ASCII, 'é', 'Ł', 'ß']), unordered: true },
  { ...charset('cp1251', [...ASCII, 'я', '€']), unordered: true },
  { ...charset('sjis', [...ASCII, '日本']), unordered: true },
  { ...charset('gbk', [...ASCII, '日本']), unordered: true },
  { ...column("enum('b','a')", 'string', ['b', 'a'], () => my.mysqlEnum(['b', 'a'])), unordered: true },
  column('text collate utf8mb4_nopad_bin', 'string', ALL, () => my.text()),
  column('text character set utf8mb3 collate utf8mb3_nopad_bin', 'string', WIDE, () => my.text()),
  column('longtext collate utf8mb4_nopad_bin', 'string', ALL, () => my.longtext()),
  column('date', 'date', DAYS, () => my.date({ mode: 'string' })),
  column('datetime', 'dateTime', FAR, () => my.datetime({ mode: 'string' })),
  column('datetime(6)', 'dateTime', FAR, () => my.datetime({ fsp: 6 })),
  column('timestamp null', 'dateTime', MOMENTS, () => my.timestamp()),
  column('timestamp(6) null', 'dateTime', MOMENTS, () => my.timestamp({ fsp: 6 })),
  column('time', 'time', TIMES, () => my.time()),
  column('time(6)', 'time', TIMES, () => my.time({ fsp: 6 })),
]

const sqlite: readonly FilteredColumn[] = [
  column('boolean', 'boolean', ['true', 'false'], () => lite.integer({ mode: 'boolean' })),
  column('integer', 'integer', ['-9007199254740991', '-1', '0', '1', '9007199254740991'], () => lite.integer()),
  column('bigint', 'bigint', WHOLE(64), () => lite.numeric({ mode: 'bigint' })),
  column('real', 'number', DOUBLE, () => lite.real()),
  column('numeric', 'decimal', CENTS, () => lite.numeric()),
  column('numeric', 'number', CENTS, () => lite.numeric({ mode: 'number' })),
  column('text', 'string', ALL, () => lite.text()),
  column('varchar(9)', 'string', ALL, () => lite.text()),
  column('text', 'dateTime', FAR, () => lite.text()),
  column('datetime', 'dateTime', FAR),
  column('text', 'date', DAYS, () => lite.text()),
  column('text', 'time', TIMES, () => lite.text()),
]

/** The columns of each engine. */
export const FILTERED: Readonly<Record<DialectName, readonly FilteredColumn[]>> = { postgres, mysql, sqlite }
