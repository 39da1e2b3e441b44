// Entity tags (RFC 9110, section 8.8.3): written from values, read back from conditions.

/** A tag as a condition has it: the text between the quotes, and whether it is a weak one. */
export interface Tag {
  readonly text: string
  readonly weak: boolean
}

/** The tags of `If-Match` or `If-None-Match`; `*` stands for any, undefined for what is no list of tags. */
export type Tags = '*' | readonly Tag[] | undefined

const TAG = /[\t ]*(?:(W\/)?"([\x21\x23-\x7e\x80-\uffff]*)")?[\t ]*(,|$)/y

/** Reads a list of tags. */
export function tagsIn(header: string): Tags {
  if (header.trim() === '*') return '*'
  const tags: Tag[] = []
  TAG.lastIndex = 0
  while (TAG.lastIndex <= header.length) {
    const found = TAG.exec(header)
    if (found === null) return undefined
    const [, weak, text, end] = found
    // Lists may have empty members (RFC 9110, section 5.6.1).
    if (text !== undefined) tags.push({ text, weak: weak !== undefined })
    if (end === '') break
  }
  return tags
}

const UNFIT = /[^\x21\x23\x24\x26-\x3a\x3c-\x7e]/gu

/** A value as the text of a tag; `;` ends it, so that a representation can add what tells it from others. */
export const tagText = (value: unknown): string =>
  (value instanceof Date ? value.toISOString() : String(value)).replace(UNFIT, encodeURIComponent)

/** The text of the value in a tag; undefined where it is none of ours. */
export function valueText({ text }: Tag): string | undefined {
  const end = text.indexOf(';')
  try {
    return decodeURIComponent(end < 0 ? text : text.slice(0, end))
  } catch {
    return undefined
  }
}
