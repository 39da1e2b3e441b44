// Entity tags (RFC 9110, section 8.8.3): written from values, read back from conditions.

/** A tag as a condition has it: the text between the quotes, and whether it is a weak one. */
export interface EntityTag {
  readonly text: string
  readonly weak: boolean
}

/** The tags of `If-Match` or `If-None-Match`; `*` stands for any, undefined for what is no list of tags. */
export type EntityTags = '*' | readonly EntityTag[] | undefined

const TAG_PATTERN = /[\t ]*(?:(W\/)?"([\x21\x23-\x7e\x80-\uffff]*)")?[\t ]*(,|$)/y

/** Reads a list of tags. */
export function parseTags(header: string): EntityTags {
  if (header.trim() === '*') return '*'
  const tags: EntityTag[] = []
  TAG_PATTERN.lastIndex = 0
  while (TAG_PATTERN.lastIndex <= header.length) {
    const found = TAG_PATTERN.exec(header)
    if (found === null) return undefined
    const [, weak, text, end] = found
    // Lists may have empty members (RFC 9110, section 5.6.1).
    if (text !== undefined) tags.push({ text, weak: weak !== undefined })
    if (end === '') break
  }
  return tags
}

/** What may follow the version in tags of an application, each behind a `;`. */
export interface TagMarks {
  /** How many forms a body has at most; a tag names one of several by its number. */
  readonly forms: number
  /** The marks of audiences that see more than others. */
  readonly audiences: ReadonlySet<string>
  /** Whether a coding of the body may follow. */
  readonly coded: boolean
}

/** Marks the audiences of a tag, and separates them. */
export const AUDIENCE_SEPARATOR = '~'

const TAG_CODINGS: ReadonlySet<string> = new Set(['gzip', 'br', 'zstd', 'deflate'])

/** Returns whether an application may have written a tag: what follows its version is known, and in order. */
export function isOwnTag({ text }: EntityTag, { forms, audiences, coded }: TagMarks): boolean {
  const [, ...marks] = text.split(';')
  const [first = ''] = marks
  if (
    first.startsWith(AUDIENCE_SEPARATOR) &&
    first
      .slice(1)
      .split(AUDIENCE_SEPARATOR)
      .every((one) => audiences.has(one))
  )
    marks.shift()
  if (/^(?:0|[1-9]\d{0,3})$/.test(marks[0] ?? '') && Number(marks[0]) < forms) marks.shift()
  if (coded && TAG_CODINGS.has(marks[0] ?? '')) marks.shift()
  return marks.length === 0
}

const UNSAFE_CHARACTERS = /[^\x21\x23\x24\x26-\x3a\x3c-\x7e]/gu

/** A value as the text of a tag; `;` ends it, so that a representation can add what tells it from others. */
export const encodeTagText = (value: unknown): string =>
  (value instanceof Date ? value.toISOString() : String(value)).replace(UNSAFE_CHARACTERS, encodeURIComponent)

/** The text of the value in a tag; undefined where it is none of ours. */
export function decodeTagText({ text }: EntityTag): string | undefined {
  const end = text.indexOf(';')
  try {
    return decodeURIComponent(end < 0 ? text : text.slice(0, end))
  } catch {
    return undefined
  }
}
