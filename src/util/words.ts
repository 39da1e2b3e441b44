// Words of messages: values cut short, sentences put together.

const MOST = 60

/** Shortens a name from a request, so that a response can repeat it. */
export const shown = (name: string): string => (name.length > MOST ? `${name.slice(0, MOST)}…` : name)

/** Joins texts as sentences and adds missing full stops; skips absent and empty texts. A table is a paragraph of its own. */
export function sentences(...texts: readonly (string | undefined)[]): string {
  const given = texts.flatMap((text) => (text === undefined || text.trim() === '' ? [] : [text.trim()]))
  return given.reduce((before, text) => {
    if (before === '') return text
    if (before.endsWith(' |') || text.startsWith('| ')) return `${before}\n\n${text}`
    return `${before}${/[.!?:]$/.test(before) ? '' : '.'} ${text}`
  }, '')
}

/** Writes a table in markdown, for descriptions in documents. */
export function table(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.map(cell).join(' | ')} |`
  return [line(heads), line(heads.map(() => '---')), ...rows.map(line)].join('\n')
}

// Also within code, a bar ends a cell unless it is escaped.
const cell = (text: string): string => text.replace(/\s+/g, ' ').replaceAll('|', '\\|')
