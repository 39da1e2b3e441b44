// Writes queries: the number of rows, and rows, with one select for each stretch of a list.
import { and, or } from '../../../query/combine-filters.ts'
import type { Count, Filter, Operand, OrderStep, Reference, Select } from '../../../query/query.ts'
import type { SqlDialect } from '../dialect.ts'
import type { SqlColumn, SqlTable, Statement } from '../sql.ts'
import { SAMPLE_VALUES } from '../../../query/sample-values.ts'
import { markNeededTables, writeSqlFilter, writeOperand } from './write-filter.ts'
import { isNullOperand, isTupleComparison, type IndexRange, FULL_RANGE } from './index-ranges.ts'
import { addRequiredJoins, formatReference, isNullableReference, formatSelected, SqlWriter } from './sql-writer.ts'

/** A query whose planner is left no choice. */
export interface HintedSelect extends Select {
  /** Conditions that no index is entered by; set where no index may be preferred for having all columns, either. */
  readonly unindexed?: readonly Filter[]
}

/** Writes a query for rows, in stretches; `columns` are read as c0, c1 and so on. */
export function writeSelect(
  dialect: SqlDialect,
  query: HintedSelect,
  columns: readonly Reference[],
  stretches: readonly IndexRange[] = [FULL_RANGE],
): Statement {
  const writer = new SqlWriter(dialect)
  const [only] = stretches
  if (stretches.length === 1 && only !== undefined) writeRange(writer, query, columns, only)
  else {
    for (let i = 0; i < stretches.length; i++) {
      writer.text += `${i === 0 ? '' : ' union all '}select * from (`
      writer.resetAliases()
      writeRange(writer, query, columns, stretches[i] as IndexRange)
      writer.text += `) as s${i}`
    }
    writer.text += dialect.formatPage(query.limit, query.offset)
  }
  return withSortOptions(dialect, query.order, writer.finish())
}

/** Has the database sort texts by all of their characters, where it would not do so by itself. */
export function withSortOptions(dialect: SqlDialect, order: readonly OrderStep[], statement: Statement): Statement {
  if (dialect.formatSortOptions === undefined) return statement
  const { strings, values } = statement
  const lengths = order.map(({ reference }) => (reference.column as SqlColumn).sortLength ?? 0)
  const longest = lengths.reduce((sum, length) => sum + length, 0)
  if (longest === 0) return statement
  const [before, inside] = dialect.formatSortOptions(longest)
  const [first = '', ...rest] = strings
  return { strings: [`${before}select ${inside}${first.slice('select '.length)}`, ...rest], values }
}

/** Writes a query for the number of rows. */
export const writeCount = (dialect: SqlDialect, query: Count): Statement => writeSelectExpression(dialect, query, 'count(*)')

/** Writes a query for all rows, of which nothing is read. */
export const writeSelectConstant = (dialect: SqlDialect, query: Count): Statement => writeSelectExpression(dialect, query, '1')

function writeSelectExpression(dialect: SqlDialect, query: Count, read: string): Statement {
  const writer = new SqlWriter(dialect)
  writer.text = `select ${read} as c0`
  const scope = writer.reserveAliases(query.joins.length + 1)
  writeTables(writer, scope, query)
  if (query.filter) writeWhere(writer, scope, [query.filter])
  return writer.finish()
}

/** Writes the query for one stretch. */
export function writeRange(writer: SqlWriter, query: HintedSelect, columns: readonly Reference[], stretch: IndexRange): void {
  const { dialect } = writer
  const { filter, joins, order, unindexed } = query
  const scope = writer.reserveAliases(joins.length + 1)
  writer.text += formatSelectList(columns, scope)
  writeTables(writer, scope, query, columns)
  const fence = dialect.equalityAsRange ? buildImpossibleRange(order, stretch) : undefined
  const own = buildRangeConditions(dialect, order, stretch)
  const all = fence === undefined ? own : [or([and(own), fence])]
  const isPlaced = isTupleComparison({ dialect, order }, stretch)
  // PostgreSQL enters an index at the first of several bounds of a column, and no filter is closer than the place.
  if (isPlaced) {
    writer.text += ' where '
    writeTupleComparison(writer, scope, query, stretch)
  }
  const opened = writeWhere(writer, scope, filter === undefined ? all : [filter, ...all], isPlaced)
  if (unindexed !== undefined) writeUnindexed(writer, scope, unindexed, opened)
  writeOrder(writer, scope, order, { ...stretch, hasImpossibleRange: fence !== undefined })
  writer.text += dialect.formatPage(query.limit, query.offset)
}

// A condition in another is none that an index could be entered by.
function writeUnindexed(writer: SqlWriter, scope: number, all: readonly Filter[], opened: boolean): void {
  writer.text += `${opened ? ' and ' : ' where '}${writer.dialect.formatOpaqueCondition?.(`t${scope}`)}`
  for (const one of all) {
    writer.text += ' and ('
    writeSqlFilter(writer, scope, one)
    writer.text += ') is true'
  }
}

/** Writes that the columns of steps which go one way come after a place, compared as one row. */
function writeTupleComparison(writer: SqlWriter, scope: number, { from, order }: Select, { prefix: tied, bounds: values }: IndexRange): void {
  const operands = values?.after ?? []
  const steps = order.slice(tied.length, tied.length + operands.length)
  const [first] = steps as [OrderStep]
  const { hideFromPlanner: veil } = writer.dialect
  const veiled = operands.length === 1 ? veil?.(from as SqlTable, first.reference.column as SqlColumn) : undefined
  const [open, close] = veiled ?? ['(', ')']
  const written = steps.map(({ reference }) => formatReference(scope, reference)).join(', ')
  writer.text += `(${written}) ${first.descending ? '<' : '>'} ${open}`
  for (let i = 0; i < steps.length; i++) {
    if (i > 0) writer.text += ', '
    writeOperand(writer, (steps[i] as OrderStep).reference.column as SqlColumn, operands[i] as Operand)
  }
  writer.text += close
}

/** How the order of a stretch is written. */
interface RangeOrdering extends IndexRange {
  readonly hasImpossibleRange: boolean
}

// A list that is read as one piece has the same text each time.
const orderSqlCache = new WeakMap<readonly OrderStep[], string>()

/** Writes the order of a list as one piece. */
export function formatOrder(dialect: SqlDialect, scope: number, order: readonly OrderStep[]): string {
  const known = scope === 0 ? orderSqlCache.get(order) : undefined
  if (known !== undefined) return known
  const writer = new SqlWriter(dialect)
  writeOrderSteps(writer, scope, order, { ...FULL_RANGE, hasImpossibleRange: false })
  if (scope === 0) orderSqlCache.set(order, writer.text)
  return writer.text
}

/** Writes the order of a stretch. */
function writeOrder(writer: SqlWriter, scope: number, order: readonly OrderStep[], ordering: RangeOrdering): void {
  const { prefix: tied, bounds: values } = ordering
  const isWhole = tied.length === 0 && values === undefined
  if (isWhole) writer.text += formatOrder(writer.dialect, scope, order)
  else writeOrderSteps(writer, scope, order, ordering)
}

function writeOrderSteps(
  writer: SqlWriter,
  scope: number,
  order: readonly OrderStep[],
  { prefix: tied, bounds: values, hasImpossibleRange: fenced }: RangeOrdering,
): void {
  const { dialect } = writer
  let open = ' order by '
  for (let i = 0; i < order.length; i++) {
    const { reference, descending } = order[i] as OrderStep
    const operand = tied[i]
    // Its planner passes over a column without values in an index, but looks for it among the ordered ones.
    if (dialect.equalityAsRange && !fenced && operand !== undefined && isNullOperand(operand)) continue
    const isFree = i > tied.length || (i === tied.length && (values === undefined || values.orNull === true))
    writer.text += open + dialect.formatOrderStep(formatReference(scope, reference), descending, isFree && isNullableReference(reference))
    open = ', '
  }
}

// The longest part of most queries, and the same for the same columns.
const selectListCache = new WeakMap<readonly Reference[], string>()

/** Writes what a query reads. */
export function formatSelectList(columns: readonly Reference[], scope: number): string {
  let head = selectListCache.get(columns)
  if (head === undefined) {
    const written = columns.map(
      (reference, i) =>
        `${formatSelected(reference.column as SqlColumn, formatReference(scope, reference), reference.forCursor)} as c${i}`,
    )
    head = `select ${columns.length === 0 ? '1 as c0' : written.join(', ')}`
    selectListCache.set(columns, head)
  }
  return head
}

/** Writes the tables of a query, those that something refers to. */
export function writeTables(
  writer: SqlWriter,
  scope: number,
  { from, joins, filter, order = [] }: Count & Partial<Pick<Select, 'order'>>,
  columns: readonly Reference[] = [],
): void {
  const needed: boolean[] = []
  if (joins.length > 0) {
    for (const { source } of columns) needed[source] = true
    for (const { reference } of order) needed[reference.source] = true
    if (filter) markNeededTables(filter, needed)
    addRequiredJoins(needed, joins)
  }
  writer.writeFrom(scope, { from, joins }, needed, (where) => writeSqlFilter(writer, scope, where))
}

/** Writes conditions, behind those that have opened the clause, and tells whether there are any. */
export function writeWhere(writer: SqlWriter, scope: number, all: readonly Filter[], opened = false): boolean {
  for (let i = 0; i < all.length; i++) {
    writer.text += i === 0 && !opened ? ' where ' : ' and '
    writeSqlFilter(writer, scope, all[i] as Filter)
  }
  return opened || all.length > 0
}

// --- the conditions of a stretch -------------------------------------------------------

function buildRangeConditions(dialect: SqlDialect, order: readonly OrderStep[], stretch: IndexRange): readonly Filter[] {
  const { prefix: tied, bounds: values } = stretch
  const conditions = tied.flatMap((operand, i) => buildEquality(dialect, order[i] as OrderStep, operand))
  const step = order[tied.length]
  if (values === undefined || step === undefined) return conditions
  const { reference, descending } = step
  const { after, before, orNull } = values
  if (after.length > 0) {
    const further = buildAfterCondition(order.slice(tied.length), after)
    if (orNull === true) conditions.push(or([further, { op: 'null', reference }]))
    else if (!isTupleComparison({ dialect, order }, stretch)) conditions.push(further)
  } else if (isNullableReference(reference)) conditions.push({ op: 'not null', reference })
  if (before !== undefined) conditions.push({ op: descending ? '>' : '<', reference, ...before })
  return conditions
}

function buildEquality({ equalityAsRange: bounded }: SqlDialect, { reference }: OrderStep, operand: Operand): Filter[] {
  if (isNullOperand(operand)) return [{ op: 'null', reference }]
  if (!bounded) return [{ op: '=', reference, ...operand }]
  return [
    { op: '>=', reference, ...operand },
    { op: '<=', reference, ...operand },
  ]
}

function buildAfterCondition([step, ...steps]: readonly OrderStep[], [operand, ...operands]: readonly Operand[]): Filter {
  const { reference, descending } = step as OrderStep
  const further: Filter = { op: descending ? '<' : '>', reference, ...(operand as Operand) }
  if (operands.length === 0) return further
  return or([further, and([{ op: '=', reference, ...(operand as Operand) }, buildAfterCondition(steps, operands)])])
}

// A condition that no row meets, beside a column that must be null: a planner that sees `is null` alone treats it like an
// equality. It must find out by itself that there are no such rows, and does so by looking at the column's range.
function buildImpossibleRange([first]: readonly OrderStep[], { prefix: [operand, ...tied] }: IndexRange): Filter | undefined {
  if (first === undefined || operand === undefined || ![operand, ...tied].some(isNullOperand)) return undefined
  const { reference } = first
  const value = SAMPLE_VALUES[reference.column.kind]
  if (reference.source > 0 || (isNullOperand(operand) && value === undefined)) return undefined
  const bound = isNullOperand(operand) ? { value } : operand
  return and([
    { op: '>', reference, ...bound },
    { op: '<', reference, ...bound },
  ])
}
