// The catalogue of everything that can go wrong: one code, one text. Codes are part of the API and are never reused.

/** Codes of one value's problem, found while loading a request or rendering a response. */
export const issueTexts = {
  missing: 'is required',
  null: 'must not be null',
  unknown: 'is not a known name',
  type: 'must be {expected}',
  range: 'must lie between -9007199254740991 and 9007199254740991',
  min: 'must be at least {limit}',
  max: 'must be at most {limit}',
  'min-length': 'must have at least {limit} characters',
  'max-length': 'must have at most {limit} characters',
  'min-items': 'must have at least {limit} items',
  'max-items': 'must have at most {limit} items',
  pattern: 'must match {pattern}',
  values: 'must be one of {values}',
  format: 'must be {expected}',
  nul: 'must not contain the character U+0000',
  equal: 'must equal {expected}',
  repeated: 'must be sent once',
  mixed: 'is sent both as a value and as a structure',
  key: 'must not be used as a key',
  depth: 'is nested deeper than {limit} levels',
  discriminator: 'must name a variant: one of {values}',
  encoding: 'is not valid percent-encoded UTF-8',
  'file-type': 'must be a file of type {expected}',
  'pagination-syntax': 'must be pairs like page=2,items=10',
  'pagination-key': "must not have the key '{key}'; the keys are page, items, by, from and total_count",
  'pagination-repeated': "must have the key '{key}' once",
  'pagination-empty': "must have a value for '{key}'",
  'pagination-number': "must have a whole number from 1 on for '{key}'",
  'pagination-total-count': 'must have true or false for total_count',
  'pagination-mixed': 'must not combine page with by or from, nor from with a continuation',
  'pagination-field': "must not go by '{field}'; use one of {values}",
  'pagination-from': 'must have a from that fits its field: it {problem}',
  'pagination-by': 'must name a field with by',
  'pagination-items': 'must ask for at most {limit} items',
  'pagination-disallowed': 'must not use {mode} here',
  'pagination-continuation': 'must continue the list that it was made for; begin again with the first page',
  'order-syntax': 'must be names of fields with commas between them, each with an optional - or +',
  'order-field': "must not order by '{field}'; use some of {values}",
  'order-repeated': "must name the field '{field}' once",
  'order-fields': 'must have at most {limit} fields',
  'order-by': "must begin with '{field}', as pagination goes by it",
  'filter-syntax': '{found} at character {place}, where {expected} must stand{remedy}',
  'filter-field': "must not filter by '{field}'; use some of {values}",
  'filter-operator': "must not use {operator} with '{field}'; use one of {values}",
  'filter-value': "must compare '{field}' with a value that fits: it {problem}",
  'filter-wildcard': 'must not have * {where}; the character itself is written %2A',
  'filter-list': 'must have one value after {operator}; lists follow = and !=',
  'filter-values': 'must have at most {limit} values in a list',
  'filter-conditions': 'must have at most {limit} conditions',
  'fields-syntax':
    'must be names with commas between them, those below another in braces; the mistake is at character {at}',
  'fields-name': "must not name '{field}'; use some of {values}",
  'fields-below': "must not have names below '{field}'",
  'fields-repeated': "must name '{field}' once",
  'fields-names': 'must have at most {limit} names',
  custom: '{message}',
} as const

/** The code of one value's problem. */
export type IssueCode = keyof typeof issueTexts

/** Details that fill the placeholders of an issue's text. */
export type IssueDetail = Readonly<Record<string, string | number>>

/** Texts by code, cut at their placeholders: what stands between and the names take turns. */
const templates = new Map<IssueCode, readonly string[]>()

/** Writes the text of an issue with its details filled in. */
export function issueText(code: IssueCode, detail?: IssueDetail): string {
  const text: string = issueTexts[code]
  if (detail === undefined) return text
  let pieces = templates.get(code)
  if (pieces === undefined) {
    pieces = text.split(/[{}]/)
    templates.set(code, pieces)
  }
  let filled = pieces[0] as string
  for (let i = 1; i < pieces.length; i += 2) {
    const name = pieces[i] as string
    filled += `${detail[name] ?? `{${name}}`}${pieces[i + 1]}`
  }
  return detail['limit'] === 1 ? filled.replace(/ 1 (character|item|level)s$/, ' 1 $1') : filled
}

/** Failures of a request as a whole: each becomes one problem document (RFC 9457). */
export const failures = {
  validation: { status: 400, title: 'The request does not match its declaration' },
  'malformed-path': { status: 400, title: 'The path is not valid percent-encoded UTF-8' },
  'malformed-query': { status: 400, title: 'The query string cannot be read' },
  'malformed-body': { status: 400, title: 'The body cannot be read' },
  'version-conflict': { status: 400, title: 'The request carries two different versions' },
  unauthorized: { status: 401, title: 'The request does not say who sends it' },
  forbidden: { status: 403, title: 'The sender must not do this' },
  'not-found': { status: 404, title: 'No such resource' },
  'version-not-found': { status: 404, title: 'No such version of this resource' },
  'method-not-allowed': { status: 405, title: 'The resource does not support this method' },
  'not-acceptable': { status: 406, title: 'None of the available media types is acceptable' },
  timeout: { status: 408, title: 'The request was not received in time' },
  conflict: { status: 409, title: 'Another resource stands in the way' },
  'payload-too-large': { status: 413, title: 'The body is larger than allowed' },
  'unsupported-media-type': { status: 415, title: 'The body is of a type that is not supported here' },
  'unsupported-coding': { status: 415, title: 'The body has a content coding that is not supported here' },
  'unfit-value': { status: 422, title: 'A value does not fit where it is kept' },
  internal: { status: 500, title: 'The server could not answer this request' },
  unavailable: { status: 503, title: 'The server cannot answer at the moment' },
  'deadline-exceeded': { status: 503, title: 'The answer took too long' },
} as const

/** The code of a failed request. */
export type FailureCode = keyof typeof failures
