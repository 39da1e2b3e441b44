// Places of SQLite: a column takes values of every type, whatever was declared, and each keeps its place among the others.

import type { CursorValue } from '../../../query/query.ts'
import { filterBytesByPrefix, filterTextsByEnds } from '../../../query/truncated-cursor.ts'
import type { SqlColumn } from '../sql.ts'
import { toByteArray, encodeHex } from './cursor-values.ts'

/** The places of a column of SQLite, in place of the usual ones. */
export type SqliteCursorCodec = Required<Pick<SqlColumn, 'toCursorValue' | 'bindCursorValue' | 'isCursorValue' | 'filterByEnds'>> & Pick<SqlColumn, 'toSelectSql'>

// Clients refuse, or round, whole numbers that a JavaScript number cannot hold.
const formatUnsafeIntegerTest = (expression: string): string =>
  `typeof(${expression}) = 'integer' and ${expression} not between -9007199254740991 and 9007199254740991`

const INTEGER = /^-?\d+$/

// Marks what a text, or a number of JSON, cannot be told from; a text that begins like it is marked as a text.
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

function bindCursorValue(place: CursorValue): ReturnType<SqliteCursorCodec['bindCursorValue']> {
  if (typeof place !== 'string' || !place.startsWith(MARK)) return { value: place }
  const [kind, rest] = [place[MARK.length], place.slice(MARK.length + 1)]
  // The sign keeps the cast from having a say in how the two are compared.
  if (kind === 'i') return { value: rest, parameterSql: ['+cast(', ' as integer)'] }
  if (kind === 'r') return { value: Number(rest) }
  if (kind === 't') return { value: rest }
  return { value: Uint8Array.from(rest.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16)) }
}

// No number of it is long.
const findNearbyRows: SqliteCursorCodec['filterByEnds'] = (reference, [beginning, end]) => {
  const [kind, rest] = beginning.startsWith(MARK) ? [beginning[MARK.length], beginning.slice(MARK.length + 1)] : []
  if (kind === 'b') return filterBytesByPrefix(reference, rest as string, `${MARK}b`)
  return filterTextsByEnds(reference, [kind === 't' ? (rest as string) : beginning, end])
}

/**
 * Places of a column that keeps all but bytes as text. The sign makes an expression of the column: rqlite gives another text
 * for a plain column that is declared as a date or a moment.
 */
export const textCursorCodec: SqliteCursorCodec = {
  toSelectSql: (expression) => `+${expression}`,
  toCursorValue: encodeCursorValue,
  bindCursorValue,
  isCursorValue,
  filterByEnds: findNearbyRows,
}

/** Places of a column that keeps a text only if it is no number. */
export const numberCursorCodec: SqliteCursorCodec = {
  toSelectSql: (expression) => `case when ${formatUnsafeIntegerTest(expression)} then cast(${expression} as text) else ${expression} end`,
  toCursorValue: (raw) => (typeof raw === 'string' && INTEGER.test(raw) ? `${MARK}i${raw}` : encodeCursorValue(raw)),
  bindCursorValue,
  isCursorValue,
  filterByEnds: findNearbyRows,
}

/** Places of a column that keeps everything as it is; the statement marks what could be taken for something else. */
export const untypedCursorCodec: SqliteCursorCodec = {
  toSelectSql: (expression) =>
    `case when ${formatUnsafeIntegerTest(expression)} then '${MARK}'i' || ${expression} when typeof(${expression}) = 'text' and ` +
    `substr(${expression}, 1, 2) = '${MARK}'' then '${MARK}'t' || ${expression} else ${expression} end`,
  toCursorValue: (raw) => (typeof raw === 'string' ? raw : encodeCursorValue(raw)),
  bindCursorValue,
  isCursorValue,
  filterByEnds: findNearbyRows,
}

/** The same, for a client that gives values as its users have asked it to: only places are read in a way of ours. */
export const useForCursorOnly = ({
  toSelectSql: read,
  ...places
}: SqliteCursorCodec): Omit<SqliteCursorCodec, 'toSelectSql'> & Pick<SqlColumn, 'toCursorSql'> => ({
  ...places,
  ...(read && { toCursorSql: read }),
})

/** Gives the value that a statement has marked. */
export function decodeMarked(raw: unknown): unknown {
  if (typeof raw !== 'string' || !raw.startsWith(MARK)) return raw
  const rest = raw.slice(MARK.length + 1)
  return raw[MARK.length] === 'i' ? BigInt(rest) : rest
}

/** Gives a whole number as a number, or as a bigint where that would round it; what is none stays as it is. */
export function toInteger(raw: unknown): unknown {
  if (typeof raw === 'bigint') return Number.isSafeInteger(Number(raw)) ? Number(raw) : raw
  return typeof raw === 'string' && INTEGER.test(raw) ? toInteger(BigInt(raw)) : raw
}

/** The same, always as a bigint. */
export function toBigint(raw: unknown): unknown {
  const whole = toInteger(raw)
  return Number.isInteger(whole) ? BigInt(whole as number) : whole
}

/** The number that SQLite gives to each row of a table, whatever its key is. */
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

/** The places of a column with a declared type, as SQLite's rules of affinity decide it. */
export function chooseCursorCodec(type: string): SqliteCursorCodec {
  if (/int/i.test(type)) return numberCursorCodec
  if (/char|clob|text/i.test(type)) return textCursorCodec
  // A strict table keeps everything in a column of the type ANY.
  return type === '' || /blob|^any$/i.test(type) ? untypedCursorCodec : numberCursorCodec
}
