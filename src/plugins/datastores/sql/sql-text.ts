// The text of a statement, with the placeholders of its dialect, and of the columns in it.
import type { DialectName, SqlColumn, Statement } from './sql.ts'

/** Writes a statement with a placeholder in each of its gaps: `$1`, `$2`, … or `?`. */
export function formatStatement(dialect: DialectName, { strings }: Statement): string {
  if (dialect !== 'postgres') return strings.join('?')
  let text = strings[0] as string
  for (let i = 1; i < strings.length; i++) text += `$${i}${strings[i]}`
  return text
}

/** Writes a column of the table with this alias, or the expression of a derived column. */
export function formatColumn(alias: string, { sqlName, derived }: SqlColumn): string {
  if (derived === undefined) return `${alias}.${sqlName}`
  const text = derived.sql(derived.columns.map((column) => formatColumn(alias, column as SqlColumn)))
  return sqlName === '' ? `(${text})` : `cast((${text})${sqlName})`
}
