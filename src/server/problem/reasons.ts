// The reasons why requests fail: the details of problem documents, and the same as data for encoders.
import { fillText, type IssueDetail } from '../../errors.ts'

/** The reasons of failed requests, each with the detail of its problem document. */
export const reasonTexts = {
  /** No route has the path. */
  'no-route': 'No route of this API has this path.',
  /** The path is not percent-encoded UTF-8. */
  'path-encoding': 'Percent-encode the path as UTF-8.',
  /** The target has a fragment. */
  fragment: 'Leave out what follows the #, or encode it as %23.',
  /** The header of the version is sent twice. */
  'version-repeated': 'The version {version} is sent more than once; send it once.',
  /** Two carriers name different versions. */
  'versions-disagree': 'The versions {named} disagree; send one.',
  /** The path exists in other versions. */
  'other-versions': 'Available versions: {versions}.',
  /** The path has no route for the method. */
  'other-methods': '{quoted} is not supported here; use one of: {methods}.',
  /** None of the media types of a response is acceptable. */
  'other-types': 'Available media types: {types}.',
  /** The query has too many pairs. */
  'query-pairs': 'The query has more than {limit} parameters.',
  /** The body is larger than allowed. */
  'body-size': 'The body is larger than {limit} bytes.',
  /** The body is larger than allowed once it is decompressed. */
  'inflated-size': 'The decompressed body is larger than {limit} bytes.',
  /** A part of a multipart body is larger than allowed. */
  'part-size': "The part '{part}' is larger than {limit} bytes.",
  /** The body came too slowly. */
  'body-late': 'The body was not received in time.',
  /** The process is overloaded. */
  overload: 'Too many requests are in progress.',
  /** A framework in front of the application has read the body. */
  'body-consumed':
    'The body was read before the application could read it. Mount the application before body parsers such as express.json(), or let them keep the bytes as request.rawBody.',
  /** The server does not know the content coding. */
  coding: 'The content coding of the body is not supported.',
  /** The framing of the body is not HTTP. */
  'body-framing': 'The body is not valid HTTP.',
  /** The connection ended within the body. */
  'body-short': 'The body ended too early.',
  /** The body cannot be read. */
  'body-unreadable': 'The body cannot be read.',
  /** The compressed body is broken. */
  'coding-data': 'The body is not valid {coding} data.',
  /** There is a body, and no content type. */
  'type-missing': 'The body has no Content-Type. Accepted here: {accepted}.',
  /** The content type is not a media type. */
  'type-malformed': 'The Content-Type of the body is malformed. Accepted here: {accepted}.',
  /** There are two content types. */
  'type-repeated': 'The request has more than one Content-Type.',
  /** The action does not take bodies of the type. */
  'type-unsupported': 'A body of type {type} is not supported. Accepted here: {accepted}.',
  /** The content type names another charset. */
  charset: 'The charset is not UTF-8. Accepted here: {accepted}.',
  /** The text is not UTF-8. */
  utf8: 'The text is not valid UTF-8.',
  /** The JSON is nested too deeply. */
  'json-depth': 'The JSON is nested deeper than {limit} levels.',
  /** The JSON has too many values. */
  'json-size': 'The JSON has too many values: more than {limit} commas, colons and opening brackets.',
  /** The JSON ends within a value. */
  'json-short': 'The JSON is malformed because it ends too early.',
  /** The text is not JSON from some position on. */
  'json-syntax': 'The JSON is malformed at line {line}, column {column}.',
  /** The form has too many fields. */
  'form-fields': 'The form has more than {limit} fields.',
  /** The content type of a multipart body names no boundary. */
  boundary: 'The Content-Type of the multipart body has no valid boundary.',
  /** A boundary is not on a line by itself. */
  'boundary-line': 'A boundary of the multipart body is not followed by a line end.',
  /** The multipart body has no end. */
  'multipart-short': 'The multipart body ends before its last boundary.',
  /** The multipart body has too many parts. */
  'multipart-parts': 'The multipart body has more than {limit} parts.',
  /** The header lines of a part are too long. */
  'part-head-size': 'The head of a part is larger than {limit} bytes.',
  /** The header lines of a part cannot be read. */
  'part-head': 'The head of a part is malformed.',
  /** A part has a `Content-Transfer-Encoding`. */
  'part-coding': 'A part has a transfer encoding, which is not supported.',
  /** A part has no name. */
  'part-name': 'A part has no Content-Disposition that names a form field.',
  /** The file name of a part cannot be read. */
  'part-filename': 'The file name of a part is malformed.',
  /** The content type of a part cannot be read. */
  'part-type': 'The Content-Type of a part is malformed.',
  /** The content type of a part names another charset. */
  'part-charset': "The part '{part}' has a charset other than UTF-8.",
  /** The value of a part cannot be read; `reason` names the reason, next to its values. */
  'part-value': "The part '{part}' cannot be read. {why}",
  /** A part follows a file that is read while it arrives. */
  'part-last': "The part '{part}' must be the last.",
} as const

/** The reason of a failed request. */
export type ReasonCode = keyof typeof reasonTexts

/** The reason of a failed request, as data: a code, and the values of the detail by name. */
export interface Reason {
  readonly code: ReasonCode | (string & {})
  readonly values?: IssueDetail
}

/** The detail of a problem document, with its reason as data. */
export interface ProblemReason {
  readonly detail: string
  readonly reason: Reason
}

/** Creates the detail of a problem document. */
export function createReason(code: ReasonCode, values?: IssueDetail): ProblemReason {
  const text: string = reasonTexts[code]
  return values === undefined
    ? { detail: text, reason: { code } }
    : { detail: fillText(text, values), reason: { code, values } }
}
