// Writes filters as conditions that are true or false for every row, never unknown.
import { and } from '../../../query/combine-filters.ts'
import type { ColumnKind, Comparison, CursorValue, Operand } from '../../../query/query.ts'
import type { SqlDialect } from '../dialect.ts'
import type { SqlAggregate, SqlAggregateJoin, SqlColumn, SqlExists, SqlFilter, SqlReference } from '../sql.ts'
import { getTraits, type TextColumnTraits } from '../values/traits.ts'
import { refuseIncomparableValue } from '../values/unfit.ts'
import {
  addRequiredJoins,
  FALSE,
  formatReference,
  isNullableReference,
  type SqlWriter,
  type TableWriters,
  TRUE,
} from './sql-writer.ts'
import { writeContains, writeMatches } from './write-text-search.ts'

/** Writes a condition on the tables of a scope. */
export function writeSqlFilter(writer: SqlWriter, scope: number, filter: SqlFilter): void {
  switch (filter.op) {
    case 'and':
    case 'or':
      return writeJunction(writer, scope, filter.op, filter.of)
    case 'null':
    case 'not null':
      return writeNullTest(writer, scope, filter.reference, filter.op === 'null')
    case 'in':
    case 'not in':
      return writeIn(writer, scope, filter)
    case 'like':
    case 'not like':
      return writeLike(writer, scope, filter)
    case 'contains':
    case 'not contains':
      return writeContains(writer, scope, filter)
    case 'matches':
    case 'not matches':
      return writeMatches(writer, scope, filter)
    case 'exists':
    case 'not exists':
      return writeExists(writer, scope, filter)
    default:
      return writeComparison(writer, scope, filter)
  }
}

function writeJunction(writer: SqlWriter, scope: number, op: 'and' | 'or', of: readonly SqlFilter[]): void {
  if (of.length === 0) {
    writer.text += op === 'and' ? TRUE : FALSE
    return
  }
  const open = of.length > 1
  if (open) writer.text += '('
  for (let i = 0; i < of.length; i++) {
    if (i > 0) writer.text += ` ${op} `
    writeSqlFilter(writer, scope, of[i] as SqlFilter)
  }
  if (open) writer.text += ')'
}

function writeNullTest(writer: SqlWriter, scope: number, reference: SqlReference, isNull: boolean): void {
  if (isNullableReference(reference))
    writer.text += `${formatReference(scope, reference)} is ${isNull ? '' : 'not '}null`
  else writer.text += isNull ? FALSE : TRUE
}

type ComparisonFilter = Extract<SqlFilter, { readonly op: Comparison | '!=' }>

function writeComparison(writer: SqlWriter, scope: number, filter: ComparisonFilter): void {
  const { reference } = filter
  const column = reference.column
  const operand = 'cursorValue' in filter ? filter.cursorValue : filter.value
  const negated = filter.op === '!='
  if (operand === null || operand === undefined) {
    writer.text += negated ? TRUE : FALSE
    return
  }
  if (!('cursorValue' in filter)) refuseIncomparableValue(column, operand)
  const narrow = findNarrowCharset(column, operand)
  if (narrow !== undefined)
    return writeNarrowComparison(writer, scope, reference, { op: filter.op, text: operand as string, narrow })
  const decided = decideComparison(column, filter.op, operand, 'cursorValue' in filter)
  if (decided === TRUE) return writeNullTest(writer, scope, reference, false)
  if (decided === FALSE) {
    writer.text += negated ? TRUE : FALSE
    return
  }
  const value = decided ? decided.value : operand
  const expression = formatReference(scope, reference)
  const open = negated && isNullableReference(reference)
  if (open) writer.text += '('
  if (column.writeComparison) {
    if (negated) writer.text += 'not '
    const compared = 'cursorValue' in filter ? value : encodeComparedValue(column, value)
    writer.appendStatement(column.writeComparison(expression, negated ? '=' : filter.op, compared))
  } else {
    writer.text += `${expression} ${negated ? '<>' : (decided?.op ?? filter.op)} `
    writeOperand(writer, column, 'cursorValue' in filter ? { cursorValue: value as CursorValue } : { value })
  }
  if (open) writer.text += ` or ${expression} is null)`
}

/** A condition that compares a column with a value. */
export type EqualityFilter = Extract<SqlFilter, { readonly op: Comparison }>

/** Returns whether a condition is an equality of a column of the first table with a value that it can hold. */
export function isExactEquality(filter: SqlFilter): filter is EqualityFilter {
  if (filter.op !== '=' || filter.reference.source > 0) return false
  const column = filter.reference.column
  const operand = 'cursorValue' in filter ? filter.cursorValue : filter.value
  if (operand === null || operand === undefined || findNarrowCharset(column, operand) !== undefined) return false
  return decideComparison(column, '=', operand, 'cursorValue' in filter) === undefined
}

/** Returns whether planners treat a condition as an equality: with `writeComparison` it is a range to them. */
export const isIndexEquality = (filter: SqlFilter): filter is EqualityFilter =>
  isExactEquality(filter) && filter.reference.column.writeComparison === undefined

/** Splits a filter into the conditions that must all be true. */
export const splitConjunction = (filter: SqlFilter): readonly SqlFilter[] =>
  filter.op === 'and' ? filter.of.flatMap(splitConjunction) : [filter]

/** Writes the operand that a column is compared with. */
export function writeOperand(writer: SqlWriter, column: SqlColumn, operand: Operand): void {
  if ('cursorValue' in operand) writer.bindCursorValue(column, operand.cursorValue)
  else writer.bindCompared(column, encodeComparedValue(column, operand.value))
}

/** Returns the value that is bound for an operand. */
export const toBoundOperand = (column: SqlColumn, operand: Operand): unknown =>
  'cursorValue' in operand ? operand.cursorValue : encodeComparedValue(column, operand.value)

const encodeComparedValue = (column: SqlColumn, value: unknown): unknown =>
  column.encodeForComparison ? column.encodeForComparison(value) : column.encode(value)

// The column can hold a cursor value, which was read from it. `writeComparison` is exact and needs no rewrite.
function decideComparison(column: SqlColumn, op: Comparison | '!=', value: unknown, isCursor: boolean): FoldResult {
  if (isCursor) return undefined
  const ranged = column.range && foldByRange(column.range, op, value)
  if (ranged !== undefined) return ranged
  const decided = column.writeComparison ? undefined : column.rewriteComparison?.(op === '!=' ? '=' : op, value)
  return typeof decided === 'string' ? FOLDED_SQL[decided] : decided
}

/** Returns whether a column may hold a value, which may come from a wider column. */
export const mayEqual = (column: SqlColumn, value: unknown): boolean =>
  decideComparison(column, '=', value, false) !== FALSE

const FOLDED_SQL = { always: TRUE, never: FALSE } as const

type FoldResult = typeof TRUE | typeof FALSE | { readonly op: string; readonly value: unknown } | undefined

/** Decides a comparison by the column's range; the result for `!=` is that of `=`. */
function foldByRange(range: readonly [bigint, bigint], op: Comparison | '!=', value: unknown): FoldResult {
  if (Number.isNaN(value)) return FALSE
  const below = op === '<' || op === '<='
  const above = op === '>' || op === '>='
  if (value === Infinity) return below ? TRUE : FALSE
  if (value === -Infinity) return above ? TRUE : FALSE
  if (typeof value === 'number' && !Number.isInteger(value)) {
    if (!below && !above) return FALSE
    const floor = Math.floor(value)
    return foldByRange(range, below ? '<=' : '>', floor) ?? { op: below ? '<=' : '>', value: floor }
  }
  const number = parseInteger(value)
  if (number === undefined) return undefined
  if (number > range[1]) return below ? TRUE : FALSE
  if (number < range[0]) return above ? TRUE : FALSE
  return undefined
}

function parseInteger(value: unknown): number | bigint | undefined {
  if (typeof value === 'number' || typeof value === 'bigint') return value
  return typeof value === 'string' && /^-?\d+$/.test(value) ? BigInt(value) : undefined
}

type InFilter = Extract<SqlFilter, { readonly op: 'in' | 'not in' }>

function writeIn(writer: SqlWriter, scope: number, filter: InFilter): void {
  const { reference, values } = filter
  const negated = filter.op === 'not in'
  const column = reference.column
  if (column.writeComparison || values.some((value) => findNarrowCharset(column, value) !== undefined))
    return writeInAsComparisons(writer, scope, filter)
  const expression = formatReference(scope, reference)
  const open = negated && isNullableReference(reference)
  let count = 0
  for (const value of values) {
    // Nothing equals null, or a number outside of the range.
    if (value === null || value === undefined) continue
    refuseIncomparableValue(column, value)
    if (!mayEqual(column, value)) continue
    writer.text += count++ === 0 ? `${open ? '(' : ''}${expression} ${negated ? 'not in' : 'in'} (` : ', '
    writer.bindCompared(column, encodeComparedValue(column, value))
  }
  if (count === 0) writer.text += negated ? TRUE : FALSE
  else writer.text += open ? `) or ${expression} is null)` : ')'
}

function writeInAsComparisons(writer: SqlWriter, scope: number, { op, reference, values }: InFilter): void {
  const negated = op === 'not in'
  const comparisons = values.map(
    (value): SqlFilter => (negated ? { op: '!=', reference, value } : { op: '=', reference, value }),
  )
  writeJunction(writer, scope, negated ? 'and' : 'or', comparisons)
}

type LikeFilter = Extract<SqlFilter, { readonly op: 'like' | 'not like' }>

function writeLike(writer: SqlWriter, scope: number, { op, reference, pattern }: LikeFilter): void {
  const expression = formatReference(scope, reference)
  const negated = op === 'not like'
  const open = negated && isNullableReference(reference)
  if (writer.dialect.nulMatching === 'absent' && pattern.text.includes('\0')) {
    // No text in the database contains this character.
    writer.text += negated ? TRUE : FALSE
    return
  }
  if (writer.dialect.nulMatching === 'bytes' && AMBIGUOUS_CHARACTERS.test(pattern.text)) {
    writer.text += `${open ? '(' : ''}${negated ? 'not ' : ''}(`
    writeBytesLike(writer, expression, pattern)
    writer.text += `)${open ? ` or ${expression} is null)` : ''}`
    return
  }
  const { narrowCharset: narrow, isNondeterministic: loose } = getTraits(reference.column) ?? {}
  const matched = narrow === undefined ? expression : convertToUtf8mb4(expression, narrow)
  const [before, after] = writer.dialect.formatLike(matched, negated, loose)
  writer.text += (open ? '(' : '') + before
  writer.bind(writer.dialect.formatPattern(pattern))
  writer.text += after + (open ? ` or ${expression} is null)` : '')
}

// The patterns of SQLite end at U+0000, and read U+FFFE and U+FFFF as U+FFFD; its byte functions do not.
const AMBIGUOUS_CHARACTERS = /[\0\ufffd-\uffff]/

function writeBytesLike(writer: SqlWriter, expression: string, { text, before, after }: LikeFilter['pattern']): void {
  const bytes = `cast(${expression} as blob)`
  const length = new TextEncoder().encode(text).length
  writer.text += after ? `instr(${bytes}, cast(` : `ifnull(substr(${bytes}, -${length}), x'') = cast(`
  writer.bind(text)
  writer.text += after ? ` as blob)) ${before ? '> 0' : '= 1'}` : ' as blob)'
}

// --- columns with a narrow character set -----------------------------------------------------

type NarrowCharset = NonNullable<TextColumnTraits['narrowCharset']>

const convertToUtf8mb4 = (expression: string, { collation }: NarrowCharset): string =>
  `convert(${expression} using utf8mb4) collate ${/_bin$/.test(collation) ? 'utf8mb4_bin' : 'utf8mb4_general_ci'}`

function findNarrowCharset(column: SqlColumn, value: unknown): NarrowCharset | undefined {
  return typeof value === 'string' && /[\u0080-\uffff]/.test(value) ? getTraits(column)?.narrowCharset : undefined
}

// A value within the column's character set is compared in it, by an index; any other value equals none, and is ordered in
// utf8mb4.
function writeNarrowComparison(
  writer: SqlWriter,
  scope: number,
  reference: SqlReference,
  { op, text, narrow }: { readonly op: Comparison | '!='; readonly text: string; readonly narrow: NarrowCharset },
): void {
  const expression = formatReference(scope, reference)
  const { charset, collation } = narrow
  const bind = (before: string, after: string): void => {
    writer.text += before
    writer.bind(text)
    writer.text += after
  }
  const writeFitsCharset = (): void => {
    bind('convert(convert(', ` using ${charset}) using utf8mb4) collate utf8mb4_bin = `)
    bind('convert(', ' using utf8mb4)')
  }
  const isOrdered = op !== '=' && op !== '!='
  const negated = op === '!='
  writer.text += negated ? '(not (' : '('
  if (isOrdered) {
    writer.text += 'case when '
    writeFitsCharset()
    bind(` then ${expression} ${op} convert(`, ` using ${charset}) collate ${collation}`)
    bind(` else ${convertToUtf8mb4(expression, narrow)} ${op} `, ' end')
  } else {
    bind(`${expression} = convert(`, ` using ${charset}) collate ${collation} and `)
    writeFitsCharset()
  }
  if (negated) writer.text += `) or ${expression} is null)`
  else writer.text += isOrdered && isNullableReference(reference) ? ` and ${expression} is not null)` : ')'
}

function writeExists(writer: SqlWriter, outer: number, { op, from, on, joins, filter }: SqlExists): void {
  const scope = writer.reserveAliases(joins.length + 1)
  writer.text += `${op} (select 1`
  writeRelated(writer, outer, scope, { from, on, joins, filter })
  writer.text += ')'
}

/** Rows of another table that belong to those of a scope. */
interface RelatedRows extends Pick<SqlExists, 'from' | 'on' | 'joins'> {
  readonly filter: SqlFilter | undefined
  /** The columns that the query reads. */
  readonly used?: readonly SqlReference[]
}

/** Writes the tables and conditions of related rows in a scope of their own. */
function writeRelated(
  writer: SqlWriter,
  outer: number,
  scope: number,
  { from, on, joins, filter, used = [] }: RelatedRows,
): void {
  const needed = new Array<boolean>(joins.length + 1).fill(false)
  for (const { source } of used) needed[source] = true
  if (joins.length > 0 && filter !== undefined) markNeededTables(filter, needed)
  writer.writeFrom(scope, { from, joins }, addRequiredJoins(needed, joins), createTableWriters(writer, scope))
  writer.text += ' where '
  writer.writeJoinCondition(outer, on, scope)
  if (filter !== undefined && !(filter.op === 'and' && filter.of.length === 0)) {
    writer.text += ' and '
    writeSqlFilter(writer, scope, filter)
  }
}

/** Creates the functions that write conditions and aggregates among the tables of a scope. */
export const createTableWriters = (writer: SqlWriter, scope: number): TableWriters => ({
  condition: (where) => writeSqlFilter(writer, scope, where),
  aggregate: (join) => writeAggregate(writer, scope, join),
})

/** Writes the value of an aggregate as an expression. */
function writeAggregate(writer: SqlWriter, outer: number, { table: from, on, aggregate }: SqlAggregateJoin): void {
  const { operation, kind, of, joins, owner } = aggregate
  const filter = of === undefined || operation === 'sum' ? aggregate.filter : withoutNulls(aggregate.filter, of)
  const scope = writer.reserveAliases(joins.length + 1)
  const written = of === undefined ? '' : formatReference(scope, of)
  if (owner !== undefined) writer.text += `case when ${formatReference(outer, owner)} is not null then `
  writer.text += formatAggregate(writer.dialect, { operation, kind, written })
  writeRelated(writer, outer, scope, { from, on, joins, filter, used: of === undefined ? [] : [of] })
  if (of !== undefined && (operation === 'min' || operation === 'max')) {
    const descending = operation === 'max'
    writer.text += ` order by ${writer.dialect.formatOrderStep(written, descending, false)}`
    // Values that are equal in the database may still be different texts.
    for (const name of EXACT_KINDS.has(kind) ? [] : from.key)
      writer.text += `, t${scope}.${(from.columns.get(name) as SqlColumn).sqlName}`
    writer.text += ' limit 1'
  }
  writer.text += owner === undefined ? ')' : ') end'
}

const EXACT_KINDS: ReadonlySet<ColumnKind> = new Set<ColumnKind>([
  'integer',
  'bigint',
  'boolean',
  'date',
  'dateTime',
  'time',
])

const withoutNulls = (filter: SqlFilter | undefined, reference: SqlReference): SqlFilter | undefined => {
  const present: SqlFilter[] = isNullableReference(reference) ? [{ op: 'not null', reference }] : []
  return filter === undefined ? present[0] : and([filter, ...present])
}

/** Writes the beginning of an aggregate, before the related rows. */
function formatAggregate(
  { formatSum }: SqlDialect,
  { operation, kind, written }: Pick<SqlAggregate, 'operation' | 'kind'> & { readonly written: string },
): string {
  if (operation === 'exists') return 'exists (select 1'
  if (operation === 'count') return '(select count(*)'
  if (operation === 'sum') return `(select ${formatSum?.(written, kind) ?? `coalesce(sum(${written}), 0)`}`
  return `(select ${written}`
}

/** Marks the tables of a scope that a condition refers to. */
export function markNeededTables(filter: SqlFilter, needed: boolean[]): void {
  if (filter.op === 'and' || filter.op === 'or') for (const one of filter.of) markNeededTables(one, needed)
  else if ('from' in filter) for (const [reference] of filter.on) needed[reference.source] = true
  else needed[filter.reference.source] = true
}
