// The types of SQLite, which has none: the declared names decide what a column holds.
import { decimals } from '../../../extend.ts'
import { asIs } from '../../query/as-is.ts'
import { toByteArray, DOUBLE_DIGITS } from '../sql/values/cursor-values.ts'
import { toBigint, numberCursorCodec, chooseCursorCodec, textCursorCodec, decodeMarked, untypedCursorCodec, toInteger } from '../sql/values/sqlite-cursor-codecs.ts'
import type { CatalogueColumn } from './catalogue.ts'
import {
  bitCodec,
  bytesCodec,
  decimalCodec,
  type ColumnCodec,
  jsonCodec,
  numberCodec,
  createTextCodec,
  createIntegerCodec,
  computeIntegerRange,
} from './column-codec.ts'
import { createDateCodec, createTimestampCodec, timeCodec } from './timestamp-codecs.ts'

const INTEGER_PARAMETER = ['cast(', ' as integer)'] as const

const integerCodec: ColumnCodec = {
  ...createIntegerCodec('integer', computeIntegerRange(64)),
  ...numberCursorCodec,
  decode: toInteger,
  parameterSql: INTEGER_PARAMETER,
}
const bigintCodec: ColumnCodec = { ...integerCodec, kind: 'bigint', decode: toBigint }

// A number with a fraction is a double there.
const sqliteDecimalCodec: ColumnCodec = {
  ...decimalCodec,
  ...numberCursorCodec,
  digits: DOUBLE_DIGITS,
  parameterSql: ['cast(', ' as numeric)'],
  decode: (raw) => decimals.expandExponent(String(raw)),
}

const dateTimeCodec: ColumnCodec = {
  ...createTimestampCodec({ encode: (value) => value.toISOString(), isCursorValue: () => true }),
  ...numberCursorCodec,
}
const booleanCodec: ColumnCodec = { ...bitCodec, ...numberCursorCodec, decode: (raw) => Number(raw) !== 0, parameterSql: INTEGER_PARAMETER }

// Some clients give a kind of bytes of their own.
function decodeBytes(raw: unknown): unknown {
  const found = toByteArray(raw)
  return found === undefined ? decodeMarked(raw) : new Uint8Array(found.buffer, found.byteOffset, found.byteLength)
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

/** Finds what a column with a declared type holds: by its name, or else as SQLite itself decides it. */
export function findSqliteCodec({ type }: CatalogueColumn): ColumnCodec {
  const form = codecByType.get(type)
  if (form) return form
  if (type.includes('int')) return integerCodec
  if (/char|clob|text/.test(type)) return textCodec
  if (type.includes('blob')) return blobCodec
  if (/real|floa|doub/.test(type)) return sqliteNumberCodec
  return { kind: 'other', encode: asIs, decode: decodeMarked, ...chooseCursorCodec(type) }
}
