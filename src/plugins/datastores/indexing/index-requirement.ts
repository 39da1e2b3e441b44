// Index requirements: the columns that an index must have to serve a list. Pinned columns come first, then the order.
import type { SqlDialect } from '../sql/dialect.ts'
import type { SqlColumn, SqlFilter, SqlIndexableList, SqlOrderStep, SqlTable } from '../sql/sql.ts'
import { isIndexEquality, splitConjunction } from '../sql/statements/write-filter.ts'

/** The columns that an index must have to serve a list. */
export interface IndexRequirement {
  readonly table: SqlTable
  /** The columns that conditions pin to a value. */
  readonly equalColumns: readonly SqlColumn[]
  /** The columns with range conditions, which are not null in any row of the list. */
  readonly rangeColumns: readonly SqlColumn[]
  /** The columns that must be null. */
  readonly nullColumns: readonly SqlColumn[]
  /** The steps of the order whose column is not pinned. */
  readonly order: readonly RequirementStep[]
  /** The conditions that an index cannot serve together with the order. */
  readonly residualConditions: readonly string[]
  /** The reason why no index can serve the list. */
  readonly unservableReason?: string
}

/** A step of an order by a column of the list's own table. */
export interface RequirementStep {
  readonly column: SqlColumn
  readonly descending: boolean
}

/** Derives the index requirement of a list. */
export function deriveIndexRequirement(
  dialect: SqlDialect,
  { from, joins, filter, order }: SqlIndexableList,
): IndexRequirement {
  const parts = filter === undefined ? [] : splitConjunction(filter)
  const equalColumns = new Set<SqlColumn>()
  const nullColumns = new Set<SqlColumn>()
  const rest: SqlFilter[] = []
  for (const part of parts) {
    if (isIndexEquality(part)) equalColumns.add(part.reference.column)
    else if (part.op === 'null' && part.reference.source === 0) nullColumns.add(part.reference.column)
    else rest.push(part)
  }
  for (const column of equalColumns) nullColumns.delete(column)
  const isPinned = ({ source, column }: SqlOrderStep['reference']): boolean =>
    source === 0 && (equalColumns.has(column) || (!dialect.needsPartialNullIndex && nullColumns.has(column)))
  const steps = order.filter(({ reference }) => !isPinned(reference))
  const joined = steps.find(({ reference }) => reference.source > 0)
  return {
    table: from,
    equalColumns: [...equalColumns],
    rangeColumns: rest.flatMap(listRangeColumns),
    nullColumns: [...nullColumns],
    order: steps.map(({ reference, descending }) => ({ column: reference.column, descending })),
    residualConditions: rest.filter((part) => !isLeadingRange(part, steps[0])).map(describeCondition),
    ...(joined && {
      unservableReason: `it is ordered by ${joined.reference.column.aggregate === undefined ? 'a column' : 'what is known of all rows'} of ${joins[joined.reference.source - 1]?.table.name}, and no index spans two tables`,
    }),
  }
}

/** Returns whether a condition is a range of the first column of the order, or is always true. */
function isLeadingRange(part: SqlFilter, first: SqlOrderStep | undefined): boolean {
  if (!('reference' in part)) return false
  const { reference, op } = part
  if (op === 'not null' && reference.source === 0 && !reference.column.nullable) return true
  const isRange = RANGE_OPERATORS.has(op) || op === 'not null'
  return (
    isRange && reference.source === 0 && first?.reference.source === 0 && first.reference.column === reference.column
  )
}

const listRangeColumns = (part: SqlFilter): SqlColumn[] =>
  'reference' in part && RANGE_OPERATORS.has(part.op) && part.reference.source === 0 ? [part.reference.column] : []

const RANGE_OPERATORS: ReadonlySet<string> = new Set(['<', '<=', '>', '>='])

function describeCondition(part: SqlFilter): string {
  if ('of' in part) return part.of.length === 0 ? 'nothing' : part.of.map(describeCondition).join(` ${part.op} `)
  if ('from' in part) return `${part.op} in ${part.from.name}`
  const { name } = part.reference.column
  return part.op === 'null' || part.op === 'not null' ? `${name} is ${part.op}` : `${name} ${part.op}`
}
