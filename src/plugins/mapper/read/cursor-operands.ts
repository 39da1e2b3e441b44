// Converts cursors to operands of comparisons; only valid ones reach the datastore.

import { and, or } from '../../query/combine-filters.ts'
import type { CursorValue, Filter, Operand, OrderStep, Reference, TruncatedValue } from '../../query/query.ts'
import { filterByTruncatedValue, isLongEnough, isTruncatedValue } from '../../query/truncated-cursor.ts'
import { toOperand, UnfitValueError } from '../plan/operand.ts'
import type { PlannedStep } from '../plan/query-plan.ts'
import { mayBeNull } from '../plan/query-scope.ts'
import type { CursorPortion } from './portion.ts'
import { createCursorFault } from './refusals.ts'

/** Converts a position of plain values to operands. Without tie-breakers, it skips every row equal to it. */
export function toPositionOperands(
  { after, before, from }: Partial<Pick<CursorPortion, 'after' | 'before' | 'from'>>,
  order: readonly PlannedStep[],
): Operand[] | undefined {
  const position = after ?? before ?? (from === undefined ? undefined : [from])
  return position?.map((value, i) => toTypedOperand(value, order[i] as PlannedStep))
}

function toTypedOperand(value: unknown, { reference, codec }: PlannedStep): Operand {
  if (value === null) return { value }
  try {
    return { value: toOperand('', { column: reference.column, codec }, value) }
  } catch (error) {
    throw error instanceof UnfitValueError ? createCursorFault() : error
  }
}

/** Converts a cursor from a link to operands. A link is untrusted: only valid cursor values reach the datastore. */
export function toCursorOperands(cursor: readonly CursorValue[], order: readonly OrderStep[]): Operand[] {
  if (cursor.length !== order.length) throw createCursorFault()
  return cursor.map((value, i) => {
    const { reference } = order[i] as OrderStep
    if (value === null ? mayBeNull(reference) : reference.column.isCursorValue(value)) return { cursorValue: value }
    throw createCursorFault()
  })
}

/** Returns the condition that rows come after a cursor in an order; null is greater than any value. */
export function buildAfterFilter(order: readonly OrderStep[], cursor: readonly Operand[]): Filter {
  const alternatives = cursor.map((operand, i): Filter => {
    const equal = cursor.slice(0, i).map((one, j) => buildEqualFilter(order[j] as OrderStep, one))
    return and([...equal, buildGreaterFilter(order[i] as OrderStep, operand)])
  })
  return or(alternatives)
}

const isNull = (operand: Operand): boolean => ('cursorValue' in operand ? operand.cursorValue : operand.value) === null

const buildEqualFilter = ({ reference }: OrderStep, operand: Operand): Filter =>
  isNull(operand) ? { op: 'null', reference } : { op: '=', reference, ...operand }

function buildGreaterFilter({ reference, descending }: OrderStep, operand: Operand): Filter {
  if (isNull(operand)) return descending ? { op: 'not null', reference } : or([])
  if (descending) return { op: '<', reference, ...operand }
  const greater: Filter = { op: '>', reference, ...operand }
  return mayBeNull(reference) ? or([greater, { op: 'null', reference }]) : greater
}

/** Returns the condition that a column equals a key value from a link. */
export function buildKeyValueFilter(reference: Reference, value: CursorValue | TruncatedValue, values: number): Filter {
  if (isTruncatedValue(value)) {
    if (isLongEnough(value, values)) return filterByTruncatedValue(reference, value)
  } else if (value === null) {
    if (mayBeNull(reference)) return { op: 'null', reference }
  } else if (reference.column.isCursorValue(value)) return { op: '=', reference, cursorValue: value }
  throw createCursorFault()
}
