// The column types of each engine, with values at their ends and near each other; a type without values must be refused.
import * as mysql from 'drizzle-orm/mysql-core'
import * as pg from 'drizzle-orm/pg-core'
import * as lite from 'drizzle-orm/sqlite-core'
import type { DialectName } from '../../../src/plugins/datastores/sql/sql.ts'

/** A type of column. */
export interface ColumnType {
  readonly type: string
  /** Literals of SQL that the column takes; none for a type without an order. */
  readonly values: readonly string[]
  /** The column as Drizzle declares it; without one it is a custom type of the same name. */
  readonly drizzle?: () => unknown
  /** The statement that must run before there is such a type. */
  readonly before?: string
}

const quoted = (...texts: readonly string[]): string[] => texts.map((text) => `'${text.replaceAll("'", "''")}'`)
const long = (length: number, end: string): string => `'${'ab '.repeat(length / 3)}${end}'`

const typed =
  (values: readonly string[]) =>
  (type: string, drizzle?: () => unknown, before?: string): ColumnType => ({
    type,
    values,
    ...(drizzle && { drizzle }),
    ...(before !== undefined && { before }),
  })

const one = (type: string, values: readonly string[], drizzle?: () => unknown, before?: string): ColumnType =>
  typed(values)(type, drizzle, before)

const TEXTS = quoted('', ' ', 'a', 'A', 'a ', 'b', 'Infinity', '12', '\u0001i5', '😀', '中', `it''s`, 'NaN')
const LONG = [...TEXTS, long(3000, '1'), long(3000, '2'), long(9000, '1'), long(9000, '3'), long(9000, '2')]
const FLOATS = ['0', '1', '-1', '0.1', '0.30000000000000004', '1e-7', '123456789.125', '16777217', '3.4e38', '1e-37']
const DOUBLES = [...FLOATS, '1.7976931348623157e308', '2.2250738585072014e-308', '0.1000000000000000055', '1e22']
const DAYS = ['0001-01-01', '1582-10-10', '1970-01-01', '2024-02-29', '9999-12-31']
const CLOCK = ['00:00:00', '00:00:00.000001', '12:34:56.789012', '23:59:59.999999']

const FAR = ['4713-01-01 BC', '0001-12-31 BC', '10000-01-01', '294276-12-31']
const BOUNDLESS = ['infinity', '-infinity']

/** The types of PostgreSQL that have values here; every other type of its catalogue must be refused. */
const postgres: readonly ColumnType[] = [
  one('bool', ['true', 'false'], () => pg.boolean()),
  one('int2', ['-32768', '0', '32767'], () => pg.smallint()),
  one('int4', ['-2147483648', '0', '1', '2147483647'], () => pg.integer()),
  one('int8', ['-9223372036854775808', '0', '9007199254740993', '9007199254740992', '9223372036854775807'], () =>
    pg.bigint({ mode: 'bigint' }),
  ),
  one('float4', quoted(...FLOATS, 'NaN', 'Infinity', '-Infinity', '-0', '0.1000001', '0.10000002'), () => pg.real()),
  one('float8', quoted(...DOUBLES, 'NaN', 'Infinity', '-Infinity', '-0', '5e-324'), () => pg.doublePrecision()),
  one(
    'numeric',
    quoted(
      '0',
      '-1',
      '1.0',
      '1.00',
      '1e100',
      '1e-100',
      'NaN',
      'Infinity',
      '-Infinity',
      `0.${'1'.repeat(4000)}1`,
      `0.${'1'.repeat(4000)}2`,
      '9'.repeat(5000),
    ),
    () => pg.numeric(),
  ),
  one('money', quoted('-92233720368547758.08', '0', '0.01', '92233720368547758.07')),
  one('text', LONG, () => pg.text()),
  one('varchar', TEXTS, () => pg.varchar()),
  one('bpchar', TEXTS, () => pg.char({ length: 40 })),
  one('name', TEXTS),
  one('"char"', quoted('', 'a', 'b', '\\200', '\\377')),
  one('date', quoted(...DAYS, ...FAR.slice(0, 3), '5874897-12-31', ...BOUNDLESS), () => pg.date()),
  one('time', quoted(...CLOCK, '24:00:00'), () => pg.time()),
  one(
    'timetz',
    quoted(
      ...CLOCK.map((time) => `${time}+00`),
      '24:00:00-15:59:59',
      '00:00:00+15:59',
      '12:00:00+05:30',
      '06:30:00+00',
    ),
    () => pg.time({ withTimezone: true }),
  ),
  one(
    'timestamp',
    quoted(...[...DAYS, ...FAR].map((day) => day.replace(/^(\S+)/, '$1 12:34:56.789012')), ...BOUNDLESS),
    () => pg.timestamp(),
  ),
  one(
    'timestamptz',
    quoted(
      ...[...DAYS, ...FAR].map((day) => day.replace(/^(\S+)/, '$1 12:34:56.789012+00')),
      '2024-11-03 05:30:00+00',
      '2024-11-03 06:30:00+00',
      ...BOUNDLESS,
    ),
    () => pg.timestamp({ withTimezone: true }),
  ),
  one(
    'interval',
    quoted(
      '0',
      '1 month',
      '30 days',
      '1 mon -1 day',
      '-1 year 2 days -3:04:05.000006',
      '178000000 years',
      '-178000000 years',
      '1 us',
      '-1 us',
      ...BOUNDLESS,
    ),
    () => pg.interval(),
  ),
  one(
    'uuid',
    quoted(
      '00000000-0000-0000-0000-000000000000',
      'ffffffff-ffff-ffff-ffff-ffffffffffff',
      '80000000-0000-0000-0000-000000000000',
    ),
    () => pg.uuid(),
  ),
  one('inet', quoted('0.0.0.0', '10.0.0.1', '10.0.0.1/8', '255.255.255.255', '::', '::1/64', 'ffff::'), () =>
    pg.inet(),
  ),
  one('cidr', quoted('0.0.0.0/0', '10.0.0.0/8', '10.0.0.0/16', '::/0', 'ffff::/16'), () => pg.cidr()),
  one('macaddr', quoted('00:00:00:00:00:00', '08:00:2b:01:02:03', 'ff:ff:ff:ff:ff:ff'), () => pg.macaddr()),
  one('macaddr8', quoted('00:00:00:00:00:00:00:00', '08:00:2b:01:02:03:04:05', 'ff:ff:ff:ff:ff:ff:ff:ff'), () =>
    pg.macaddr8(),
  ),
  one('bit', ["B'0'", "B'1'"]),
  one('varbit', ["B''", "B'0'", "B'00'", "B'1'", "B'10'", "B'0111111111111111111111111111'"]),
  one('bytea', ["''", "'\\x00'", "'\\xff'", "'\\x00ff'"]),
  one('oid', ['0', '2147483648', '4294967295']),
  one('xid8', quoted('0', '18446744073709551615')),
  one('pg_lsn', quoted('0/0', 'FFFFFFFF/FFFFFFFF', '16/B374D848')),
  one('tid', quoted('(0,0)', '(4294967295,65535)', '(0,1)')),
  one('oidvector', quoted('', '1', '1 2', '4294967295')),
  one('tsvector', quoted('', 'a', 'a:1 b:2', `'it''s':3`)),
  one('tsquery', quoted('a', 'a & b', '!a | b')),
  one('int4range', quoted('empty', '[1,5)', '(,)', '[1,)', '(,5)', '[-2147483648,2147483647)')),
  one('int8range', quoted('empty', '[1,5)', '(,)', '[9007199254740993,9007199254740995)')),
  one('numrange', quoted('empty', '[1.5,1.5]', '(1,2)', '[1,2)', '(,)')),
  one('int4multirange', quoted('{}', '{[1,5)}', '{[1,2),[5,7)}', '{(,)}')),
  one('int8multirange', quoted('{}', '{[1,5)}', '{[1,2),[5,7)}')),
  one('nummultirange', quoted('{}', '{[1,5)}', '{[1.5,2),[5,7)}')),
  one(
    'mood',
    quoted('sad', 'ok', 'happy'),
    () => pg.pgEnum('mood', ['sad', 'ok', 'happy'])(),
    "create type mood as enum ('sad', 'ok', 'happy')",
  ),
  one('positive', ['1', '2', '2147483647'], undefined, 'create domain positive as integer check (value > 0)'),
]

const ZERO = ['0000-00-00', '2024-00-15', '2024-02-00']

/** The types of MySQL and MariaDB. */
const mariadb: readonly ColumnType[] = [
  one('boolean', ['0', '1'], () => mysql.boolean()),
  one('tinyint', ['-128', '0', '127'], () => mysql.tinyint()),
  one('smallint unsigned', ['0', '65535'], () => mysql.smallint({ unsigned: true })),
  one('mediumint', ['-8388608', '0', '8388607'], () => mysql.mediumint()),
  one('int', ['-2147483648', '0', '2147483647'], () => mysql.int()),
  one('bigint', ['-9223372036854775808', '9007199254740993', '9007199254740992', '9223372036854775807'], () =>
    mysql.bigint({ mode: 'bigint' }),
  ),
  one('bigint unsigned', ['0', '9007199254740993', '18446744073709551614', '18446744073709551615'], () =>
    mysql.bigint({ mode: 'bigint', unsigned: true }),
  ),
  one(
    'decimal(65,30)',
    [
      '0',
      '-1',
      '0.000000000000000000000000000001',
      `${'9'.repeat(35)}.${'9'.repeat(30)}`,
      `${'9'.repeat(35)}.${'9'.repeat(29)}8`,
    ],
    () => mysql.decimal({ precision: 65, scale: 30 }),
  ),
  one('float', FLOATS, () => mysql.float()),
  one('double', DOUBLES, () => mysql.double()),
  one('bit(1)', ["b'0'", "b'1'"]),
  one('bit(8)', ["b'0'", "b'1'", "b'11111111'"]),
  one('bit(64)', ["b'0'", "b'1'", `b'${'1'.repeat(64)}'`, `b'${'1'.repeat(63)}0'`]),
  one('year', ['0', '1901', '1970', '2155'], () => mysql.year()),
  one('date', quoted(...DAYS, ...ZERO), () => mysql.date({ mode: 'string' })),
  one('datetime(6)', quoted(...[...DAYS, ...ZERO].flatMap((day) => [day, `${day} 12:34:56.789012`])), () =>
    mysql.datetime({ fsp: 6, mode: 'string' }),
  ),
  one(
    'timestamp(6) null',
    [
      'from_unixtime(1)',
      'from_unixtime(2147483646.999999)',
      'from_unixtime(1729989000)',
      'from_unixtime(1729989000.000001)',
      'from_unixtime(1704063600)',
      "'0000-00-00'",
    ],
    () => mysql.timestamp({ fsp: 6, mode: 'string' }),
  ),
  one('time(6)', quoted('-838:59:59.999999', '838:59:59.999999', '-00:00:00.000001', ...CLOCK), () =>
    mysql.time({ fsp: 6 }),
  ),
  one('char(20)', TEXTS, () => mysql.char({ length: 20 })),
  one('varchar(10000)', LONG, () => mysql.varchar({ length: 10_000 })),
  one('tinytext', TEXTS, () => mysql.tinytext()),
  one('text', LONG, () => mysql.text()),
  one('mediumtext', LONG, () => mysql.mediumtext()),
  one('longtext', LONG, () => mysql.longtext()),
  one(
    'text collate utf8mb4_unicode_ci',
    [...LONG, `'${'ﷺ'.repeat(500)}'`, `'${'ﷺ'.repeat(500)}b'`, `'${'ﷺ'.repeat(500)}a'`],
    () => mysql.text(),
  ),
  one("enum('z','a','m')", quoted('z', 'a', 'm', ''), () => mysql.mysqlEnum(['z', 'a', 'm'])),
  one("set('z','a','m')", quoted('', 'z', 'a', 'm', 'z,a', 'z,a,m', 'a,m')),
  one(
    `set(${Array.from({ length: 64 }, (_, i) => `'v${i}'`).join()})`,
    quoted('', 'v0', 'v63', 'v0,v63', 'v62', 'v53', 'v0,v53'),
  ),
  one('inet4', quoted('0.0.0.0', '10.0.0.9', '10.0.0.10', '255.255.255.255')),
  one('inet6', quoted('::', '::1', '::ffff:1.2.3.4', 'ff::1', 'ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff')),
  one(
    'uuid',
    quoted(
      '00000000-0000-0000-0000-000000000000',
      'ffffffff-ffff-ffff-ffff-ffffffffffff',
      '123e4567-e89b-12d3-a456-426614174000',
      '02345678-e89b-12d3-a456-526614174000',
    ),
  ),
  one('binary(3)', ["x''", "x'00'", "x'ff'"], () => mysql.binary({ length: 3 })),
  one('varbinary(20)', ["x''", "x'00'", "x'ff'"], () => mysql.varbinary({ length: 20 })),
  one('blob', ["x''", "x'00'", "x'ff'"]),
  one('json', quoted('1', '"a"', '{}'), () => mysql.json()),
  one('geometry', ['point(1, 2)', 'point(2, 1)']),
  one('point', ['point(1, 2)', 'point(2, 1)']),
]

// Every column of SQLite takes every value, unless its table is strict.
const ANY = [
  '0',
  '1',
  '-1',
  '9007199254740993',
  '9007199254740992',
  '-9007199254740993',
  '9223372036854775807',
  '-9223372036854775808',
  '0.5',
  '1e300',
  '9e999',
  '-9e999',
  ...TEXTS,
  "'2024-01-01'",
  "'12:00'",
  "x''",
  "x'00'",
  "x'ff'",
  "x'616200'",
]
const any = typed(ANY)

const sqlite: readonly ColumnType[] = [
  any('integer', () => lite.integer()),
  any('int'),
  any('bigint'),
  any('boolean', () => lite.integer({ mode: 'boolean' })),
  any('timestamp', () => lite.integer({ mode: 'timestamp' })),
  any('datetime', () => lite.integer({ mode: 'timestamp_ms' })),
  any('date', () => lite.text()),
  any('time', () => lite.text()),
  any('numeric', () => lite.numeric()),
  any('numeric(20)', () => lite.numeric({ mode: 'bigint' })),
  any('decimal(10,2)', () => lite.numeric({ mode: 'number' })),
  any('real', () => lite.real()),
  any('double'),
  any('text', () => lite.text()),
  any('varchar(9)'),
  any('clob'),
  any('uuid'),
  any('json'),
  any('blob', () => lite.blob()),
  any('blob2', () => lite.blob({ mode: 'bigint' })),
  any(''),
  any('any'),
]

const strict = (type: string, values: readonly string[]): ColumnType => ({ type: `${type}!`, values })

const sqliteStrict: readonly ColumnType[] = [
  strict(
    'integer',
    ANY.filter((value) => /^-?\d{1,15}$|^-?9\d{15,}$/.test(value)),
  ),
  strict('int', ['0', '9223372036854775807']),
  strict('real', ['0', '0.5', '1e300', '9e999', '-9e999']),
  strict('text', LONG),
  strict('blob', ["x''", "x'00'"]),
  strict('any', ANY),
]

/** The types of each engine. */
export const TYPES: Readonly<Record<DialectName, readonly ColumnType[]>> = {
  postgres,
  mysql: mariadb,
  sqlite: [...sqlite, ...sqliteStrict],
}
