// Evaluates joins, filters and orders on rows in memory: the reference semantics of the query tree.
import { decimals } from '../../extend.ts'
import { createContainsTest, splitWords } from './case-folding.ts'
import { isInOrder, isLike, isNumber, memoryKinds } from './compare-values.ts'
import type {
  Aggregate,
  Column,
  CursorValue,
  Filter,
  Join,
  Operand,
  OrderStep,
  PerKeyLimit,
  Reference,
  Search,
  Table,
} from './query.ts'

/** The values of a row by column name; null for a missing value. */
export type MemoryRow = ReadonlyMap<string, unknown>

/** One row per table of a query, and the value of each aggregate; undefined where a left join found no match. */
export type JoinedRow = readonly (Pick<MemoryRow, 'get'> | undefined)[]

/** Returns all rows of a table. */
export type GetRows = (table: Table) => readonly MemoryRow[]

/** Returns the value of a column in a joined row. */
export function getValue(scope: JoinedRow, { source, column }: Reference): unknown {
  const { derived } = column
  if (derived === undefined) return scope[source]?.get(column.name) ?? null
  const row = scope[source]
  return row === undefined ? null : (derived.run(derived.columns.map(({ name }) => row.get(name) ?? null)) ?? null)
}

/** Creates the function that left-joins further tables to rows. */
export function createJoin(
  joins: readonly Join[],
  getRows: GetRows,
): (scopes: readonly JoinedRow[]) => readonly JoinedRow[] {
  const finders = joins.map(({ table, on, where, aggregate }) => {
    if (aggregate !== undefined) return createAggregate(createRowFinder(getRows(table), on), aggregate, getRows)
    const find = createRowFinder(getRows(table), on)
    const isWanted = where === undefined ? () => true : compileFilter(where, getRows)
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

/** Creates the function that adds one value of all rows that match. */
function createAggregate(
  find: (scope: JoinedRow) => readonly MemoryRow[],
  aggregate: Aggregate,
  getRows: GetRows,
): (scope: JoinedRow) => readonly JoinedRow[] {
  const { joins, filter, owner } = aggregate
  const join = createJoin(joins, getRows)
  const isWanted = filter === undefined ? () => true : compileFilter(filter, getRows)
  return (scope) => {
    if (owner !== undefined && getValue(scope, owner) === null) return []
    let value: unknown
    const get = (): unknown => {
      value ??= evaluateAggregate(aggregate, join(find(scope).map((row) => [row])).filter(isWanted))
      return value
    }
    return [[...scope, { get }]]
  }
}

function evaluateAggregate({ operation, of, kind }: Aggregate, scopes: readonly JoinedRow[]): unknown {
  if (of === undefined) return operation === 'count' ? scopes.length : scopes.length > 0
  const values = scopes.map((scope) => getValue(scope, of)).filter((value) => value !== null)
  if (operation === 'sum') return sumValues(kind, values)
  const { compare } = memoryKinds[of.column.kind]
  const [first = null, ...others] = values
  return others.reduce<unknown>((extreme, value) => {
    const compared = compare(value, extreme)
    return (operation === 'min' ? compared < 0 : compared > 0) ? value : extreme
  }, first)
}

function sumValues(kind: Column['kind'], values: readonly unknown[]): unknown {
  if (kind === 'bigint') return values.reduce((sum: bigint, value) => sum + BigInt(value as bigint | number), 0n)
  if (kind !== 'decimal') return values.reduce((sum: number, value) => sum + Number(value), 0)
  const texts = values.map((value) => decimals.expandExponent(String(value)))
  const scale = Math.max(0, ...texts.map((text) => decimals.getFractionDigits(text).length))
  return decimals.unscaleDecimal(
    texts.reduce((sum, text) => sum + decimals.scaleDecimal(text, scale), 0n),
    scale,
  )
}

/** Creates the function that finds the rows whose columns equal values of a joined row. */
function createRowFinder(rows: readonly MemoryRow[], on: Join['on']): (scope: JoinedRow) => readonly MemoryRow[] {
  const isPlain = on.every(([{ column }, { kind }]) => kind === column.kind && kind !== 'other')
  if (!isPlain) return (scope) => rows.filter((row) => isJoined(row, on, scope))
  // Equal values of one kind have equal cursor values, so a hash join replaces the comparison row by row.
  const rowsByKey = new Map<string, MemoryRow[]>()
  for (const row of rows) {
    const key = formatKey(on.map(([, column]) => [column, getValue([row], { source: 0, column })]))
    if (key === undefined) continue
    const others = rowsByKey.get(key)
    if (others === undefined) rowsByKey.set(key, [row])
    else others.push(row)
  }
  return (scope) => {
    const key = formatKey(on.map(([reference, column]) => [column, getValue(scope, reference)]))
    return (key !== undefined && rowsByKey.get(key)) || []
  }
}

function formatKey(values: readonly (readonly [Column, unknown])[]): string | undefined {
  if (values.some(([, value]) => value === null || value === undefined)) return undefined
  return JSON.stringify(values.map(([{ kind }, value]) => memoryKinds[kind].toCursorValue(value)))
}

function isJoined(row: MemoryRow, on: Join['on'], scope: JoinedRow): boolean {
  return on.every(([reference, column]) => {
    // Only decimals compare text with numbers.
    const kind = reference.column.kind === 'decimal' ? 'decimal' : column.kind
    return compareColumnValues({ kind }, getValue([row], { source: 0, column }), getValue(scope, reference)) === 0
  })
}

/** Compares two values of a column; undefined if one of them is null or not comparable in this column. */
export function compareColumnValues({ kind }: Pick<Column, 'kind'>, a: unknown, b: unknown): number | undefined {
  if (a === null || a === undefined || b === null || b === undefined) return undefined
  const { isComparable, compare: order } = memoryKinds[kind]
  if (!isComparable(a) || !isComparable(b)) return undefined
  // Columns of kind `other` may hold values that have no order among each other.
  if (kind === 'other' && !isSameType(a, b)) return undefined
  return order(a, b)
}

const isSameType = (a: unknown, b: unknown): boolean =>
  isNumber(a) ? isNumber(b) : typeof a === typeof b && a instanceof Date === b instanceof Date

/** Compiles a filter to a predicate on joined rows. */
export function compileFilter(filter: Filter, getRows: GetRows): (scope: JoinedRow) => boolean {
  switch (filter.op) {
    case 'and':
    case 'or': {
      const all = filter.of.map((one) => compileFilter(one, getRows))
      return filter.op === 'and' ? (scope) => all.every((one) => one(scope)) : (scope) => all.some((one) => one(scope))
    }
    case 'exists':
    case 'not exists': {
      const find = createRowFinder(getRows(filter.from), filter.on)
      const [join, isWanted] = [createJoin(filter.joins, getRows), compileFilter(filter.filter, getRows)]
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

// Every word of the text must be a word of some column; a text without words matches nothing.
function compileSearch({ columns }: Search, text: string): (row: Pick<MemoryRow, 'get'> | undefined) => boolean {
  const words = splitWords(text)
  return (row) => {
    if (row === undefined || words.length === 0) return false
    const found = new Set(columns.flatMap(({ name }) => splitWords(String(row.get(name) ?? ''))))
    return words.every((word) => found.has(word))
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

const decodeCursorValue = ({ kind }: Column, cursorValue: CursorValue): unknown =>
  cursorValue === null ? null : memoryKinds[kind].fromCursorValue(cursorValue)

/** Sorts rows; the sort is stable. */
export function sortRows(scopes: readonly JoinedRow[], order: readonly OrderStep[]): readonly JoinedRow[] {
  return [...scopes].sort((a, b) => {
    for (const { reference, descending } of order) {
      const compared = compareWithNulls(reference.column, getValue(a, reference), getValue(b, reference))
      if (compared !== 0) return descending ? -compared : compared
    }
    return 0
  })
}

/** Keeps one of the rows with equal columns. */
export function keepDistinct(scopes: readonly JoinedRow[], columns: readonly Reference[]): readonly JoinedRow[] {
  const seen = new Set<string>()
  return scopes.filter((scope) => {
    const text = JSON.stringify(
      columns.map((reference) => {
        const value = getValue(scope, reference)
        return value === null ? null : [memoryKinds[reference.column.kind].toCursorValue(value)]
      }),
    )
    return seen.size < seen.add(text).size
  })
}

/** Keeps the rows of the given keys, at most `limit` of each. */
export function limitPerKey(scopes: readonly JoinedRow[], { columns, keys, limit }: PerKeyLimit): readonly JoinedRow[] {
  const remaining = new Map(keys.map((key) => [formatKey(columns.map((column, i) => [column, key[i]])), limit]))
  return scopes.filter((scope) => {
    const rowKey = formatKey(columns.map((column) => [column, getValue(scope, { source: 0, column })]))
    const room = rowKey === undefined ? 0 : (remaining.get(rowKey) ?? 0)
    if (room > 0) remaining.set(rowKey, room - 1)
    return room > 0
  })
}

/** Compiles a cursor to a predicate: whether a row comes after it in the order. */
export function compileAfterCursor(
  order: readonly OrderStep[],
  cursor: readonly Operand[],
): (scope: JoinedRow) => boolean {
  const values = cursor.map((operand, i) =>
    'cursorValue' in operand
      ? decodeCursorValue((order[i] as OrderStep).reference.column, operand.cursorValue)
      : (operand.value ?? null),
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

// Null is the greatest value: last when ascending, first when descending.
function compareWithNulls(column: Column, a: unknown, b: unknown): number {
  if (a === null || b === null) return Number(a === null) - Number(b === null)
  return memoryKinds[column.kind].compare(a, b)
}
