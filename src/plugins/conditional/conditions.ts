// The conditions of one request (RFC 9110, section 13): which there are, whether an element meets them, and the same as a
// filter of the statement that changes it.
import { type IssueDetail, Loading, Refusal } from '../../extend.ts'
import type { Attribute, RawHeaders } from '../../index.ts'
import type { FilterExpression } from '../lists/index.ts'
import { isWritten, type Marks, SEEN, type Tag, type Tags, tagsIn, tagText, valueText } from './tags.ts'

/** The validators of an element: they distinguish its versions. */
export interface Validators {
  readonly tag?: Validator | undefined
  readonly modified?: Validator | undefined
}

/** An attribute that does. */
export interface Validator {
  readonly field: string
  readonly attribute: Attribute
}

/** The version of an element: the text of its tag and when it was modified; undefined where there is no element. */
export interface Version {
  readonly tag?: string | undefined
  readonly modified?: Date | undefined
  /** The mark of the attributes that a client sees, for reads where some see more than others; a time cannot express that. */
  readonly seen?: string | undefined
}

/** The outcome of a request's conditions: it proceeds, its client's copy is current, or a condition fails. */
export type Verdict = 'go' | 'known' | 'failed'

/** The conditions of a request. */
export interface Conditions {
  readonly match: Tags | 'none'
  readonly noneMatch: Tags | 'none'
  readonly modifiedSince: number | undefined
  readonly unmodifiedSince: number | undefined
  /** Names of the headers that are of another form, or have a tag that the application never writes; they match nothing. */
  readonly malformed: readonly string[]
}

/** Reads the conditions of a request; undefined when it has none. */
export function conditionsOf(headers: RawHeaders, marks: Marks): Conditions | undefined {
  const match = headers['if-match']
  const noneMatch = headers['if-none-match']
  const since = headers['if-modified-since']
  const unmodified = headers['if-unmodified-since']
  if (match === undefined && noneMatch === undefined && since === undefined && unmodified === undefined)
    return undefined
  const malformed: string[] = []
  const tagsOf = (name: string, header: RawHeaders[string]): Tags | 'none' => {
    const tags = header === undefined ? 'none' : tagsIn(String(header))
    if (tags === 'none' || tags === '*') return tags
    const written = (tags ?? []).filter((tag) => isWritten(tag, marks))
    if (written.length === 0 || written.length !== tags?.length) malformed.push(name)
    return written
  }
  const read = { match: tagsOf('If-Match', match), noneMatch: tagsOf('If-None-Match', noneMatch) }
  const before = dateIn(unmodified)
  if (unmodified !== undefined && before === undefined) malformed.push('If-Unmodified-Since')
  return {
    ...read,
    // A tag says more than a time, which then does not count (sections 13.1.3 and 13.1.4).
    modifiedSince: noneMatch === undefined ? dateIn(since) : undefined,
    unmodifiedSince: match === undefined ? before : undefined,
    malformed,
  }
}

/** Refuses conditions of another form: a change must not go on as if it had none. For reads, the others match nothing. */
export function refuseMalformed({ malformed }: Conditions, change: boolean): void {
  const names = malformed.filter((name) => change || name === 'If-Match')
  if (names.length > 0)
    throw Refusal.ofHeaders(
      names.map((name) => ({ pointer: `/${name}`, code: 'format', detail: FORMS[name] as IssueDetail })),
    )
}

const TAGS = { expected: '* or a list of entity tags of this API, each in double quotes', kind: 'entity-tags' }
const FORMS: Readonly<Record<string, IssueDetail>> = {
  'If-Match': TAGS,
  'If-None-Match': TAGS,
  'If-Unmodified-Since': { expected: 'a date of HTTP, such as Fri, 02 Jan 2026 03:04:05 GMT', kind: 'http-date' },
}

const DATE =
  /^(?:[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT|[A-Z][a-z]+day, \d{2}-[A-Z][a-z]{2}-\d{2} \d{2}:\d{2}:\d{2} GMT|[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d \d{2}:\d{2}:\d{2} \d{4})$/

// Values that are no HTTP date are ignored, as section 13.1.3 asks. The third form has no zone and means UTC.
function dateIn(header: RawHeaders[string]): number | undefined {
  if (typeof header !== 'string' || !DATE.test(header)) return undefined
  const time = Date.parse(header.endsWith('GMT') ? header : `${header} GMT`)
  return Number.isNaN(time) ? undefined : time
}

/** Whether there is a condition on the version that a change is made to, or on there being none. */
export const isGuarded = ({ match, noneMatch, unmodifiedSince }: Conditions, { modified }: Validators): boolean =>
  match !== 'none' || noneMatch === '*' || (unmodifiedSince !== undefined && modified !== undefined)

/** The seconds of a time: HTTP knows no smaller part. */
const seconds = (time: Date): number => Math.floor(time.getTime() / 1000) * 1000

const isStrong = (tags: Tags, version: Version): boolean =>
  tags === '*' || (tags ?? []).some((tag) => !tag.weak && isOf(tag, version))

// The version may be followed by marks of the representation: only the mark of the visible attributes changes the tag.
function isOf(tag: Tag, { tag: text, seen }: Version): boolean {
  if (text === undefined) return false
  const [own, ...marks] = tag.text.split(';')
  return own === text && (seen === undefined || (marks.find((mark) => mark.startsWith(SEEN)) ?? '') === seen)
}

/** The mark of what the members of some audiences see, in a tag. */
export const seenMark = (audiences: readonly string[] | undefined): string | undefined =>
  audiences && (audiences.length === 0 ? '' : SEEN + audiences.map(audienceMark).join(SEEN))

/** The mark of one audience. */
export const audienceMark = (name: string): string => tagText(name).replaceAll(SEEN, '%7E')

/** Judges a request by what it is about, in the order of section 13.2.2; `safe` for GET and HEAD. */
export function verdictOf(conditions: Conditions, version: Version | undefined, safe: boolean): Verdict {
  const { match, noneMatch, modifiedSince, unmodifiedSince } = conditions
  if (match !== 'none' && (version === undefined || !isStrong(match, version))) return 'failed'
  if (unmodifiedSince !== undefined && version?.modified !== undefined && seconds(version.modified) > unmodifiedSince)
    return 'failed'
  if (noneMatch !== 'none' && version !== undefined && isAny(noneMatch, version)) return safe ? 'known' : 'failed'
  const { modified, seen } = version ?? {}
  return safe &&
    seen === undefined &&
    modifiedSince !== undefined &&
    modified !== undefined &&
    seconds(modified) <= modifiedSince
    ? 'known'
    : 'go'
}

const isAny = (tags: Tags, version: Version): boolean => tags === '*' || (tags ?? []).some((tag) => isOf(tag, version))

/** The tag of a version as the client sent it; its representation may have its own tag. */
export function knownTag({ noneMatch }: Conditions, version: Version): string | undefined {
  if (!Array.isArray(noneMatch)) return undefined
  const found = (noneMatch as readonly Tag[]).find((tag) => isOf(tag, version))
  return found === undefined ? undefined : `${found.weak ? 'W/' : ''}"${found.text}"`
}

/** The version of an element by its attributes. */
export function versionOf(element: Readonly<Record<string, unknown>>, { tag, modified }: Validators): Version {
  const told = tag === undefined ? undefined : element[tag.field]
  const time = modified === undefined ? undefined : element[modified.field]
  return {
    tag: told === undefined || told === null ? undefined : tagText(told),
    modified: time instanceof Date ? time : undefined,
  }
}

/** The conditions of a change as a filter; `'never'` where there must be no element, undefined where there is none. */
export function changeFilter(conditions: Conditions, validators: Validators): FilterExpression | 'never' | undefined {
  const { match, noneMatch, unmodifiedSince } = conditions
  const { tag, modified } = validators
  const of: FilterExpression[] = []
  if (match !== 'none' && match !== '*') {
    const values =
      tag === undefined
        ? []
        : valuesOf(
            (match ?? []).filter(({ weak }) => !weak),
            tag,
          )
    if (tag === undefined || values.length === 0) return 'never'
    of.push(isOneOf(tag.field, values))
  }
  if (noneMatch === '*') return 'never'
  if (noneMatch !== 'none' && noneMatch !== undefined && tag !== undefined) {
    const values = valuesOf(noneMatch, tag)
    if (values.length > 0) of.push(isNoneOf(tag.field, values))
  }
  if (unmodifiedSince !== undefined && modified !== undefined)
    of.push({ op: '<', field: modified.field, value: new Date(unmodifiedSince + 1000) })
  return of.length === 0 ? undefined : { op: 'and', of }
}

/** The values that tags stand for; a tag of something else stands for none. */
function valuesOf(tags: readonly Tag[], { attribute }: Validator): unknown[] {
  return tags.flatMap((tag) => {
    const text = valueText(tag)
    if (text === undefined) return []
    const loading = new Loading(true)
    const value = attribute.core.loader(text, loading)
    return loading.issues === null && value !== null && value !== undefined ? [value] : []
  })
}

// A database may keep smaller parts of a second than the tag has.
const within = (field: string, value: Date): FilterExpression => ({
  op: 'and',
  of: [
    { op: '>=', field, value },
    { op: '<', field, value: new Date(value.getTime() + 1) },
  ],
})

function isOneOf(field: string, values: readonly unknown[]): FilterExpression {
  const times = values.filter((value): value is Date => value instanceof Date)
  if (times.length > 0) return { op: 'or', of: times.map((value) => within(field, value)) }
  return { op: '=', field, any: values.map((value) => ({ value })) }
}

function isNoneOf(field: string, values: readonly unknown[]): FilterExpression {
  const times = values.filter((value): value is Date => value instanceof Date)
  if (times.length === 0) return { op: '!=', field, any: values.map((value) => ({ value })) }
  const outside = (value: Date): FilterExpression => ({
    op: 'or',
    of: [
      { op: '<', field, value },
      { op: '>=', field, value: new Date(value.getTime() + 1) },
    ],
  })
  return { op: 'and', of: times.map(outside) }
}
