// Cursor values: the form of database values that a link can carry, and that can be checked and bound again.
import type { Column, ColumnKind, CursorValue } from '../../../query/query.ts'
import type { SqlDialect } from '../dialect.ts'
import type { DialectName, SqlColumn } from '../sql.ts'

/** The number of decimal digits that a double always keeps exactly; SQLite uses it for decimals. */
export const DOUBLE_DIGITS = 15

/** Returns the most characters of a MySQL text, by its declared type. */
export function parseTextLength(type: string): number {
  const length = /^tinytext/i.test(type) ? 255 : Number(/\((\d+)\)/.exec(type)?.[1] ?? 65_535)
  return /^char$/i.test(type) ? 1 : length
}

/** Converts a value from the client into a cursor value. */
export function toCursorValue(raw: unknown): CursorValue {
  if (raw === null || raw === undefined) return null
  if (typeof raw === 'string' || typeof raw === 'boolean') return raw
  if (typeof raw === 'number') return Number.isFinite(raw) ? raw : String(raw)
  if (raw instanceof Date) return raw.toISOString()
  const bytes = toByteArray(raw)
  return bytes ? encodeHex(bytes) : String(raw)
}

/** Returns the bytes of a value, if it is bytes in any of the forms that clients use. */
export function toByteArray(raw: unknown): Uint8Array | undefined {
  if (raw instanceof Uint8Array) return raw
  return raw instanceof ArrayBuffer ? new Uint8Array(raw) : undefined
}

/** Writes bytes as pairs of hexadecimal digits. */
export const encodeHex = (bytes: Uint8Array): string =>
  bytes.reduce((text, byte) => text + byte.toString(16).padStart(2, '0'), '')

/** Returns the value to bind for a cursor value, or for an integer in its place. */
export function decodeCursorValue(dialect: SqlDialect, column: SqlColumn, cursorValue: unknown): unknown {
  if (column.kind !== 'bytes' || typeof cursorValue !== 'string') return dialect.toBoundValue(column.kind, cursorValue)
  return Uint8Array.from(cursorValue.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16))
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
  // JSON can contain numbers that parse as infinity; an infinite value of a database is a text.
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

/** Creates the check of a column's cursor values; null is always valid, since a joined row can be missing. */
export function createCursorValueCheck(
  dialect: DialectName,
  kind: ColumnKind,
  range?: Column['range'],
): Column['isCursorValue'] {
  const check = CURSOR_VALUE_CHECKS[kind]
  // SQLite compares all types, and stores times in any form that was inserted.
  const loose = dialect === 'sqlite' && (kind === 'date' || kind === 'dateTime' || kind === 'time')
  return (value) => {
    if (value === null) return true
    // PostgreSQL texts cannot contain this character.
    if (dialect === 'postgres' && typeof value === 'string' && value.includes('\0')) return false
    if (loose) return Number.isFinite(value) || isText(value)
    return check(value) && (range === undefined || isInRange(range, value as string | number))
  }
}

function isInRange([min, max]: readonly [bigint, bigint], value: string | number): boolean {
  const number = BigInt(value)
  return min <= number && number <= max
}
