// The text of a statement, with the placeholders of its dialect, and of the columns in it.
import type { DialectName, SqlColumn, Statement } from './sql.ts'

/** Writes a statement with a placeholder in each of its gaps: `$1`, `$2`, … or `?`. */
export function formatStatement(dialect: DialectName, { strings }: Statement): string {
  if (dialect !== 'postgres') return strings.join('?')
  let text = strings[0] as string
  for (let i = 1; i < strings.length; i++) text += `$${i}${strings[i]}`
  return text
}

/** Writes a column of the table with this alias, the expression of a derived column, or the mark of an aggregate. */
export function formatColumn(alias: string, { sqlName, derived, aggregate }: SqlColumn): string {
  if (aggregate !== undefined) return sqlName === '' ? formatMark(alias) : `cast(${formatMark(alias)}${sqlName})`
  if (derived === undefined) return `${alias}.${sqlName}`
  const text = derived.sql(derived.columns.map((column) => formatColumn(alias, column as SqlColumn)))
  return sqlName === '' ? `(${text})` : `cast((${text})${sqlName})`
}

// Texts of columns are kept, and an aggregate has bound values: its mark stands for it until the statement is finished. No text
// of a statement can have the character U+0000.
const formatMark = (alias: string): string => `\0${alias}\0`

/** Replaces the marks of aggregates by their expressions, which may have marks of their own. */
export function expandMarks(
  { strings, values }: Statement,
  findExpression: (alias: string) => Statement | undefined,
): Statement {
  const expanded = { strings: [''], values: [] as unknown[] }
  const append = (text: string): void => {
    expanded.strings[expanded.strings.length - 1] += text
  }
  const appendStatement = (part: Statement): void => {
    for (const [i, string] of part.strings.entries()) {
      for (const [at, piece] of string.split('\0').entries()) {
        const expression = at % 2 === 0 ? undefined : findExpression(piece)
        if (expression === undefined) append(piece)
        else appendStatement(expression)
      }
      if (i === part.values.length) continue
      expanded.values.push(part.values[i])
      expanded.strings.push('')
    }
  }
  appendStatement({ strings, values })
  return expanded
}
