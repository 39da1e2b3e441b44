// Whether an index serves a list: it is entered at the columns that conditions pin, and goes on in the list's order, forwards
// or backwards. No row is then sorted, and none is read that does not belong to the list.
import type { CatalogueIndexColumn, CatalogueIndex } from './table-indexes.ts'
import type { SqlDialect } from '../sql/dialect.ts'
import type { SqlColumn } from '../sql/sql.ts'
import type { IndexRequirement, RequirementStep } from './index-requirement.ts'

/** Returns whether an index serves a need. */
export function canServe(dialect: SqlDialect, index: CatalogueIndex, need: IndexRequirement): boolean {
  const kept = parseNullConditions(index.where)
  if (kept === undefined || !kept.every((condition) => isImpliedBy(condition, need))) return false
  const nulls = new Set(kept.flatMap(({ column, isNull }) => (isNull ? [column] : [])))
  const absent = need.nullColumns.filter((column) => !nulls.has(unquoteName(column.sqlName)))
  if (dialect.needsPartialNullIndex && !isOrderPrefix(need.order, absent)) return false
  const pinned = new Set([...need.equalColumns, ...(dialect.needsPartialNullIndex ? [] : absent)].map(({ sqlName: written }) => written))
  const equal = new Set(need.equalColumns.map(({ sqlName: written }) => written))
  if (index.unique && index.columns.every(({ sqlName: written }) => equal.has(written))) return true
  const columns = [...index.columns, ...index.implied]
  const first = columns.findIndex(({ sqlName: written }) => !pinned.has(written))
  const entered = first < 0 ? columns.length : first
  if (entered < pinned.size) return false
  const matched = countMatchedSteps(columns.slice(entered), need.order, countUndirectedSteps(dialect, need))
  if (matched === need.order.length) return true
  return dialect.endsOrderAtUniqueIndex && index.unique && isUniqueMatch(index, entered + matched, need)
}

/** Returns whether an order begins with some columns, in whichever order. */
const isOrderPrefix = (order: readonly RequirementStep[], columns: readonly SqlColumn[]): boolean =>
  columns.every((one) => order.slice(0, columns.length).some(({ column }) => column.sqlName === one.sqlName))

/** How many steps of an order follow the columns of an index, all forwards or all backwards. */
function countMatchedSteps(columns: readonly CatalogueIndexColumn[], order: readonly RequirementStep[], alone: number): number {
  let forwards: boolean | undefined
  const end = order.findIndex(({ column, descending }, i) => {
    const own = columns[i]
    if (own === undefined || own.sqlName !== column.sqlName || !own.natural) return true
    if (i < alone) return false
    forwards ??= own.descending === descending
    return (own.descending === descending) !== forwards
  })
  return end < 0 ? order.length : end
}

// Before a step with nulls, which lie at the wrong end of the index, a list is read value by value: each way will do. A planner
// that gets two bounds for an equality looks for their column in the order.
function countUndirectedSteps({ nullsFirst, equalityAsRange: bounded }: SqlDialect, { order }: IndexRequirement): number {
  if (!nullsFirst || bounded) return 0
  return Math.max(
    0,
    order.findLastIndex(({ column }) => column.nullable),
  )
}

// Of rows that an index tells apart, no two are in doubt about their order.
function isUniqueMatch({ columns }: CatalogueIndex, matched: number, { equalColumns: equal, order }: IndexRequirement): boolean {
  const nullable = order.filter(({ column }) => column.nullable).map(({ column }) => column.sqlName)
  const pinned = equal.map(({ sqlName: written }) => written)
  return (
    matched >= columns.length && columns.every(({ sqlName: written }) => pinned.includes(written) || !nullable.includes(written))
  )
}

// --- indexes of some rows only -----------------------------------------------------------

interface NullCondition {
  readonly column: string
  readonly isNull: boolean
}

/** The conditions of an index; undefined where they are others than that columns have values, or have none. */
function parseNullConditions(where: string | undefined): readonly NullCondition[] | undefined {
  if (where === undefined) return []
  const parts = where.split(/\band\b/i).map((part) => part.replaceAll(/[()]/g, ' ').trim())
  const found = parts.map((part) => /^["`[]?([^"`\]]+?)["`\]]?\s+is\s+(not\s+)?null$/i.exec(part))
  if (found.some((one) => one === null)) return undefined
  return found.map((one) => ({ column: one?.[1] ?? '', isNull: one?.[2] === undefined }))
}

function isImpliedBy({ column, isNull }: NullCondition, { equalColumns: equal, rangeColumns: ranged, nullColumns: absent }: IndexRequirement): boolean {
  return (isNull ? absent : [...equal, ...ranged]).some(({ sqlName: written }) => unquoteName(written) === column)
}

const unquoteName = (written: string): string => written.replaceAll(/^["`]|["`]$/g, '')
