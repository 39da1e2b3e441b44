// The catalogue of everything that can go wrong: one code, one text. Codes are part of the API and are never reused.
// The sentence above each says when it is given: docs/guide/error-codes.md shows them as tables.

/** Codes of one value's problem, found while loading a request or rendering a response. */
export const issueTexts = {
  /** A required value was not sent. */
  missing: 'is required',
  /** Null was sent for an attribute that is not nullable. */
  null: 'must not be null',
  /** A name was sent that is not declared. */
  unknown: 'is not a known name',
  /** The value is of another type. */
  type: 'must be {expected}',
  /** An integer lies beyond ±(2⁵³ − 1). */
  range: 'must lie between -9007199254740991 and 9007199254740991',
  /** The value is too small. */
  min: 'must be at least {limit}',
  /** The value is too large. */
  max: 'must be at most {limit}',
  /** A decimal number has more digits than its precision and scale allow. */
  digits: 'must have at most {before} digits before the point and {after} after it',
  /** The text has too few characters. */
  'min-length': 'must have at least {limit} characters',
  /** The text has too many characters. */
  'max-length': 'must have at most {limit} characters',
  /** The list has too few items, or the object too few names. */
  'min-items': 'must have at least {limit} items',
  /** The list has too many items, or the object too many names. */
  'max-items': 'must have at most {limit} items',
  /** The text does not match the pattern of its attribute or header. */
  pattern: 'must match {pattern}',
  /** The text is not one of those allowed. */
  values: 'must be one of {values}',
  /** The text is not a date, a time, a UUID, a URI or an e-mail address, as declared. */
  format: 'must be {expected}',
  /** The text contains U+0000. */
  nul: 'must not contain the character U+0000',
  /** The text is not the only one that is allowed: a header that is declared with a text, or a list of one value. */
  equal: 'must equal {expected}',
  /** A single value was sent more than once. */
  repeated: 'must be sent once',
  /** A name was sent as a value and as a structure. */
  mixed: 'is sent both as a value and as a structure',
  /** An object has a name that must not be used, such as `__proto__`. */
  key: 'must not be used as a key',
  /** The value is nested too deeply. */
  depth: 'is nested deeper than {limit} levels',
  /** The discriminator of a union names none of its variants. */
  discriminator: 'must name a variant: one of {values}',
  /** The text is not JSON. */
  json: 'must be JSON; it is malformed {where}',
  /** The texts of JSON in a query, in headers or in a form have too many values together. */
  'json-size': 'must have fewer values: all JSON together at most {limit} commas, colons and opening brackets',
  /**
   * A rule between attributes does not hold: too many or too few of them are given.
   * @see docs/guide/constraints.md
   */
  constraint: 'must have {rule}',
  /** A name or value is not percent-encoded UTF-8. */
  encoding: 'is not valid percent-encoded UTF-8',
  /** The file is of a type that is not allowed. */
  'file-type': 'must be a file of type {expected}',
  /**
   * The value is not a list of pairs.
   * @see docs/guide/pagination.md
   */
  'pagination-syntax': 'must be pairs like page=2,items=10',
  /** A pair has a key that does not exist. */
  'pagination-key': "must not have the key '{key}'; the keys are page, items, by, from and total_count",
  /** A pair was sent twice. */
  'pagination-repeated': "must have the key '{key}' once",
  /** A pair has no value. */
  'pagination-empty': "must have a value for '{key}'",
  /** A page or a size is not a whole number from 1 on. */
  'pagination-number': "must have a whole number from 1 on for '{key}'",
  /** `total_count` is neither true nor false. */
  'pagination-total-count': 'must have true or false for total_count',
  /** The value asks for a page and for a cursor, or for two cursors. */
  'pagination-mixed': 'must not combine page with by or from, nor from with a continuation',
  /** `by` names a field that must not be used. */
  'pagination-field': "must not go by '{field}'; use one of {values}",
  /** `from` does not fit its field. */
  'pagination-from': 'must have a from that fits its field: it {problem}',
  /** There is a `from` and no `by`. */
  'pagination-by': 'must name a field with by',
  /** The request asks for more items than allowed. */
  'pagination-items': 'must ask for at most {limit} items',
  /** The action does not allow this mode. */
  'pagination-disallowed': 'must not use {mode} here',
  /** A cursor belongs to another list, or was not made by a link. */
  'pagination-continuation': 'must continue the list that it was made for; begin again with the first page',
  /**
   * The value is not a list of fields.
   * @see docs/guide/pagination.md
   */
  'order-syntax': 'must be names of fields with commas between them, each with an optional - or +',
  /** A field must not be ordered by. */
  'order-field': "must not order by '{field}'; use some of {values}",
  /** A field is named twice. */
  'order-repeated': "must name the field '{field}' once",
  /** There are too many fields. */
  'order-fields': 'must have at most {limit} fields',
  /** The order begins with another field than pagination goes by. */
  'order-by': "must begin with '{field}', as pagination goes by it",
  /**
   * The value is not a filter.
   * @see docs/guide/filtering.md
   */
  'filter-syntax': '{found} at character {place}, where {expected} must stand{remedy}',
  /** A field must not be filtered by. */
  'filter-field': "must not filter by '{field}'; use some of {values}",
  /** The field does not take this operator. */
  'filter-operator': "must not use {operator} with '{field}'; use one of {values}",
  /** A value does not fit its field. */
  'filter-value': "must compare '{field}' with a value that fits: it {problem}",
  /** A `*` stands where none is allowed. */
  'filter-wildcard': 'must not have * {where}; the character itself is written %2A',
  /** A list stands where one value is needed. */
  'filter-list': 'must have one value after {operator}; lists follow = and !=',
  /** A list has too many values. */
  'filter-values': 'must have at most {limit} values in a list',
  /** There are too many conditions. */
  'filter-conditions': 'must have at most {limit} conditions',
  /**
   * The value is not a selection of fields.
   * @see docs/guide/lists.md
   */
  'fields-syntax':
    'must be names with commas between them, those below another in braces; the mistake is at character {at}',
  /** A name does not exist. */
  'fields-name': "must not name '{field}'; use some of {values}",
  /** A name stands below an attribute that has nothing below it. */
  'fields-below': "must not have names below '{field}'",
  /** A name is given twice. */
  'fields-repeated': "must name '{field}' once",
  /** There are too many names. */
  'fields-names': 'must have at most {limit} names',
  /**
   * An attribute was sent that is not kept where the element is: a related list, a computed one, one of another resource.
   * @see docs/guide/lists.md#one-element
   */
  unwritable: 'cannot be written',
  /** A change names another key than that of the element which it changes. */
  unchangeable: 'cannot be changed, as it tells which element is meant',
  /** Two attributes that are kept in the same place have different values. */
  contradiction: 'must agree with {other}, which is kept in the same place',
  /** A schema of another library refused the value; the message is its own. */
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
  /** Params, headers or payload do not fit their declaration. The application may choose 422. */
  validation: { status: 400, title: 'The request does not match its declaration' },
  /** The path is not percent-encoded UTF-8. */
  'malformed-path': { status: 400, title: 'The path is not valid percent-encoded UTF-8' },
  /** The query has too many pairs. */
  'malformed-query': { status: 400, title: 'The query string cannot be read' },
  /** The body is not what its content type says, or ended too early. */
  'malformed-body': { status: 400, title: 'The body cannot be read' },
  /**
   * Credentials were sent more than once: a header twice, a key in the query or a cookie with two values.
   * @see docs/guide/security.md
   */
  'repeated-credentials': { status: 400, title: 'Credentials were sent more than once' },
  /**
   * Two carriers name different versions.
   * @see docs/guide/versions.md
   */
  'version-conflict': { status: 400, title: 'The request carries two different versions' },
  /**
   * The security of the action does not know the sender; `WWW-Authenticate` says how to tell.
   * @see docs/guide/security.md
   */
  unauthorized: { status: 401, title: 'Authentication is required' },
  /** The security of the action knows the sender, who is not allowed to do this. */
  forbidden: { status: 403, title: 'You are not allowed to do this' },
  /** No route has this path. */
  'not-found': { status: 404, title: 'No such resource' },
  /** The path exists in other versions only. */
  'version-not-found': { status: 404, title: 'No such version of this resource' },
  /** The path has no route for this verb; `Allow` lists the verbs. */
  'method-not-allowed': { status: 405, title: 'The resource does not support this method' },
  /** `Accept` admits none of the declared media types. */
  'not-acceptable': { status: 406, title: 'None of the available media types is acceptable' },
  /** The request did not arrive in time. */
  timeout: { status: 408, title: 'The request was not received in time' },
  /**
   * A row stands in the way: its key exists, or another row refers to it.
   * @see docs/guide/datastores.md
   */
  conflict: { status: 409, title: 'Another resource stands in the way' },
  /** The body is larger than allowed. */
  'payload-too-large': { status: 413, title: 'The body is larger than allowed' },
  /**
   * The URL of a list is so long that the links to its other pages would not fit into the headers of an answer.
   * @see docs/guide/pagination.md
   */
  'uri-too-long': { status: 414, title: 'The URL is too long to be linked to' },
  /** The content type of the body is not read here; `Accept` of the answer lists those that are. */
  'unsupported-media-type': { status: 415, title: 'The body is of a type that is not supported here' },
  /** The content coding of the body is not read here; `Accept-Encoding` of the answer lists those that are. */
  'unsupported-coding': { status: 415, title: 'The body has a content coding that is not supported here' },
  /** A value fits its declaration, but not its column. */
  'unfit-value': { status: 422, title: 'A value does not fit where it is kept' },
  /** The action threw, or broke its declaration. */
  internal: { status: 500, title: 'The server could not answer this request' },
  /**
   * A datastore cannot be reached or is too busy, or the process is overloaded; `Retry-After` says when to ask again.
   * @see docs/guide/operations.md
   */
  unavailable: { status: 503, title: 'The server cannot answer at the moment' },
  /**
   * A stage of the action took longer than the deadline.
   * @see docs/guide/serving.md#deadline
   */
  'deadline-exceeded': { status: 503, title: 'The answer took too long' },
} as const

/** The code of a failed request. */
export type FailureCode = keyof typeof failures
