// The codecs of MySQL and MariaDB: values that drivers parse differently are read as text, and timestamps are in UTC.

import { parseTextLength } from '../sql/values/cursor-values.ts'
import { toShortestFloat } from '../sql/values/float.ts'
import { timestampCodec } from '../sql/values/mysql-timestamp.ts'
import { trimTimeFraction } from '../sql/values/time-fraction.ts'
import type { CatalogueColumn } from './catalogue.ts'
import {
  bitCodec,
  bytesCodec,
  type ColumnCodec,
  computeIntegerRange,
  createIntegerCodec,
  createOtherCodec,
  createTextCodec,
  decimalCodec,
  jsonCodec,
  numberCodec,
  uuidCodec,
} from './column-codec.ts'
import { createDateCodec, createTimestampCodec, timeCodec } from './timestamp-codecs.ts'

const castToChar = (expression: string): string => `cast(${expression} as char)`

const BITS: ReadonlyMap<string, number> = new Map([
  ['tinyint', 8],
  ['smallint', 16],
  ['mediumint', 24],
  ['int', 32],
])

// A number and a text would be compared as doubles, so the text is cast to the type of the column.
function createCastIntegerCodec(kind: 'integer' | 'bigint', range: readonly [bigint, bigint]): ColumnCodec {
  const parameterSql = ['cast(', range[0] === 0n ? ' as unsigned)' : ' as signed)'] as const
  return { ...createIntegerCodec(kind, range), toSelectSql: castToChar, parameterWrapper: parameterSql }
}

function createCastDecimalCodec(declared: string): ColumnCodec {
  const [, precision = '10', scale = '0'] = /\((\d+)(?:,(\d+))?\)/.exec(declared) ?? []
  const parameterSql = ['cast(', ` as decimal(65, ${Math.min(30, 65 - Number(precision) + Number(scale))}))`] as const
  return { ...decimalCodec, toSelectSql: castToChar, parameterWrapper: parameterSql }
}

// A float is displayed with six digits, but compared as a double.
const floatCodec: ColumnCodec = {
  ...numberCodec,
  toSelectSql: (expression) => `(${expression} + 0e0)`,
  encode: (value) => Math.fround(Number(value)),
  decode: toShortestFloat,
}

// An enumeration is ordered by the positions of its labels, but compared as a text unless the value is a number.
function createEnumCodec(labels: readonly string[]): ColumnCodec {
  return {
    kind: 'text',
    toSelectSql: (expression) => `(${expression} + 0)`,
    encode: (value) => labels.indexOf(String(value)) + 1 || value,
    decode: (raw) => labels[Number(raw) - 1] ?? '',
    isCursorValue: (value) => typeof value === 'number' && (value === 0 || labels[value - 1] !== undefined),
  }
}

const writeUnsignedComparison: NonNullable<ColumnCodec['writeComparison']> = (expression, op, value) => ({
  strings: [`cast(${expression} as unsigned) ${op} cast(`, ' as unsigned)'],
  values: [value],
})

// A set is ordered by a number with one bit for each label, but compared as a text unless the value is a number.
function createSetCodec(labels: readonly string[]): ColumnCodec {
  return {
    kind: 'text',
    toSelectSql: (expression) => `cast(cast(${expression} as unsigned) as char)`,
    parameterWrapper: ['cast(', ' as unsigned)'],
    encode: (value) => {
      const names = value === '' ? [] : String(value).split(',')
      const bits = names.map((name) => labels.indexOf(name))
      return bits.includes(-1) ? value : String(bits.reduce((set, bit) => set | (1n << BigInt(bit)), 0n))
    },
    decode: (raw) => {
      const set = BigInt(raw as string)
      return labels.filter((_, bit) => (set >> BigInt(bit)) & 1n).join()
    },
    isCursorValue: (value) => typeof value === 'string' && /^\d{1,20}$/.test(value) && BigInt(value) < 1n << 64n,
    // Only a set with 64 labels has a bit that could be read as the sign.
    ...(labels.length === 64 && { writeComparison: writeUnsignedComparison }),
  }
}

const parseLabels = (declared: string): readonly string[] =>
  Array.from(declared.matchAll(/'((?:[^']|'')*)'/g), ([, label = '']) => label.replaceAll("''", "'"))

// The day, the month or the entire date may be zero, and days that a month does not have may have been accepted.
const DAY = String.raw`\d{4}-(?:0\d|1[0-2])-(?:[0-2]\d|3[01])`
const CLOCK = String.raw`(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d{1,6})?`
const createFormatCheck = (pattern: string): ColumnCodec['isCursorValue'] => {
  const complete = new RegExp(`^${pattern}$`)
  return (value) => typeof value === 'string' && complete.test(value)
}
const formatUtc = (value: Date): string => value.toISOString().slice(0, -1).replace('T', ' ')
const utcTimestampCodec = createTimestampCodec({ encode: formatUtc, isCursorValue: () => true })
const dateTimeCodec: ColumnCodec = {
  ...utcTimestampCodec,
  toSelectSql: castToChar,
  isCursorValue: createFormatCheck(`${DAY} ${CLOCK}`),
}
const mysqlTimestampCodec: ColumnCodec = { kind: 'dateTime', ...timestampCodec }
const timeOfDayCodec: ColumnCodec = {
  ...timeCodec,
  toSelectSql: castToChar,
  decode: trimTimeFraction,
  isCursorValue: createFormatCheck(String.raw`-?\d{2,3}:[0-5]\d:[0-5]\d(?:\.\d{1,6})?`),
}
const dateCodec: ColumnCodec = {
  ...createDateCodec(() => true),
  toSelectSql: castToChar,
  isCursorValue: createFormatCheck(DAY),
}
// The database parses the text as a value of the type, and an invalid one as null.
const createCastTextCodec = (type: string): ColumnCodec => ({
  ...createTextCodec(),
  toSelectSql: castToChar,
  parameterWrapper: ['cast(', ` as ${type})`],
})

const hexBytesCodec: ColumnCodec = { ...bytesCodec, toSelectSql: (expression) => `lower(hex(${expression}))` }

// MariaDB parses a UUID of the variant 10 as null if its version is above 7, and null is neither before nor after a value.
const UNREADABLE_UUID = /^.{14}[89a-f].{4}[89ab]/i

const isOrderedUuid: ColumnCodec['isCursorValue'] = (value) =>
  uuidCodec.isCursorValue(value) && !UNREADABLE_UUID.test(String(value))

const codecByType: ReadonlyMap<string, ColumnCodec> = new Map([
  [
    'year',
    { ...createCastIntegerCodec('integer', [0n, 2155n]), toSelectSql: (expression) => castToChar(`${expression} + 0`) },
  ],
  ['float', floatCodec],
  ['double', numberCodec],
  ['date', dateCodec],
  ['datetime', dateTimeCodec],
  ['timestamp', mysqlTimestampCodec],
  ['time', timeOfDayCodec],
  ['json', { ...jsonCodec, toSelectSql: castToChar }],
  ['uuid', { ...uuidCodec, toSelectSql: castToChar, isCursorValue: isOrderedUuid }],
  ['inet4', createCastTextCodec('inet4')],
  ['inet6', createCastTextCodec('inet6')],
])

// The sort keys of long texts have a maximum length, whatever the session allows.
const longTextCodec: ColumnCodec = {
  ...createTextCodec(),
  unorderedReason: 'the database sorts texts of its type only by their beginnings; use varchar or text',
}

// Stored and sorted with trailing spaces, but compared without them: the order differs for characters below a space.
const nopadCharCodec: ColumnCodec = {
  ...createTextCodec(),
  unorderedReason: 'a char that does not pad is sorted unlike it is compared; use varchar',
}

/** Returns the codec of a column. */
export function findMysqlCodec({
  type,
  declaredType,
  labels,
  collation,
}: Pick<CatalogueColumn, 'type' | 'declaredType' | 'labels' | 'collation'>): ColumnCodec {
  const unsigned = declaredType.includes('unsigned')
  if (declaredType === 'tinyint(1)') return { ...bitCodec, toSelectSql: castToChar }
  if (declaredType === 'bit(1)') return { ...bitCodec, toSelectSql: (expression) => castToChar(`${expression} + 0`) }
  if (type === 'bit') return createBitsCodec(Number(/\d+/.exec(declaredType)?.[0] ?? 1))
  if (type === 'enum') return createEnumCodec(labels ?? parseLabels(declaredType))
  if (type === 'set') return createSetCodec(parseLabels(declaredType))
  const size = BITS.get(type)
  if (size) return createCastIntegerCodec('integer', computeIntegerRange(size, unsigned))
  if (type === 'bigint') return createCastIntegerCodec('bigint', computeIntegerRange(64, unsigned))
  if (type === 'decimal') return createCastDecimalCodec(declaredType)
  if (type === 'mediumtext' || type === 'longtext') return longTextCodec
  if (type === 'char' && collation?.includes('nopad')) return nopadCharCodec
  if (/char$|text$/.test(type)) return { ...createTextCodec(), maxTextLength: parseTextLength(declaredType) }
  return /blob$|binary$/.test(type) ? hexBytesCodec : (codecByType.get(type) ?? createOtherCodec(type))
}

function createBitsCodec(size: number): ColumnCodec {
  const kind = size < 53 ? 'integer' : 'bigint'
  return {
    ...createCastIntegerCodec(kind, [0n, (1n << BigInt(size)) - 1n]),
    toSelectSql: (expression) => castToChar(`${expression} + 0`),
  }
}
