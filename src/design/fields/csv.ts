// Comma-separated values as RFC 4180 has them.

/** The end of a line. */
export const CSV_LINE_END = '\r\n'

/** Tells UTF-8 to spreadsheets, which take it for something else without. */
export const BYTE_ORDER_MARK = '\ufeff'

/**
 * Writes one value: nothing for none, an empty text between quotes, lists and structures as JSON. A guarded text gets an
 * apostrophe where a spreadsheet would run it as a formula.
 */
export function formatCsvCell(value: unknown, guarded: boolean): string {
  if (value === null || value === undefined) return ''
  if (typeof value === 'string') return quoteCell(guarded && isFormula(value) ? `'${value}` : value)
  return typeof value === 'object' ? quoteCell(JSON.stringify(value)) : String(value)
}

// Readers may take spaces at the ends away, and a line with an empty text alone for no line.
const NEEDS_QUOTES = /^$|[",\r\n]|^\s|\s$/

const quoteCell = (text: string): string => (NEEDS_QUOTES.test(text) ? `"${text.replaceAll('"', '""')}"` : text)

// The signs that begin formulas, in both widths, and what some spreadsheets pass over before one. A number begins with one too.
const isFormula = (text: string): boolean => /^[=+\-@\t\r\n＝＋－＠]/.test(text) && !/^-\d+(?:\.\d+)?$/.test(text)
