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

/** What may follow the version in tags of an application, each behind a `;`. */
export interface Marks {
  /** How many forms a body has at most; a tag names one of several by its number. */
  readonly forms: number
  /** The marks of audiences that see more than others. */
  readonly audiences: ReadonlySet<string>
  /** Whether a coding of the body may follow. */
  readonly coded: boolean
}

/** Marks the audiences of a tag, and separates them. */
export const SEEN = '~'

const CODINGS: ReadonlySet<string> = new Set(['gzip', 'br', 'zstd', 'deflate'])

/** Returns whether an application may have written a tag: what follows its version is known, and in order. */
export function isWritten({ text }: Tag, { forms, audiences, coded }: Marks): boolean {
  const [, ...marks] = text.split(';')
  const [first = ''] = marks
  if (
    first.startsWith(SEEN) &&
    first
      .slice(1)
      .split(SEEN)
      .every((one) => audiences.has(one))
  )
    marks.shift()
  if (/^(?:0|[1-9]\d{0,3})$/.test(marks[0] ?? '') && Number(marks[0]) < forms) marks.shift()
  if (coded && CODINGS.has(marks[0] ?? '')) marks.shift()
  return marks.length === 0
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
