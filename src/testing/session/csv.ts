// Answers of comma-separated values: the columns that are declared, in every line, each value of its type.
import { listCsvColumns } from '../../design/fields/csv-columns.ts'
import { BYTE_ORDER_MARK } from '../../design/fields/csv.ts'
import type { Attribute } from '../../schema/attribute.ts'
import { INVALID } from '../../schema/issue.ts'
import { Loading } from '../../schema/loading.ts'
import { assertLaw } from './law-errors.ts'

/** A value, and whether it stood between quotes. */
interface CsvCell {
  readonly text: string
  readonly isQuoted: boolean
}

/** Holds CSV to the declaration of its elements, as far as the client has not selected others. */
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
      const fits = attribute.core.loader(value, new Loading(true)) !== INVALID
      assertLaw(fits, 'body', () => `line ${i + 2} has ${JSON.stringify(value)} for ${name}, which does not fit it`)
    })
  }
}

/** The lines of CSV as elements whose values are texts; empty ones are left out. */
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
  for (let at = 0; at < text.length; ) {
    const from = at
    CSV_CELL.lastIndex = from
    const [whole = '', quoted, plain = '', sign = ''] = CSV_CELL.exec(text) ?? []
    assertLaw(sign !== '', 'no-csv', () => `the body is no CSV: ${text.slice(from, from + 80)}`)
    at += whole.length
    line.push({ text: quoted?.replaceAll('""', '"') ?? plain, isQuoted: quoted !== undefined })
    if (sign === ',') continue
    lines.push(line)
    line = []
  }
  return lines
}

const CSV_CELL = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/y
