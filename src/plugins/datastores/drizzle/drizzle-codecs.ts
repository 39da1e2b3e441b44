// The codecs of Drizzle's column types: they bind and read values.
import type { Column as DrizzleColumn } from 'drizzle-orm'
import { decimals } from '../../../extend.ts'
import { asIs } from '../../query/as-is.ts'
import { parseIsoTimestamp } from '../../query/parse-timestamp.ts'
import type { ColumnKind } from '../../query/query.ts'
import type { DialectName, SqlColumn } from '../sql/sql.ts'
import { createCursorValueCheck, DOUBLE_DIGITS, parseTextLength, toByteArray } from '../sql/values/cursor-values.ts'
import { parseFloatBits, selectFloatBits, toShortestFloat } from '../sql/values/float.ts'
import { timestampCodec } from '../sql/values/mysql-timestamp.ts'
import {
  formatPostgresDate,
  formatPostgresTimestamp,
  parsePostgresDate,
  withIsoYear,
} from '../sql/values/postgres-dates.ts'
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
import { trimTimeFraction } from '../sql/values/time-fraction.ts'

/** The binding and reading of a column type, where it differs from the methods of Drizzle's column. */
export interface DrizzleCodec
  extends Pick<
    SqlColumn,
    | 'kind'
    | 'digits'
    | 'encodeForComparison'
    | 'toSelectSql'
    | 'parameterWrapper'
    | 'toCursorValue'
    | 'filterByTruncatedValue'
    | 'bindCursorValue'
    | 'writeComparison'
    | 'unorderedReason'
    | 'maxTextLength'
    | 'toCursorSql'
  > {
  encode?(value: unknown, column: DrizzleColumn): unknown
  decode?(raw: unknown, column: DrizzleColumn): unknown
  readonly isCursorValue?: SqlColumn['isCursorValue']
}

// Clients have their own parsers for these types, and some lose digits; a text is not parsed.
const asText = (expression: string): string => `cast(${expression} as text)`
// JSON has the only format of dates that no session setting changes, with all digits.
const asIso = (expression: string): string => `to_json(${expression}) #>> '{}'`
const asChar = (expression: string): string => `cast(${expression} as char)`

const parseJson = (raw: unknown): unknown => (typeof raw === 'string' ? JSON.parse(raw) : raw)
const encodePgTimestamp = (value: unknown): string => formatPostgresTimestamp(value as Date)
const formatUtc = (value: unknown): string => (value as Date).toISOString().slice(0, -1).replace('T', ' ')

const OFFSET = /([+-])(\d\d):?(\d\d)?:?(\d\d)?$/

// A text without an offset is in UTC, as in Drizzle. Historical offsets, before time zones, have seconds.
function decodeTimestamp(raw: unknown): unknown {
  if (typeof raw !== 'string') return raw
  const isoTime = parseIsoTimestamp(raw)
  if (isoTime !== undefined) return new Date(isoTime)
  if (raw.endsWith('infinity')) return new Date(raw === 'infinity' ? 8.64e15 : -8.64e15)
  const text = withIsoYear(raw)
  const [offset = '', sign, hours, minutes = 0, seconds = 0] = OFFSET.exec(text.slice(10)) ?? []
  const local = text.slice(0, text.length - offset.length).replace(' ', 'T')
  const shift = (Number(hours ?? 0) * 60 + Number(minutes)) * 60 + Number(seconds)
  return new Date(Date.parse(local.endsWith('Z') ? local : `${local}Z`) - (sign === '-' ? -shift : shift) * 1000)
}

// MySQL orders enumerations by the positions of their labels, but compares them with a text as texts.
const ENUM_CODEC: DrizzleCodec = {
  kind: 'text',
  toSelectSql: (expression) => `${expression} + 0`,
  encode: (value, { enumValues }) => {
    const index = enumValues?.indexOf(String(value)) ?? -1
    return index === -1 ? value : index + 1
  },
  decode: (raw, { enumValues }) => enumValues?.[Number(raw) - 1] ?? '',
  isCursorValue: (value) => value === null || (Number.isSafeInteger(value) && (value as number) >= 0),
}

// Drizzle decodes these columns as texts, which not all bytes are.
const BYTES_CODEC: DrizzleCodec = {
  kind: 'bytes',
  encode: asIs,
  decode: (raw) => toByteArray(raw) ?? new TextEncoder().encode(String(raw)),
}

const textCodec: DrizzleCodec = { kind: 'text' }
const castTextCodec: DrizzleCodec = { kind: 'text', toSelectSql: asText }
const numberCodec: DrizzleCodec = { kind: 'number' }
const createJsonCodec = (toSelectSql: DrizzleCodec['toSelectSql']): DrizzleCodec => ({
  kind: 'json',
  unorderedReason: 'structures have no order',
  ...(toSelectSql && { toSelectSql, decode: parseJson }),
})

const createFloatCodec = (type: 'float8' | 'float4', decode: (value: unknown) => unknown): DrizzleCodec => ({
  kind: 'number',
  toSelectSql: selectFloatBits(type),
  decode: (raw) => decode(parseFloatBits(raw)),
  toCursorValue: (raw) => String(parseFloatBits(raw)),
})

// MySQL sorts long texts by their beginnings, whatever the session allows.
const LONG_TEXT_UNORDERED = 'the database sorts texts of its type only by their beginnings; use varchar or text'

const sqliteNumberCodec = useForCursorOnly(numberCursorCodec)
const sqliteTextCodec: DrizzleCodec = { kind: 'text', ...textCursorCodec }
const sqliteBytesCodec: DrizzleCodec = {
  ...BYTES_CODEC,
  ...useForCursorOnly(untypedCursorCodec),
  decode: (raw) => toByteArray(raw) ?? decodeMarked(raw),
}
const sqliteTimestampCodec: DrizzleCodec = { kind: 'dateTime', ...sqliteNumberCodec }
// A filter can compare with fractions of a second, although none can be stored.
const SQLITE_SECONDS_CODEC: DrizzleCodec = {
  ...sqliteTimestampCodec,
  encodeForComparison: (value) => (value as Date).getTime() / 1000,
}

const DRIZZLE_CODECS: Readonly<Record<string, DrizzleCodec>> = {
  PgSmallInt: { kind: 'integer' },
  PgInteger: { kind: 'integer' },
  PgSmallSerial: { kind: 'integer' },
  PgSerial: { kind: 'integer' },
  PgBigInt53: { kind: 'integer', toSelectSql: asText },
  PgBigSerial53: { kind: 'integer', toSelectSql: asText },
  PgBigInt64: { kind: 'bigint', toSelectSql: asText },
  PgBigSerial64: { kind: 'bigint', toSelectSql: asText },
  PgNumeric: { kind: 'decimal', toSelectSql: asText },
  PgNumericNumber: { kind: 'number', toSelectSql: asText },
  PgNumericBigInt: { kind: 'bigint', toSelectSql: asText },
  PgDate: { kind: 'date', toSelectSql: asIso, encode: formatPostgresDate, decode: parsePostgresDate },
  PgDateString: { kind: 'date', toSelectSql: asIso, encode: formatPostgresDate, decode: parsePostgresDate },
  PgTimestamp: { kind: 'dateTime', toSelectSql: asIso, encode: encodePgTimestamp, decode: decodeTimestamp },
  PgTimestampString: { kind: 'dateTime', toSelectSql: asIso, encode: encodePgTimestamp, decode: decodeTimestamp },
  PgTime: { kind: 'time', toSelectSql: asText },
  PgText: textCodec,
  PgVarchar: textCodec,
  PgChar: textCodec,
  PgUUID: textCodec,
  PgEnumColumn: textCodec,
  PgEnumObjectColumn: textCodec,
  PgInterval: castTextCodec,
  PgInet: castTextCodec,
  PgCidr: castTextCodec,
  PgMacaddr: castTextCodec,
  PgMacaddr8: castTextCodec,
  PgBoolean: { kind: 'boolean' },
  PgReal: createFloatCodec('float4', toShortestFloat),
  PgDoublePrecision: createFloatCodec('float8', asIs),
  // Clients parse JSON too, and a text in it could be parsed twice.
  PgJson: createJsonCodec(asText),
  PgJsonb: createJsonCodec(asText),
  MySqlTinyInt: { kind: 'integer' },
  MySqlSmallInt: { kind: 'integer' },
  MySqlMediumInt: { kind: 'integer' },
  MySqlInt: { kind: 'integer' },
  MySqlYear: { kind: 'integer' },
  MySqlSerial: { kind: 'integer', toSelectSql: asChar },
  MySqlBigInt53: { kind: 'integer', toSelectSql: asChar },
  MySqlBigInt64: { kind: 'bigint', toSelectSql: asChar },
  MySqlDecimal: { kind: 'decimal', toSelectSql: asChar },
  MySqlDecimalNumber: { kind: 'number', toSelectSql: asChar },
  MySqlDecimalBigInt: { kind: 'bigint', toSelectSql: asChar },
  // MySQL displays six digits of a FLOAT, but compares all of them.
  MySqlFloat: {
    kind: 'number',
    toSelectSql: (expression) => `${expression} + 0e0`,
    encode: (value) => Math.fround(value as number),
    decode: toShortestFloat,
  },
  MySqlDate: { kind: 'date', toSelectSql: asChar, encode: asIs, decode: asIs },
  MySqlDateString: { kind: 'date', toSelectSql: asChar, encode: asIs, decode: asIs },
  MySqlDateTime: { kind: 'dateTime', toSelectSql: asChar },
  MySqlDateTimeString: { kind: 'dateTime', toSelectSql: asChar, encode: formatUtc, decode: decodeTimestamp },
  MySqlTimestamp: { kind: 'dateTime', ...timestampCodec },
  MySqlTimestampString: { kind: 'dateTime', ...timestampCodec },
  MySqlTime: { kind: 'time', toSelectSql: asChar, encode: asIs, decode: trimTimeFraction },
  // MariaDB stores JSON as text.
  MySqlJson: createJsonCodec(asChar),
  MySqlChar: textCodec,
  MySqlVarChar: textCodec,
  MySqlText: textCodec,
  MySqlBoolean: { kind: 'boolean' },
  MySqlReal: numberCodec,
  MySqlDouble: numberCodec,
  MySqlBinary: BYTES_CODEC,
  MySqlVarBinary: BYTES_CODEC,
  MySqlEnumColumn: ENUM_CODEC,
  MySqlEnumObjectColumn: ENUM_CODEC,
  SQLiteInteger: { kind: 'integer', ...sqliteNumberCodec, decode: toInteger },
  SQLiteBoolean: { kind: 'boolean', ...sqliteNumberCodec },
  SQLiteTimestamp: sqliteTimestampCodec,
  SQLiteReal: { kind: 'number', ...sqliteNumberCodec },
  SQLiteNumeric: {
    kind: 'decimal',
    ...numberCursorCodec,
    decode: (raw) => decimals.expandExponent(String(raw)),
    digits: DOUBLE_DIGITS,
  },
  SQLiteNumericNumber: { kind: 'number', ...numberCursorCodec },
  SQLiteNumericBigInt: { kind: 'bigint', ...numberCursorCodec, decode: toBigint },
  SQLiteText: sqliteTextCodec,
  SQLiteTextJson: createJsonCodec(undefined),
  SQLiteBlobJson: createJsonCodec(undefined),
  SQLiteBlobBuffer: sqliteBytesCodec,
  // Stores the digits as bytes, which are not in numeric order.
  SQLiteBigInt: { kind: 'other', unorderedReason: 'digits that are kept as bytes have no order of numbers' },
}

const KIND_BY_DATA_TYPE: Readonly<Record<string, ColumnKind>> = {
  string: 'text',
  number: 'number',
  bigint: 'bigint',
  boolean: 'boolean',
  date: 'dateTime',
  json: 'json',
  buffer: 'bytes',
}

/** Returns the codec of a column. */
export function findDrizzleCodec(column: DrizzleColumn, dialect: DialectName): DrizzleCodec {
  const { columnType } = column
  if (columnType === 'SQLiteTimestamp' && (column as { readonly mode?: unknown }).mode === 'timestamp')
    return SQLITE_SECONDS_CODEC
  const codec = Object.hasOwn(DRIZZLE_CODECS, columnType) ? DRIZZLE_CODECS[columnType] : undefined
  if (codec === undefined) return createCustomTypeCodec(column, dialect)
  if (dialect !== 'mysql' || codec !== textCodec) return codec
  const type = column.getSQLType()
  return /^(?:medium|long)/.test(type)
    ? { ...codec, unorderedReason: LONG_TEXT_UNORDERED }
    : { ...codec, maxTextLength: parseTextLength(type) }
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
