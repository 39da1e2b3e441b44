// Checks CSV responses: the declared columns in every line, each value of its type.

import { attributeRules } from '../../design/attribute-rules.ts'
import { BYTE_ORDER_MARK } from '../../design/fields/csv.ts'
import { listCsvColumns } from '../../design/fields/csv-columns.ts'
import type { Attribute } from '../../schema/attribute.ts'
import { INVALID } from '../../schema/issue.ts'
import { Loading } from '../../schema/loading.ts'
import { assertLaw } from './law-errors.ts'

/** The value of a cell, and whether it was quoted. */
interface CsvCell {
  readonly text: string
  readonly isQuoted: boolean
}

/**
 * Checks CSV against the declaration of its elements; without `element`, when the client selected fields, only the number of
 * columns.
 */
export function checkCsv(text: string, element: Attribute | undefined): void {
  const [header, ...lines] = parseCsvLines(text.startsWith(BYTE_ORDER_MARK) ? text.slice(1) : text)
  const names = header?.map((cell) => cell.text) ?? []
  const columns = element === undefined ? undefined : listCsvColumns(element)
  if (columns !== undefined)
    assertLaw(
      names.join() === columns.map(({ name }) => name).join(),
      'columns',
      () => `the header line is ${names.join()}`,
    )
  for (const [i, line] of lines.entries()) {
    assertLaw(line.length === names.length, 'columns', () => `line ${i + 2} has ${line.length} values`)
    columns?.forEach(({ name, attribute }, at) => {
      const { text: value, isQuoted: quoted } = line[at] as CsvCell
      if (attribute.core.scalar === undefined || (value === '' && !quoted)) return
      const fits = attributeRules.getLoader(attribute)(value, new Loading('text')) !== INVALID
      assertLaw(fits, 'body', () => `line ${i + 2} has ${JSON.stringify(value)} for ${name}, which does not fit it`)
    })
  }
}

/** Parses CSV into elements with string values; empty unquoted cells are left out. */
export function parseCsvRows(text: string): Readonly<Record<string, unknown>>[] {
  const [header = [], ...lines] = parseCsvLines(text.startsWith(BYTE_ORDER_MARK) ? text.slice(1) : text)
  return lines.map((line) =>
    Object.fromEntries(
      line.flatMap((cell, i) => (cell.text === '' && !cell.isQuoted ? [] : [[header[i]?.text ?? '', cell.text]])),
    ),
  )
}

function parseCsvLines(text: string): CsvCell[][] {
  const lines: CsvCell[][] = []
  let line: CsvCell[] = []
  for (let position = 0; position < text.length; ) {
    const start = position
    CSV_CELL.lastIndex = start
    const [match = '', quoted, plain = '', separator = ''] = CSV_CELL.exec(text) ?? []
    assertLaw(separator !== '', 'no-csv', () => `the body is no CSV: ${text.slice(start, start + 80)}`)
    position += match.length
    line.push({ text: quoted?.replaceAll('""', '"') ?? plain, isQuoted: quoted !== undefined })
    if (separator === ',') continue
    lines.push(line)
    line = []
  }
  return lines
}

const CSV_CELL = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/y
