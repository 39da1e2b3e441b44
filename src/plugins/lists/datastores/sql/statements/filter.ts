// Writes filters as conditions that are true or false for every row, never unknown.
import type { Comparison, Exists, Filter, Operand, Place, Reference } from '../../../query.ts'
import type { SqlColumn } from '../sql.ts'
import { type Traits, traitsOf } from '../values/traits.ts'
import { refuseUnfit } from '../values/unfit.ts'
import { writeContains, writeMatches } from './texts.ts'
import { completeNeeded, expression, FALSE, isNullable, type SqlWriter, TRUE } from './writer.ts'

/** Writes a condition on the tables of a scope. */
export function writeFilter(writer: SqlWriter, scope: number, filter: Filter): void {
  switch (filter.op) {
    case 'and':
    case 'or':
      return writeAll(writer, scope, filter.op, filter.of)
    case 'null':
    case 'not null':
      return writeNull(writer, scope, filter.reference, filter.op === 'null')
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

function writeAll(writer: SqlWriter, scope: number, op: 'and' | 'or', of: readonly Filter[]): void {
  if (of.length === 0) {
    writer.text += op === 'and' ? TRUE : FALSE
    return
  }
  const open = of.length > 1
  if (open) writer.text += '('
  for (let i = 0; i < of.length; i++) {
    if (i > 0) writer.text += ` ${op} `
    writeFilter(writer, scope, of[i] as Filter)
  }
  if (open) writer.text += ')'
}

function writeNull(writer: SqlWriter, scope: number, reference: Reference, isNull: boolean): void {
  if (isNullable(reference)) writer.text += `${expression(scope, reference)} is ${isNull ? '' : 'not '}null`
  else writer.text += isNull ? FALSE : TRUE
}

type Compared = Extract<Filter, { readonly op: Comparison | '!=' }>

function writeComparison(writer: SqlWriter, scope: number, filter: Compared): void {
  const { reference } = filter
  const column = reference.column as SqlColumn
  const given = 'place' in filter ? filter.place : filter.value
  const negated = filter.op === '!='
  if (given === null || given === undefined) {
    writer.text += negated ? TRUE : FALSE
    return
  }
  if (!('place' in filter)) refuseUnfit(column, given)
  const narrow = narrowOf(column, given)
  if (narrow !== undefined)
    return writeNarrow(writer, scope, reference, { op: filter.op, text: given as string, narrow })
  const folded = foldedBy(column, filter.op, given, 'place' in filter)
  if (folded === TRUE) return writeNull(writer, scope, reference, false)
  if (folded === FALSE) {
    writer.text += negated ? TRUE : FALSE
    return
  }
  const value = folded ? folded.value : given
  const written = expression(scope, reference)
  const open = negated && isNullable(reference)
  if (open) writer.text += '('
  if (column.comparison) {
    if (negated) writer.text += 'not '
    const compared = 'place' in filter ? value : bound(column, value)
    writer.piece(column.comparison(written, negated ? '=' : filter.op, compared))
  } else {
    writer.text += `${written} ${negated ? '<>' : (folded?.op ?? filter.op)} `
    writeOperand(writer, column, 'place' in filter ? { place: value as Place } : { value })
  }
  if (open) writer.text += ` or ${written} is null)`
}

/** A condition that a column equals something. */
export type Equality = Extract<Filter, { readonly op: Comparison }>

/** Returns whether a condition says that a column of the first table equals what it can hold. */
export function isPlainEquality(filter: Filter): filter is Equality {
  if (filter.op !== '=' || filter.reference.source > 0) return false
  const column = filter.reference.column as SqlColumn
  const given = 'place' in filter ? filter.place : filter.value
  if (given === null || given === undefined || narrowOf(column, given) !== undefined) return false
  return foldedBy(column, '=', given, 'place' in filter) === undefined
}

/** Returns whether a condition pins a column of the first table: one that is written in a way of its own is a range to planners. */
export const isPinned = (filter: Filter): filter is Equality =>
  isPlainEquality(filter) && (filter.reference.column as SqlColumn).comparison === undefined

/** The conditions that all have to hold. */
export const partsOf = (filter: Filter): readonly Filter[] =>
  filter.op === 'and' ? filter.of.flatMap(partsOf) : [filter]

/** Binds what a column is compared with. */
export function writeOperand(writer: SqlWriter, column: SqlColumn, operand: Operand): void {
  if ('place' in operand) writer.placed(column, operand.place)
  else writer.compared(column, bound(column, operand.value))
}

/** The value that is bound for an operand. */
export const boundOf = (column: SqlColumn, operand: Operand): unknown =>
  'place' in operand ? operand.place : bound(column, operand.value)

const bound = (column: SqlColumn, value: unknown): unknown =>
  column.compare ? column.compare(value) : column.encode(value)

// A place was a value of the column, which has room for it; and a column may have comparisons of its own that are exact.
function foldedBy(column: SqlColumn, op: Comparison | '!=', value: unknown, isPlace: boolean): Folded {
  if (isPlace) return undefined
  const ranged = column.range && fold(column.range, op, value)
  if (ranged !== undefined) return ranged
  const decided = column.comparison ? undefined : column.fold?.(op === '!=' ? '=' : op, value)
  return typeof decided === 'string' ? DECIDED[decided] : decided
}

/** Returns whether a column may have a value: one of another column may be none that it can hold. */
export const mayEqual = (column: SqlColumn, value: unknown): boolean => foldedBy(column, '=', value, false) !== FALSE

const DECIDED = { always: TRUE, never: FALSE } as const

type Folded = typeof TRUE | typeof FALSE | { readonly op: string; readonly value: unknown } | undefined

/** Answers a comparison that the column's range decides; for `!=` the answer is that of `=`. */
function fold(range: readonly [bigint, bigint], op: Comparison | '!=', value: unknown): Folded {
  if (Number.isNaN(value)) return FALSE
  const below = op === '<' || op === '<='
  const above = op === '>' || op === '>='
  if (value === Infinity) return below ? TRUE : FALSE
  if (value === -Infinity) return above ? TRUE : FALSE
  if (typeof value === 'number' && !Number.isInteger(value)) {
    if (!below && !above) return FALSE
    const floor = Math.floor(value)
    return fold(range, below ? '<=' : '>', floor) ?? { op: below ? '<=' : '>', value: floor }
  }
  const number = wholeNumber(value)
  if (number === undefined) return undefined
  if (number > range[1]) return below ? TRUE : FALSE
  if (number < range[0]) return above ? TRUE : FALSE
  return undefined
}

function wholeNumber(value: unknown): number | bigint | undefined {
  if (typeof value === 'number' || typeof value === 'bigint') return value
  return typeof value === 'string' && /^-?\d+$/.test(value) ? BigInt(value) : undefined
}

type In = Extract<Filter, { readonly op: 'in' | 'not in' }>

function writeIn(writer: SqlWriter, scope: number, filter: In): void {
  const { reference, values } = filter
  const negated = filter.op === 'not in'
  const column = reference.column as SqlColumn
  if (column.comparison || values.some((value) => narrowOf(column, value) !== undefined))
    return writeEach(writer, scope, filter)
  const written = expression(scope, reference)
  const open = negated && isNullable(reference)
  let count = 0
  for (const value of values) {
    // Nothing equals null, nor a number that does not fit.
    if (value === null || value === undefined) continue
    refuseUnfit(column, value)
    if (!mayEqual(column, value)) continue
    writer.text += count++ === 0 ? `${open ? '(' : ''}${written} ${negated ? 'not in' : 'in'} (` : ', '
    writer.compared(column, bound(column, value))
  }
  if (count === 0) writer.text += negated ? TRUE : FALSE
  else writer.text += open ? `) or ${written} is null)` : ')'
}

function writeEach(writer: SqlWriter, scope: number, { op, reference, values }: In): void {
  const negated = op === 'not in'
  const each = values.map((value): Filter => (negated ? { op: '!=', reference, value } : { op: '=', reference, value }))
  writeAll(writer, scope, negated ? 'and' : 'or', each)
}

type Like = Extract<Filter, { readonly op: 'like' | 'not like' }>

function writeLike(writer: SqlWriter, scope: number, { op, reference, pattern }: Like): void {
  const written = expression(scope, reference)
  const negated = op === 'not like'
  const open = negated && isNullable(reference)
  if (writer.dialect.nul === 'absent' && pattern.text.includes('\0')) {
    // No text of a column has this character.
    writer.text += negated ? TRUE : FALSE
    return
  }
  if (writer.dialect.nul === 'bytes' && CONFUSED.test(pattern.text)) {
    writer.text += `${open ? '(' : ''}${negated ? 'not ' : ''}(`
    writeBytesLike(writer, written, pattern)
    writer.text += `)${open ? ` or ${written} is null)` : ''}`
    return
  }
  const { narrow, loose } = traitsOf(reference.column as SqlColumn) ?? {}
  const matched = narrow === undefined ? written : widened(written, narrow)
  const [before, after] = writer.dialect.matches(matched, negated, loose)
  writer.text += (open ? '(' : '') + before
  writer.bind(writer.dialect.pattern(pattern))
  writer.text += after + (open ? ` or ${written} is null)` : '')
}

// The patterns of SQLite end at U+0000, and read U+FFFE and U+FFFF as U+FFFD; its functions for bytes do not.
const CONFUSED = /[\0\ufffd-\uffff]/

function writeBytesLike(writer: SqlWriter, written: string, { text, before, after }: Like['pattern']): void {
  const bytes = `cast(${written} as blob)`
  const length = new TextEncoder().encode(text).length
  writer.text += after ? `instr(${bytes}, cast(` : `ifnull(substr(${bytes}, -${length}), x'') = cast(`
  writer.bind(text)
  writer.text += after ? ` as blob)) ${before ? '> 0' : '= 1'}` : ' as blob)'
}

// --- texts of special columns ------------------------------------------------------------

type Narrow = NonNullable<Traits['narrow']>

const widened = (written: string, { collation }: Narrow): string =>
  `convert(${written} using utf8mb4) collate ${/_bin$/.test(collation) ? 'utf8mb4_bin' : 'utf8mb4_general_ci'}`

function narrowOf(column: SqlColumn, value: unknown): Narrow | undefined {
  return typeof value === 'string' && /[\u0080-\uffff]/.test(value) ? traitsOf(column)?.narrow : undefined
}

// A value within the column's character set is compared as it is, by an index; any other value equals none, and is ordered
// within utf8mb4.
function writeNarrow(
  writer: SqlWriter,
  scope: number,
  reference: Reference,
  { op, text, narrow }: { readonly op: Comparison | '!='; readonly text: string; readonly narrow: Narrow },
): void {
  const written = expression(scope, reference)
  const { charset, collation } = narrow
  const bind = (before: string, after: string): void => {
    writer.text += before
    writer.bind(text)
    writer.text += after
  }
  const isHeld = (): void => {
    bind('convert(convert(', ` using ${charset}) using utf8mb4) collate utf8mb4_bin = `)
    bind('convert(', ' using utf8mb4)')
  }
  const isOrdered = op !== '=' && op !== '!='
  const negated = op === '!='
  writer.text += negated ? '(not (' : '('
  if (isOrdered) {
    writer.text += 'case when '
    isHeld()
    bind(` then ${written} ${op} convert(`, ` using ${charset}) collate ${collation}`)
    bind(` else ${widened(written, narrow)} ${op} `, ' end')
  } else {
    bind(`${written} = convert(`, ` using ${charset}) collate ${collation} and `)
    isHeld()
  }
  if (negated) writer.text += `) or ${written} is null)`
  else writer.text += isOrdered && isNullable(reference) ? ` and ${written} is not null)` : ')'
}

function writeExists(writer: SqlWriter, around: number, { op, from, on, joins, filter }: Exists): void {
  const scope = writer.scope(joins.length + 1)
  const needed = new Array<boolean>(joins.length + 1).fill(false)
  if (joins.length > 0) noteFilter(filter, needed)
  writer.text += `${op} (select 1`
  writer.from(scope, { from, joins }, completeNeeded(needed, joins), (where) => writeFilter(writer, scope, where))
  writer.text += ' where '
  writer.links(around, on, scope)
  if (!(filter.op === 'and' && filter.of.length === 0)) {
    writer.text += ' and '
    writeFilter(writer, scope, filter)
  }
  writer.text += ')'
}

/** Notes the tables of a scope that a condition refers to. */
export function noteFilter(filter: Filter, needed: boolean[]): void {
  if (filter.op === 'and' || filter.op === 'or') for (const one of filter.of) noteFilter(one, needed)
  else if ('from' in filter) for (const [reference] of filter.on) needed[reference.source] = true
  else needed[filter.reference.source] = true
}
