// The text of a statement, with the signs that clients have for bound values.
import type { DialectName, Statement } from './sql.ts'

/** Writes a statement with a sign in each of its gaps: `$1`, `$2`, … or `?`. */
export function textOf(dialect: DialectName, { strings }: Statement): string {
  if (dialect !== 'postgres') return strings.join('?')
  let text = strings[0] as string
  for (let i = 1; i < strings.length; i++) text += `$${i}${strings[i]}`
  return text
}
