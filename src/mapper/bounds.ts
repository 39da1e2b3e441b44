// Bounds: the rows after a place in an order, as a filter. Nulls are last when ascending and first when descending.
import type { Filter, OrderStep, Place } from './query.ts'
import { mayBeNull } from './scope.ts'

/** What is compared with: a value of the column, or a place exactly as the datastore knows it. */
export type Operand = { readonly value: unknown } | { readonly place: Place }

/** The rows that come after a place, given by one operand for each step of the order; fewer leave out all that is tied. */
export function afterPlace(order: readonly OrderStep[], place: readonly Operand[]): Filter {
  const [step] = order
  const [operand] = place
  const exact = beyondPlace(order, place)
  // Databases do not see by themselves that all branches begin at one point of an index.
  const bounded = step !== undefined && operand !== undefined && place.length > 1 && !isNull(operand) && !hasNulls(step)
  return bounded ? and([fromStep(step, operand), exact]) : exact
}

function beyondPlace([step, ...rest]: readonly OrderStep[], [operand, ...further]: readonly Operand[]): Filter {
  if (step === undefined || operand === undefined) return NONE
  return or([beyondStep(step, operand), and([equal(step, operand), beyondPlace(rest, further)])])
}

function beyondStep(step: OrderStep, operand: Operand): Filter {
  const { reference, descending } = step
  if (isNull(operand)) return descending ? { op: 'not null', reference } : NONE
  if (descending) return { op: '<', reference, ...operand }
  const greater: Filter = { op: '>', reference, ...operand }
  return hasNulls(step) ? or([greater, { op: 'null', reference }]) : greater
}

const hasNulls = ({ reference, noNulls }: OrderStep): boolean => noNulls !== true && mayBeNull(reference)

const fromStep = ({ reference, descending }: OrderStep, operand: Operand): Filter => ({
  op: descending ? '<=' : '>=',
  reference,
  ...operand,
})

const equal = ({ reference }: OrderStep, operand: Operand): Filter =>
  isNull(operand) ? { op: 'null', reference } : { op: '=', reference, ...operand }

/** Tells whether an operand stands for no value. */
export const isNull = (operand: Operand): boolean => ('place' in operand ? operand.place : operand.value) === null

const NONE: Filter = { op: 'or', of: [] }

/** All of some conditions; one alone stands for itself. */
export const and = (of: readonly Filter[]): Filter =>
  of.includes(NONE) ? NONE : of.length === 1 ? (of[0] as Filter) : { op: 'and', of }

/** One of some conditions; one alone stands for itself. */
export function or(of: readonly Filter[]): Filter {
  const possible = of.filter((one) => one !== NONE)
  if (possible.length === 0) return NONE
  return possible.length === 1 ? (possible[0] as Filter) : { op: 'or', of: possible }
}
