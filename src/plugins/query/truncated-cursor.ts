// Cursors that are too long for a link: the key of the row replaces them, with long values truncated to their ends. The row
// is read again, and a digest of the full cursor shows whether its position is unchanged.
import { decimals } from '../../extend.ts'
import { and } from './combine-filters.ts'
import type { ExactCursor } from './exact-cursor.ts'
import type { ColumnKind, CursorValue, Filter, Reference, TruncatedValue } from './query.ts'

/** The maximum bytes of a cursor in a link, as JSON: request targets and response headers have limited space. */
const MAX_CURSOR_BYTES = 1500

/** Returns whether the JSON of a cursor fits into a link. */
export const fitsInLink = (text: string): boolean =>
  text.length <= MAX_CURSOR_BYTES && new TextEncoder().encode(text).length <= MAX_CURSOR_BYTES

/** Returns the cursor for a link: the full one, or one that identifies its row. */
export function toLinkCursor(cursor: readonly CursorValue[], key: readonly number[]): ExactCursor {
  // Most cursors have a few short values; only texts and decimals can be long.
  const size = cursor.reduce((sum: number, value) => sum + (typeof value === 'string' ? value.length : 0), 0)
  if (size < MAX_CURSOR_BYTES / 6) return { values: cursor }
  const text = JSON.stringify(cursor)
  if (fitsInLink(text)) return { values: cursor }
  return { values: truncateValues(key.map((step) => cursor[step] as CursorValue)), digest: computeDigest(text) }
}

/** Returns the length of each end of a truncated value, by the number of values; JSON needs six bytes for some characters. */
const getEndLength = (values: number): number => Math.floor((MAX_CURSOR_BYTES - 2 - 10 * values) / values / 12)

/** Truncates long values to their ends; returns the values unchanged if they fit into a link. */
export function truncateValues(values: readonly CursorValue[]): readonly (CursorValue | TruncatedValue)[] {
  if (fitsInLink(JSON.stringify(values))) return values
  const length = getEndLength(values.length)
  return values.map((value) => {
    if (typeof value !== 'string' || value.length <= 2 * length) return value
    // Databases reject half a surrogate pair.
    return [
      value.slice(0, length).replace(/[\ud800-\udbff]$/, ''),
      value.slice(-length).replace(/^[\udc00-\udfff]/, ''),
    ]
  })
}

/** Returns whether a value from a link is a truncated one. */
export const isTruncatedValue = (value: unknown): value is TruncatedValue =>
  Array.isArray(value) && value.length === 2 && value.every((end) => typeof end === 'string')

/** Returns whether the ends have the required length; shorter ones match more rows than any link needs. */
export const isLongEnough = (ends: TruncatedValue, values: number): boolean =>
  ends.every((end) => end.length >= getEndLength(values) - 1)

/** Filters the rows whose column may have a value with these ends. */
export function filterByTruncatedValue(reference: Reference, ends: TruncatedValue): Filter {
  const { kind, filterByTruncatedValue: customFilter } = reference.column
  if (customFilter !== undefined) return customFilter(reference, ends)
  if (kind === 'bytes') return filterBytesByPrefix(reference, ends[0])
  const isNumber = NUMERIC_KINDS.has(kind) && /^-?\d+(?:\.\d*)?$/.test(ends[0])
  return isNumber ? filterNumbersByPrefix(reference, ends[0]) : filterTextsByTruncatedValue(reference, ends)
}

const NUMERIC_KINDS: ReadonlySet<ColumnKind> = new Set(['integer', 'bigint', 'number', 'decimal'])

/** Filters texts by their beginning and end. */
export const filterTextsByTruncatedValue = (reference: Reference, [beginning, end]: TruncatedValue): Filter =>
  and([
    { op: 'like', reference, pattern: { text: beginning, before: false, after: true } },
    { op: 'like', reference, pattern: { text: end, before: true, after: false } },
  ])

/** Filters bytes by a prefix of hexadecimal digit pairs; `mark` precedes the cursor values of the column. */
export function filterBytesByPrefix(reference: Reference, beginning: string, mark = ''): Filter {
  const [prefix = ''] = /^(?:[0-9a-f]{2})*/.exec(beginning) ?? []
  const from: Filter = { op: '>=', reference, cursorValue: mark + prefix }
  const next = (BigInt(`0x0${prefix}`) + 1n).toString(16).padStart(prefix.length, '0')
  return next.length > prefix.length ? from : and([from, { op: '<', reference, cursorValue: mark + next }])
}

// The leading digits of a long integer are themselves a number, which is nearer to zero.
function filterNumbersByPrefix(reference: Reference, beginning: string): Filter {
  const near = beginning.replace(/\.$/, '')
  const [inwards, outwards] = beginning.startsWith('-') ? (['<=', '>='] as const) : (['>=', '<='] as const)
  const from: Filter = { op: inwards, reference, cursorValue: near }
  const scale = decimals.getFractionDigits(near).length
  if (scale === 0) return from
  const far = decimals.unscaleDecimal(decimals.scaleDecimal(near, scale) + (inwards === '<=' ? -1n : 1n), scale)
  return and([from, { op: outwards, reference, cursorValue: far }])
}

/** Returns a short digest of a cursor: two 32-bit FNV-1a hashes. A forged digest only yields other elements of the same list. */
export function computeDigest(text: string): string {
  let [one, other] = [0x811c9dc5, 0x01000193]
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    one = Math.imul(one ^ code, 0x01000193)
    other = Math.imul(other ^ (code + i), 0x01000193)
  }
  return (one >>> 0).toString(36) + (other >>> 0).toString(36)
}
