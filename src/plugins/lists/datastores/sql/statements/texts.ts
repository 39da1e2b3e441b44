// Writes conditions on texts that differ between SQL dialects: substrings ignoring case, and full text.
import { wordsOf } from '../../../filters/folding.ts'
import type { Filter, Reference } from '../../../query.ts'
import type { SqlColumn } from '../sql.ts'
import { traitsOf } from '../values/traits.ts'
import { expression, FALSE, isNullable, type SqlWriter, TRUE } from './writer.ts'

type Contains = Extract<Filter, { readonly op: 'contains' | 'not contains' }>

/** Writes that a text contains another without regard to case. */
export function writeContains(writer: SqlWriter, scope: number, { op, reference, text }: Contains): void {
  const negated = op === 'not contains'
  if (text.includes('\0')) {
    writer.text += negated ? TRUE : FALSE
    return
  }
  const written = expression(scope, reference)
  const open = negated && isNullable(reference)
  const { loose } = traitsOf(reference.column as SqlColumn) ?? {}
  writer.text += (open ? '(' : '') + writer.dialect.contains(written, negated, loose)
  writer.bind(writer.dialect.anyCase(text))
  writer.text += open ? ` or ${written} is null)` : ''
}

type Matches = Extract<Filter, { readonly op: 'matches' | 'not matches' }>

/** Writes that a full-text search finds a row. */
export function writeMatches(writer: SqlWriter, scope: number, { op, reference, search, text }: Matches): void {
  const words = wordsOf(text)
  const negated = op === 'not matches'
  if (words.length === 0) {
    writer.text += negated ? TRUE : FALSE
    return
  }
  const columns = search.columns.map((column): Reference => ({ source: reference.source, column }))
  const fields = columns.map((one) => ({
    name: one.column.name,
    written: expression(scope, one),
    nullable: isNullable(one),
  }))
  const [before, after] = writer.dialect.search(fields, search, `t${scope + reference.source}`)
  // Where there is no row, nothing is found in it.
  writer.text += `${negated ? 'not ' : ''}coalesce(${before}`
  writer.bind(writer.dialect.words(words, fields))
  writer.text += `${after}, ${writer.dialect.name === 'postgres' ? 'false' : '0'})`
}
