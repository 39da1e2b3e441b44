// The core's catalogue of errors: one code, one text. Codes are part of the API and are never reused. Plugins add
// theirs with `defineCodes`. The sentence above each code states when it occurs; docs/guide/error-codes.md shows them
// as tables.

/** The codes of an invalid value in a request or a response. */
export const coreIssueTexts = {
  /** A required value was not sent. */
  missing: 'is required',
  /** Null was sent for an attribute that is not nullable. */
  null: 'must not be null',
  /** The client sent an undeclared name. */
  unknown: 'is not a known name',
  /** The value is of another type. */
  type: 'must be {expected}',
  /** An integer lies beyond ±(2⁵³ − 1). */
  range: 'must be between -9007199254740991 and 9007199254740991',
  /** The value is too small. */
  min: 'must be at least {limit}',
  /** The value is too large. */
  max: 'must be at most {limit}',
  /** A decimal number has more digits than its precision and scale allow. */
  digits: 'must have at most {before} integer and {after} decimal digits',
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
  /** The value is not one of those allowed. */
  values: 'must be one of {values}',
  /** The text is not a date, a time, a UUID, a URI or an e-mail address, as declared. */
  format: 'must be {expected}',
  /** The text contains U+0000. */
  nul: 'must not contain the character U+0000',
  /** The text does not equal the only allowed one: a header declared with a text, or a list of one value. */
  equal: 'must equal {expected}',
  /** A single value was sent more than once. */
  repeated: 'must be sent once',
  /** A name was sent as a value and as a structure. */
  mixed: 'is both a value and a structure',
  /** An object has a name that must not be used, such as `__proto__`. */
  key: 'must not be used as a key',
  /** The value is nested too deeply. */
  depth: 'is nested deeper than {limit} levels',
  /** The discriminator of a union names none of its variants. */
  discriminator: 'must name a variant: one of {values}',
  /** The text is not JSON. */
  json: 'must be JSON; it is malformed {where}',
  /** All JSON texts in the query, the headers or the form together have too many values. */
  'json-size': 'exceeds {limit} JSON delimiters in all JSON texts',
  /**
   * A rule between attributes is violated: the client sent too many or too few of them.
   * @see docs/guide/constraints.md
   */
  constraint: 'must have {rule}',
  /** A name or value is not percent-encoded UTF-8. */
  encoding: 'is not valid percent-encoded UTF-8',
  /** The file is of a type that is not allowed. */
  'file-type': 'must be a file of type {expected}',
  /** A schema of another library rejected the value; the message comes from that library. */
  custom: '{message}',
} as const

/** The code of an invalid value. */
export type IssueCode = keyof typeof coreIssueTexts

/**
 * The details of an issue by name. They fill the placeholders of its text and carry the same facts as data: next to a
 * detail in words, such as `expected`, there is one for programs, such as `kind`.
 */
export type IssueDetail = Readonly<Record<string, string | number | readonly (string | number)[]>>

/** A code of an invalid value that a plugin defines, with its message; names in braces are placeholders. */
export interface DefinedIssue<C extends string = string> {
  readonly code: C
  readonly text: string
}

/** A code of a failed request that a plugin defines, with its status and title. */
export interface DefinedFailure<C extends string = string> {
  readonly code: C
  readonly status: number
  readonly title: string
}

/** The codes of one plugin. */
export interface Codes<I extends string = string, F extends string = string> {
  readonly '~codes': true
  /** The plugin that defines them. */
  readonly owner: string
  readonly issues: { readonly [C in I]: DefinedIssue<C> }
  readonly failures: { readonly [C in F]: DefinedFailure<C> }
}

/** The texts of issues by code. */
type IssueTexts<I extends string> = { readonly [C in I]: string }

/** The statuses and titles of failures by code. */
type FailureTexts<F extends string> = { readonly [C in F]: { readonly status: number; readonly title: string } }

/** Defines the codes of a plugin: issue codes with their texts, failure codes with status and title. */
export function defineCodes<I extends string = never, F extends string = never>(
  owner: string,
  texts: { readonly issues?: IssueTexts<I>; readonly failures?: FailureTexts<F> },
): Codes<I, F> {
  const issueEntries = Object.entries<string>(texts.issues ?? {}).map(([code, text]) => [
    code,
    Object.freeze({ code, text }),
  ])
  const failures = Object.entries<{ readonly status: number; readonly title: string }>(texts.failures ?? {})
  const failureEntries = failures.map(([code, { status, title }]) => [code, Object.freeze({ code, status, title })])
  const codes = {
    '~codes': true as const,
    owner,
    issues: Object.freeze(Object.fromEntries(issueEntries)) as Codes<I, F>['issues'],
    failures: Object.freeze(Object.fromEntries(failureEntries)) as Codes<I, F>['failures'],
  }
  return Object.freeze(codes)
}

/** Templates by text, split at their placeholders: text, name, text, and so on. */
const templates = new Map<string, readonly string[]>()

/** Formats the text of an issue with its details filled in. */
export function formatIssue(code: IssueCode | DefinedIssue, detail?: IssueDetail): string {
  const text: string = typeof code === 'string' ? coreIssueTexts[code] : code.text
  if (detail === undefined) return text
  const filled = fillText(text, detail)
  return detail['limit'] === 1 ? filled.replace(/ 1 ([a-z]+)s$/, ' 1 $1') : filled
}

/** Fills the placeholders of a text. */
export function fillText(text: string, detail: IssueDetail): string {
  let pieces = templates.get(text)
  if (pieces === undefined) {
    pieces = text.split(/[{}]/)
    templates.set(text, pieces)
  }
  let filled = pieces[0] as string
  for (let i = 1; i < pieces.length; i += 2) {
    const name = pieces[i] as string
    const value = detail[name]
    filled += `${typeof value === 'object' ? value.join(', ') : (value ?? `{${name}}`)}${pieces[i + 1]}`
  }
  return filled
}

/** The failures of a whole request: each becomes one problem document (RFC 9457). */
export const coreFailures = {
  /** Params, headers or payload do not match their declaration. The application may choose 422. */
  validation: { status: 400, title: 'The request is invalid' },
  /** The path is not percent-encoded UTF-8. */
  'malformed-path': { status: 400, title: 'The path is not valid percent-encoded UTF-8' },
  /** The request target has a fragment, which HTTP does not allow. */
  'malformed-target': { status: 400, title: 'The request target has a fragment' },
  /** The query has too many pairs. */
  'malformed-query': { status: 400, title: 'The query is malformed' },
  /** The body does not match its content type, or ended too early. */
  'malformed-body': { status: 400, title: 'The request body is malformed' },
  /**
   * Two carriers name different versions, or the version header is sent twice.
   * @see docs/guide/versions.md
   */
  'version-conflict': { status: 400, title: 'The request names different API versions' },
  /** No route has this path. */
  'not-found': { status: 404, title: 'The resource was not found' },
  /** The path exists in other versions only. */
  'version-not-found': { status: 404, title: 'The API version was not found' },
  /** The path has no route for this method; `Allow` lists the methods. */
  'method-not-allowed': { status: 405, title: 'The method is not allowed' },
  /** `Accept` allows none of the declared media types. */
  'not-acceptable': { status: 406, title: 'None of the available media types is acceptable' },
  /** The request did not arrive in time. */
  timeout: { status: 408, title: 'The request timed out' },
  /** The body is larger than allowed. */
  'payload-too-large': { status: 413, title: 'The request body is too large' },
  /** The action does not accept the content type of the body; `Accept` of the response lists the accepted ones. */
  'unsupported-media-type': { status: 415, title: 'The media type is not supported' },
  /** The server does not accept the content coding of the body; `Accept-Encoding` of the response lists the accepted ones. */
  'unsupported-coding': { status: 415, title: 'The content coding is not supported' },
  /** The action threw, or broke its declaration. */
  internal: { status: 500, title: 'The server encountered an unexpected condition' },
  /**
   * A datastore or the process is unreachable or overloaded; `Retry-After` states when to try again.
   * @see docs/guide/operations.md
   */
  unavailable: { status: 503, title: 'The server is currently unavailable' },
  /**
   * The request took longer than its deadline.
   * @see docs/guide/serving.md#deadline
   */
  'deadline-exceeded': { status: 503, title: 'The response was not ready in time' },
} as const

/** The code of a failed request. */
export type FailureCode = keyof typeof coreFailures
