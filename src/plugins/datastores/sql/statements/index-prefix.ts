// Index prefixes: a column that a filter pins to one value becomes a step of the order, if an index has it before the list's
// own steps. A planner that settles for an index on that column alone would scan all nulls and equal values.
import { and } from '../../../query/combine-filters.ts'
import type { Operand } from '../../../query/query.ts'
import type { SqlDialect } from '../dialect.ts'
import type { SqlColumn, SqlFilter, SqlIndex, SqlOrderStep, SqlReference, SqlSelect } from '../sql.ts'
import { isNullOperand } from './index-ranges.ts'
import {
  hasCompetingIndex,
  hasFilterIndex,
  hasIndexChoice,
  type IndexCandidate,
  isEntryBound,
} from './planner-choice.ts'
import type { HintedSelect } from './select.ts'
import type { PresentReference } from './sql-writer.ts'
import {
  type EqualityFilter,
  isExactEquality,
  isIndexEquality,
  splitConjunction,
  toBoundOperand,
} from './write-filter.ts'

/** A query whose first steps are pinned to values. */
export interface PrefixedQuery {
  readonly query: HintedSelect
  /** The values of the first steps. */
  readonly prefix: readonly Operand[]
}

/**
 * Removes the steps of an order whose column is constant by the filter. Databases with nulls first would otherwise read nulls
 * and values in separate ranges, and MariaDB would sort by the constant column.
 */
export function dropConstantTerms(dialect: SqlDialect, query: SqlSelect): SqlSelect {
  const { order, filter, after } = query
  if (!dialect.nullsFirst || filter === undefined) return query
  const parts = splitConjunction(filter)
  const absent = new Set(parts.flatMap((part) => (isNullTest(part) ? [part.reference.column] : [])))
  const equal = new Map(
    parts.flatMap((part) => (isIndexEquality(part) ? [[part.reference.column, part] as const] : [])),
  )
  // A cursor with another value than the constant does not come from this list: its step is kept and compared.
  const isKept = ({ reference: { source, column } }: SqlOrderStep, i: number): boolean => {
    const operand = after?.[i]
    const pinned = equal.get(column)
    if (source > 0 || (pinned === undefined && !absent.has(column))) return true
    if (operand === undefined) return false
    return pinned === undefined ? !isNullOperand(operand) : !isSameOperand(column, operand, toOperand(pinned))
  }
  const isStepKept = order.map(isKept)
  if (!isStepKept.includes(false)) return query
  return {
    ...query,
    order: order.filter((_, i) => isStepKept[i]),
    ...(after && { after: after.filter((_, i) => isStepKept[i]) }),
  }
}

// Texts that differ may be equal to the database: the step is then kept, which costs a sort at most.
const isSameOperand = (column: SqlColumn, one: Operand, other: Operand): boolean =>
  !isNullOperand(one) && String(toBoundOperand(column, one)) === String(toBoundOperand(column, other))

const isNullTest = (part: SqlFilter): part is SqlFilter & { readonly reference: SqlReference } =>
  part.op === 'null' && part.reference.source === 0

/** Makes a database use the index of its table that has the order of a query after columns that the filter pins. */
export function useIndexPrefix(dialect: SqlDialect, query: SqlSelect): PrefixedQuery {
  const { from, order, filter } = query
  const { indexes = [] } = from
  const unchanged: PrefixedQuery = { query, prefix: [] }
  if (indexes.length === 0) return unchanged
  const parts = filter === undefined ? [] : splitConjunction(filter)
  const present = findPresentColumns(parts, order)
  if (!dialect.equalityAsRange && present.size === 0 && !hasIndexChoice(indexes, order)) return unchanged
  const equal = new Map<SqlColumn, EqualityFilter>()
  for (const part of parts) if (isExactEquality(part)) equal.set(part.reference.column, part)
  const [best] = indexes
    .flatMap((index) => findIndexPrefix(index, equal, order) ?? [])
    .sort((a, b) => b.steps.length - a.steps.length)
  if (best === undefined) return unchanged
  const used = best.steps.map(({ reference }) => equal.get(reference.column) as EqualityFilter)
  // A scope and a client may both pin a column to the same value; a repeated condition would keep the planner from the index.
  const rest = parts.filter((part) => !used.some((one) => isSameEquality(one, part)))
  const entered = new Set(best.steps.map(({ reference }) => reference.column))
  const hinted = forceIndex(dialect, query, { indexes, index: best.index, order, equal, entered, rest })
  const presentOrder = present.size === 0 ? order : order.map((step) => markPresent(step, present))
  if (!dialect.equalityAsRange) return { query: { ...hinted, order: presentOrder }, prefix: [] }
  const prefixed = {
    ...hinted,
    filter: rest.length === 0 ? undefined : and(rest),
    order: [...best.steps, ...presentOrder],
  }
  return { query: prefixed, prefix: used.map(toOperand) }
}

/** Returns the nullable columns of an order that no row lacks which meets a filter. */
function findPresentColumns(parts: readonly SqlFilter[], order: readonly SqlOrderStep[]): ReadonlySet<SqlColumn> {
  const nullable = order.flatMap(({ reference: { source, column } }) =>
    source === 0 && column.nullable ? [column] : [],
  )
  const isPresent = (column: SqlColumn): boolean =>
    parts.some(
      (part) =>
        'reference' in part &&
        part.reference.column === column &&
        part.reference.source === 0 &&
        !NULL_OPERATORS.has(part.op),
    )
  return new Set(nullable.length === 0 ? nullable : nullable.filter(isPresent))
}

/** The operators of conditions that a row without a value may meet. */
const NULL_OPERATORS: ReadonlySet<SqlFilter['op']> = new Set<SqlFilter['op']>([
  ...(['null', '!=', 'not in', 'not like', 'not contains', 'matches', 'not matches'] as const),
])

function markPresent(step: SqlOrderStep, present: ReadonlySet<SqlColumn>): SqlOrderStep {
  const { reference } = step
  if (reference.source > 0 || !present.has(reference.column)) return step
  const marked: PresentReference = { ...reference, isPresent: true }
  return { ...step, reference: marked }
}

/** Forces the index of the order, if other indexes would only mislead the planner. */
function forceIndex(
  { formatIndexHint, formatCostlyCondition, equalityAsRange }: SqlDialect,
  query: SqlSelect,
  chosen: IndexCandidate,
): HintedSelect {
  const { rest, index, order } = chosen
  const isSole = (equalityAsRange && rest.length === 0) || (hasCompetingIndex(chosen) && !hasFilterIndex(chosen))
  if (!isSole) return query
  if (formatIndexHint !== undefined)
    return { ...query, from: { ...query.from, indexHint: formatIndexHint(index.sqlName) } }
  if (formatCostlyCondition === undefined) return query
  const unindexed = rest.filter((part) => !isEntryBound(order, part))
  const indexed =
    query.filter === undefined ? [] : splitConjunction(query.filter).filter((part) => !unindexed.includes(part))
  return { ...query, filter: indexed.length === 0 ? undefined : and(indexed), unindexed }
}

const toOperand = (filter: EqualityFilter): Operand =>
  'cursorValue' in filter
    ? { cursorValue: filter.cursorValue }
    : { value: (filter as { readonly value: unknown }).value }

function isSameEquality(one: EqualityFilter, part: SqlFilter): boolean {
  if (one === part) return true
  return (
    isExactEquality(part) &&
    part.reference.column === one.reference.column &&
    getOperandValue(part) === getOperandValue(one)
  )
}

const getOperandValue = (filter: EqualityFilter): unknown =>
  'cursorValue' in filter ? filter.cursorValue : filter.value

interface IndexPrefix {
  readonly steps: readonly SqlOrderStep[]
  readonly index: SqlIndex
}

/** Returns the columns of an index before those of an order, in its direction; undefined if it lacks part of the order. */
function findIndexPrefix(
  index: SqlIndex,
  equal: ReadonlyMap<SqlColumn, EqualityFilter>,
  order: readonly SqlOrderStep[],
): IndexPrefix | undefined {
  const { columns } = index
  const first = columns.findIndex(({ column }) => !equal.has(column))
  const isSame = order.map(({ reference: { source, column }, descending }, i) => {
    const indexColumn = columns[first + i]
    return source === 0 && indexColumn?.column === column ? indexColumn.descending === descending : undefined
  })
  const [forwards] = isSame
  if (first < 0 || forwards === undefined || isSame.some((one) => one !== forwards)) return undefined
  const steps = columns
    .slice(0, first)
    .map(({ column, descending }) => ({ reference: { source: 0, column }, descending: descending === forwards }))
  return { steps, index }
}
