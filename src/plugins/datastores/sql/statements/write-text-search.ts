// Writes conditions on texts that differ between SQL dialects: substrings ignoring case, and full text.
import { splitWords } from '../../../query/case-folding.ts'
import type { SqlFilter, SqlReference } from '../sql.ts'
import { getTraits } from '../values/traits.ts'
import { FALSE, formatReference, isNullableReference, type SqlWriter, TRUE } from './sql-writer.ts'

type ContainsFilter = Extract<SqlFilter, { readonly op: 'contains' | 'not contains' }>

/** Writes that a text contains another, ignoring case. */
export function writeContains(writer: SqlWriter, scope: number, { op, reference, text }: ContainsFilter): void {
  const negated = op === 'not contains'
  if (text.includes('\0')) {
    writer.text += negated ? TRUE : FALSE
    return
  }
  const expression = formatReference(scope, reference)
  const open = negated && isNullableReference(reference)
  const { isNondeterministic } = getTraits(reference.column) ?? {}
  writer.text += (open ? '(' : '') + writer.dialect.formatContains(expression, negated, isNondeterministic)
  writer.bind(writer.dialect.formatAnyCasePattern(text))
  writer.text += open ? ` or ${expression} is null)` : ''
}

type MatchesFilter = Extract<SqlFilter, { readonly op: 'matches' | 'not matches' }>

/** Writes that a full-text search finds a row. */
export function writeMatches(writer: SqlWriter, scope: number, { op, reference, search, text }: MatchesFilter): void {
  const words = splitWords(text)
  const negated = op === 'not matches'
  if (words.length === 0) {
    writer.text += negated ? TRUE : FALSE
    return
  }
  const columns = search.columns.map((column): SqlReference => ({ source: reference.source, column }))
  const fields = columns.map((one) => ({
    name: one.column.name,
    sql: formatReference(scope, one),
    nullable: isNullableReference(one),
  }))
  const [before, after] = writer.dialect.formatSearch(fields, search, `t${scope + reference.source}`)
  // A joined row that is missing does not match.
  writer.text += `${negated ? 'not ' : ''}coalesce(${before}`
  writer.bind(writer.dialect.formatSearchWords(words, fields))
  writer.text += `${after}, ${writer.dialect.name === 'postgres' ? 'false' : '0'})`
}
