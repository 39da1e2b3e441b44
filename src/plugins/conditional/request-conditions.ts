// The conditions of a request (RFC 9110, section 13): parses them, evaluates them for an element, and converts them to a
// filter for the statement that changes it.
import { attributeRules, type IssueDetail, Loading, Refusal } from '../../extend.ts'
import type { Attribute, RawHeaders } from '../../index.ts'
import { readAttribute } from '../mapper/extend.ts'
import type { FilterExpression } from '../mapper/index.ts'
import {
  AUDIENCE_SEPARATOR,
  decodeTagText,
  type EntityTag,
  type EntityTags,
  encodeTagText,
  isOwnTag,
  parseTags,
  type TagMarks,
} from './entity-tags.ts'

/** The validators of an element, which distinguish its versions. */
export interface Validators {
  readonly tag?: Validator | undefined
  readonly modified?: Validator | undefined
}

/** An attribute that serves as a validator. */
export interface Validator {
  readonly field: string
  readonly attribute: Attribute
}

/** The version of an element: its tag and its modification time. Undefined if the element does not exist. */
export interface ElementVersion {
  readonly tag?: string | undefined
  readonly modified?: Date | undefined
  /** The mark of the visible attributes, if clients see different ones. A time cannot express that. */
  readonly visibilityMark?: string | undefined
}

/** The outcome of conditions: the request proceeds, the client's copy is current, or a condition fails. */
export type ConditionOutcome = 'go' | 'known' | 'failed'

/** The conditions of a request. */
export interface RequestConditions {
  readonly match: EntityTags | 'none'
  readonly noneMatch: EntityTags | 'none'
  readonly modifiedSince: number | undefined
  readonly unmodifiedSince: number | undefined
  /** Names of the headers that are malformed, or have a tag that the application never issues; they match nothing. */
  readonly malformed: readonly string[]
}

/** Parses the conditions of a request; undefined if it has none. */
export function parseConditions(headers: RawHeaders, marks: TagMarks): RequestConditions | undefined {
  const match = headers['if-match']
  const noneMatch = headers['if-none-match']
  const since = headers['if-modified-since']
  const unmodified = headers['if-unmodified-since']
  if (match === undefined && noneMatch === undefined && since === undefined && unmodified === undefined)
    return undefined
  const malformed: string[] = []
  const parseOwnTags = (name: string, header: RawHeaders[string]): EntityTags | 'none' => {
    const tags = header === undefined ? 'none' : parseTags(String(header))
    if (tags === 'none' || tags === '*') return tags
    const issued = (tags ?? []).filter((tag) => isOwnTag(tag, marks))
    if (issued.length === 0 || issued.length !== tags?.length) malformed.push(name)
    return issued
  }
  const parsed = { match: parseOwnTags('If-Match', match), noneMatch: parseOwnTags('If-None-Match', noneMatch) }
  const unmodifiedSince = parseHttpDate(unmodified)
  if (unmodified !== undefined && unmodifiedSince === undefined) malformed.push('If-Unmodified-Since')
  return {
    ...parsed,
    // A tag is more precise than a time, so the time is ignored (sections 13.1.3 and 13.1.4).
    modifiedSince: noneMatch === undefined ? parseHttpDate(since) : undefined,
    unmodifiedSince: match === undefined ? unmodifiedSince : undefined,
    malformed,
  }
}

/** Whether a request reads, by GET, HEAD or QUERY, or changes. */
export type RequestPurpose = 'read' | 'change'

/**
 * Rejects malformed conditions, because a change must not proceed without them. For reads, only `If-Match` is rejected.
 */
export function refuseMalformed({ malformed }: RequestConditions, purpose: RequestPurpose): void {
  const names = malformed.filter((name) => purpose === 'change' || name === 'If-Match')
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

// Invalid HTTP dates are ignored (section 13.1.3). The third format has no zone and means UTC.
function parseHttpDate(header: RawHeaders[string]): number | undefined {
  if (typeof header !== 'string') return undefined
  const time = Date.parse(header.endsWith('GMT') ? header : `${header} GMT`)
  // `Date.parse` takes 31 February for a day in March, and any day of the week.
  return !Number.isNaN(time) && formatHttpDates(time).includes(header) ? time : undefined
}

const WEEKDAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday']

/** Formats a time in each form of dates in HTTP (section 5.6.7). */
function formatHttpDates(time: number): readonly string[] {
  const preferred = new Date(time).toUTCString()
  const [weekday = '', day = '', month = '', year = '', clock = ''] = preferred.split(/,? /)
  return [
    preferred,
    `${WEEKDAYS.find((name) => name.startsWith(weekday))}, ${day}-${month}-${year.slice(-2)} ${clock} GMT`,
    `${weekday} ${month} ${day} ${clock} ${year}`,
    `${weekday} ${month} ${day.replace(/^0/, ' ')} ${clock} ${year}`,
  ]
}

/** Returns whether a request has a condition on the version that it changes, or on its absence. */
export const hasChangeCondition = (
  { match, noneMatch, unmodifiedSince }: RequestConditions,
  { modified }: Validators,
): boolean => match !== 'none' || noneMatch === '*' || (unmodifiedSince !== undefined && modified !== undefined)

/** Truncates a time to seconds, the precision of HTTP dates. */
const truncateToSeconds = (time: Date): number => Math.floor(time.getTime() / 1000) * 1000

const isStrongMatch = (tags: EntityTags, version: ElementVersion): boolean =>
  tags === '*' || (tags ?? []).some((tag) => !tag.weak && isSameVersion(tag, version))

// Suffixes of the representation may follow the version. Only the mark of the visible attributes is significant.
function isSameVersion(tag: EntityTag, { tag: text, visibilityMark: seen }: ElementVersion): boolean {
  if (text === undefined) return false
  const [versionText, ...marks] = tag.text.split(';')
  return (
    versionText === text &&
    (seen === undefined || (marks.find((mark) => mark.startsWith(AUDIENCE_SEPARATOR)) ?? '') === seen)
  )
}

/** Returns the mark of the attributes that the members of some audiences see. */
export const formatVisibilityMark = (audiences: readonly string[] | undefined): string | undefined =>
  audiences &&
  (audiences.length === 0 ? '' : AUDIENCE_SEPARATOR + audiences.map(formatAudienceMark).join(AUDIENCE_SEPARATOR))

/** Returns the mark of one audience. */
export const formatAudienceMark = (name: string): string => encodeTagText(name).replaceAll(AUDIENCE_SEPARATOR, '%7E')

/** Evaluates the conditions of a request in the order of section 13.2.2. */
export function evaluateConditions(
  conditions: RequestConditions,
  version: ElementVersion | undefined,
  purpose: RequestPurpose,
): ConditionOutcome {
  const { match, noneMatch, modifiedSince, unmodifiedSince } = conditions
  if (match !== 'none' && (version === undefined || !isStrongMatch(match, version))) return 'failed'
  if (
    unmodifiedSince !== undefined &&
    version?.modified !== undefined &&
    truncateToSeconds(version.modified) > unmodifiedSince
  )
    return 'failed'
  if (noneMatch !== 'none' && version !== undefined && isAnyMatch(noneMatch, version))
    return purpose === 'read' ? 'known' : 'failed'
  const { modified, visibilityMark: seen } = version ?? {}
  return purpose === 'read' &&
    seen === undefined &&
    modifiedSince !== undefined &&
    modified !== undefined &&
    truncateToSeconds(modified) <= modifiedSince
    ? 'known'
    : 'go'
}

const isAnyMatch = (tags: EntityTags, version: ElementVersion): boolean =>
  tags === '*' || (tags ?? []).some((tag) => isSameVersion(tag, version))

/** Returns the tag of a version as the client sent it, because the tag of the representation may have suffixes. */
export function findKnownTag({ noneMatch }: RequestConditions, version: ElementVersion): string | undefined {
  if (!Array.isArray(noneMatch)) return undefined
  const found = (noneMatch as readonly EntityTag[]).find((tag) => isSameVersion(tag, version))
  return found === undefined ? undefined : `${found.weak ? 'W/' : ''}"${found.text}"`
}

/** Reads the version of an element from its attributes. */
export function readVersion(element: object, { tag, modified }: Validators): ElementVersion {
  const tagValue = tag === undefined ? undefined : readAttribute(element, tag.field)
  const time = modified === undefined ? undefined : readAttribute(element, modified.field)
  return {
    tag: tagValue === undefined || tagValue === null ? undefined : encodeTagText(tagValue),
    modified: time instanceof Date ? time : undefined,
  }
}

/**
 * Converts the conditions of a change to a filter: `'never'` if there must be no element, undefined without conditions.
 */
export function buildChangeFilter(
  conditions: RequestConditions,
  validators: Validators,
): FilterExpression | 'never' | undefined {
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

/** Parses the values of tags; tags with an invalid value are dropped. */
function parseTagValues(tags: readonly EntityTag[], { attribute }: Validator): unknown[] {
  return tags.flatMap((tag) => {
    const text = decodeTagText(tag)
    if (text === undefined) return []
    const loading = new Loading('text')
    const value = attributeRules.getLoader(attribute)(text, loading)
    return loading.issues === null && value !== null && value !== undefined ? [value] : []
  })
}

// A database may store a higher precision than the milliseconds of the tag.
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
  const excludeMillisecond = (value: Date): FilterExpression => ({
    op: 'or',
    of: [
      { op: '<', field, value },
      { op: '>=', field, value: new Date(value.getTime() + 1) },
    ],
  })
  return { op: 'and', of: times.map(excludeMillisecond) }
}
