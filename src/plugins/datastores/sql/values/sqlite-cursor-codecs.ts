// Cursor values of SQLite: a column takes values of every type, whatever was declared, and orders them by their type first.

import type { CursorValue } from '../../../query/query.ts'
import { filterBytesByPrefix, filterTextsByTruncatedValue } from '../../../query/truncated-cursor.ts'
import type { SqlColumn } from '../sql.ts'
import { encodeHex, toByteArray } from './cursor-values.ts'

/** The cursor functions of a SQLite column, which replace the default ones. */
export type SqliteCursorCodec = Required<
  Pick<SqlColumn, 'toCursorValue' | 'bindCursorValue' | 'isCursorValue' | 'filterByTruncatedValue'>
> &
  Pick<SqlColumn, 'toSelectSql'>

// Clients refuse or round integers that a JavaScript number cannot hold.
const formatUnsafeIntegerTest = (expression: string): string =>
  `typeof(${expression}) = 'integer' and ${expression} not between -9007199254740991 and 9007199254740991`

const INTEGER = /^-?\d+$/

// Marks values that would otherwise look like a text or a JSON number; a text that begins with the mark is marked as a text.
const MARK = "X'"

function encodeCursorValue(raw: unknown): CursorValue {
  if (raw === null || raw === undefined) return null
  if (typeof raw === 'string') return raw.startsWith(MARK) ? `${MARK}t${raw}` : raw
  if (typeof raw === 'number') return Number.isFinite(raw) ? raw : `${MARK}r${raw > 0 ? '' : '-'}9e999`
  if (typeof raw === 'bigint') return `${MARK}i${raw}`
  const bytes = toByteArray(raw)
  return bytes ? `${MARK}b${encodeHex(bytes)}` : Number(raw)
}

const isCursorValue = (value: unknown): boolean => {
  if (value === null) return true
  if (typeof value !== 'string') return Number.isFinite(value)
  return !value.startsWith(MARK) || /^X'(?:t|i-?\d{1,19}$|r-?9e999$|b(?:[0-9a-f]{2})*$)/.test(value)
}

function bindCursorValue(cursorValue: CursorValue): ReturnType<SqliteCursorCodec['bindCursorValue']> {
  if (typeof cursorValue !== 'string' || !cursorValue.startsWith(MARK)) return { value: cursorValue }
  const [kind, rest] = [cursorValue[MARK.length], cursorValue.slice(MARK.length + 1)]
  // The unary plus removes the affinity of the cast, which would affect the comparison.
  if (kind === 'i') return { value: rest, parameterWrapper: ['+cast(', ' as integer)'] }
  if (kind === 'r') return { value: Number(rest) }
  if (kind === 't') return { value: rest }
  return { value: Uint8Array.from(rest.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16)) }
}

// Only texts and bytes are truncated in cursors: no number of SQLite is long.
const filterByTruncatedValue: SqliteCursorCodec['filterByTruncatedValue'] = (reference, [beginning, end]) => {
  const [kind, rest] = beginning.startsWith(MARK) ? [beginning[MARK.length], beginning.slice(MARK.length + 1)] : []
  if (kind === 'b') return filterBytesByPrefix(reference, rest as string, `${MARK}b`)
  return filterTextsByTruncatedValue(reference, [kind === 't' ? (rest as string) : beginning, end])
}

/**
 * The codec of a column that stores everything but bytes as text. The unary plus makes an expression of the column: rqlite
 * returns another text for a plain column that is declared as a date or a timestamp.
 */
export const textCursorCodec: SqliteCursorCodec = {
  toSelectSql: (expression) => `+${expression}`,
  toCursorValue: encodeCursorValue,
  bindCursorValue,
  isCursorValue,
  filterByTruncatedValue,
}

/** The codec of a column that stores a text only if it is not a number. */
export const numberCursorCodec: SqliteCursorCodec = {
  toSelectSql: (expression) =>
    `case when ${formatUnsafeIntegerTest(expression)} then cast(${expression} as text) else ${expression} end`,
  toCursorValue: (raw) => (typeof raw === 'string' && INTEGER.test(raw) ? `${MARK}i${raw}` : encodeCursorValue(raw)),
  bindCursorValue,
  isCursorValue,
  filterByTruncatedValue,
}

/** The codec of a column that stores every value unchanged; the statement marks ambiguous values. */
export const untypedCursorCodec: SqliteCursorCodec = {
  toSelectSql: (expression) =>
    `case when ${formatUnsafeIntegerTest(expression)} then '${MARK}'i' || ${expression} when typeof(${expression}) = 'text' and ` +
    `substr(${expression}, 1, 2) = '${MARK}'' then '${MARK}'t' || ${expression} else ${expression} end`,
  toCursorValue: (raw) => (typeof raw === 'string' ? raw : encodeCursorValue(raw)),
  bindCursorValue,
  isCursorValue,
  filterByTruncatedValue,
}

/** Limits a codec to cursor values, for a client that returns other values as its users have configured. */
export const useForCursorOnly = ({
  toSelectSql: toCursorSql,
  ...codec
}: SqliteCursorCodec): Omit<SqliteCursorCodec, 'toSelectSql'> & Pick<SqlColumn, 'toCursorSql'> => ({
  ...codec,
  ...(toCursorSql && { toCursorSql }),
})

/** Decodes a value that a statement has marked. */
export function decodeMarked(raw: unknown): unknown {
  if (typeof raw !== 'string' || !raw.startsWith(MARK)) return raw
  const rest = raw.slice(MARK.length + 1)
  return raw[MARK.length] === 'i' ? BigInt(rest) : rest
}

/** Converts an integer to a number, or to a bigint if a number would round it; other values are unchanged. */
export function toInteger(raw: unknown): unknown {
  if (typeof raw === 'bigint') return Number.isSafeInteger(Number(raw)) ? Number(raw) : raw
  return typeof raw === 'string' && INTEGER.test(raw) ? toInteger(BigInt(raw)) : raw
}

/** Converts an integer to a bigint; other values are unchanged. */
export function toBigint(raw: unknown): unknown {
  const integer = toInteger(raw)
  return Number.isInteger(integer) ? BigInt(integer as number) : integer
}

/** The row id that SQLite assigns to each row of a table, whatever its key is. */
export const rowIdColumn: SqlColumn = {
  name: '_rowid_',
  sqlName: '_rowid_',
  kind: 'integer',
  nullable: false,
  optional: true,
  encode: (value) => value,
  decode: toInteger,
  ...numberCursorCodec,
}

/** Returns the codec of a column with a declared type, by SQLite's rules of affinity. */
export function chooseCursorCodec(type: string): SqliteCursorCodec {
  if (/int/i.test(type)) return numberCursorCodec
  if (/char|clob|text/i.test(type)) return textCursorCodec
  // In a strict table, a column of the type ANY stores values unchanged.
  return type === '' || /blob|^any$/i.test(type) ? untypedCursorCodec : numberCursorCodec
}
