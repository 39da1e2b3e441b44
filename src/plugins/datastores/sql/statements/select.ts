// Writes queries: counts, and rows, with one select for each range of a list.
import { and, or } from '../../../query/combine-filters.ts'
import type { Operand } from '../../../query/query.ts'
import { SAMPLE_VALUES } from '../../../query/sample-values.ts'
import type { SqlDialect } from '../dialect.ts'
import type { SqlCount, SqlFilter, SqlOrderStep, SqlReference, SqlSelect, Statement } from '../sql.ts'
import { FULL_RANGE, type IndexRange, isNullOperand, isTupleComparison } from './index-ranges.ts'
import { isEntryBound } from './planner-choice.ts'
import { addRequiredJoins, formatReference, formatSelected, isNullableReference, SqlWriter } from './sql-writer.ts'
import { createTableWriters, markNeededTables, splitConjunction, writeOperand, writeSqlFilter } from './write-filter.ts'

/** A query that restricts the planner's choice of an index. */
export interface HintedSelect extends SqlSelect {
  /** Conditions that no index may be entered by; if defined, the planner is led to the way that reads the fewest rows. */
  readonly unindexed?: readonly SqlFilter[]
}

/** Writes a query for rows, range by range; `columns` are selected as c0, c1 and so on. */
export function writeSelect(
  dialect: SqlDialect,
  query: HintedSelect,
  columns: readonly SqlReference[],
  ranges: readonly IndexRange[] = [FULL_RANGE],
): Statement {
  const writer = new SqlWriter(dialect)
  const [only] = ranges
  if (ranges.length === 1 && only !== undefined) writeRange(writer, query, columns, only)
  else {
    for (let i = 0; i < ranges.length; i++) {
      writer.text += `${i === 0 ? '' : ' union all '}select * from (`
      writer.resetAliases()
      writeRange(writer, query, columns, ranges[i] as IndexRange)
      writer.text += `) as s${i}`
    }
    writer.text += dialect.formatPage(query.limit, query.offset)
  }
  return withSortOptions(dialect, query.order, writer.finish())
}

/** Makes the database sort texts by all of their characters, if it does not by default. */
export function withSortOptions(dialect: SqlDialect, order: readonly SqlOrderStep[], statement: Statement): Statement {
  if (dialect.formatSortOptions === undefined) return statement
  const { strings, values } = statement
  const textLengths = order.map(({ reference }) => reference.column.maxTextLength ?? 0)
  const total = textLengths.reduce((sum, length) => sum + length, 0)
  if (total === 0) return statement
  const [before, inside] = dialect.formatSortOptions(total)
  const [first = '', ...rest] = strings
  return { strings: [`${before}select ${inside}${first.slice('select '.length)}`, ...rest], values }
}

/** Writes a query for the number of rows. */
export const writeCount = (dialect: SqlDialect, query: SqlCount): Statement =>
  writeSelectExpression(dialect, query, 'count(*)')

/** Writes a query for all rows that selects a constant. */
export const writeSelectConstant = (dialect: SqlDialect, query: SqlCount): Statement =>
  writeSelectExpression(dialect, query, '1')

function writeSelectExpression(dialect: SqlDialect, query: SqlCount, expression: string): Statement {
  const writer = new SqlWriter(dialect)
  writer.text = `select ${expression} as c0`
  const scope = writer.reserveAliases(query.joins.length + 1)
  writeTables(writer, scope, query)
  if (query.filter) writeWhere(writer, scope, [query.filter])
  return writer.finish()
}

/** Writes the query for one range. */
export function writeRange(
  writer: SqlWriter,
  query: HintedSelect,
  columns: readonly SqlReference[],
  range: IndexRange,
): void {
  const { dialect } = writer
  const { filter, joins, order, unindexed } = query
  const scope = writer.reserveAliases(joins.length + 1)
  writer.text += formatSelectList(columns, scope)
  writeTables(writer, scope, query, columns)
  const impossible = dialect.equalityAsRange ? buildImpossibleRange(order, range) : undefined
  const conditions = buildRangeConditions(dialect, order, range)
  if (unindexed !== undefined && hasEntryBound(query, range)) conditions.push(...buildEntryBound(order, range))
  const all = impossible === undefined ? conditions : [or([and(conditions), impossible])]
  const isTuple = isTupleComparison({ dialect, order }, range)
  // PostgreSQL enters an index at the first of several bounds on a column, and no filter is closer than the cursor.
  if (isTuple) {
    writer.text += ' where '
    writeTupleComparison(writer, scope, query, range)
  }
  const hasWhere = writeWhere(writer, scope, filter === undefined ? all : inEntryOrder(filter, all, range), isTuple)
  if (unindexed !== undefined) writeUnindexed(writer, scope, query, hasWhere)
  if (query.distinct === true)
    writer.text += ` group by ${columns.map((reference) => formatReference(scope, reference)).join(', ')}`
  writeOrder(writer, scope, order, { ...range, hasImpossibleRange: impossible !== undefined })
  writer.text += dialect.formatPage(query.limit, query.offset)
}

// PostgreSQL and SQLite enter an index at the first of several bounds on a column. No filter is closer than a cursor of its list,
// but one may be closer than a value that a client has typed.
const inEntryOrder = (
  filter: SqlFilter,
  conditions: readonly SqlFilter[],
  { bounds }: IndexRange,
): readonly SqlFilter[] =>
  bounds?.after.every((operand) => 'cursorValue' in operand) === false
    ? [filter, ...conditions]
    : [...conditions, filter]

// A number made of a condition enters no index. To the planner, nearly all rows have another one than 0: it would otherwise
// take the condition for one of few rows, read all of the range and sort them.
function writeUnindexed(
  writer: SqlWriter,
  scope: number,
  { unindexed = [], limit }: HintedSelect,
  hasWhere: boolean,
): void {
  writer.text += `${hasWhere ? ' and ' : ' where '}${writer.dialect.formatCostlyCondition?.(`t${scope}`, limit)}`
  for (const one of unindexed) {
    writer.text += ' and cast(('
    writeSqlFilter(writer, scope, one)
    writer.text += ') as integer) <> 0'
  }
}

/** Writes that the columns of steps in one direction come after a cursor, compared as a tuple. */
function writeTupleComparison(writer: SqlWriter, scope: number, query: HintedSelect, range: IndexRange): void {
  const { from, order, unindexed } = query
  const { prefix, bounds } = range
  const operands = bounds?.after ?? []
  const steps = order.slice(prefix.length, prefix.length + operands.length)
  const [first] = steps as [SqlOrderStep]
  // PostgreSQL forgets the ties of a tuple's first column when it estimates how many rows follow.
  const isHidden = operands.length === 1 || (unindexed !== undefined && !hasEntryBound(query, range))
  const hide = isHidden ? writer.dialect.hideFromPlanner : undefined
  const [open, close] = hide?.(from, first.reference.column) ?? ['', '']
  const columns = steps.map(({ reference }) => formatReference(scope, reference)).join(', ')
  writer.text += `(${columns}) ${first.descending ? '<' : '>'} ${operands.length > 1 || hide === undefined ? '(' : ''}`
  for (let i = 0; i < steps.length; i++) {
    writer.text += i === 0 ? open : ', '
    writeOperand(writer, (steps[i] as SqlOrderStep).reference.column, operands[i] as Operand)
    if (i === 0) writer.text += close
  }
  if (operands.length > 1 || hide === undefined) writer.text += ')'
}

/** A range, with the conditions that its order depends on. */
interface RangeOrdering extends IndexRange {
  readonly hasImpossibleRange: boolean
}

// The order of a complete list has the same text each time.
const orderSqlCache = new WeakMap<readonly SqlOrderStep[], string>()

/** Writes the order of a complete list. */
export function formatOrder(dialect: SqlDialect, scope: number, order: readonly SqlOrderStep[]): string {
  const known = scope === 0 ? orderSqlCache.get(order) : undefined
  if (known !== undefined) return known
  const writer = new SqlWriter(dialect)
  writeOrderSteps(writer, scope, order, { ...FULL_RANGE, hasImpossibleRange: false })
  if (scope === 0) orderSqlCache.set(order, writer.text)
  return writer.text
}

/** Writes the order of a range. */
function writeOrder(writer: SqlWriter, scope: number, order: readonly SqlOrderStep[], ordering: RangeOrdering): void {
  const { prefix, bounds } = ordering
  const isComplete = prefix.length === 0 && bounds === undefined
  if (isComplete) writer.text += formatOrder(writer.dialect, scope, order)
  else writeOrderSteps(writer, scope, order, ordering)
}

function writeOrderSteps(
  writer: SqlWriter,
  scope: number,
  order: readonly SqlOrderStep[],
  { prefix, bounds, hasImpossibleRange }: RangeOrdering,
): void {
  const { dialect } = writer
  let open = ' order by '
  for (let i = 0; i < order.length; i++) {
    const { reference, descending } = order[i] as SqlOrderStep
    const operand = prefix[i]
    // The planner of MySQL skips a column of an index that must be null, but looks for it in the rest if it is in the order.
    if (dialect.equalityAsRange && !hasImpossibleRange && operand !== undefined && isNullOperand(operand)) continue
    const isFree = i > prefix.length || (i === prefix.length && (bounds === undefined || bounds.includeNulls === true))
    writer.text +=
      open +
      dialect.formatOrderStep(formatReference(scope, reference), descending, isFree && isNullableReference(reference))
    open = ', '
  }
}

// The longest part of most queries, and the same for the same columns.
const selectListCache = new WeakMap<readonly SqlReference[], string>()

/** Writes the select list of a query. */
export function formatSelectList(columns: readonly SqlReference[], scope: number): string {
  let head = selectListCache.get(columns)
  if (head === undefined) {
    const expressions = columns.map(
      (reference, i) =>
        `${formatSelected(reference.column, formatReference(scope, reference), reference.forCursor)} as c${i}`,
    )
    head = `select ${columns.length === 0 ? '1 as c0' : expressions.join(', ')}`
    selectListCache.set(columns, head)
  }
  return head
}

/** Writes the tables of a query, without joined ones that nothing refers to. */
export function writeTables(
  writer: SqlWriter,
  scope: number,
  { from, joins, filter, order = [] }: SqlCount & Partial<Pick<SqlSelect, 'order'>>,
  columns: readonly SqlReference[] = [],
): void {
  const needed: boolean[] = []
  if (joins.length > 0) {
    for (const { source } of columns) needed[source] = true
    for (const { reference } of order) needed[reference.source] = true
    if (filter) markNeededTables(filter, needed)
    addRequiredJoins(needed, joins)
  }
  writer.writeFrom(scope, { from, joins }, needed, createTableWriters(writer, scope))
}

/** Writes conditions, after those that have begun the clause; returns whether there are any. */
export function writeWhere(writer: SqlWriter, scope: number, all: readonly SqlFilter[], hasWhere = false): boolean {
  for (let i = 0; i < all.length; i++) {
    writer.text += i === 0 && !hasWhere ? ' where ' : ' and '
    writeSqlFilter(writer, scope, all[i] as SqlFilter)
  }
  return hasWhere || all.length > 0
}

// --- the conditions of a range ---------------------------------------------------------

function buildRangeConditions(dialect: SqlDialect, order: readonly SqlOrderStep[], range: IndexRange): SqlFilter[] {
  const { prefix, bounds } = range
  const conditions = prefix.flatMap((operand, i) => buildEquality(dialect, order[i] as SqlOrderStep, operand))
  const step = order[prefix.length]
  if (bounds === undefined || step === undefined) return conditions
  const { reference, descending } = step
  const { after, before, includeNulls } = bounds
  if (after.length > 0) {
    const further = buildAfterCondition(order.slice(prefix.length), after)
    if (includeNulls === true) conditions.push(or([further, { op: 'null', reference }]))
    else if (!isTupleComparison({ dialect, order }, range)) conditions.push(further)
  } else if (isNullableReference(reference)) conditions.push({ op: 'not null', reference })
  if (before !== undefined) conditions.push({ op: descending ? '>' : '<', reference, ...before })
  return conditions
}

/** Returns whether a filter bounds the column at which a range enters the index. */
const hasEntryBound = ({ filter, order }: SqlSelect, { prefix }: IndexRange): boolean =>
  filter !== undefined && splitConjunction(filter).some((part) => isEntryBound(order.slice(prefix.length), part))

// Follows from a tuple. PostgreSQL compares what other indexes cost by this bound together with one of the filter, and would
// take the index that the tuple enters for dearer if it saw the tuple only.
function buildEntryBound(order: readonly SqlOrderStep[], { prefix, bounds }: IndexRange): readonly SqlFilter[] {
  const [step, after] = [order[prefix.length], bounds?.after ?? []]
  const [operand] = after
  if (step === undefined || operand === undefined || after.length === 1) return []
  return [{ op: step.descending ? '<=' : '>=', reference: step.reference, ...operand }]
}

function buildEquality({ equalityAsRange }: SqlDialect, { reference }: SqlOrderStep, operand: Operand): SqlFilter[] {
  if (isNullOperand(operand)) return [{ op: 'null', reference }]
  if (!equalityAsRange) return [{ op: '=', reference, ...operand }]
  return [
    { op: '>=', reference, ...operand },
    { op: '<=', reference, ...operand },
  ]
}

function buildAfterCondition(
  [step, ...steps]: readonly SqlOrderStep[],
  [operand, ...operands]: readonly Operand[],
): SqlFilter {
  const { reference, descending } = step as SqlOrderStep
  const further: SqlFilter = { op: descending ? '<' : '>', reference, ...(operand as Operand) }
  if (operands.length === 0) return further
  return or([further, and([{ op: '=', reference, ...(operand as Operand) }, buildAfterCondition(steps, operands)])])
}

// Adds a condition that no row meets to a column that must be null: a planner that sees only `is null` treats it like an
// equality. It must find out by itself that there are no such rows, which it does from the range of the column.
function buildImpossibleRange(
  [first]: readonly SqlOrderStep[],
  { prefix: [operand, ...rest] }: IndexRange,
): SqlFilter | undefined {
  if (first === undefined || operand === undefined || ![operand, ...rest].some(isNullOperand)) return undefined
  const { reference } = first
  const value = SAMPLE_VALUES[reference.column.kind]
  if (reference.source > 0 || (isNullOperand(operand) && value === undefined)) return undefined
  const bound = isNullOperand(operand) ? { value } : operand
  return and([
    { op: '>', reference, ...bound },
    { op: '<', reference, ...bound },
  ])
}
