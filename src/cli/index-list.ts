// Formats the indexes that serve lists as a table, with the statements that create missing ones.
import type { IndexesReport, ListReport } from '../plugins/mapper/extend.ts'
import type { createPainter } from './terminal/style.ts'
import { formatAlignedTable } from './terminal/table.ts'

type Painter = ReturnType<typeof createPainter>

/** Formats the statements that create missing indexes. */
export const formatCreateStatements = ({ missing }: IndexesReport): string =>
  missing.map(({ create }) => `${create};\n`).join('')

const INDEX_COLUMNS = ['list', 'order', 'filters', 'scope', 'index']

/** Formats a table of lists, the statements for missing indexes, and the lists that were not judged. */
export function formatIndexReport(report: IndexesReport, colour: Painter = (_, text) => text): string {
  const { lists, missing, skipped: leftOut } = report
  if (lists.length === 0) return 'No action lists a resource by its params.\n'
  const rows = groupLists(lists)
  const table = formatAlignedTable(INDEX_COLUMNS, rows, (text, column, isHeader) => {
    if (isHeader) return colour('bold', text)
    return column === 4 && text === MISSING ? colour('red', text) : text
  })
  const createLines =
    missing.length === 0 ? [] : ['', colour('bold', 'Missing'), formatCreateStatements(report).trimEnd()]
  const skipped = new Map<string, string[]>()
  for (const { place, what } of leftOut) skipped.set(what, [...(skipped.get(what) ?? []), place])
  const skippedLines = [...skipped].map(([what, places]) => `  ${what} (${places.join(', ')})`)
  const ending = skippedLines.length === 0 ? [] : ['', colour('bold', 'Not judged'), ...skippedLines]
  return `${[table.trimEnd(), ...createLines, ...ending, '', formatIndexSummary(report)].join('\n')}\n`
}

/** Merges the rows of lists that differ only in their order and have the same verdict. */
function groupLists(lists: readonly ListReport[]): readonly string[][] {
  const rows = new Map<string, string[]>()
  for (const list of lists) {
    const { origin: place, order, filters, scope } = list
    const key = JSON.stringify([place, filters, scope, formatVerdict(list)])
    const row = rows.get(key)
    const name = order === '' ? KEY_ORDER : order
    if (row === undefined) rows.set(key, [place, name, filters, scope, formatVerdict(list)])
    else row[1] += ` ${name}`
  }
  return [...rows.values()]
}

const KEY_ORDER = '(key)'
const MISSING = 'missing'

function formatVerdict({ index, create, reason: never, residualConditions: passes }: ListReport): string {
  const suffix = passes.length === 0 ? '' : `, passes over rows by ${passes.join(', ')}`
  if (create !== undefined) return MISSING + suffix
  return never === undefined ? `${index}${suffix}` : `none: ${never}`
}

function formatIndexSummary({ lists, missing }: IndexesReport): string {
  const served = lists.filter(({ index }) => index !== undefined).length
  const never = lists.filter((one) => one.reason !== undefined).length
  const unserved = lists.length - served - never
  const missingText = `${missing.length} ${missing.length === 1 ? 'index is' : 'indexes are'} missing for ${unserved}`
  return [
    `${served} of ${lists.length} lists are served`,
    ...(missing.length > 0 ? [missingText] : []),
    ...(never > 0 ? [`no index can serve ${never}`] : []),
  ]
    .join('; ')
    .concat('.')
}
