// The columns of a list as CSV: one for each single value, those of structures by dotted names.
import type { Attribute, AttributeCore } from '../../schema/attribute.ts'
import { CSV_END, csvCell } from './csv.ts'

/** A column: its name, where its values are in an element, and what they are. */
interface CsvColumn {
  readonly name: string
  readonly path: readonly string[]
  readonly attribute: Attribute
}

/** The columns of elements; lists, records and unions are one column each, and so is a structure within itself. */
export const columnsOf = (element: Attribute): readonly CsvColumn[] => columnsIn(element, [], [])

function columnsIn(
  attribute: Attribute,
  path: readonly string[],
  around: readonly AttributeCore[],
): readonly CsvColumn[] {
  const { core } = targetOf(attribute)
  const shown = core.shape === 'object' && !around.includes(core) ? Object.entries(core.shown) : []
  if (shown.length === 0) return [{ name: path.join('.'), path, attribute }]
  return shown.flatMap(([name, one]) => columnsIn(one, [...path, name], [...around, core]))
}

const targetOf = (attribute: Attribute): Attribute => {
  const { target } = attribute.core
  return target === undefined ? attribute : targetOf(target)
}

/** Writes the line of names. */
export const csvHeader = (columns: readonly CsvColumn[], guarded: boolean): string =>
  columns.map(({ name }) => csvCell(name, guarded)).join(',') + CSV_END

/** Writes the line of an element, which is JSON data. */
export function csvLine(columns: readonly CsvColumn[], element: unknown, guarded: boolean): string {
  let line = ''
  for (let i = 0; i < columns.length; i++) {
    if (i > 0) line += ','
    line += csvCell(valueAt(element, (columns[i] as CsvColumn).path), guarded)
  }
  return line + CSV_END
}

function valueAt(element: unknown, path: readonly string[]): unknown {
  let value = element
  for (const name of path) {
    // An attribute may be called as what all objects inherit is.
    if (value === null || value === undefined || !Object.hasOwn(value, name)) return undefined
    value = (value as Readonly<Record<string, unknown>>)[name]
  }
  return value
}
