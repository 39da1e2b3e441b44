// Bounds: the rows after a place in an order, as a filter. Nulls are last when ascending and first when descending.
import type { Filter, OrderStep, Place, Tuple } from './query.ts'
import { mayBeNull } from './scope.ts'

/** What is compared with: a value of the column, or a place exactly as the datastore knows it. */
export type Operand = { readonly value: unknown } | { readonly place: Place }

/** The rows that come after a place, given by one operand for each step of the order; fewer leave out all that is tied. */
export function afterPlace(order: readonly OrderStep[], place: readonly Operand[]): Filter {
  const spelled = afterSteps(order, place)
  const tuple = tupleOf(order, place)
  return tuple !== undefined && spelled.op === 'and' ? { ...spelled, tuple } : spelled
}

// Only where all columns go the same way does comparing them together mean what the order means.
function tupleOf(order: readonly OrderStep[], place: readonly Operand[]): Tuple | undefined {
  const descending = order[0]?.descending ?? false
  const places = place.flatMap((operand) => ('place' in operand && operand.place !== null ? [operand.place] : []))
  if (places.length < 2 || places.length !== order.length) return undefined
  if (order.some((step) => step.descending !== descending || hasNulls(step))) return undefined
  return { references: order.map(({ reference }) => reference), places, descending }
}

function afterSteps(order: readonly OrderStep[], place: readonly Operand[]): Filter {
  const [step, ...rest] = order
  const [operand, ...further] = place
  if (step === undefined || operand === undefined) return NONE
  const beyond = beyondStep(step, operand)
  const tied = afterSteps(rest, further)
  if (tied === NONE) return beyond
  if (isNull(operand) || hasNulls(step)) return or([beyond, and([equal(step, operand), tied])])
  // Databases do not see by themselves that all branches begin at one point of an index. Behind that bound, what is not
  // beyond is tied; said once more, it would lead some of them to read each branch by itself and to sort both.
  return and([fromStep(step, operand), or([beyond, tied])])
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
