// Text helpers for messages: shortening names, joining sentences.

const MAX_LENGTH = 60

/** Shortens a name from a request, so that a response can repeat it. */
export const shortenName = (name: string): string => (name.length > MAX_LENGTH ? `${name.slice(0, MAX_LENGTH)}…` : name)

/**
 * Joins texts as sentences and adds missing periods; skips absent and empty texts. A table becomes a separate
 * paragraph.
 */
export function joinSentences(...texts: readonly (string | undefined)[]): string {
  const present = texts.flatMap((text) => (text === undefined || text.trim() === '' ? [] : [text.trim()]))
  return present.reduce((before, text) => {
    if (before === '') return text
    if (before.endsWith(' |') || text.startsWith('| ')) return `${before}\n\n${text}`
    return `${before}${/[.!?:]$/.test(before) ? '' : '.'} ${text}`
  }, '')
}

/** Formats a markdown table, for descriptions in documents. */
export function formatTable(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  const formatRow = (cells: readonly string[]): string => `| ${cells.map(escapeCell).join(' | ')} |`
  return [formatRow(heads), formatRow(heads.map(() => '---')), ...rows.map(formatRow)].join('\n')
}

// A bar ends a cell even within code unless it is escaped.
const escapeCell = (text: string): string => text.replace(/\s+/g, ' ').replaceAll('|', '\\|')
