// The columns of a list as CSV: one for each single value, those of structures with dotted names.
import type { Attribute, AttributeCore } from '../../schema/attribute.ts'
import { CSV_LINE_END, formatCsvCell } from './csv.ts'

/** A column: its name, the path of its values in an element, and their attribute. */
interface CsvColumn {
  readonly name: string
  readonly path: readonly string[]
  readonly attribute: Attribute
}

/**
 * Returns the columns of an element; lists, records and unions are one column each, and so is a recursive structure.
 */
export const listCsvColumns = (element: Attribute): readonly CsvColumn[] => collectCsvColumns(element, [], [])

function collectCsvColumns(
  attribute: Attribute,
  path: readonly string[],
  ancestors: readonly AttributeCore[],
): readonly CsvColumn[] {
  const { core } = resolveTarget(attribute)
  const shown = core.shape === 'object' && !ancestors.includes(core) ? Object.entries(core.shown) : []
  if (shown.length === 0) return [{ name: path.join('.'), path, attribute }]
  return shown.flatMap(([name, one]) => collectCsvColumns(one, [...path, name], [...ancestors, core]))
}

const resolveTarget = (attribute: Attribute): Attribute => {
  const { target } = attribute.core
  return target === undefined ? attribute : resolveTarget(target)
}

/** Formats the header line. */
export const formatCsvHeader = (columns: readonly CsvColumn[], guarded: boolean): string =>
  columns.map(({ name }) => formatCsvCell(name, guarded)).join(',') + CSV_LINE_END

/** Formats the line of an element, which is JSON data. */
export function formatCsvLine(columns: readonly CsvColumn[], element: unknown, guarded: boolean): string {
  let line = ''
  for (let i = 0; i < columns.length; i++) {
    if (i > 0) line += ','
    line += formatCsvCell(getValueAtPath(element, (columns[i] as CsvColumn).path), guarded)
  }
  return line + CSV_LINE_END
}

function getValueAtPath(element: unknown, path: readonly string[]): unknown {
  let value = element
  for (const name of path) {
    // An attribute may have the name of a member that all objects inherit.
    if (value === null || value === undefined || !Object.hasOwn(value, name)) return undefined
    value = (value as Readonly<Record<string, unknown>>)[name]
  }
  return value
}
