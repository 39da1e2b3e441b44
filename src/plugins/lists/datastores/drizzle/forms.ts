// Forms of Drizzle's column types: how their values are bound and read.
import type { Column as DrizzleColumn } from 'drizzle-orm'
import { decimals } from '../../../../extend.ts'
import type { ColumnKind } from '../../query.ts'
import { asIs } from '../../resource/codec.ts'
import { usualMoment } from '../../resource/moment.ts'
import type { DialectName, SqlColumn } from '../sql/sql.ts'
import { bytesOf, DOUBLE_DIGITS, placeCheck, textLength } from '../sql/statements/place.ts'
import { clockOf } from '../sql/values/clock.ts'
import { bitsOf, numberOfBits, shortestFloat } from '../sql/values/float.ts'
import {
  bigOf,
  numberPlaces,
  placesOf,
  placesOnly,
  textPlaces,
  unmarked,
  untypedPlaces,
  wholeOf,
} from '../sql/values/sqlite.ts'
import { timestampForm } from '../sql/values/timestamp.ts'
import { dayOf, dayText, momentText, withYear } from '../sql/values/years.ts'

/** How values of one type of column are bound and read, where that is not what Drizzle's column does by itself. */
export interface Form
  extends Pick<
    SqlColumn,
    | 'kind'
    | 'digits'
    | 'compare'
    | 'read'
    | 'around'
    | 'place'
    | 'nearby'
    | 'bound'
    | 'comparison'
    | 'unordered'
    | 'sortLength'
    | 'readPlace'
  > {
  encode?(value: unknown, column: DrizzleColumn): unknown
  decode?(raw: unknown, column: DrizzleColumn): unknown
  readonly isPlace?: SqlColumn['isPlace']
}

// Clients have parsers of their own for these, and some lose digits; a text is left as it is.
const asText = (expression: string): string => `cast(${expression} as text)`
// JSON has the one form of dates that no setting of a session changes, with all digits.
const asIso = (expression: string): string => `to_json(${expression}) #>> '{}'`
const asChar = (expression: string): string => `cast(${expression} as char)`

const parsed = (raw: unknown): unknown => (typeof raw === 'string' ? JSON.parse(raw) : raw)
const pgMoment = (value: unknown): string => momentText(value as Date)
const utcText = (value: unknown): string => (value as Date).toISOString().slice(0, -1).replace('T', ' ')

const OFFSET = /([+-])(\d\d):?(\d\d)?:?(\d\d)?$/

// A text without an offset is in UTC, as it is for Drizzle's own dates. Before there were zones, offsets had seconds.
function dateOf(raw: unknown): unknown {
  if (typeof raw !== 'string') return raw
  const usual = usualMoment(raw)
  if (usual !== undefined) return new Date(usual)
  if (raw.endsWith('infinity')) return new Date(raw === 'infinity' ? 8.64e15 : -8.64e15)
  const text = withYear(raw)
  const [offset = '', sign, hours, minutes = 0, seconds = 0] = OFFSET.exec(text.slice(10)) ?? []
  const local = text.slice(0, text.length - offset.length).replace(' ', 'T')
  const shift = (Number(hours ?? 0) * 60 + Number(minutes)) * 60 + Number(seconds)
  return new Date(Date.parse(local.endsWith('Z') ? local : `${local}Z`) - (sign === '-' ? -shift : shift) * 1000)
}

// MySQL puts enumerations in the order of their labels' numbers, but compares them with a text as texts.
const ENUMERATION: Form = {
  kind: 'text',
  read: (expression) => `${expression} + 0`,
  encode: (value, { enumValues }) => {
    const index = enumValues?.indexOf(String(value)) ?? -1
    return index === -1 ? value : index + 1
  },
  decode: (raw, { enumValues }) => enumValues?.[Number(raw) - 1] ?? '',
  isPlace: (value) => value === null || (Number.isSafeInteger(value) && (value as number) >= 0),
}

// Drizzle takes them for texts, which not all of them are.
const BYTES: Form = {
  kind: 'bytes',
  encode: asIs,
  decode: (raw) => bytesOf(raw) ?? new TextEncoder().encode(String(raw)),
}

const text: Form = { kind: 'text' }
const textual: Form = { kind: 'text', read: asText }
const number: Form = { kind: 'number' }
const json = (read: Form['read']): Form => ({
  kind: 'json',
  unordered: 'structures have no order',
  ...(read && { read, decode: parsed }),
})

const float = (type: 'float8' | 'float4', decode: (value: unknown) => unknown): Form => ({
  kind: 'number',
  read: bitsOf(type),
  decode: (raw) => decode(numberOfBits(raw)),
  place: (raw) => String(numberOfBits(raw)),
})

// MySQL sorts long texts by their beginnings, whatever a session allows.
const LONG = 'the database sorts texts of its type only by their beginnings; use varchar or text'

const liteNumber = placesOnly(numberPlaces)
const liteText: Form = { kind: 'text', ...textPlaces }
const liteBytes: Form = { ...BYTES, ...placesOnly(untypedPlaces), decode: (raw) => bytesOf(raw) ?? unmarked(raw) }
const liteTime: Form = { kind: 'dateTime', ...liteNumber }
// Half a second is before or after a whole one, though none can be stored.
const SECONDS: Form = { ...liteTime, compare: (value) => (value as Date).getTime() / 1000 }

const FORMS: Readonly<Record<string, Form>> = {
  PgSmallInt: { kind: 'integer' },
  PgInteger: { kind: 'integer' },
  PgSmallSerial: { kind: 'integer' },
  PgSerial: { kind: 'integer' },
  PgBigInt53: { kind: 'integer', read: asText },
  PgBigSerial53: { kind: 'integer', read: asText },
  PgBigInt64: { kind: 'bigint', read: asText },
  PgBigSerial64: { kind: 'bigint', read: asText },
  PgNumeric: { kind: 'decimal', read: asText },
  PgNumericNumber: { kind: 'number', read: asText },
  PgNumericBigInt: { kind: 'bigint', read: asText },
  PgDate: { kind: 'date', read: asIso, encode: dayText, decode: dayOf },
  PgDateString: { kind: 'date', read: asIso, encode: dayText, decode: dayOf },
  PgTimestamp: { kind: 'dateTime', read: asIso, encode: pgMoment, decode: dateOf },
  PgTimestampString: { kind: 'dateTime', read: asIso, encode: pgMoment, decode: dateOf },
  PgTime: { kind: 'time', read: asText },
  PgText: text,
  PgVarchar: text,
  PgChar: text,
  PgUUID: text,
  PgEnumColumn: text,
  PgEnumObjectColumn: text,
  PgInterval: textual,
  PgInet: textual,
  PgCidr: textual,
  PgMacaddr: textual,
  PgMacaddr8: textual,
  PgBoolean: { kind: 'boolean' },
  PgReal: float('float4', shortestFloat),
  PgDoublePrecision: float('float8', asIs),
  // Clients parse these too, and a text in them could be parsed twice.
  PgJson: json(asText),
  PgJsonb: json(asText),
  MySqlTinyInt: { kind: 'integer' },
  MySqlSmallInt: { kind: 'integer' },
  MySqlMediumInt: { kind: 'integer' },
  MySqlInt: { kind: 'integer' },
  MySqlYear: { kind: 'integer' },
  MySqlSerial: { kind: 'integer', read: asChar },
  MySqlBigInt53: { kind: 'integer', read: asChar },
  MySqlBigInt64: { kind: 'bigint', read: asChar },
  MySqlDecimal: { kind: 'decimal', read: asChar },
  MySqlDecimalNumber: { kind: 'number', read: asChar },
  MySqlDecimalBigInt: { kind: 'bigint', read: asChar },
  // It shows six digits of a FLOAT and compares with all that it has.
  MySqlFloat: {
    kind: 'number',
    read: (expression) => `${expression} + 0e0`,
    encode: (value) => Math.fround(value as number),
    decode: shortestFloat,
  },
  MySqlDate: { kind: 'date', read: asChar, encode: asIs, decode: asIs },
  MySqlDateString: { kind: 'date', read: asChar, encode: asIs, decode: asIs },
  MySqlDateTime: { kind: 'dateTime', read: asChar },
  MySqlDateTimeString: { kind: 'dateTime', read: asChar, encode: utcText, decode: dateOf },
  MySqlTimestamp: { kind: 'dateTime', ...timestampForm },
  MySqlTimestampString: { kind: 'dateTime', ...timestampForm },
  MySqlTime: { kind: 'time', read: asChar, encode: asIs, decode: clockOf },
  // MariaDB has them as texts.
  MySqlJson: json(asChar),
  MySqlChar: text,
  MySqlVarChar: text,
  MySqlText: text,
  MySqlBoolean: { kind: 'boolean' },
  MySqlReal: number,
  MySqlDouble: number,
  MySqlBinary: BYTES,
  MySqlVarBinary: BYTES,
  MySqlEnumColumn: ENUMERATION,
  MySqlEnumObjectColumn: ENUMERATION,
  SQLiteInteger: { kind: 'integer', ...liteNumber, decode: wholeOf },
  SQLiteBoolean: { kind: 'boolean', ...liteNumber },
  SQLiteTimestamp: liteTime,
  SQLiteReal: { kind: 'number', ...liteNumber },
  SQLiteNumeric: {
    kind: 'decimal',
    ...numberPlaces,
    decode: (raw) => decimals.plainDecimal(String(raw)),
    digits: DOUBLE_DIGITS,
  },
  SQLiteNumericNumber: { kind: 'number', ...numberPlaces },
  SQLiteNumericBigInt: { kind: 'bigint', ...numberPlaces, decode: bigOf },
  SQLiteText: liteText,
  SQLiteTextJson: json(undefined),
  SQLiteBlobJson: json(undefined),
  SQLiteBlobBuffer: liteBytes,
  // The digits as bytes: they have no order of numbers.
  SQLiteBigInt: { kind: 'other', unordered: 'digits that are kept as bytes have no order of numbers' },
}

const KINDS: Readonly<Record<string, ColumnKind>> = {
  string: 'text',
  number: 'number',
  bigint: 'bigint',
  boolean: 'boolean',
  date: 'dateTime',
  json: 'json',
  buffer: 'bytes',
}

/** How the values of a column are bound and read. */
export function formOf(column: DrizzleColumn, dialect: DialectName): Form {
  const { columnType } = column
  if (columnType === 'SQLiteTimestamp' && (column as { readonly mode?: unknown }).mode === 'timestamp') return SECONDS
  const form = Object.hasOwn(FORMS, columnType) ? FORMS[columnType] : undefined
  if (form === undefined) return foreign(column, dialect)
  if (dialect !== 'mysql' || form !== text) return form
  const type = column.getSQLType()
  return /^(?:medium|long)/.test(type) ? { ...form, unordered: LONG } : { ...form, sortLength: textLength(type) }
}

// Types of users and of extensions, whose values only they can read.
function foreign(column: DrizzleColumn, dialect: DialectName): Form {
  const kind = KINDS[column.dataType] ?? 'other'
  const type = column.getSQLType()
  if (dialect === 'sqlite')
    return { kind, ...placesOnly(placesOf(type)), decode: (raw) => column.mapFromDriverValue(unmarked(raw)) }
  if (!PLAIN[dialect].test(type)) return { kind, unordered: `no order of the type '${type}' is known here` }
  const sorted = dialect === 'mysql' && /^(?:var)?char|text/.test(type) ? { sortLength: textLength(type) } : {}
  return {
    kind,
    isPlace: placeCheck(dialect, /int/i.test(type) && !/^inet/i.test(type) ? 'integer' : 'text'),
    ...sorted,
  }
}

/** The types that every client gives as the text, or the number, that the database knows. */
const PLAIN = {
  postgres:
    /^(?:text|varchar|char|character varying|character|citext|uuid|inet|cidr|macaddr8?|smallint|integer)\b(?!.*\[)/i,
  mysql: /^(?:varchar|char|text|tinytext|uuid|inet[46]|tinyint|smallint|mediumint|int)\b/i,
}
