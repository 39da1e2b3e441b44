// Converts cursors to operands of comparisons; only valid ones reach the datastore.

import type { CursorValue, Filter, Operand, OrderStep, Reference, TruncatedValue } from '../../query/query.ts'
import { filterByTruncatedValue, isLongEnough, isTruncatedValue } from '../../query/truncated-cursor.ts'
import { toOperand, UnfitValueError } from '../plan/operand.ts'
import type { PlannedStep } from '../plan/query-plan.ts'
import { mayBeNull } from '../plan/query-scope.ts'
import type { CursorPortion } from './portion.ts'
import { createCursorFault } from './refusals.ts'

/** Converts a position of plain values to operands. Without tie-breakers, it skips every row equal to it. */
export function toPositionOperands(
  { after, before, from }: CursorPortion,
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

/** Returns the condition that a column equals a key value from a link. */
export function buildKeyValueFilter(reference: Reference, value: CursorValue | TruncatedValue, values: number): Filter {
  if (isTruncatedValue(value)) {
    if (isLongEnough(value, values)) return filterByTruncatedValue(reference, value)
  } else if (value === null) {
    if (mayBeNull(reference)) return { op: 'null', reference }
  } else if (reference.column.isCursorValue(value)) return { op: '=', reference, cursorValue: value }
  throw createCursorFault()
}
