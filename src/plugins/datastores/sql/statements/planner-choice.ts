// Decides when to take the choice of an index from the planner: besides the index of a list's order, others may only begin like
// it. They tempt a planner to read the rows of a filter, or all rows with an equal value, and to sort them.
import type { SqlColumn, SqlFilter, SqlIndex, SqlOrderStep } from '../sql.ts'

/** A list, and the index that serves it. */
export interface IndexCandidate {
  readonly indexes: readonly SqlIndex[]
  /** The index that has the order, after columns that the filter pins. */
  readonly index: SqlIndex
  readonly order: readonly SqlOrderStep[]
  /** The columns that the filter pins. */
  readonly equal: ReadonlyMap<SqlColumn, unknown>
  /** Those of them that the index has before the order. */
  readonly entered: ReadonlySet<SqlColumn>
  /** The other conditions. */
  readonly rest: readonly SqlFilter[]
}

const choiceByOrder = new WeakMap<readonly SqlOrderStep[], boolean>()

/** Returns whether one index may have the order while others tempt the planner; most lists have no such choice. */
export function hasIndexChoice(indexes: readonly SqlIndex[], order: readonly SqlOrderStep[]): boolean {
  const known = choiceByOrder.get(order)
  if (known !== undefined) return known
  const ordered = listEntryColumns(order)
  const candidates = indexes.filter(({ columns }) => columns.some(({ column }) => ordered.includes(column)))
  const hasChoice =
    candidates.length > 1 && candidates.some(({ columns }) => order.every((step) => hasColumn(columns, step)))
  choiceByOrder.set(order, hasChoice)
  return hasChoice
}

const hasColumn = (columns: SqlIndex['columns'], { reference }: SqlOrderStep): boolean =>
  columns.some(({ column }) => column === reference.column)

/** Returns the columns of an order that a range can be entered by; the last is the key, of which every table has an index. */
const listEntryColumns = (order: readonly SqlOrderStep[]): readonly (SqlColumn | undefined)[] =>
  order.slice(0, Math.max(1, order.length - 1)).map(({ reference }) => reference.column)

/** Returns whether another index can be entered by a column of the order, but continues differently. */
export function hasCompetingIndex({ indexes, index, order, equal }: IndexCandidate): boolean {
  const ordered = listEntryColumns(order)
  return indexes.some((one) => one !== index && ordered.includes(findEntryColumn(one, equal)))
}

/** Returns whether another index finds the rows of a condition, which may be few: the planner must then choose. */
export function hasFilterIndex({ indexes, index, order, entered, rest }: IndexCandidate): boolean {
  const filtered = new Set<SqlColumn | undefined>()
  for (const part of rest) {
    if (!('reference' in part) || part.reference.source > 0) return true
    if (!isEntryBound(order, part)) filtered.add(part.reference.column)
  }
  return indexes.some((one) => one !== index && filtered.has(findEntryColumn(one, entered)))
}

/** Returns whether a condition bounds the first column of an order, so that the index of the order is entered by it. */
export const isEntryBound = ([first]: readonly SqlOrderStep[], part: SqlFilter): boolean =>
  'reference' in part &&
  part.reference.source === 0 &&
  part.reference.column === first?.reference.column &&
  part.op !== '!='

/** Returns the first column of an index that is not pinned. */
const findEntryColumn = (
  { columns }: SqlIndex,
  pinned: { readonly has: (column: SqlColumn) => boolean },
): SqlColumn | undefined => columns.find(({ column }) => !pinned.has(column))?.column
