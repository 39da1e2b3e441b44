// Stretches: a part of a list is read piece by piece, and each piece lies in an index of the order as it is. The first columns
// of a piece are equal to something or have no value, and the next one has a range; all that comes behind is free.
import type { Operand, OrderStep } from '../../../query/query.ts'
import type { SqlDialect } from '../dialect.ts'
import { isNullableReference } from './sql-writer.ts'

/** One piece of a list; all of its rows come before those of the next. */
export interface IndexRange {
  /** The values of the first steps of the order, or that they have none. */
  readonly prefix: readonly Operand[]
  /** The values of the next steps. */
  readonly bounds?: RangeBounds
  /** Set where the database would have to sort all of it: the nulls of a later step lie at the other end of its index. */
  readonly unsorted: boolean
}

/** The values of some steps after a place, or all of them where that is empty. */
interface RangeBounds {
  readonly after: readonly Operand[]
  /** Only those before another place in the first step. */
  readonly before?: Operand
  /** Also the rows without a value in the first step, at their place in the order. */
  readonly orNull?: boolean
}

/** The order of a list, and the database that keeps it. */
export interface ListOrder {
  readonly dialect: SqlDialect
  readonly order: readonly OrderStep[]
}

const NULL_OPERAND: Operand = { cursorValue: null }

/** Returns whether an operand stands for no value. */
export const isNullOperand = (operand: Operand): boolean => ('cursorValue' in operand ? operand.cursorValue : operand.value) === null

/** A list as one piece, which the database sorts where it has no index for it. */
export const FULL_RANGE: IndexRange = { prefix: [], unsorted: false }

/** The pieces of what comes after a place, or of all of it, in a list whose first steps are tied to something. */
export const splitIntoRanges = (
  list: ListOrder,
  prefix: readonly Operand[],
  after: readonly Operand[] | undefined,
): readonly IndexRange[] => (after === undefined ? listRangesWithPrefix(list, prefix) : listRangesAfter(list, [...prefix, ...after], prefix.length))

/** The pieces of all rows whose first steps are equal to something. */
export function listRangesWithPrefix(list: ListOrder, prefix: readonly Operand[]): readonly IndexRange[] {
  const step = list.order[prefix.length]
  const unsorted = isUnsorted(list, prefix.length)
  if (step === undefined || !hasNullsFirst(list, step)) return [{ prefix, unsorted }]
  const values = { prefix, bounds: { after: [] }, unsorted }
  const nulls = listRangesWithPrefix(list, [...prefix, NULL_OPERAND])
  return step.descending ? [...nulls, values] : [values, ...nulls]
}

/** The pieces after a place whose first steps are tied to it. */
function listRangesAfter(list: ListOrder, place: readonly Operand[], from: number): readonly IndexRange[] {
  const [step, operand] = [list.order[from], place[from]]
  if (step === undefined || operand === undefined) return []
  const prefix = place.slice(0, from)
  const unsorted = isUnsorted(list, from)
  if (isNullOperand(operand)) {
    const nulls = listRangesAfter(list, place, from + 1)
    return step.descending ? [...nulls, { prefix, bounds: { after: [] }, unsorted }] : nulls
  }
  const end = unsorted ? from + 1 : findTupleEnd(list, place, from)
  const hasNulls = !step.descending && isNullableReference(step.reference)
  // An order without an index is sorted once, and not in two pieces.
  const orNull = hasNulls && step.reference.source > 0
  const values = { prefix, bounds: { after: place.slice(from, end), orNull }, unsorted }
  const nulls = hasNulls && !orNull ? listRangesWithPrefix(list, [...prefix, NULL_OPERAND]) : []
  return [...listRangesAfter(list, place, end), values, ...nulls]
}

// Several columns can be compared together where no null lies between them.
function findTupleEnd({ dialect, order }: ListOrder, place: readonly Operand[], from: number): number {
  const { reference, descending } = order[from] as OrderStep
  // No index spans two tables, and what is sorted had better be sorted once. A value may be one that the column cannot have.
  const run = reference.source > 0 || !place.every(isCursorOperand) ? 'or' : dialect.tupleComparison
  let end = from + 1
  if (run === undefined) return end
  for (; end < place.length && end < order.length; end++) {
    const step = order[end] as OrderStep
    if (isNullableReference(step.reference) || (run === 'row' && step.descending !== descending)) break
  }
  return end
}

/** Returns whether values after a place are compared with it as a row, also as one of a single column. */
export function isTupleComparison({ dialect, order }: ListOrder, { prefix, bounds: values }: IndexRange): boolean {
  const { length } = values?.after ?? []
  if (values === undefined || order[prefix.length]?.reference.source !== 0 || !values.after.every(isCursorOperand)) return false
  return length > 1 ? dialect.tupleComparison === 'row' : length === 1 && prefix.length > 0 && dialect.hideFromPlanner !== undefined
}

const isCursorOperand = (operand: Operand): boolean => 'cursorValue' in operand

// A joined row has no place in our indexes.
const hasNullsFirst = ({ dialect }: ListOrder, { reference: { source, column } }: OrderStep): boolean =>
  dialect.nullsFirst && source === 0 && column.nullable

const isUnsorted = (list: ListOrder, at: number): boolean =>
  list.order[at]?.reference.source === 0 && list.order.slice(at + 1).some((step) => hasNullsFirst(list, step))
