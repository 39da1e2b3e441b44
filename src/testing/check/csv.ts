// Answers of comma-separated values: the columns that are declared, in every line, each value of its type.
import { columnsOf } from '../../design/fields/columns.ts'
import { BYTE_ORDER_MARK } from '../../design/fields/csv.ts'
import type { Attribute } from '../../schema/attribute.ts'
import { INVALID } from '../../schema/issue.ts'
import { Loading } from '../../schema/loading.ts'
import { insist } from './broken.ts'

/** A value, and whether it stood between quotes. */
interface Cell {
  readonly text: string
  readonly quoted: boolean
}

/** Holds CSV to the declaration of its elements, as far as the client has not selected others. */
export function judgeCsv(text: string, element: Attribute | undefined): void {
  const [header, ...lines] = linesOf(text.startsWith(BYTE_ORDER_MARK) ? text.slice(1) : text)
  const names = header?.map((cell) => cell.text) ?? []
  const columns = element === undefined ? undefined : columnsOf(element)
  if (columns !== undefined)
    insist(
      names.join() === columns.map(({ name }) => name).join(),
      'columns',
      () => `the header line is ${names.join()}`,
    )
  for (const [i, line] of lines.entries()) {
    insist(line.length === names.length, 'columns', () => `line ${i + 2} has ${line.length} values`)
    columns?.forEach(({ name, attribute }, at) => {
      const { text: value, quoted } = line[at] as Cell
      if (attribute.core.scalar === undefined || (value === '' && !quoted)) return
      const fits = attribute.core.loader(value, new Loading(true)) !== INVALID
      insist(fits, 'body', () => `line ${i + 2} has ${JSON.stringify(value)} for ${name}, which does not fit it`)
    })
  }
}

/** The lines of CSV as elements whose values are texts; empty ones are left out. */
export function rowsIn(text: string): Readonly<Record<string, unknown>>[] {
  const [header = [], ...lines] = linesOf(text.startsWith(BYTE_ORDER_MARK) ? text.slice(1) : text)
  return lines.map((line) =>
    Object.fromEntries(
      line.flatMap((cell, i) => (cell.text === '' && !cell.quoted ? [] : [[header[i]?.text ?? '', cell.text]])),
    ),
  )
}

function linesOf(text: string): Cell[][] {
  const lines: Cell[][] = []
  let line: Cell[] = []
  for (let at = 0; at < text.length; ) {
    const from = at
    CELL.lastIndex = from
    const [whole = '', quoted, plain = '', sign = ''] = CELL.exec(text) ?? []
    insist(sign !== '', 'no-csv', () => `the body is no CSV: ${text.slice(from, from + 80)}`)
    at += whole.length
    line.push({ text: quoted?.replaceAll('""', '"') ?? plain, quoted: quoted !== undefined })
    if (sign === ',') continue
    lines.push(line)
    line = []
  }
  return lines
}

const CELL = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/y
