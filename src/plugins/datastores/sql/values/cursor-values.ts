// Places: the values of a database in the one form that a link can carry, that can be checked, and bound again.
import type { Column, ColumnKind, CursorValue } from '../../../query/query.ts'
import type { SqlDialect } from '../dialect.ts'
import type { DialectName, SqlColumn } from '../sql.ts'

/** The digits of every decimal number that a double keeps exactly, as SQLite has it for one. */
export const DOUBLE_DIGITS = 15

/** The most characters of a text of MySQL, by its declared type. */
export function parseTextLength(type: string): number {
  const length = /^tinytext/i.test(type) ? 255 : Number(/\((\d+)\)/.exec(type)?.[1] ?? 65_535)
  return /^char$/i.test(type) ? 1 : length
}

/** Gives the place of a value, as the client read it. */
export function toCursorValue(raw: unknown): CursorValue {
  if (raw === null || raw === undefined) return null
  if (typeof raw === 'string' || typeof raw === 'boolean') return raw
  if (typeof raw === 'number') return Number.isFinite(raw) ? raw : String(raw)
  if (raw instanceof Date) return raw.toISOString()
  const bytes = toByteArray(raw)
  return bytes ? encodeHex(bytes) : String(raw)
}

/** Gives the bytes of a value that is bytes in any of the forms that clients have for them. */
export function toByteArray(raw: unknown): Uint8Array | undefined {
  if (raw instanceof Uint8Array) return raw
  return raw instanceof ArrayBuffer ? new Uint8Array(raw) : undefined
}

/** Writes bytes as pairs of hexadecimal digits. */
export const encodeHex = (bytes: Uint8Array): string =>
  bytes.reduce((text, byte) => text + byte.toString(16).padStart(2, '0'), '')

/** Gives what is bound for a place, or for a whole number that stands for one. */
export function decodeCursorValue(dialect: SqlDialect, column: SqlColumn, place: unknown): unknown {
  if (column.kind !== 'bytes' || typeof place !== 'string') return dialect.toBoundValue(column.kind, place)
  return Uint8Array.from(place.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16))
}

type CheckValue = (value: unknown) => boolean

const isText: CheckValue = (value) => typeof value === 'string'
const createPatternCheck =
  (pattern: RegExp): CheckValue =>
  (value) =>
    typeof value === 'string' && pattern.test(value)

const isNumber = createPatternCheck(/^(?:-?\d+(?:\.\d+)?(?:e[+-]?\d{1,3})?|NaN|-?Infinity)$/)
const isInteger = createPatternCheck(/^-?\d{1,1000}$/)
const isDate = createPatternCheck(/^(?:\d{4,7}-\d\d-\d\d(?: BC)?|-?infinity)$/)
const isTime = createPatternCheck(/^-?\d{1,3}:\d\d(?::\d\d(?:\.\d{1,6})?)?(?:[+-]\d\d(?::\d\d){0,2})?$/)
const isDateTime = createPatternCheck(
  /^(?:\d{4,7}-\d\d-\d\d[ T]\d\d:\d\d:\d\d(?:\.\d{1,6})?(?:[+-]\d\d(?::?\d\d){0,2}|Z)?(?: BC)?|-?infinity)$/,
)
const isBytes = createPatternCheck(/^(?:[0-9a-f]{2})*$/)

const CURSOR_VALUE_CHECKS: Readonly<Record<ColumnKind, CheckValue>> = {
  text: isText,
  integer: (value) => Number.isSafeInteger(value) || isInteger(value),
  bigint: (value) => Number.isSafeInteger(value) || isInteger(value),
  // A number of JSON can be too great for any number; what is infinite in a database is written as a text.
  number: (value) => Number.isFinite(value) || isNumber(value),
  decimal: (value) => Number.isFinite(value) || isNumber(value),
  boolean: (value) => typeof value === 'boolean' || value === 0 || value === 1,
  date: isDate,
  dateTime: isDateTime,
  time: isTime,
  json: () => false,
  bytes: isBytes,
  other: (value) => isText(value) || Number.isFinite(value) || typeof value === 'boolean',
}

/** Makes the check of a column's places; null can be one of every column, since a joined row can be missing. */
export function createCursorValueCheck(dialect: DialectName, kind: ColumnKind, range?: Column['range']): Column['isCursorValue'] {
  const check = CURSOR_VALUE_CHECKS[kind]
  // SQLite compares everything with everything, and has times as whatever was put in.
  const loose = dialect === 'sqlite' && (kind === 'date' || kind === 'dateTime' || kind === 'time')
  return (value) => {
    if (value === null) return true
    // PostgreSQL has no text with this character.
    if (dialect === 'postgres' && typeof value === 'string' && value.includes('\0')) return false
    if (loose) return Number.isFinite(value) || isText(value)
    return check(value) && (range === undefined || isInRange(range, value as string | number))
  }
}

function isInRange([least, greatest]: readonly [bigint, bigint], value: string | number): boolean {
  const number = BigInt(value)
  return least <= number && number <= greatest
}
