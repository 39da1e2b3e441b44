// Decides whether an index serves a list: it is entered at the columns that conditions pin, and continues in the list's order,
// forwards or backwards. Then no row is sorted, and only rows of the list are read.

import type { SqlDialect } from '../sql/dialect.ts'
import type { SqlColumn } from '../sql/sql.ts'
import type { IndexRequirement, RequirementStep } from './index-requirement.ts'
import type { CatalogueIndex, CatalogueIndexColumn } from './table-indexes.ts'

/** Returns whether an index serves a requirement. */
export function canServe(dialect: SqlDialect, index: CatalogueIndex, requirement: IndexRequirement): boolean {
  const conditions = parseNullConditions(index.where)
  if (conditions === undefined || !conditions.every((condition) => isImpliedBy(condition, requirement))) return false
  const nulls = new Set(conditions.flatMap(({ column, isNull }) => (isNull ? [column] : [])))
  const nullColumns = requirement.nullColumns.filter((column) => !nulls.has(unquoteName(column.sqlName)))
  if (dialect.needsPartialNullIndex && !isOrderPrefix(requirement.order, nullColumns)) return false
  const pinned = new Set(
    [...requirement.equalColumns, ...(dialect.needsPartialNullIndex ? [] : nullColumns)].map(({ sqlName }) => sqlName),
  )
  const equal = new Set(requirement.equalColumns.map(({ sqlName }) => sqlName))
  if (index.unique && index.columns.every(({ sqlName }) => equal.has(sqlName))) return true
  const columns = [...index.columns, ...index.appendedColumns]
  const first = columns.findIndex(({ sqlName }) => !pinned.has(sqlName))
  const entered = first < 0 ? columns.length : first
  if (entered < pinned.size) return false
  const matched = countMatchedSteps(
    columns.slice(entered),
    requirement.order,
    countUndirectedSteps(dialect, requirement),
  )
  if (matched === requirement.order.length) return true
  return dialect.endsOrderAtUniqueIndex && index.unique && isUniqueMatch(index, entered + matched, requirement)
}

/** Returns whether an order begins with some columns, in any sequence. */
const isOrderPrefix = (order: readonly RequirementStep[], columns: readonly SqlColumn[]): boolean =>
  columns.every((one) => order.slice(0, columns.length).some(({ column }) => column.sqlName === one.sqlName))

/**
 * Counts the steps of an order that follow the columns of an index, all forwards or all backwards; the direction of the first
 * `undirected` steps does not matter.
 */
function countMatchedSteps(
  columns: readonly CatalogueIndexColumn[],
  order: readonly RequirementStep[],
  undirected: number,
): number {
  let forwards: boolean | undefined
  const end = order.findIndex(({ column, descending }, i) => {
    const indexColumn = columns[i]
    if (indexColumn === undefined || indexColumn.sqlName !== column.sqlName || !indexColumn.hasDefaultNulls) return true
    if (i < undirected) return false
    forwards ??= indexColumn.descending === descending
    return (indexColumn.descending === descending) !== forwards
  })
  return end < 0 ? order.length : end
}

// Before a step with nulls, which are at the wrong end of the index, a list is read value by value, so that either direction
// works. With `equalityAsRange`, the planner looks for the column of the two bounds in the order.
function countUndirectedSteps({ nullsFirst, equalityAsRange }: SqlDialect, { order }: IndexRequirement): number {
  if (!nullsFirst || equalityAsRange) return 0
  return Math.max(
    0,
    order.findLastIndex(({ column }) => column.nullable),
  )
}

// The order of rows is complete once a unique index distinguishes them.
function isUniqueMatch(
  { columns }: CatalogueIndex,
  matched: number,
  { equalColumns, order }: IndexRequirement,
): boolean {
  const nullable = order.filter(({ column }) => column.nullable).map(({ column }) => column.sqlName)
  const pinned = equalColumns.map(({ sqlName }) => sqlName)
  return (
    matched >= columns.length && columns.every(({ sqlName }) => pinned.includes(sqlName) || !nullable.includes(sqlName))
  )
}

// --- partial indexes ---------------------------------------------------------------------

interface NullCondition {
  readonly column: string
  readonly isNull: boolean
}

/** Parses the condition of a partial index; undefined if it consists of anything but `is null` and `is not null`. */
function parseNullConditions(where: string | undefined): readonly NullCondition[] | undefined {
  if (where === undefined) return []
  const parts = where.split(/\band\b/i).map((part) => part.replaceAll(/[()]/g, ' ').trim())
  const found = parts.map((part) => /^["`[]?([^"`\]]+?)["`\]]?\s+is\s+(not\s+)?null$/i.exec(part))
  if (found.some((one) => one === null)) return undefined
  return found.map((one) => ({ column: one?.[1] ?? '', isNull: one?.[2] === undefined }))
}

function isImpliedBy(
  { column, isNull }: NullCondition,
  { equalColumns, rangeColumns, nullColumns }: IndexRequirement,
): boolean {
  return (isNull ? nullColumns : [...equalColumns, ...rangeColumns]).some(
    ({ sqlName }) => unquoteName(sqlName) === column,
  )
}

const unquoteName = (sqlName: string): string => sqlName.replaceAll(/^["`]|["`]$/g, '')
