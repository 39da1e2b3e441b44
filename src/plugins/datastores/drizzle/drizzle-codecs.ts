// The codecs of Drizzle's columns: those of the catalogue, by the SQL type, with values in the mode of the column.
import type { Column as DrizzleColumn } from 'drizzle-orm'
import { decimals } from '../../../extend.ts'
import { asIs } from '../../query/as-is.ts'
import type { ColumnKind } from '../../query/query.ts'
import type { CatalogueColumn } from '../catalogue/catalogue.ts'
import { type ColumnCodec, jsonCodec } from '../catalogue/column-codec.ts'
import { findMysqlCodec } from '../catalogue/mysql-types.ts'
import { findPostgresCodec } from '../catalogue/postgres-types.ts'
import type { DialectName } from '../sql/sql.ts'
import { createCursorValueCheck, DOUBLE_DIGITS, parseTextLength, toByteArray } from '../sql/values/cursor-values.ts'
import {
  chooseCursorCodec,
  decodeMarked,
  numberCursorCodec,
  textCursorCodec,
  toBigint,
  toInteger,
  untypedCursorCodec,
  useForCursorOnly,
} from '../sql/values/sqlite-cursor-codecs.ts'

/** The binding and reading of a column, where it differs from the methods of Drizzle's column. */
export type DrizzleCodec = Pick<ColumnCodec, 'kind'> & Partial<ColumnCodec>

/** Returns the codec of a column. */
export function findDrizzleCodec(column: DrizzleColumn, dialect: DialectName): DrizzleCodec {
  const codec = dialect === 'sqlite' ? findSqliteCodec(column) : findServerCodec(column, dialect)
  return codec ?? createCustomTypeCodec(column, dialect)
}

// --- PostgreSQL and MySQL ------------------------------------------------------------------

/** The names that the catalogue has for types that Drizzle writes differently. */
const CATALOGUE_TYPES: Readonly<Record<Exclude<DialectName, 'sqlite'>, Readonly<Record<string, string>>>> = {
  postgres: {
    smallint: 'int2',
    smallserial: 'int2',
    integer: 'int4',
    serial: 'int4',
    bigint: 'int8',
    bigserial: 'int8',
    real: 'float4',
    'double precision': 'float8',
    boolean: 'bool',
    char: 'bpchar',
    'timestamp with time zone': 'timestamptz',
    'time with time zone': 'timetz',
  },
  mysql: { serial: 'bigint', boolean: 'tinyint', real: 'double', numeric: 'decimal' },
}

/** The modes of Drizzle's own types, by the type of their values; those of users and lists have others. */
const MODES: ReadonlySet<string> = new Set(['string', 'number', 'bigint', 'boolean', 'date', 'json', 'buffer'])

/** Returns the codec of a column by its SQL type; undefined for types that the catalogue does not know. */
function findServerCodec(column: DrizzleColumn, dialect: 'postgres' | 'mysql'): DrizzleCodec | undefined {
  if (!MODES.has(column.dataType)) return undefined
  const described = describeType(column, dialect)
  const codec = dialect === 'postgres' ? findPostgresCodec(described) : findMysqlCodec(described)
  if (codec.kind === 'other') return undefined
  return NATIVE_TYPES[dialect].test(described.type) || (described.labels !== undefined && dialect === 'postgres')
    ? readNatively(codec, column)
    : withMode(codec, column)
}

/** Returns the labels of an enumeration; other texts may have `enumValues` for the compiler only. */
export const getEnumLabels = ({ columnType, enumValues }: DrizzleColumn): readonly string[] | undefined =>
  /^(?:Pg|MySql)Enum/.test(columnType) ? enumValues : undefined

type TypeDescription = Pick<CatalogueColumn, 'type' | 'declaredType'> & { readonly labels?: readonly string[] }

function describeType(column: DrizzleColumn, dialect: 'postgres' | 'mysql'): TypeDescription {
  const declared = column.getSQLType().toLowerCase()
  const written = dialect === 'mysql' ? (/^\w+/.exec(declared)?.[0] ?? '') : declared.replace(/ ?\([^)]*\)/, '')
  const name = written.startsWith('interval') ? 'interval' : written
  const type = Object.hasOwn(CATALOGUE_TYPES[dialect], name) ? (CATALOGUE_TYPES[dialect][name] as string) : name
  const labels = getEnumLabels(column)
  // A serial of MySQL is unsigned.
  return { type, declaredType: name === 'serial' ? 'bigint unsigned' : declared, ...(labels && { labels }) }
}

/** The types that clients return as their values: selecting them as texts would only cost time. */
const NATIVE_TYPES = {
  postgres: /^(?:int2|int4|bool|text|varchar|bpchar|uuid)$/,
  mysql: /^(?:(?:tiny|small|medium)?int|year|double|(?:var)?char|(?:tiny|medium|long)?text)$/,
}

// The methods of Drizzle's column bind and read these values.
function readNatively(
  { kind, range, maxTextLength, unorderedReason }: ColumnCodec,
  { dataType }: DrizzleColumn,
): DrizzleCodec {
  const isBoolean = dataType === 'boolean'
  return {
    kind: isBoolean ? 'boolean' : kind,
    ...(range && !isBoolean && { range }),
    ...(maxTextLength && { maxTextLength }),
    ...(unorderedReason && { unorderedReason }),
  }
}

/** Returns the codec of a type whose values are numbers or bigints, if that is the mode of the column. */
function withMode(codec: ColumnCodec, { dataType }: DrizzleColumn): DrizzleCodec {
  if (dataType === 'number' && codec.kind === 'bigint') return { ...codec, kind: 'integer', decode: Number }
  if (dataType === 'number' && codec.kind === 'decimal') return { ...codec, kind: 'number', decode: Number }
  if (dataType === 'bigint' && codec.kind === 'decimal') return { ...codec, kind: 'bigint', decode: toBigint }
  return codec
}

// --- SQLite --------------------------------------------------------------------------------

const numberCodec = useForCursorOnly(numberCursorCodec)
const INTEGER_RANGE = [-(1n << 63n), (1n << 63n) - 1n] as const
const sqliteJsonCodec: DrizzleCodec = { kind: 'json', unorderedReason: jsonCodec.unorderedReason as string }

// A column keeps values of any type: the mode decides in which form they are, and not the type.
const SQLITE_CODECS: Readonly<Record<string, DrizzleCodec>> = {
  'integer number': { kind: 'integer', range: INTEGER_RANGE, ...numberCodec, decode: toInteger },
  'integer boolean': { kind: 'boolean', ...numberCodec },
  'integer date': { kind: 'dateTime', ...numberCodec },
  'real number': { kind: 'number', ...numberCodec },
  'numeric string': {
    kind: 'decimal',
    ...numberCursorCodec,
    decode: (raw) => decimals.expandExponent(String(raw)),
    digits: DOUBLE_DIGITS,
  },
  'numeric number': { kind: 'number', ...numberCursorCodec },
  'numeric bigint': { kind: 'bigint', ...numberCursorCodec, decode: toBigint },
  'text string': { kind: 'text', ...textCursorCodec },
  'text json': sqliteJsonCodec,
  'blob json': sqliteJsonCodec,
  'blob buffer': {
    kind: 'bytes',
    ...useForCursorOnly(untypedCursorCodec),
    // Drizzle decodes these columns as texts, which not all bytes are.
    encode: asIs,
    decode: (raw) => toByteArray(raw) ?? decodeMarked(raw),
  },
  // Stores the digits as bytes, which are not in numeric order.
  'blob bigint': { kind: 'other', unorderedReason: 'digits that are kept as bytes have no order of numbers' },
}

function findSqliteCodec(column: DrizzleColumn): DrizzleCodec | undefined {
  const type = `${column.getSQLType().replace(/\(.*/, '')} ${column.dataType}`
  const codec = Object.hasOwn(SQLITE_CODECS, type) ? SQLITE_CODECS[type] : undefined
  if (codec === undefined || codec.kind !== 'dateTime' || !('mode' in column) || column.mode !== 'timestamp')
    return codec
  // A filter can compare with fractions of a second, although none can be stored.
  return { ...codec, encodeForComparison: (value) => (value as Date).getTime() / 1000 }
}

// --- types of others -------------------------------------------------------------------------

const KIND_BY_DATA_TYPE: Readonly<Record<string, ColumnKind>> = {
  string: 'text',
  number: 'number',
  bigint: 'bigint',
  boolean: 'boolean',
  date: 'dateTime',
  json: 'json',
  buffer: 'bytes',
}

// Types of users and of extensions, whose values only Drizzle's column can read.
function createCustomTypeCodec(column: DrizzleColumn, dialect: DialectName): DrizzleCodec {
  const kind = KIND_BY_DATA_TYPE[column.dataType] ?? 'other'
  const type = column.getSQLType()
  if (dialect === 'sqlite')
    return {
      kind,
      ...useForCursorOnly(chooseCursorCodec(type)),
      decode: (raw) => column.mapFromDriverValue(decodeMarked(raw)),
    }
  if (!ORDERED_TYPES[dialect].test(type))
    return { kind, unorderedReason: `no order of the type '${type}' is known here` }
  const sorting = dialect === 'mysql' && /^(?:var)?char|text/.test(type) ? { maxTextLength: parseTextLength(type) } : {}
  return {
    kind,
    isCursorValue: createCursorValueCheck(dialect, /int/i.test(type) && !/^inet/i.test(type) ? 'integer' : 'text'),
    ...sorting,
  }
}

/** The types that every client returns as the text or the number of the database. */
const ORDERED_TYPES = {
  postgres:
    /^(?:text|varchar|char|character varying|character|citext|uuid|inet|cidr|macaddr8?|smallint|integer)\b(?!.*\[)/i,
  mysql: /^(?:varchar|char|text|tinytext|uuid|inet[46]|tinyint|smallint|mediumint|int)\b/i,
}
