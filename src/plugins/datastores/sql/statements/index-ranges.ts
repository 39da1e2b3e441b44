// Splits a part of a list into ranges, each of which lies in an index of the order without sorting. The first columns of a
// range are pinned to a value or null, and the next one has bounds; the rest is free.

import type { Operand } from '../../../query/query.ts'
import type { SqlDialect } from '../dialect.ts'
import type { SqlOrderStep } from '../sql.ts'
import { isNullableReference } from './sql-writer.ts'

/** One range of a list; all of its rows come before those of the next. */
export interface IndexRange {
  /** The values of the first steps of the order; they may be null. */
  readonly prefix: readonly Operand[]
  /** The bounds of the next steps. */
  readonly bounds?: RangeBounds
  /** Whether the database would need to sort the range: the nulls of a later step are at the other end of its index. */
  readonly needsSort: boolean
}

/** The bounds of some steps: after a cursor, or unlimited if it is empty. */
interface RangeBounds {
  readonly after: readonly Operand[]
  /** Limits the first step to values before this one. */
  readonly before?: Operand
  /** Includes the rows without a value in the first step, at their position in the order. */
  readonly includeNulls?: boolean
}

/** The order of a list, and the dialect of its database. */
export interface ListOrder {
  readonly dialect: SqlDialect
  readonly order: readonly SqlOrderStep[]
}

const NULL_OPERAND: Operand = { cursorValue: null }

/** Returns whether an operand is null. */
export const isNullOperand = (operand: Operand): boolean =>
  ('cursorValue' in operand ? operand.cursorValue : operand.value) === null

/** A list as one range, which the database sorts if it has no index for it. */
export const FULL_RANGE: IndexRange = { prefix: [], needsSort: false }

/** Splits the rows after a cursor, or all rows, of a list whose first steps are pinned to a prefix. */
export const splitIntoRanges = (
  list: ListOrder,
  prefix: readonly Operand[],
  after: readonly Operand[] | undefined,
): readonly IndexRange[] =>
  after === undefined ? listRangesWithPrefix(list, prefix) : listRangesAfter(list, [...prefix, ...after], prefix.length)

/** Returns the ranges of all rows that begin with a prefix. */
export function listRangesWithPrefix(list: ListOrder, prefix: readonly Operand[]): readonly IndexRange[] {
  const step = list.order[prefix.length]
  const needsSort = isUnsorted(list, prefix.length)
  if (step === undefined || !hasNullsFirst(list, step)) return [{ prefix, needsSort }]
  const values = { prefix, bounds: { after: [] }, needsSort }
  const nulls = listRangesWithPrefix(list, [...prefix, NULL_OPERAND])
  return step.descending ? [...nulls, values] : [values, ...nulls]
}

/** Returns the ranges after a cursor, among the rows whose steps before `from` equal it. */
function listRangesAfter(list: ListOrder, cursor: readonly Operand[], from: number): readonly IndexRange[] {
  const [step, operand] = [list.order[from], cursor[from]]
  if (step === undefined || operand === undefined) return []
  const prefix = cursor.slice(0, from)
  const needsSort = isUnsorted(list, from)
  if (isNullOperand(operand)) {
    const nulls = listRangesAfter(list, cursor, from + 1)
    return step.descending ? [...nulls, { prefix, bounds: { after: [] }, needsSort }] : nulls
  }
  const end = needsSort ? from + 1 : findTupleEnd(list, cursor, from)
  const hasNulls = !step.descending && isNullableReference(step.reference)
  // An order without an index is sorted once, not in two ranges.
  const includeNulls = hasNulls && step.reference.source > 0
  const values = { prefix, bounds: { after: cursor.slice(from, end), includeNulls }, needsSort }
  const nulls = hasNulls && !includeNulls ? listRangesWithPrefix(list, [...prefix, NULL_OPERAND]) : []
  return [...listRangesAfter(list, cursor, end), values, ...nulls]
}

// Several columns can be compared as a tuple if none of them is nullable but the first.
function findTupleEnd({ dialect, order }: ListOrder, cursor: readonly Operand[], from: number): number {
  const { reference, descending } = order[from] as SqlOrderStep
  // No index spans two tables, and such rows are better sorted once. A filter's value may be one that the column cannot hold.
  const comparison = reference.source > 0 || !cursor.every(isCursorOperand) ? 'or' : dialect.tupleComparison
  let end = from + 1
  if (comparison === undefined) return end
  for (; end < cursor.length && end < order.length; end++) {
    const step = order[end] as SqlOrderStep
    if (isNullableReference(step.reference) || (comparison === 'row' && step.descending !== descending)) break
  }
  return end
}

/** Returns whether values after a cursor are compared as a tuple, even of a single column. */
export function isTupleComparison({ dialect, order }: ListOrder, { prefix, bounds }: IndexRange): boolean {
  const { length } = bounds?.after ?? []
  if (bounds === undefined || order[prefix.length]?.reference.source !== 0 || !bounds.after.every(isCursorOperand))
    return false
  return length > 1
    ? dialect.tupleComparison === 'row'
    : length === 1 && prefix.length > 0 && dialect.hideFromPlanner !== undefined
}

const isCursorOperand = (operand: Operand): boolean => 'cursorValue' in operand

// Indexes of the first table do not contain joined rows.
const hasNullsFirst = ({ dialect }: ListOrder, { reference }: SqlOrderStep): boolean =>
  dialect.nullsFirst && reference.source === 0 && isNullableReference(reference)

const isUnsorted = (list: ListOrder, at: number): boolean =>
  list.order[at]?.reference.source === 0 && list.order.slice(at + 1).some((step) => hasNullsFirst(list, step))
