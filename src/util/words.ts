// Words of messages: values cut short, sentences put together.

const MOST = 60

/** Shortens a name from a request, so that a response can repeat it. */
export const shown = (name: string): string => (name.length > MOST ? `${name.slice(0, MOST)}…` : name)

/** Joins texts as sentences and adds missing full stops; skips absent and empty texts. */
export function sentences(...texts: readonly (string | undefined)[]): string {
  const given = texts.flatMap((text) => (text === undefined || text.trim() === '' ? [] : [text.trim()]))
  return given.map((text, i) => (i === given.length - 1 || /[.!?:]$/.test(text) ? text : `${text}.`)).join(' ')
}
