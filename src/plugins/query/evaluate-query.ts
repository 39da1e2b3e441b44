// Joins, filters and orders of rows in memory: the meaning of every part of the query tree.
import { createContainsTest, splitWords } from './case-folding.ts'
import type { Column, PerKeyLimit, Filter, Join, Operand, OrderStep, CursorValue, Reference, Search, Table } from './query.ts'
import { isInOrder, isLike, isNumber, memoryKinds } from './compare-values.ts'

/** The values of a row by the names of its columns; null where it has none. */
export type MemoryRow = ReadonlyMap<string, unknown>

/** A row of each of a query's tables; undefined where a join found none. */
export type JoinedRow = readonly (MemoryRow | undefined)[]

/** Gives all rows of a table. */
export type GetRows = (table: Table) => readonly MemoryRow[]

/** The value that a column has in a scope. */
export function getValue(scope: JoinedRow, { source, column }: Reference): unknown {
  const { derived } = column
  if (derived === undefined) return scope[source]?.get(column.name) ?? null
  const row = scope[source]
  return row === undefined ? null : (derived.run(derived.columns.map(({ name }) => row.get(name) ?? null)) ?? null)
}

/** Gives what puts the rows of joined tables beside those of the tables before them. */
export function createJoin(joins: readonly Join[], rowsOf: GetRows): (scopes: readonly JoinedRow[]) => readonly JoinedRow[] {
  const finders = joins.map(({ table, on, where }) => {
    const find = createRowFinder(rowsOf(table), on)
    const isWanted = where === undefined ? () => true : compileFilter(where, rowsOf)
    return (scope: JoinedRow) => find(scope).flatMap((row) => (isWanted([...scope, row]) ? [[...scope, row]] : []))
  })
  return (scopes) =>
    finders.reduce<readonly JoinedRow[]>((before, find) => {
      return before.flatMap((scope) => {
        const found = find(scope)
        return found.length === 0 ? [[...scope, undefined]] : found
      })
    }, scopes)
}

/** Gives what finds the rows whose columns equal values of a scope. */
function createRowFinder(rows: readonly MemoryRow[], on: Join['on']): (scope: JoinedRow) => readonly MemoryRow[] {
  const isPlain = on.every(([{ column }, { kind }]) => kind === column.kind && kind !== 'other')
  if (!isPlain) return (scope) => rows.filter((row) => isJoined(row, on, scope))
  // Equal values of one kind have equal places, so that rows need not be compared one by one.
  const byPlace = new Map<string, MemoryRow[]>()
  for (const row of rows) {
    const place = formatKey(on.map(([, column]) => [column, getValue([row], { source: 0, column })]))
    if (place === undefined) continue
    const others = byPlace.get(place)
    if (others === undefined) byPlace.set(place, [row])
    else others.push(row)
  }
  return (scope) => {
    const place = formatKey(on.map(([reference, column]) => [column, getValue(scope, reference)]))
    return (place !== undefined && byPlace.get(place)) || []
  }
}

function formatKey(values: readonly (readonly [Column, unknown])[]): string | undefined {
  if (values.some(([, value]) => value === null || value === undefined)) return undefined
  return JSON.stringify(values.map(([{ kind }, value]) => memoryKinds[kind].toCursorValue(value)))
}

function isJoined(row: MemoryRow, on: Join['on'], scope: JoinedRow): boolean {
  return on.every(([reference, column]) => {
    // Only decimals compare texts with numbers.
    const kind = reference.column.kind === 'decimal' ? 'decimal' : column.kind
    return compareColumnValues({ kind }, getValue([row], { source: 0, column }), getValue(scope, reference)) === 0
  })
}

/** Compares two values of a column; undefined when one of them is null, or none that such a column could have. */
export function compareColumnValues({ kind }: Pick<Column, 'kind'>, a: unknown, b: unknown): number | undefined {
  if (a === null || a === undefined || b === null || b === undefined) return undefined
  const { isComparable, compare: order } = memoryKinds[kind]
  if (!isComparable(a) || !isComparable(b)) return undefined
  // Columns of no known kind may hold values that have no order among each other.
  if (kind === 'other' && !isSameType(a, b)) return undefined
  return order(a, b)
}

const isSameType = (a: unknown, b: unknown): boolean =>
  isNumber(a) ? isNumber(b) : typeof a === typeof b && a instanceof Date === b instanceof Date

/** Gives what tells whether the rows of a scope fit a filter. */
export function compileFilter(filter: Filter, rowsOf: GetRows): (scope: JoinedRow) => boolean {
  switch (filter.op) {
    case 'and':
    case 'or': {
      const all = filter.of.map((one) => compileFilter(one, rowsOf))
      return filter.op === 'and' ? (scope) => all.every((one) => one(scope)) : (scope) => all.some((one) => one(scope))
    }
    case 'exists':
    case 'not exists': {
      const find = createRowFinder(rowsOf(filter.from), filter.on)
      const [join, isWanted] = [createJoin(filter.joins, rowsOf), compileFilter(filter.filter, rowsOf)]
      return (scope) => join(find(scope).map((row) => [row])).some(isWanted) === (filter.op === 'exists')
    }
    case 'matches':
    case 'not matches': {
      const finds = compileSearch(filter.search, filter.text)
      const { source } = filter.reference
      return (scope) => finds(scope[source]) === (filter.op === 'matches')
    }
    default: {
      const isWanted = compileCondition(filter)
      return (scope) => isWanted(getValue(scope, filter.reference))
    }
  }
}

// Every word is a word of some column; nothing matches a text without words.
function compileSearch({ columns }: Search, text: string): (row: MemoryRow | undefined) => boolean {
  const wanted = splitWords(text)
  return (row) => {
    if (row === undefined || wanted.length === 0) return false
    const there = new Set(columns.flatMap(({ name }) => splitWords(String(row.get(name) ?? ''))))
    return wanted.every((word) => there.has(word))
  }
}

type ValueFilter = Exclude<Filter, { op: 'and' | 'or' | 'exists' | 'not exists' | 'matches' | 'not matches' }>

function compileCondition(filter: ValueFilter): (value: unknown) => boolean {
  const { column } = filter.reference
  switch (filter.op) {
    case 'null':
      return (value) => value === null
    case 'not null':
      return (value) => value !== null
    case 'in':
      return (value) => filter.values.some((one) => compareColumnValues(column, value, one) === 0)
    case 'not in':
      return (value) => !filter.values.some((one) => compareColumnValues(column, value, one) === 0)
    case 'like':
      return (value) => isLike(value, filter.pattern)
    case 'not like':
      return (value) => !isLike(value, filter.pattern)
    case 'contains':
      return createContainsTest(filter.text)
    case 'not contains': {
      const contains = createContainsTest(filter.text)
      return (value) => !contains(value)
    }
    case '!=':
      return (value) => compareColumnValues(column, value, filter.value) !== 0
    default: {
      const other = 'cursorValue' in filter ? decodeCursorValue(column, filter.cursorValue) : filter.value
      return (value) => {
        const compared = compareColumnValues(column, value, other)
        return compared !== undefined && isInOrder(filter.op, compared)
      }
    }
  }
}

const decodeCursorValue = ({ kind }: Column, place: CursorValue): unknown => (place === null ? null : memoryKinds[kind].fromCursorValue(place))

/** Puts scopes in order; those that are equal stay as they come. */
export function sortRows(scopes: readonly JoinedRow[], order: readonly OrderStep[]): readonly JoinedRow[] {
  return [...scopes].sort((a, b) => {
    for (const { reference, descending } of order) {
      const compared = compareWithNulls(reference.column, getValue(a, reference), getValue(b, reference))
      if (compared !== 0) return descending ? -compared : compared
    }
    return 0
  })
}

/** The first of the scopes that have a key, as many of each as there may be. */
export function limitPerKey(scopes: readonly JoinedRow[], { columns, keys, limit }: PerKeyLimit): readonly JoinedRow[] {
  const left = new Map(keys.map((key) => [formatKey(columns.map((column, i) => [column, key[i]])), limit]))
  return scopes.filter((scope) => {
    const place = formatKey(columns.map((column) => [column, getValue(scope, { source: 0, column })]))
    const room = place === undefined ? 0 : (left.get(place) ?? 0)
    if (room > 0) left.set(place, room - 1)
    return room > 0
  })
}

/** Gives what tells whether a scope comes after a place in an order. */
export function compileAfterCursor(order: readonly OrderStep[], place: readonly Operand[]): (scope: JoinedRow) => boolean {
  const values = place.map((operand, i) =>
    'cursorValue' in operand ? decodeCursorValue((order[i] as OrderStep).reference.column, operand.cursorValue) : (operand.value ?? null),
  )
  return (scope) => {
    for (let i = 0; i < values.length; i++) {
      const { reference, descending } = order[i] as OrderStep
      const compared = compareWithNulls(reference.column, getValue(scope, reference), values[i])
      if (compared !== 0) return descending ? compared < 0 : compared > 0
    }
    return false
  }
}

// Null is the greatest: last when ascending, first when descending.
function compareWithNulls(column: Column, a: unknown, b: unknown): number {
  if (a === null || b === null) return Number(a === null) - Number(b === null)
  return memoryKinds[column.kind].compare(a, b)
}
