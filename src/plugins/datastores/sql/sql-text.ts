// The text of a statement, with the signs that clients have for bound values, and of the columns in it.
import type { DialectName, SqlColumn, Statement } from './sql.ts'

/** Writes a statement with a sign in each of its gaps: `$1`, `$2`, … or `?`. */
export function formatStatement(dialect: DialectName, { strings }: Statement): string {
  if (dialect !== 'postgres') return strings.join('?')
  let text = strings[0] as string
  for (let i = 1; i < strings.length; i++) text += `$${i}${strings[i]}`
  return text
}

/** Writes a column of a table with an alias, or the expression that stands for it. */
export function formatColumn(alias: string, { sqlName: written, derived }: SqlColumn): string {
  if (derived === undefined) return `${alias}.${written}`
  const text = derived.sql(derived.columns.map((column) => formatColumn(alias, column as SqlColumn)))
  return written === '' ? `(${text})` : `cast((${text})${written})`
}
