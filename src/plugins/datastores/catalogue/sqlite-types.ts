// The codecs of SQLite, whose columns are not typed: the declared type decides.
import { decimals } from '../../../extend.ts'
import { asIs } from '../../query/as-is.ts'
import { DOUBLE_DIGITS, toByteArray } from '../sql/values/cursor-values.ts'
import {
  chooseCursorCodec,
  decodeMarked,
  numberCursorCodec,
  textCursorCodec,
  toBigint,
  toInteger,
  untypedCursorCodec,
} from '../sql/values/sqlite-cursor-codecs.ts'
import type { CatalogueColumn } from './catalogue.ts'
import {
  bitCodec,
  bytesCodec,
  type ColumnCodec,
  computeIntegerRange,
  createIntegerCodec,
  createTextCodec,
  decimalCodec,
  jsonCodec,
  numberCodec,
} from './column-codec.ts'
import { createDateCodec, createTimestampCodec, timeCodec } from './timestamp-codecs.ts'

const INTEGER_PARAMETER = ['cast(', ' as integer)'] as const

const integerCodec: ColumnCodec = {
  ...createIntegerCodec('integer', computeIntegerRange(64)),
  ...numberCursorCodec,
  decode: toInteger,
  parameterWrapper: INTEGER_PARAMETER,
}
const bigintCodec: ColumnCodec = { ...integerCodec, kind: 'bigint', decode: toBigint }

// SQLite stores a number with a fraction as a double.
const sqliteDecimalCodec: ColumnCodec = {
  ...decimalCodec,
  ...numberCursorCodec,
  digits: DOUBLE_DIGITS,
  parameterWrapper: ['cast(', ' as numeric)'],
  decode: (raw) => decimals.expandExponent(String(raw)),
}

const dateTimeCodec: ColumnCodec = {
  ...createTimestampCodec({ encode: (value) => value.toISOString(), isCursorValue: () => true }),
  ...numberCursorCodec,
}
const booleanCodec: ColumnCodec = {
  ...bitCodec,
  ...numberCursorCodec,
  decode: (raw) => Number(raw) !== 0,
  parameterWrapper: INTEGER_PARAMETER,
}

// Some clients return their own class of bytes.
function decodeBytes(raw: unknown): unknown {
  const bytes = toByteArray(raw)
  return bytes === undefined ? decodeMarked(raw) : new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}

const blobCodec: ColumnCodec = { ...bytesCodec, ...untypedCursorCodec, decode: decodeBytes }
const sqliteJsonCodec: ColumnCodec = { ...jsonCodec, toSelectSql: (expression) => `cast(${expression} as text)` }
const dateCodec: ColumnCodec = { ...createDateCodec(() => true), ...numberCursorCodec }
const textCodec: ColumnCodec = { ...createTextCodec(), ...textCursorCodec }
const sqliteNumberCodec: ColumnCodec = { ...numberCodec, ...numberCursorCodec }
const timeOfDayCodec: ColumnCodec = { ...timeCodec, ...numberCursorCodec }

const codecByType: ReadonlyMap<string, ColumnCodec> = new Map([
  ['bigint', bigintCodec],
  ['int8', bigintCodec],
  ['unsigned big int', bigintCodec],
  ['boolean', booleanCodec],
  ['bool', booleanCodec],
  ['date', dateCodec],
  ['datetime', dateTimeCodec],
  ['timestamp', dateTimeCodec],
  ['timestamptz', dateTimeCodec],
  ['time', timeOfDayCodec],
  ['numeric', sqliteDecimalCodec],
  ['decimal', sqliteDecimalCodec],
  ['json', sqliteJsonCodec],
  ['jsonb', sqliteJsonCodec],
  ['uuid', { ...createTextCodec(), ...numberCursorCodec }],
])

/** Returns the codec of a column, by its declared type, or otherwise by SQLite's rules of affinity. */
export function findSqliteCodec({ type }: CatalogueColumn): ColumnCodec {
  const codec = codecByType.get(type)
  if (codec) return codec
  if (type.includes('int')) return integerCodec
  if (/char|clob|text/.test(type)) return textCodec
  if (type.includes('blob')) return blobCodec
  if (/real|floa|doub/.test(type)) return sqliteNumberCodec
  return { kind: 'other', encode: asIs, decode: decodeMarked, ...chooseCursorCodec(type) }
}
