// The encoder of problems: writes every failure of an application in a declared form, which documents and clients use.
import { getMediaTypeIdentifier } from '../../design/declare/action-response.ts'
import type { IssueDetail } from '../../errors.ts'
import type { DocumentedProblems } from '../../openapi/problem.ts'
import { type Attribute, isAttribute } from '../../schema/attribute.ts'
import { Dumping } from '../../schema/dumping.ts'
import { INVALID } from '../../schema/issue.ts'
import { mapMembers } from '../../schema/children.ts'
import type { Environment } from '../../util/environment.ts'
import { isHeaderName, isHeaderValue } from './headers.ts'
import type { Logger } from '../logger.ts'
import { isSecret, REDACTED } from '../redaction.ts'
import type { RawHeaders } from '../transport.ts'
import { createAttributeFinder } from '../problem/find-attribute.ts'
import { changeError, type InputError, PROBLEM_JSON, type Problem } from '../problem/problem.ts'
import type { Reason } from '../problem/reasons.ts'

/** A failed request as an encoder sees it. */
export interface ProblemRequest {
  readonly id: string
  readonly method: string
  /** The path and the query, never a host. */
  readonly url: string
  /** All headers as they came, by their lower-case names. */
  readonly headers: RawHeaders
}

/** The context of a failure that an encoder gets beside the problem. */
export interface ProblemContext {
  /** The request that failed; undefined where a document shows an example. */
  readonly request: ProblemRequest | undefined
  /** The action that the request reached; undefined when it reached none. */
  readonly action: { readonly endpoint: string; readonly name: string } | undefined
  readonly environment: Environment
  /**
   * Why the request failed, as data; the problem has it in words as its detail. Undefined for invalid values, whose errors
   * tell it, and for errors of the application.
   */
  readonly reason?: Reason | undefined
  /** Finds the declared attribute that an error is about; its kind and options tell what was expected. */
  attributeOf(error: InputError): Attribute | undefined
  /** Finds the value that the client sent there; undefined where it sent none, or where no attribute is declared. */
  sentValue(error: InputError): unknown
}

/** A problem as an encoder writes it: a body, and optionally another status and headers. */
export interface EncodedProblem<out B = unknown> {
  readonly body: B
  /**
   * The status of the answer, from 400 to 599.
   * @default the status of the problem
   */
  readonly status?: number
  /**
   * Headers of the answer; one of a name that the failure has as well takes its place. Values of `Vary`, `Link`, `Set-Cookie`
   * and `Server-Timing` are added.
   */
  readonly headers?: Readonly<Record<string, string>>
}

/** Writes the failures of an application in one form; made by `problemEncoder`. */
export interface ProblemEncoder<out F extends Attribute | string = Attribute | string> {
  readonly '~encoder': true
  /** The form of bodies, declared as in responses: a media type, an attribute, or the identifier of a media type. */
  readonly form: F
  readonly encode: (problem: Problem, context: ProblemContext) => EncodedProblem
}

/** The value of a form. */
type FormValue<F> = F extends Attribute<infer T> ? T : unknown

/** Makes an encoder of problems: `form` describes the bodies that `encode` returns. */
export function problemEncoder<const F extends Attribute | string>(
  form: F,
  encode: (problem: Problem, context: ProblemContext) => EncodedProblem<FormValue<F>>,
): ProblemEncoder<F> {
  return Object.freeze({ '~encoder': true, form, encode })
}

/** A problem on the wire. */
interface WrittenProblem {
  readonly mediaType: string
  readonly status: number
  /** Names and values in turn. */
  readonly headers: readonly string[]
  readonly body: string | Uint8Array
}

/** Writes a problem as the application's encoder has it. */
export type WriteProblem = (problem: Problem, context: ProblemContext) => WrittenProblem

/** Compiles an encoder; where it fails the standard form takes its place, and the log says why. */
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

/** A problem whose errors do not tell what values of secret attributes may be. */
function withoutSecrets(problem: Problem, { attributeOf }: ProblemContext): Problem {
  const isSecretAt = (error: InputError, pointer: string): boolean => {
    const attribute = attributeOf({ ...error, pointer })
    return attribute !== undefined && isSecret(attribute)
  }
  // Values within a secret structure are secret.
  const isHidden = (error: InputError): boolean =>
    error.detail !== undefined && placesTo(error.pointer).some((pointer) => isSecretAt(error, pointer))
  if (!Array.isArray(problem.errors) || !problem.errors.some(isHidden)) return problem
  const errors = problem.errors.map((one) => (isHidden(one) ? changeError(one, { detail: redactDetail(one.detail) }) : one))
  return { ...problem, errors }
}

const redactDetail = (detail: IssueDetail = {}): IssueDetail =>
  mapMembers(detail, (value, name) => (typeof value === 'number' || name === 'kind' ? value : REDACTED))

/** The pointers to a place and to all that it is within. */
const placesTo = (pointer: string): string[] => pointer.split('/').map((_, i, steps) => steps.slice(0, i + 1).join('/'))

/** How documents show the problems of an encoder: as it writes examples of them. */
export function describeProblems(encoder: ProblemEncoder, environment: Environment): DocumentedProblems {
  const write = createProblemWriter(encoder)
  return {
    form: encoder.form,
    write: (problem, action) =>
      write(problem as Problem, {
        request: undefined,
        action: { endpoint: action.endpoint.name, name: action.name },
        environment,
        attributeOf: createAttributeFinder(action),
        sentValue: () => undefined,
      }),
  }
}

function buildContentType(form: Attribute | string): string {
  const identifier = getMediaTypeIdentifier(form)
  return /^text\//i.test(identifier) && !identifier.includes('charset') ? `${identifier}; charset=utf-8` : identifier
}

/** Whether bodies of a media type are JSON. */
const isJsonType = (identifier: string): boolean => /^[^;]*[/+]json\s*(?:;|$)/i.test(identifier)

function createBodyWriter(form: Attribute | string): (body: unknown) => string | Uint8Array {
  if (isAttribute(form)) return (body) => JSON.stringify(dumpProblem(form, body))
  const isJson = isJsonType(form)
  return (body) => {
    if (typeof body === 'string' || body instanceof Uint8Array) return body
    const text = isJson ? JSON.stringify(body) : undefined
    if (text === undefined) throw new TypeError(`The encoder of problems gave a body that ${form} cannot have`)
    return text
  }
}

function dumpProblem(form: Attribute, body: unknown): unknown {
  const dumping = new Dumping(true)
  const value = body === undefined || body === null ? dumping.fail('missing') : form.core.dumper(body, dumping)
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
