// Filters that lead: a column that a filter makes equal to something is a step of the order, where an index has it in front of the
// list's own steps. A planner that is content with an index by such a column alone would pass over rows among nulls and ties.
import { and } from '../../../query/combine-filters.ts'
import type { Column, Filter, Operand, OrderStep, Reference, Select } from '../../../query/query.ts'
import type { SqlDialect } from '../dialect.ts'
import type { SqlIndex, SqlColumn, SqlTable } from '../sql.ts'
import { type IndexCandidate, hasFilterIndex, hasIndexChoice, hasCompetingIndex } from './planner-choice.ts'
import { toBoundOperand, type EqualityFilter, isIndexEquality, isExactEquality, splitConjunction } from './write-filter.ts'
import type { HintedSelect } from './select.ts'
import { isNullOperand } from './index-ranges.ts'

/** A query whose first steps are equal to something. */
export interface PrefixedQuery {
  readonly query: HintedSelect
  /** The values of the first steps. */
  readonly prefix: readonly Operand[]
}

/**
 * Leaves out the steps of an order whose column is the same in all rows by the filter. Databases that have nulls first would
 * read nulls and values in stretches of their own, and MariaDB sorts by columns that all rows have in common.
 */
export function dropConstantTerms(dialect: SqlDialect, query: Select): Select {
  const { order, filter, after } = query
  if (!dialect.nullsFirst || filter === undefined) return query
  const parts = splitConjunction(filter)
  const absent = new Set(parts.flatMap((part) => (isNullTest(part) ? [part.reference.column] : [])))
  const equal = new Map(parts.flatMap((part) => (isIndexEquality(part) ? [[part.reference.column, part] as const] : [])))
  // A place that has another value than all rows was not made by this list: it is compared as it is.
  const isKept = ({ reference: { source, column } }: OrderStep, i: number): boolean => {
    const place = after?.[i]
    const pinned = equal.get(column)
    if (source > 0 || (pinned === undefined && !absent.has(column))) return true
    if (place === undefined) return false
    return pinned === undefined ? !isNullOperand(place) : !isSameOperand(column as SqlColumn, place, toOperand(pinned))
  }
  const kept = order.map(isKept)
  if (!kept.includes(false)) return query
  return {
    ...query,
    order: order.filter((_, i) => kept[i]),
    ...(after && { after: after.filter((_, i) => kept[i]) }),
  }
}

// Texts that differ may be the same to the database: then the step stays, and costs a sort at most.
const isSameOperand = (column: SqlColumn, one: Operand, other: Operand): boolean =>
  !isNullOperand(one) && String(toBoundOperand(column, one)) === String(toBoundOperand(column, other))

const isNullTest = (part: Filter): part is Filter & { readonly reference: Reference } =>
  part.op === 'null' && part.reference.source === 0

/** Leads a database to an index of its table that has the order of a query, behind columns of its filter. */
export function useIndexPrefix(dialect: SqlDialect, query: Select): PrefixedQuery {
  const { from, order, filter } = query
  const { indexes = [] } = from as SqlTable
  if (indexes.length === 0 || !(dialect.equalityAsRange || hasIndexChoice(indexes, order))) return { query, prefix: [] }
  const parts = filter === undefined ? [] : splitConjunction(filter)
  const equal = new Map<Column, EqualityFilter>()
  for (const part of parts) if (isExactEquality(part)) equal.set(part.reference.column, part)
  const [best] = indexes
    .flatMap((index) => findIndexPrefix(index, equal, order) ?? [])
    .sort((a, b) => b.steps.length - a.steps.length)
  if (best === undefined) return { query, prefix: [] }
  const used = best.steps.map(({ reference }) => equal.get(reference.column) as EqualityFilter)
  // A scope and a client may say the same of a column; said twice, it would keep the planner from the index.
  const rest = parts.filter((part) => !used.some((one) => isSameEquality(one, part)))
  const guided = forceIndex(dialect, query, { indexes, index: best.index, order, equal, rest })
  if (!dialect.equalityAsRange) return { query: guided, prefix: [] }
  const led = { ...guided, filter: rest.length === 0 ? undefined : and(rest), order: [...best.steps, ...order] }
  return { query: led, prefix: used.map(toOperand) }
}

/** Leaves a planner no choice where others than the index of the order would only tempt it. */
function forceIndex({ formatIndexHint: by, formatOpaqueCondition: unknown, equalityAsRange: bounded }: SqlDialect, query: Select, chosen: IndexCandidate): HintedSelect {
  const { rest, index } = chosen
  const isSole = (bounded && rest.length === 0) || (hasCompetingIndex(chosen) && !hasFilterIndex(chosen))
  if (!isSole) return query
  if (by !== undefined) return { ...query, from: { ...query.from, indexHint: by(index.sqlName) } as SqlTable }
  if (unknown === undefined) return query
  const kept = query.filter === undefined ? [] : splitConjunction(query.filter).filter((part) => !rest.includes(part))
  return { ...query, filter: kept.length === 0 ? undefined : and(kept), unindexed: rest }
}

const toOperand = (filter: EqualityFilter): Operand =>
  'cursorValue' in filter ? { cursorValue: filter.cursorValue } : { value: (filter as { readonly value: unknown }).value }

function isSameEquality(one: EqualityFilter, part: Filter): boolean {
  if (one === part) return true
  return isExactEquality(part) && part.reference.column === one.reference.column && getOperandValue(part) === getOperandValue(one)
}

const getOperandValue = (filter: EqualityFilter): unknown => ('cursorValue' in filter ? filter.cursorValue : filter.value)

interface IndexPrefix {
  readonly steps: readonly OrderStep[]
  readonly index: SqlIndex
}

/** The columns of an index before those of an order, in its direction; undefined where it does not have the whole order. */
function findIndexPrefix(index: SqlIndex, equal: ReadonlyMap<Column, EqualityFilter>, order: readonly OrderStep[]): IndexPrefix | undefined {
  const { columns } = index
  const first = columns.findIndex(({ column }) => !equal.has(column))
  const isSame = order.map(({ reference: { source, column }, descending }, i) => {
    const own = columns[first + i]
    return source === 0 && own?.column === column ? own.descending === descending : undefined
  })
  const [forwards] = isSame
  if (first < 0 || forwards === undefined || isSame.some((one) => one !== forwards)) return undefined
  const steps = columns
    .slice(0, first)
    .map(({ column, descending }) => ({ reference: { source: 0, column }, descending: descending === forwards }))
  return { steps, index }
}
