// The table of outcomes: a row for each place, a column for each group of cases.
import type { Outcome } from './suite.ts'

/** Writes passed and all cases of each place and group; a place with nothing in a group has a dash. */
export function table(outcomes: readonly Outcome[]): string {
  const groups = [...new Set(outcomes.map(({ group }) => group))]
  const places = [...new Set(outcomes.map(({ where }) => where))]
  const cell = (where: string, group: string): string => {
    const all = outcomes.filter((outcome) => outcome.where === where && outcome.group === group)
    const passed = all.filter(({ fault }) => fault === undefined).length
    if (all.length === 0) return '–'
    return passed === all.length ? `${passed}` : `${passed} of ${all.length}`
  }
  const rows = [['', ...groups], ...places.map((where) => [where, ...groups.map((group) => cell(where, group))])]
  const widths = rows[0]!.map((_, column) => Math.max(...rows.map((row) => row[column]!.length)))
  const lines = rows.map((row) => `| ${row.map((text, column) => text.padEnd(widths[column]!)).join(' | ')} |`)
  return [lines[0], `|${widths.map((width) => '-'.repeat(width + 2)).join('|')}|`, ...lines.slice(1)].join('\n')
}
