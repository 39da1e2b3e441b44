// How rows in memory are joined, filtered and ordered: the meaning of every part of the query tree.
import type { Column, Filter, Join, OrderStep, Reference, Table } from '../query.ts'
import { memoryKinds } from './memory-kinds.ts'

/** The values of a row by the names of its columns; null where it has none. */
export type Row = ReadonlyMap<string, unknown>

/** A row of each of a query's tables; undefined where a join found none. */
export type Scope = readonly (Row | undefined)[]

/** Gives all rows of a table. */
export type RowsOf = (table: Table) => readonly Row[]

/** The value that a column has in a scope. */
export function valueAt(scope: Scope, { source, column }: Reference): unknown {
  return scope[source]?.get(column.name) ?? null
}

/** Puts the rows of joined tables beside those of the tables before them. */
export function joined(scopes: readonly Scope[], joins: readonly Join[], rowsOf: RowsOf): readonly Scope[] {
  return joins.reduce<readonly Scope[]>((before, { table, on }) => {
    const rows = rowsOf(table)
    return before.flatMap((scope) => {
      const found = rows.filter((row) => fits(row, on, scope))
      return found.length === 0 ? [[...scope, undefined]] : found.map((row) => [...scope, row])
    })
  }, scopes)
}

function fits(row: Row, on: Join['on'], scope: Scope): boolean {
  return on.every(([reference, column]) => {
    const compared = compare(column, valueAt([row], { source: 0, column }), valueAt(scope, reference))
    return compared === 0
  })
}

/** Compares two values of a column; undefined when one of them is null. */
function compare(column: Column, a: unknown, b: unknown): number | undefined {
  if (a === null || a === undefined || b === null || b === undefined) return undefined
  return memoryKinds[column.kind].compare(a, b)
}

/** Tells whether the rows of a scope fit a filter. */
export function matches(filter: Filter, scope: Scope, rowsOf: RowsOf): boolean {
  switch (filter.op) {
    case 'and':
      return filter.of.every((one) => matches(one, scope, rowsOf))
    case 'or':
      return filter.of.some((one) => matches(one, scope, rowsOf))
    case 'null':
      return valueAt(scope, filter.reference) === null
    case 'not null':
      return valueAt(scope, filter.reference) !== null
    case 'in':
    case 'not in': {
      const { column } = filter.reference
      const value = valueAt(scope, filter.reference)
      return filter.values.some((one) => compare(column, value, one) === 0) === (filter.op === 'in')
    }
    case 'like':
    case 'not like':
      return isLike(valueAt(scope, filter.reference), filter.pattern) === (filter.op === 'like')
    case 'exists':
    case 'not exists': {
      const rows = rowsOf(filter.from).filter((row) => fits(row, filter.on, scope))
      const scopes = joined(
        rows.map((row) => [row]),
        filter.joins,
        rowsOf,
      )
      return scopes.some((inner) => matches(filter.filter, inner, rowsOf)) === (filter.op === 'exists')
    }
    default:
      return compares(filter, scope)
  }
}

function compares(
  filter: Extract<Filter, { reference: Reference; value: unknown } | { place: unknown }>,
  scope: Scope,
) {
  const { column } = filter.reference
  const value = valueAt(scope, filter.reference)
  const other = 'place' in filter ? filter.place !== null && memoryKinds[column.kind].at(filter.place) : filter.value
  const compared = compare(column, value, other)
  if (filter.op === '!=') return compared !== 0
  if (compared === undefined) return false
  if (compared === 0) return filter.op === '=' || filter.op === '<=' || filter.op === '>='
  return compared < 0 ? filter.op.startsWith('<') : filter.op.startsWith('>')
}

function isLike(value: unknown, { text, before, after }: Extract<Filter, { pattern: unknown }>['pattern']): boolean {
  if (typeof value !== 'string') return false
  if (before) return after ? value.includes(text) : value.endsWith(text)
  return after ? value.startsWith(text) : value === text
}

/** Puts scopes in order; those that are equal stay as they come. */
export function ordered(scopes: readonly Scope[], order: readonly OrderStep[]): readonly Scope[] {
  return [...scopes].sort((a, b) => {
    for (const { reference, descending } of order) {
      const compared = compareOrNull(reference.column, valueAt(a, reference), valueAt(b, reference))
      if (compared !== 0) return descending ? -compared : compared
    }
    return 0
  })
}

// Null is the greatest: last when ascending, first when descending.
function compareOrNull(column: Column, a: unknown, b: unknown): number {
  if (a === null || b === null) return Number(a === null) - Number(b === null)
  return memoryKinds[column.kind].compare(a, b)
}
