// Choices of planners: an index has the order of a list, and others only begin as it does. Those tempt a planner to read what
// they have of a filter, or all ties of a value, and to sort that. Where no index could serve the filter better, it gets no choice.
import type { Column, Filter, OrderStep } from '../../../query/query.ts'
import type { SqlIndex } from '../sql.ts'

/** A list, and what an index has of it. */
export interface IndexCandidate {
  readonly indexes: readonly SqlIndex[]
  /** The index that has the order, behind columns that the filter makes equal to something. */
  readonly index: SqlIndex
  readonly order: readonly OrderStep[]
  /** The columns that the filter makes equal to something. */
  readonly equal: ReadonlyMap<Column, unknown>
  /** The other conditions. */
  readonly rest: readonly Filter[]
}

const choiceByOrder = new WeakMap<readonly OrderStep[], boolean>()

/** Returns whether one index may have an order, and another may tempt a planner; most lists leave it nothing to choose. */
export function hasIndexChoice(indexes: readonly SqlIndex[], order: readonly OrderStep[]): boolean {
  const known = choiceByOrder.get(order)
  if (known !== undefined) return known
  const ordered = listEntryColumns(order)
  const having = indexes.filter(({ columns }) => columns.some(({ column }) => ordered.includes(column)))
  const isOne = having.length > 1 && having.some(({ columns }) => order.every((step) => hasColumn(columns, step)))
  choiceByOrder.set(order, isOne)
  return isOne
}

const hasColumn = (columns: SqlIndex['columns'], { reference }: OrderStep): boolean =>
  columns.some(({ column }) => column === reference.column)

/** The columns of an order that a stretch can be entered by; every table has an index of the key, which ends each order. */
const listEntryColumns = (order: readonly OrderStep[]): readonly (Column | undefined)[] =>
  order.slice(0, Math.max(1, order.length - 1)).map(({ reference }) => reference.column)

/** Returns whether an index begins as the order does, or as a later part of it, and goes on in another way. */
export function hasCompetingIndex({ indexes, index, order, equal }: IndexCandidate): boolean {
  const ordered = listEntryColumns(order)
  return indexes.some((one) => one !== index && ordered.includes(findEntryColumn(one, equal)))
}

/** Returns whether some index finds the rows of a condition, which may be few: the planner has to choose then. */
export function hasFilterIndex({ indexes, index, order, equal, rest }: IndexCandidate): boolean {
  const first = order[0]?.reference.column
  const asked = new Set<Column | undefined>()
  for (const part of rest) {
    if (!('reference' in part) || part.reference.source > 0) return true
    if (part.reference.column !== first) asked.add(part.reference.column)
  }
  return indexes.some((one) => one !== index && asked.has(findEntryColumn(one, equal)))
}

/** The first column of an index that conditions do not make equal to something. */
const findEntryColumn = ({ columns }: SqlIndex, equal: ReadonlyMap<Column, unknown>): Column | undefined =>
  columns.find(({ column }) => !equal.has(column))?.column
