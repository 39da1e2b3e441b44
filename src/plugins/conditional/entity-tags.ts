// Entity tags (RFC 9110, section 8.8.3): formats them from values, and parses them from conditions.

/** A tag of a condition: the text between the quotes, and whether it is weak. */
export interface EntityTag {
  readonly text: string
  readonly weak: boolean
}

/** The tags of `If-Match` or `If-None-Match`: `*` for any, undefined for an invalid list. */
export type EntityTags = '*' | readonly EntityTag[] | undefined

const TAG_PATTERN = /[\t ]*(?:(W\/)?"([\x21\x23-\x7e\x80-\uffff]*)")?[\t ]*(,|$)/y

/** Parses a list of tags. */
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

/** The suffixes that may follow the version in tags of an application, each after a `;`. */
export interface TagMarks {
  /** The maximum number of representations of a body; a tag identifies one of several by its number. */
  readonly maxRepresentations: number
  /** The marks of audiences that see additional attributes. */
  readonly audiences: ReadonlySet<string>
  /** Whether a content coding may follow. */
  readonly hasCodings: boolean
}

/** The prefix and separator of audience marks in a tag. */
export const AUDIENCE_SEPARATOR = '~'

const TAG_CODINGS: ReadonlySet<string> = new Set(['gzip', 'br', 'zstd', 'deflate'])

/** Returns whether the application may have issued a tag: the suffixes after the version are known and in order. */
export function isOwnTag({ text }: EntityTag, { maxRepresentations, audiences, hasCodings }: TagMarks): boolean {
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
  if (/^(?:0|[1-9]\d{0,3})$/.test(marks[0] ?? '') && Number(marks[0]) < maxRepresentations) marks.shift()
  if (hasCodings && TAG_CODINGS.has(marks[0] ?? '')) marks.shift()
  return marks.length === 0
}

const UNSAFE_CHARACTERS = /[^\x21\x23\x24\x26-\x3a\x3c-\x7e]/gu

/** Encodes a value as the text of a tag. `;` is escaped, because it separates suffixes. */
export const encodeTagText = (value: unknown): string =>
  (value instanceof Date ? value.toISOString() : String(value)).replace(UNSAFE_CHARACTERS, encodeURIComponent)

/** Decodes the value in a tag; undefined if the application did not issue it. */
export function decodeTagText({ text }: EntityTag): string | undefined {
  const end = text.indexOf(';')
  try {
    return decodeURIComponent(end < 0 ? text : text.slice(0, end))
  } catch {
    return undefined
  }
}
