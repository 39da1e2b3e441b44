// Filters that lead: a column that a filter makes equal to something is a step of the order, where an index has it in front of the
// list's own steps. A planner that is content with an index by such a column alone would pass over rows among nulls and ties.
import { and } from '../../../plan/combine.ts'
import type { Column, Filter, Operand, OrderStep, Reference, Select } from '../../../query.ts'
import type { Dialect } from '../dialect.ts'
import type { Index, SqlColumn, SqlTable } from '../sql.ts'
import { type Chosen, hasAlternative, isChoice, isTempted } from './choice.ts'
import { boundOf, type Equality, isPinned, isPlainEquality, partsOf } from './filter.ts'
import type { Guided } from './select.ts'
import { isNull } from './stretches.ts'

/** A query whose first steps are equal to something. */
export interface Led {
  readonly query: Guided
  /** The values of the first steps. */
  readonly tied: readonly Operand[]
}

/**
 * Leaves out the steps of an order whose column is the same in all rows by the filter. Databases that have nulls first would
 * read nulls and values in stretches of their own, and MariaDB sorts by columns that all rows have in common.
 */
export function withoutSettled(dialect: Dialect, query: Select): Select {
  const { order, filter, after } = query
  if (!dialect.nullsFirst || filter === undefined) return query
  const parts = partsOf(filter)
  const absent = new Set(parts.flatMap((part) => (isAbsence(part) ? [part.reference.column] : [])))
  const equal = new Map(parts.flatMap((part) => (isPinned(part) ? [[part.reference.column, part] as const] : [])))
  // A place that has another value than all rows was not made by this list: it is compared as it is.
  const isKept = ({ reference: { source, column } }: OrderStep, i: number): boolean => {
    const place = after?.[i]
    const pinned = equal.get(column)
    if (source > 0 || (pinned === undefined && !absent.has(column))) return true
    if (place === undefined) return false
    return pinned === undefined ? !isNull(place) : !isSameAs(column as SqlColumn, place, operandOf(pinned))
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
const isSameAs = (column: SqlColumn, one: Operand, other: Operand): boolean =>
  !isNull(one) && String(boundOf(column, one)) === String(boundOf(column, other))

const isAbsence = (part: Filter): part is Filter & { readonly reference: Reference } =>
  part.op === 'null' && part.reference.source === 0

/** Leads a database to an index of its table that has the order of a query, behind columns of its filter. */
export function ledBy(dialect: Dialect, query: Select): Led {
  const { from, order, filter } = query
  const { indexes = [] } = from as SqlTable
  if (indexes.length === 0 || !(dialect.bounded || isChoice(indexes, order))) return { query, tied: [] }
  const parts = filter === undefined ? [] : partsOf(filter)
  const equal = new Map<Column, Equality>()
  for (const part of parts) if (isPlainEquality(part)) equal.set(part.reference.column, part)
  const [best] = indexes
    .flatMap((index) => leadOf(index, equal, order) ?? [])
    .sort((a, b) => b.steps.length - a.steps.length)
  if (best === undefined) return { query, tied: [] }
  const used = best.steps.map(({ reference }) => equal.get(reference.column) as Equality)
  // A scope and a client may say the same of a column; said twice, it would keep the planner from the index.
  const rest = parts.filter((part) => !used.some((one) => isSame(one, part)))
  const guided = guide(dialect, query, { indexes, index: best.index, order, equal, rest })
  if (!dialect.bounded) return { query: guided, tied: [] }
  const led = { ...guided, filter: rest.length === 0 ? undefined : and(rest), order: [...best.steps, ...order] }
  return { query: led, tied: used.map(operandOf) }
}

/** Leaves a planner no choice where others than the index of the order would only tempt it. */
function guide({ by, unknown, bounded }: Dialect, query: Select, chosen: Chosen): Guided {
  const { rest, index } = chosen
  const isSole = (bounded && rest.length === 0) || (isTempted(chosen) && !hasAlternative(chosen))
  if (!isSole) return query
  if (by !== undefined) return { ...query, from: { ...query.from, hint: by(index.written) } as SqlTable }
  if (unknown === undefined) return query
  const kept = query.filter === undefined ? [] : partsOf(query.filter).filter((part) => !rest.includes(part))
  return { ...query, filter: kept.length === 0 ? undefined : and(kept), unindexed: rest }
}

const operandOf = (filter: Equality): Operand =>
  'place' in filter ? { place: filter.place } : { value: (filter as { readonly value: unknown }).value }

function isSame(one: Equality, part: Filter): boolean {
  if (one === part) return true
  return isPlainEquality(part) && part.reference.column === one.reference.column && givenBy(part) === givenBy(one)
}

const givenBy = (filter: Equality): unknown => ('place' in filter ? filter.place : filter.value)

interface Lead {
  readonly steps: readonly OrderStep[]
  readonly index: Index
}

/** The columns of an index before those of an order, in its direction; undefined where it does not have the whole order. */
function leadOf(index: Index, equal: ReadonlyMap<Column, Equality>, order: readonly OrderStep[]): Lead | undefined {
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
