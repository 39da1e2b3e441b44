// Choices of planners: an index has the order of a list, and others only begin as it does. Those tempt a planner to read what
// they have of a filter, or all ties of a value, and to sort that. Where no index could serve the filter better, it gets no choice.
import type { Column, Filter, OrderStep } from '../../../query.ts'
import type { Index } from '../sql.ts'

/** A list, and what an index has of it. */
export interface Chosen {
  readonly indexes: readonly Index[]
  /** The index that has the order, behind columns that the filter makes equal to something. */
  readonly index: Index
  readonly order: readonly OrderStep[]
  /** The columns that the filter makes equal to something. */
  readonly equal: ReadonlyMap<Column, unknown>
  /** The other conditions. */
  readonly rest: readonly Filter[]
}

const choices = new WeakMap<readonly OrderStep[], boolean>()

/** Returns whether one index may have an order, and another may tempt a planner; most lists leave it nothing to choose. */
export function isChoice(indexes: readonly Index[], order: readonly OrderStep[]): boolean {
  const known = choices.get(order)
  if (known !== undefined) return known
  const ordered = enteredBy(order)
  const having = indexes.filter(({ columns }) => columns.some(({ column }) => ordered.includes(column)))
  const isOne = having.length > 1 && having.some(({ columns }) => order.every((step) => has(columns, step)))
  choices.set(order, isOne)
  return isOne
}

const has = (columns: Index['columns'], { reference }: OrderStep): boolean =>
  columns.some(({ column }) => column === reference.column)

/** The columns of an order that a stretch can be entered by; every table has an index of the key, which ends each order. */
const enteredBy = (order: readonly OrderStep[]): readonly (Column | undefined)[] =>
  order.slice(0, Math.max(1, order.length - 1)).map(({ reference }) => reference.column)

/** Returns whether an index begins as the order does, or as a later part of it, and goes on in another way. */
export function isTempted({ indexes, index, order, equal }: Chosen): boolean {
  const ordered = enteredBy(order)
  return indexes.some((one) => one !== index && ordered.includes(entered(one, equal)))
}

/** Returns whether some index finds the rows of a condition, which may be few: the planner has to choose then. */
export function hasAlternative({ indexes, index, order, equal, rest }: Chosen): boolean {
  const first = order[0]?.reference.column
  const asked = new Set<Column | undefined>()
  for (const part of rest) {
    if (!('reference' in part) || part.reference.source > 0) return true
    if (part.reference.column !== first) asked.add(part.reference.column)
  }
  return indexes.some((one) => one !== index && asked.has(entered(one, equal)))
}

/** The first column of an index that conditions do not make equal to something. */
const entered = ({ columns }: Index, equal: ReadonlyMap<Column, unknown>): Column | undefined =>
  columns.find(({ column }) => !equal.has(column))?.column
