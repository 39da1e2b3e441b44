// Segments: a list whose first order field may be null is read in two stretches, the values and the nulls. Most databases keep
// the nulls of an index at the other end than the order wants them; each stretch alone lies in an index as it is.
import { afterPlace, and, isNull, type Operand } from './bounds.ts'
import type { Filter, OrderStep, Selected } from './query.ts'

/** A stretch of a list: its rows all come before those of the next one. */
export interface Segment {
  readonly filter: readonly Filter[]
  readonly order: readonly OrderStep[]
}

/** The stretches of a list after a place, or of all of it. */
export function segmentsOf(order: readonly OrderStep[], place?: readonly Operand[]): readonly Segment[] {
  const [step, ...rest] = order
  if (step === undefined || step.reference.source > 0 || !step.reference.column.nullable)
    return [{ filter: place === undefined ? [] : [afterPlace(order, place)], order }]
  const operand = place?.[0]
  const atNull = operand !== undefined && isNull(operand)
  const nulls = segmentsOf(rest, atNull ? place?.slice(1) : undefined).map((one) => nullsOf(step, one))
  const values = valuesOf(order, atNull ? undefined : place)
  if (operand === undefined) return step.descending ? [...nulls, values] : [values, ...nulls]
  if (atNull) return step.descending ? [...nulls, values] : nulls
  return step.descending ? [values] : [values, ...nulls]
}

const nullsOf = ({ reference }: OrderStep, { filter, order }: Segment): Segment => ({
  filter: [and([{ op: 'null', reference }, ...filter])],
  order,
})

function valuesOf([step, ...rest]: readonly OrderStep[], place: readonly Operand[] | undefined): Segment {
  const first = { ...(step as OrderStep), noNulls: true }
  const order = [first, ...rest]
  const { reference } = first
  return { filter: [{ op: 'not null', reference }, ...(place === undefined ? [] : [afterPlace(order, place)])], order }
}

/** The rows of several queries, one after the other. */
export function joined(parts: readonly Selected[]): Selected {
  const [only] = parts
  if (parts.length === 1 && only !== undefined) return only
  return {
    rows: parts.flatMap(({ rows }) => rows),
    place(row, column) {
      let at = row
      for (const part of parts) {
        if (at < part.rows.length) return part.place(at, column)
        at -= part.rows.length
      }
      throw new RangeError(`There is no row ${row}`)
    },
  }
}
