// Places that are too long for a link: the key of the row stands for them, and of a long key its ends. The row is read again,
// and a digest of the whole place tells whether it is still there.
import { decimals } from '../../extend.ts'
import { and } from './combine-filters.ts'
import type { TruncatedValue, ColumnKind, Filter, CursorValue, Reference } from './query.ts'
import type { ExactCursor } from './exact-cursor.ts'

/** The most bytes of a place in a link, as JSON: a request has room for few of them, and a head for few links. */
const MAX_CURSOR_BYTES = 1500

/** Returns whether a link can carry the JSON of a place. */
export const isLinkable = (text: string): boolean =>
  text.length <= MAX_CURSOR_BYTES && new TextEncoder().encode(text).length <= MAX_CURSOR_BYTES

/** The place that a link carries: the whole one, or what finds its row again. */
export function toLinkCursor(place: readonly CursorValue[], key: readonly number[]): ExactCursor {
  // Most places have a few short values: only texts and decimals can be longer.
  const size = place.reduce((sum: number, value) => sum + (typeof value === 'string' ? value.length : 0), 0)
  if (size < MAX_CURSOR_BYTES / 6) return { values: place }
  const text = JSON.stringify(place)
  if (isLinkable(text)) return { values: place }
  return { values: truncateValues(key.map((step) => place[step] as CursorValue)), digest: computeDigest(text) }
}

/** The characters of each end that stands for a long value, where there are so many values; JSON has six bytes for some. */
const getEndLength = (values: number): number => Math.floor((MAX_CURSOR_BYTES - 2 - 10 * values) / values / 12)

/** The same values, but for the long ones their ends; if all values are short together, they stay as they are. */
export function truncateValues(values: readonly CursorValue[]): readonly (CursorValue | TruncatedValue)[] {
  if (isLinkable(JSON.stringify(values))) return values
  const length = getEndLength(values.length)
  return values.map((value) => {
    if (typeof value !== 'string' || value.length <= 2 * length) return value
    // Half a character would be none for a database.
    return [
      value.slice(0, length).replace(/[\ud800-\udbff]$/, ''),
      value.slice(-length).replace(/^[\udc00-\udfff]/, ''),
    ]
  })
}

/** Returns whether a value of a link is the ends of a long one. */
export const isTruncatedValue = (value: unknown): value is TruncatedValue =>
  Array.isArray(value) && value.length === 2 && value.every((end) => typeof end === 'string')

/** Returns whether ends are as long as they must be: shorter ones would find rows that no link needs them for. */
export const isLongEnough = (ends: TruncatedValue, values: number): boolean =>
  ends.every((end) => end.length >= getEndLength(values) - 1)

/** The rows whose column may have a value with such ends. */
export function filterByEnds(reference: Reference, ends: TruncatedValue): Filter {
  const { kind, filterByEnds: own } = reference.column
  if (own !== undefined) return own(reference, ends)
  if (kind === 'bytes') return filterBytesByPrefix(reference, ends[0])
  const isNumber = NUMERIC_KINDS.has(kind) && /^-?\d+(?:\.\d*)?$/.test(ends[0])
  return isNumber ? filterNumbersByPrefix(reference, ends[0]) : filterTextsByEnds(reference, ends)
}

const NUMERIC_KINDS: ReadonlySet<ColumnKind> = new Set(['integer', 'bigint', 'number', 'decimal'])

/** Texts that begin and end so. */
export const filterTextsByEnds = (reference: Reference, [beginning, end]: TruncatedValue): Filter =>
  and([
    { op: 'like', reference, pattern: { text: beginning, before: false, after: true } },
    { op: 'like', reference, pattern: { text: end, before: true, after: false } },
  ])

/** Bytes that begin so, as pairs of hexadecimal digits; `mark` stands before their places. */
export function filterBytesByPrefix(reference: Reference, beginning: string, mark = ''): Filter {
  const [least = ''] = /^(?:[0-9a-f]{2})*/.exec(beginning) ?? []
  const from: Filter = { op: '>=', reference, cursorValue: mark + least }
  const next = (BigInt(`0x0${least}`) + 1n).toString(16).padStart(least.length, '0')
  return next.length > least.length ? from : and([from, { op: '<', reference, cursorValue: mark + next }])
}

// Digits that begin a long whole number are themselves a number which is nearer to zero.
function filterNumbersByPrefix(reference: Reference, beginning: string): Filter {
  const near = beginning.replace(/\.$/, '')
  const [inwards, outwards] = beginning.startsWith('-') ? (['<=', '>='] as const) : (['>=', '<='] as const)
  const from: Filter = { op: inwards, reference, cursorValue: near }
  const scale = decimals.getFractionDigits(near).length
  if (scale === 0) return from
  const far = decimals.unscaleDecimal(decimals.scaleDecimal(near, scale) + (inwards === '<=' ? -1n : 1n), scale)
  return and([from, { op: outwards, reference, cursorValue: far }])
}

/** A short digest of a place: FNV-1a, two runs of 32 bits. A client that invents one gets elements of the same list. */
export function computeDigest(text: string): string {
  let [one, other] = [0x811c9dc5, 0x01000193]
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    one = Math.imul(one ^ code, 0x01000193)
    other = Math.imul(other ^ (code + i), 0x01000193)
  }
  return (one >>> 0).toString(36) + (other >>> 0).toString(36)
}
