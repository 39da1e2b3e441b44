// Comma-separated values (RFC 4180).

export const CSV_LINE_END = '\r\n'

/** Marks the text as UTF-8 for spreadsheets, which would otherwise assume another encoding. */
export const BYTE_ORDER_MARK = '\ufeff'

/**
 * Formats one value: empty for null, an empty text in quotes, lists and structures as JSON. A guarded text gets an
 * apostrophe if a spreadsheet would run it as a formula.
 */
export function formatCsvCell(value: unknown, guarded: boolean): string {
  if (value === null || value === undefined) return ''
  if (typeof value === 'string') return quoteCell(guarded && isFormula(value) ? `'${value}` : value)
  return typeof value === 'object' ? quoteCell(JSON.stringify(value)) : String(value)
}

// Readers may trim spaces at the ends, and skip a line that contains only an empty text.
const NEEDS_QUOTES = /^$|[",\r\n]|^\s|\s$/

const quoteCell = (text: string): string => (NEEDS_QUOTES.test(text) ? `"${text.replaceAll('"', '""')}"` : text)

// The characters that begin formulas, in both widths, and characters that some spreadsheets skip before one. Numbers
// may begin with a minus.
const isFormula = (text: string): boolean => /^[=+\-@\t\r\n＝＋－＠]/.test(text) && !/^-\d+(?:\.\d+)?$/.test(text)
