// Places as operands of comparisons: only valid ones reach the datastore.
import { operandOf, UnfitValueError } from '../plan/operand.ts'
import type { PlannedStep } from '../plan/plan.ts'
import { mayBeNull } from '../plan/scope.ts'
import type { Abridged, Filter, Operand, OrderStep, Place, Reference } from '../query.ts'
import { isAbridged, isLongEnough, nearby } from './long-place.ts'
import type { PlacedPortion } from './portion.ts'
import { strangePlace } from './refusals.ts'

/** The operands of a value typed by hand: a place without its tie-breakers, before which all lies that is tied with it. */
export function placeOf({ after, before, from }: PlacedPortion, order: readonly PlannedStep[]): Operand[] | undefined {
  const position = after ?? before ?? (from === undefined ? undefined : [from])
  return position?.map((value, i) => typedValue(value, order[i] as PlannedStep))
}

function typedValue(value: unknown, { reference, codec }: PlannedStep): Operand {
  if (value === null) return { value }
  try {
    return { value: operandOf('', { column: reference.column, codec }, value) }
  } catch (error) {
    throw error instanceof UnfitValueError ? strangePlace() : error
  }
}

/** The operands of a place; it comes from a link, and a link from anybody: only what can be a place reaches the datastore. */
export function exactOperands(place: readonly Place[], order: readonly OrderStep[]): Operand[] {
  if (place.length !== order.length) throw strangePlace()
  return place.map((value, i) => {
    const { reference } = order[i] as OrderStep
    if (value === null ? mayBeNull(reference) : reference.column.isPlace(value)) return { place: value }
    throw strangePlace()
  })
}

/** The condition that a column has a value of a row's key, as a link names it. */
export function namedBy(reference: Reference, value: Place | Abridged, values: number): Filter {
  if (isAbridged(value)) {
    if (isLongEnough(value, values)) return nearby(reference, value)
  } else if (value === null) {
    if (mayBeNull(reference)) return { op: 'null', reference }
  } else if (reference.column.isPlace(value)) return { op: '=', reference, place: value }
  throw strangePlace()
}
