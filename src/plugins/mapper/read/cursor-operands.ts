// Places as operands of comparisons: only valid ones reach the datastore.
import { toOperand, UnfitValueError } from '../plan/operand.ts'
import type { PlannedStep } from '../plan/query-plan.ts'
import { mayBeNull } from '../plan/query-scope.ts'
import type { TruncatedValue, Filter, Operand, OrderStep, CursorValue, Reference } from '../../query/query.ts'
import { isTruncatedValue, isLongEnough, filterByEnds } from '../../query/truncated-cursor.ts'
import type { CursorPortion } from './portion.ts'
import { createCursorFault } from './refusals.ts'

/** The operands of a value typed by hand: a place without its tie-breakers, before which all lies that is tied with it. */
export function toPositionOperands({ after, before, from }: CursorPortion, order: readonly PlannedStep[]): Operand[] | undefined {
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

/** The operands of a place; it comes from a link, and a link from anybody: only what can be a place reaches the datastore. */
export function toCursorOperands(place: readonly CursorValue[], order: readonly OrderStep[]): Operand[] {
  if (place.length !== order.length) throw createCursorFault()
  return place.map((value, i) => {
    const { reference } = order[i] as OrderStep
    if (value === null ? mayBeNull(reference) : reference.column.isCursorValue(value)) return { cursorValue: value }
    throw createCursorFault()
  })
}

/** The condition that a column has a value of a row's key, as a link names it. */
export function buildKeyValueFilter(reference: Reference, value: CursorValue | TruncatedValue, values: number): Filter {
  if (isTruncatedValue(value)) {
    if (isLongEnough(value, values)) return filterByEnds(reference, value)
  } else if (value === null) {
    if (mayBeNull(reference)) return { op: 'null', reference }
  } else if (reference.column.isCursorValue(value)) return { op: '=', reference, cursorValue: value }
  throw createCursorFault()
}
