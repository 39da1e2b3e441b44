// Words of messages: values cut short, sentences put together.

const MAX_LENGTH = 60

/** Shortens a name from a request, so that a response can repeat it. */
export const shortenName = (name: string): string => (name.length > MAX_LENGTH ? `${name.slice(0, MAX_LENGTH)}…` : name)

/** Joins texts as sentences and adds missing full stops; skips absent and empty texts. A table is a paragraph of its own. */
export function joinSentences(...texts: readonly (string | undefined)[]): string {
  const given = texts.flatMap((text) => (text === undefined || text.trim() === '' ? [] : [text.trim()]))
  return given.reduce((before, text) => {
    if (before === '') return text
    if (before.endsWith(' |') || text.startsWith('| ')) return `${before}\n\n${text}`
    return `${before}${/[.!?:]$/.test(before) ? '' : '.'} ${text}`
  }, '')
}

/** Writes a table in markdown, for descriptions in documents. */
export function formatTable(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.map(escapeCell).join(' | ')} |`
  return [line(heads), line(heads.map(() => '---')), ...rows.map(line)].join('\n')
}

// Also within code, a bar ends a cell unless it is escaped.
const escapeCell = (text: string): string => text.replace(/\s+/g, ' ').replaceAll('|', '\\|')
