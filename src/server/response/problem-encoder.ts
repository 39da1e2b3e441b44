// Encodes problems: writes every failure of an application in a declared format, which documents and clients use.
import { attributeRules } from '../../design/attribute-rules.ts'
import { getMediaTypeIdentifier } from '../../design/declare/action-response.ts'
import type { IssueDetail } from '../../errors.ts'
import type { DocumentedProblems } from '../../openapi/problem.ts'
import { type Attribute, isAttribute } from '../../schema/attribute.ts'
import { mapMembers } from '../../schema/children.ts'
import { Dumping } from '../../schema/dumping.ts'
import { INVALID } from '../../schema/issue.ts'
import type { Environment } from '../../util/environment.ts'
import { getEssence, isJsonType } from '../../util/media-type.ts'
import type { Logger } from '../logger.ts'
import { createAttributeFinder } from '../problem/find-attribute.ts'
import { changeError, type InputError, PROBLEM_JSON, type Problem } from '../problem/problem.ts'
import type { Reason } from '../problem/reasons.ts'
import { isSecret, REDACTED } from '../redaction.ts'
import type { RawHeaders } from '../transport.ts'
import { isHeaderName, isHeaderValue } from './headers.ts'

/** A failed request, as an encoder sees it. */
export interface ProblemRequest {
  readonly id: string
  readonly method: string
  /** The path and the query, never a host. */
  readonly url: string
  /** All headers as sent, by lower-case name. */
  readonly headers: RawHeaders
}

/** The context of a failure, which an encoder receives with the problem. */
export interface ProblemContext {
  /** The request that failed; undefined for an example in a document. */
  readonly request: ProblemRequest | undefined
  /** The action that the request reached; undefined if it reached none. */
  readonly action: { readonly endpoint: string; readonly name: string } | undefined
  readonly environment: Environment
  /**
   * The reason of the failure as data; the problem has it as text in its detail. Undefined for invalid values, which
   * `errors` describes, and for errors of the application.
   */
  readonly reason?: Reason | undefined
  /** Returns the declared attribute of an error; its type and options describe the expected value. */
  findAttribute(error: InputError): Attribute | undefined
  /** Returns the value that the client sent; undefined if it sent none, or if no attribute is declared. */
  findSentValue(error: InputError): unknown
}

/** The result of an encoder: a body, and optionally another status and headers. */
export interface EncodedProblem<out B = unknown> {
  readonly body: B
  /**
   * The status of the response, from 400 to 599.
   * @default the status of the problem
   */
  readonly status?: number
  /**
   * Headers of the response; each replaces a header of the same name that the failure has. Values of `Vary`, `Link`,
   * `Set-Cookie` and `Server-Timing` are added.
   */
  readonly headers?: Readonly<Record<string, string>>
}

/** Writes the failures of an application in one format; created by `problemEncoder`. */
export interface ProblemEncoder<out F extends Attribute | string = Attribute | string> {
  readonly '~encoder': true
  /** The format of bodies, declared as in responses: a media type, an attribute, or the identifier of a media type. */
  readonly form: F
  readonly encode: (problem: Problem, context: ProblemContext) => EncodedProblem
}

/** The type of a form's value. */
type FormValue<F> = F extends Attribute<infer T> ? T : unknown

/** Creates an encoder of problems: `form` describes the bodies that `encode` returns. */
export function problemEncoder<const F extends Attribute | string>(
  form: F,
  encode: (problem: Problem, context: ProblemContext) => EncodedProblem<FormValue<F>>,
): ProblemEncoder<F> {
  return Object.freeze({ '~encoder': true, form, encode })
}

/** A problem as it is sent. */
interface WrittenProblem {
  readonly mediaType: string
  readonly status: number
  /** Names and values in turn. */
  readonly headers: readonly string[]
  readonly body: string | Uint8Array
}

/** Writes a problem with the application's encoder. */
export type WriteProblem = (problem: Problem, context: ProblemContext) => WrittenProblem

/** Compiles an encoder; if it fails, the standard format is used, and the error is logged. */
export function createProblemWriter({ form, encode }: ProblemEncoder, logger?: Logger): WriteProblem {
  const mediaType = buildContentType(form)
  const write = createBodyWriter(form)
  return (problem, context) => {
    try {
      const { body, status = problem.status, headers = {} } = encode(withoutSecrets(problem, context), context)
      return { mediaType, status: validateStatus(status), headers: validateHeaders(headers), body: write(body) }
    } catch (err) {
      logger?.error({ err, requestId: context.request?.id }, 'The encoder of problems failed')
      return { mediaType: PROBLEM_JSON, status: problem.status, headers: [], body: JSON.stringify(problem) }
    }
  }
}

/** Returns a problem whose errors do not reveal the allowed values of secret attributes. */
function withoutSecrets(problem: Problem, { findAttribute: attributeOf }: ProblemContext): Problem {
  const isSecretAt = (error: InputError, pointer: string): boolean => {
    const attribute = attributeOf({ ...error, pointer })
    return attribute !== undefined && isSecret(attribute)
  }
  // Values within a secret structure are secret.
  const isHidden = (error: InputError): boolean =>
    error.detail !== undefined && listAncestors(error.pointer).some((pointer) => isSecretAt(error, pointer))
  if (!Array.isArray(problem.errors) || !problem.errors.some(isHidden)) return problem
  const errors = problem.errors.map((one) =>
    isHidden(one) ? changeError(one, { detail: redactDetail(one.detail) }) : one,
  )
  return { ...problem, errors }
}

const redactDetail = (detail: IssueDetail = {}): IssueDetail =>
  mapMembers(detail, (value, name) => (typeof value === 'number' || name === 'kind' ? value : REDACTED))

/** Returns a pointer and the pointers of everything that contains it. */
const listAncestors = (pointer: string): string[] =>
  pointer.split('/').map((_, i, steps) => steps.slice(0, i + 1).join('/'))

/** Describes the problems of an encoder for documents, with examples that it writes. */
export function describeProblems(encoder: ProblemEncoder, environment: Environment): DocumentedProblems {
  const write = createProblemWriter(encoder)
  return {
    form: encoder.form,
    encode: (problem, action) =>
      write(problem as Problem, {
        request: undefined,
        action: { endpoint: action.endpoint.name, name: action.name },
        environment,
        findAttribute: createAttributeFinder(action),
        findSentValue: () => undefined,
      }),
  }
}

function buildContentType(form: Attribute | string): string {
  const identifier = getMediaTypeIdentifier(form)
  return /^text\//i.test(identifier) && !identifier.includes('charset') ? `${identifier}; charset=utf-8` : identifier
}

function createBodyWriter(form: Attribute | string): (body: unknown) => string | Uint8Array {
  if (isAttribute(form)) return (body) => JSON.stringify(dumpProblem(form, body))
  const isJson = isJsonType(getEssence(form))
  return (body) => {
    if (typeof body === 'string' || body instanceof Uint8Array) return body
    const text = isJson ? JSON.stringify(body) : undefined
    if (text === undefined) throw new TypeError(`The encoder of problems gave a body that ${form} cannot have`)
    return text
  }
}

function dumpProblem(form: Attribute, body: unknown): unknown {
  const dumping = new Dumping('checked')
  const value =
    body === undefined || body === null ? dumping.fail('missing') : attributeRules.getDumper(form)(body, dumping)
  const issue = dumping.issues?.[0]
  if (value !== INVALID && issue === undefined) return value
  throw new TypeError(
    `The encoder of problems gave a body that its form does not allow: ${issue?.pointer || 'it'} ${issue?.message}`,
  )
}

function validateStatus(status: number): number {
  if (Number.isInteger(status) && status >= 400 && status <= 599) return status
  throw new TypeError(`The encoder of problems gave the status ${status}; use one from 400 to 599`)
}

function validateHeaders(headers: Readonly<Record<string, string>>): string[] {
  for (const [name, value] of Object.entries(headers))
    if (!isHeaderName(name) || /^content-(?:type|length)$/i.test(name) || !isHeaderValue(String(value)))
      throw new TypeError(`The encoder of problems gave a header ${name} that cannot be sent`)
  return Object.entries(headers).flatMap(([name, value]) => [name, String(value)])
}
