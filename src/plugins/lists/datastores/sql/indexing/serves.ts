// Whether an index serves a list: it is entered at the columns that conditions pin, and goes on in the list's order, forwards
// or backwards. No row is then sorted, and none is read that does not belong to the list.
import type { KnownColumn, KnownIndex } from '../../catalogue/indexes.ts'
import type { Dialect } from '../dialect.ts'
import type { SqlColumn } from '../sql.ts'
import type { Need, NeedStep } from './need.ts'

/** Returns whether an index serves a need. */
export function serves(dialect: Dialect, index: KnownIndex, need: Need): boolean {
  const kept = conditionsIn(index.where)
  if (kept === undefined || !kept.every((condition) => isImplied(condition, need))) return false
  const nulls = new Set(kept.flatMap(({ column, isNull }) => (isNull ? [column] : [])))
  const absent = need.absent.filter((column) => !nulls.has(unquoted(column.written)))
  if (dialect.absentByIndex && !isFirstIn(need.order, absent)) return false
  const pinned = new Set([...need.equal, ...(dialect.absentByIndex ? [] : absent)].map(({ written }) => written))
  const equal = new Set(need.equal.map(({ written }) => written))
  if (index.unique && index.columns.every(({ written }) => equal.has(written))) return true
  const columns = [...index.columns, ...index.implied]
  const first = columns.findIndex(({ written }) => !pinned.has(written))
  const entered = first < 0 ? columns.length : first
  if (entered < pinned.size) return false
  const matched = matchedSteps(columns.slice(entered), need.order, readAlone(dialect, need))
  if (matched === need.order.length) return true
  return dialect.endsInUnique && index.unique && isWhole(index, entered + matched, need)
}

/** Returns whether an order begins with some columns, in whichever order. */
const isFirstIn = (order: readonly NeedStep[], columns: readonly SqlColumn[]): boolean =>
  columns.every((one) => order.slice(0, columns.length).some(({ column }) => column.written === one.written))

/** How many steps of an order follow the columns of an index, all forwards or all backwards. */
function matchedSteps(columns: readonly KnownColumn[], order: readonly NeedStep[], alone: number): number {
  let forwards: boolean | undefined
  const end = order.findIndex(({ column, descending }, i) => {
    const own = columns[i]
    if (own === undefined || own.written !== column.written || !own.natural) return true
    if (i < alone) return false
    forwards ??= own.descending === descending
    return (own.descending === descending) !== forwards
  })
  return end < 0 ? order.length : end
}

// Before a step with nulls, which lie at the wrong end of the index, a list is read value by value: each way will do. A planner
// that gets two bounds for an equality looks for their column in the order.
function readAlone({ nullsFirst, bounded }: Dialect, { order }: Need): number {
  if (!nullsFirst || bounded) return 0
  return Math.max(
    0,
    order.findLastIndex(({ column }) => column.nullable),
  )
}

// Of rows that an index tells apart, no two are in doubt about their order.
function isWhole({ columns }: KnownIndex, matched: number, { equal, order }: Need): boolean {
  const nullable = order.filter(({ column }) => column.nullable).map(({ column }) => column.written)
  const pinned = equal.map(({ written }) => written)
  return (
    matched >= columns.length && columns.every(({ written }) => pinned.includes(written) || !nullable.includes(written))
  )
}

// --- indexes of some rows only -----------------------------------------------------------

interface Kept {
  readonly column: string
  readonly isNull: boolean
}

/** The conditions of an index; undefined where they are others than that columns have values, or have none. */
function conditionsIn(where: string | undefined): readonly Kept[] | undefined {
  if (where === undefined) return []
  const parts = where.split(/\band\b/i).map((part) => part.replaceAll(/[()]/g, ' ').trim())
  const found = parts.map((part) => /^["`[]?([^"`\]]+?)["`\]]?\s+is\s+(not\s+)?null$/i.exec(part))
  if (found.some((one) => one === null)) return undefined
  return found.map((one) => ({ column: one?.[1] ?? '', isNull: one?.[2] === undefined }))
}

function isImplied({ column, isNull }: Kept, { equal, ranged, absent }: Need): boolean {
  return (isNull ? absent : [...equal, ...ranged]).some(({ written }) => unquoted(written) === column)
}

const unquoted = (written: string): string => written.replaceAll(/^["`]|["`]$/g, '')
