// The semantics of an order: values compared field by field, nulls last when ascending and first when descending.
import { decimals } from '../../extend.ts'

/** One field of an order. */
export interface OrderTerm {
  readonly field: string
  readonly descending: boolean
}

/** Appends the key to an order, so that it is total; the key takes the direction of the last field before it. */
export function withKey(terms: readonly OrderTerm[], key: readonly string[]): readonly OrderTerm[] {
  // An index on the field and the key then serves both directions.
  const descending = terms.at(-1)?.descending ?? false
  const missing = key.filter((name) => !terms.some(({ field }) => field === name))
  return [...terms, ...missing.map((field) => ({ field, descending }))]
}

/** The values of an element in each field of an order; null for a missing value. */
export type Position = readonly unknown[]

/** Compares two values of one field, ascending; null and undefined come last. */
export function compareValues(a: unknown, b: unknown): number {
  if (a === null || a === undefined) return b === null || b === undefined ? 0 : 1
  if (b === null || b === undefined) return -1
  if (typeof a === 'string' && typeof b === 'string') return compareTexts(a, b)
  const [x, y] = [toComparable(a), toComparable(b)]
  if (x < y) return -1
  return x > y ? 1 : 0
}

/** Compares two values of a decimal field, which are texts in numeric order. */
export const compareDecimalValues = (a: unknown, b: unknown): number =>
  decimals.isDecimal(a) && decimals.isDecimal(b) ? decimals.compareDecimals(a, b) : compareValues(a, b)

function toComparable(value: unknown): number | bigint | string {
  if (typeof value === 'number' || typeof value === 'bigint' || typeof value === 'string') return value
  return value instanceof Date ? value.getTime() : Number(value)
}

// Compares by code points, as databases with a binary UTF-8 collation do; the order of UTF-16 code units differs.
function compareTexts(a: string, b: string): number {
  const length = Math.min(a.length, b.length)
  for (let i = 0; i < length; i++) {
    const [x, y] = [a.charCodeAt(i), b.charCodeAt(i)]
    if (x === y) continue
    if (isSurrogate(x) === isSurrogate(y)) return x - y
    return isSurrogate(x) ? 1 : -1
  }
  return a.length - b.length
}

const isSurrogate = (unit: number): boolean => unit >= 0xd800 && unit <= 0xdfff

/** One step of an order, with the ascending comparison of its field's values. */
export interface ComparedTerm {
  readonly descending: boolean
  readonly compare: (a: unknown, b: unknown) => number
}

/** Compares the positions of two elements in an order. */
export function comparePositions(a: Position, b: Position, order: readonly ComparedTerm[]): number {
  for (let i = 0; i < order.length; i++) {
    const { descending, compare } = order[i] as ComparedTerm
    const compared = compare(a[i], b[i])
    if (compared !== 0) return descending ? -compared : compared
  }
  return 0
}
