// Texts that follow each other in a description.

/** Joins texts as sentences and adds missing full stops; skips absent and empty texts. */
export function sentences(...texts: readonly (string | undefined)[]): string {
  const given = texts.flatMap((text) => (text === undefined || text.trim() === '' ? [] : [text.trim()]))
  return given.map((text, i) => (i === given.length - 1 || /[.!?:]$/.test(text) ? text : `${text}.`)).join(' ')
}
