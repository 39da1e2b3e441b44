// The conditions of one request (RFC 9110, section 13): which there are, whether an element meets them, and the same as a
// filter of the statement that changes it.
import { type IssueDetail, Loading, Refusal } from '../../extend.ts'
import type { Attribute, RawHeaders } from '../../index.ts'
import type { FilterExpression } from '../mapper/index.ts'
import { isOwnTag, type TagMarks, AUDIENCE_SEPARATOR, type EntityTag, type EntityTags, parseTags, encodeTagText, decodeTagText } from './entity-tags.ts'

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
export interface ElementVersion {
  readonly tag?: string | undefined
  readonly modified?: Date | undefined
  /** The mark of the attributes that a client sees, for reads where some see more than others; a time cannot express that. */
  readonly seen?: string | undefined
}

/** The outcome of a request's conditions: it proceeds, its client's copy is current, or a condition fails. */
export type ConditionOutcome = 'go' | 'known' | 'failed'

/** The conditions of a request. */
export interface RequestConditions {
  readonly match: EntityTags | 'none'
  readonly noneMatch: EntityTags | 'none'
  readonly modifiedSince: number | undefined
  readonly unmodifiedSince: number | undefined
  /** Names of the headers that are of another form, or have a tag that the application never writes; they match nothing. */
  readonly malformed: readonly string[]
}

/** Reads the conditions of a request; undefined when it has none. */
export function parseConditions(headers: RawHeaders, marks: TagMarks): RequestConditions | undefined {
  const match = headers['if-match']
  const noneMatch = headers['if-none-match']
  const since = headers['if-modified-since']
  const unmodified = headers['if-unmodified-since']
  if (match === undefined && noneMatch === undefined && since === undefined && unmodified === undefined)
    return undefined
  const malformed: string[] = []
  const tagsOf = (name: string, header: RawHeaders[string]): EntityTags | 'none' => {
    const tags = header === undefined ? 'none' : parseTags(String(header))
    if (tags === 'none' || tags === '*') return tags
    const written = (tags ?? []).filter((tag) => isOwnTag(tag, marks))
    if (written.length === 0 || written.length !== tags?.length) malformed.push(name)
    return written
  }
  const read = { match: tagsOf('If-Match', match), noneMatch: tagsOf('If-None-Match', noneMatch) }
  const before = parseHttpDate(unmodified)
  if (unmodified !== undefined && before === undefined) malformed.push('If-Unmodified-Since')
  return {
    ...read,
    // A tag says more than a time, which then does not count (sections 13.1.3 and 13.1.4).
    modifiedSince: noneMatch === undefined ? parseHttpDate(since) : undefined,
    unmodifiedSince: match === undefined ? before : undefined,
    malformed,
  }
}

/** Refuses conditions of another form: a change must not go on as if it had none. For reads, the others match nothing. */
export function refuseMalformed({ malformed }: RequestConditions, change: boolean): void {
  const names = malformed.filter((name) => change || name === 'If-Match')
  if (names.length > 0)
    throw Refusal.ofHeaders(
      names.map((name) => ({ pointer: `/${name}`, code: 'format', detail: EXPECTED_FORMATS[name] as IssueDetail })),
    )
}

const TAGS_FORMAT = { expected: '* or a list of entity tags of this API, each in double quotes', kind: 'entity-tags' }
const EXPECTED_FORMATS: Readonly<Record<string, IssueDetail>> = {
  'If-Match': TAGS_FORMAT,
  'If-None-Match': TAGS_FORMAT,
  'If-Unmodified-Since': { expected: 'a date of HTTP, such as Fri, 02 Jan 2026 03:04:05 GMT', kind: 'http-date' },
}

const HTTP_DATE =
  /^(?:[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT|[A-Z][a-z]+day, \d{2}-[A-Z][a-z]{2}-\d{2} \d{2}:\d{2}:\d{2} GMT|[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d \d{2}:\d{2}:\d{2} \d{4})$/

// Values that are no HTTP date are ignored, as section 13.1.3 asks. The third form has no zone and means UTC.
function parseHttpDate(header: RawHeaders[string]): number | undefined {
  if (typeof header !== 'string' || !HTTP_DATE.test(header)) return undefined
  const time = Date.parse(header.endsWith('GMT') ? header : `${header} GMT`)
  return Number.isNaN(time) ? undefined : time
}

/** Whether there is a condition on the version that a change is made to, or on there being none. */
export const hasChangeCondition = ({ match, noneMatch, unmodifiedSince }: RequestConditions, { modified }: Validators): boolean =>
  match !== 'none' || noneMatch === '*' || (unmodifiedSince !== undefined && modified !== undefined)

/** The seconds of a time: HTTP knows no smaller part. */
const truncateToSeconds = (time: Date): number => Math.floor(time.getTime() / 1000) * 1000

const isStrongMatch = (tags: EntityTags, version: ElementVersion): boolean =>
  tags === '*' || (tags ?? []).some((tag) => !tag.weak && isSameVersion(tag, version))

// The version may be followed by marks of the representation: only the mark of the visible attributes changes the tag.
function isSameVersion(tag: EntityTag, { tag: text, seen }: ElementVersion): boolean {
  if (text === undefined) return false
  const [own, ...marks] = tag.text.split(';')
  return own === text && (seen === undefined || (marks.find((mark) => mark.startsWith(AUDIENCE_SEPARATOR)) ?? '') === seen)
}

/** The mark of what the members of some audiences see, in a tag. */
export const formatVisibilityMark = (audiences: readonly string[] | undefined): string | undefined =>
  audiences && (audiences.length === 0 ? '' : AUDIENCE_SEPARATOR + audiences.map(formatAudienceMark).join(AUDIENCE_SEPARATOR))

/** The mark of one audience. */
export const formatAudienceMark = (name: string): string => encodeTagText(name).replaceAll(AUDIENCE_SEPARATOR, '%7E')

/** Judges a request by what it is about, in the order of section 13.2.2; `safe` for GET and HEAD. */
export function evaluateConditions(conditions: RequestConditions, version: ElementVersion | undefined, safe: boolean): ConditionOutcome {
  const { match, noneMatch, modifiedSince, unmodifiedSince } = conditions
  if (match !== 'none' && (version === undefined || !isStrongMatch(match, version))) return 'failed'
  if (unmodifiedSince !== undefined && version?.modified !== undefined && truncateToSeconds(version.modified) > unmodifiedSince)
    return 'failed'
  if (noneMatch !== 'none' && version !== undefined && isAnyMatch(noneMatch, version)) return safe ? 'known' : 'failed'
  const { modified, seen } = version ?? {}
  return safe &&
    seen === undefined &&
    modifiedSince !== undefined &&
    modified !== undefined &&
    truncateToSeconds(modified) <= modifiedSince
    ? 'known'
    : 'go'
}

const isAnyMatch = (tags: EntityTags, version: ElementVersion): boolean => tags === '*' || (tags ?? []).some((tag) => isSameVersion(tag, version))

/** The tag of a version as the client sent it; its representation may have its own tag. */
export function findKnownTag({ noneMatch }: RequestConditions, version: ElementVersion): string | undefined {
  if (!Array.isArray(noneMatch)) return undefined
  const found = (noneMatch as readonly EntityTag[]).find((tag) => isSameVersion(tag, version))
  return found === undefined ? undefined : `${found.weak ? 'W/' : ''}"${found.text}"`
}

/** The version of an element by its attributes. */
export function readVersion(element: Readonly<Record<string, unknown>>, { tag, modified }: Validators): ElementVersion {
  const told = tag === undefined ? undefined : element[tag.field]
  const time = modified === undefined ? undefined : element[modified.field]
  return {
    tag: told === undefined || told === null ? undefined : encodeTagText(told),
    modified: time instanceof Date ? time : undefined,
  }
}

/** The conditions of a change as a filter; `'never'` where there must be no element, undefined where there is none. */
export function buildChangeFilter(conditions: RequestConditions, validators: Validators): FilterExpression | 'never' | undefined {
  const { match, noneMatch, unmodifiedSince } = conditions
  const { tag, modified } = validators
  const of: FilterExpression[] = []
  if (match !== 'none' && match !== '*') {
    const values =
      tag === undefined
        ? []
        : parseTagValues(
            (match ?? []).filter(({ weak }) => !weak),
            tag,
          )
    if (tag === undefined || values.length === 0) return 'never'
    of.push(filterIn(tag.field, values))
  }
  if (noneMatch === '*') return 'never'
  if (noneMatch !== 'none' && noneMatch !== undefined && tag !== undefined) {
    const values = parseTagValues(noneMatch, tag)
    if (values.length > 0) of.push(filterNotIn(tag.field, values))
  }
  if (unmodifiedSince !== undefined && modified !== undefined)
    of.push({ op: '<', field: modified.field, value: new Date(unmodifiedSince + 1000) })
  return of.length === 0 ? undefined : { op: 'and', of }
}

/** The values that tags stand for; a tag of something else stands for none. */
function parseTagValues(tags: readonly EntityTag[], { attribute }: Validator): unknown[] {
  return tags.flatMap((tag) => {
    const text = decodeTagText(tag)
    if (text === undefined) return []
    const loading = new Loading(true)
    const value = attribute.core.loader(text, loading)
    return loading.issues === null && value !== null && value !== undefined ? [value] : []
  })
}

// A database may keep smaller parts of a second than the tag has.
const filterMillisecond = (field: string, value: Date): FilterExpression => ({
  op: 'and',
  of: [
    { op: '>=', field, value },
    { op: '<', field, value: new Date(value.getTime() + 1) },
  ],
})

function filterIn(field: string, values: readonly unknown[]): FilterExpression {
  const times = values.filter((value): value is Date => value instanceof Date)
  if (times.length > 0) return { op: 'or', of: times.map((value) => filterMillisecond(field, value)) }
  return { op: '=', field, any: values.map((value) => ({ value })) }
}

function filterNotIn(field: string, values: readonly unknown[]): FilterExpression {
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
