// Defines problem details (RFC 9457), the only format of failures.
import type { ActionResponse } from '../../design/declare/action-response.ts'
import { statusMessages } from '../../design/declare/status.ts'
import { coreFailures, type FailureCode, type IssueDetail } from '../../errors.ts'
import type { Issue } from '../../schema/issue.ts'
import type { Reason } from './reasons.ts'

/** The part of a request that an error belongs to. */
export type InputPart = 'params' | 'headers' | 'payload'

/** An error in one value of a request. */
export interface InputError {
  readonly in: InputPart
  readonly pointer: string
  readonly code: string
  readonly message: string
  /**
   * The values of its message by name, such as `limit`, `values` or `expected`, for encoders that write their own
   * messages; problem documents do not have them.
   */
  readonly detail?: IssueDetail | undefined
  /** The value that was written, if a write found the error; problem documents do not have it. */
  readonly value?: unknown
}

/** An error with its details, which JSON serialization omits. */
class DetailedError implements InputError {
  readonly in: InputPart
  readonly pointer: string
  readonly code: string
  readonly message: string
  readonly #detail: IssueDetail | undefined
  readonly #value: unknown

  constructor({ in: part, pointer, code, message, detail, value }: InputError) {
    this.in = part
    this.pointer = pointer
    this.code = code
    this.message = message
    this.#detail = detail
    this.#value = value
  }

  get detail(): IssueDetail | undefined {
    return this.#detail
  }

  get value(): unknown {
    return this.#value
  }
}

/** Returns a copy of an error with some members changed. */
export const changeError = (error: InputError, changes: Partial<InputError>): InputError =>
  new DetailedError({ ...error, detail: error.detail, value: error.value, ...changes })

/** Returns the same error with another pointer, which its message names. */
export function moveError(error: InputError, pointer: string): InputError {
  const [old, place] = [describePointer(error.in, error.pointer), describePointer(error.in, pointer)]
  const message = error.message.startsWith(old) ? place + error.message.slice(old.length) : error.message
  return changeError(error, { pointer, message })
}

/** A failed request as a problem document. */
export interface Problem {
  readonly type: string
  readonly title: string
  readonly status: number
  readonly detail?: string
  /** The failure's code in edict's catalogue. */
  readonly code: FailureCode | string
  readonly errors?: readonly InputError[]
  /** The number of errors, if not all of them are listed. */
  readonly errorCount?: number
  readonly [extension: string]: unknown
}

/** The media type of problem documents. */
export const PROBLEM_JSON = 'application/problem+json'

/** The most errors that a problem lists; further ones are only counted. */
const MAX_LISTED_ERRORS = 20

/** A failed request: a code, and the details for the client. */
export interface Failure {
  /** A code of the core, or one that a plugin defines with its status and title. */
  readonly code: FailureCode | (string & {})
  readonly title?: string
  readonly detail?: string
  /** The content of `detail` as data. */
  readonly reason?: Reason
  readonly status?: number
  readonly errors?: readonly InputError[]
  /** The number of errors, including those that are not listed. */
  readonly errorCount?: number
  readonly extensions?: Readonly<Record<string, unknown>>
  readonly headers?: readonly string[]
}

const UNKNOWN_FAILURE = { status: 500, title: 'The request failed' }

/** Converts a failure to a problem. */
export function toProblem({ code, title, detail, status, errors, errorCount, extensions }: Failure): Problem {
  const defaults = Object.hasOwn(coreFailures, code) ? coreFailures[code as FailureCode] : UNKNOWN_FAILURE
  const count = errorCount ?? errors?.length ?? 0
  // Set one by one for speed: this runs for each rejected request, and a client may send many.
  const problem: Record<string, unknown> = {
    type: 'about:blank',
    title: title ?? defaults.title,
    status: status ?? defaults.status,
  }
  if (detail !== undefined) problem['detail'] = detail
  problem['code'] = code
  if (errors !== undefined) problem['errors'] = errors.slice(0, MAX_LISTED_ERRORS)
  if (count > MAX_LISTED_ERRORS) problem['errorCount'] = count
  return Object.assign(problem, extensions) as unknown as Problem
}

/** Converts issues to errors of a part of the request. */
export function toInputErrors(part: InputPart, issues: readonly Issue[]): InputError[] {
  return issues.map(({ pointer, code, message, detail }) => {
    // The message of a foreign schema is a complete sentence.
    const sentence = `${describePointer(part, pointer)}${code === 'custom' ? ':' : ''} ${message}`
    return new DetailedError({ in: part, pointer, code, message: sentence, detail })
  })
}

const partNouns: Record<InputPart, string> = { params: 'parameter', headers: 'header', payload: 'attribute' }

function describePointer(part: InputPart, pointer: string): string {
  if (pointer === '') return part === 'payload' ? 'The body' : `The ${partNouns[part]}s`
  let end = pointer.indexOf('/', 1)
  const first = readStep(pointer, 1, end)
  let below = ''
  while (end > 0) {
    const from = end + 1
    end = pointer.indexOf('/', from)
    below += `[${readStep(pointer, from, end)}]`
  }
  // The items of a body that is itself a list have no name.
  return part === 'payload' && /^\d+$/.test(first)
    ? `The item [${first}]${below}`
    : `The ${partNouns[part]} '${first}${below}'`
}

function readStep(pointer: string, from: number, end: number): string {
  const step = pointer.slice(from, end < 0 ? undefined : end)
  return step.includes('~') ? step.replaceAll('~1', '/').replaceAll('~0', '~') : step
}

const MEMBERS = ['type', 'title', 'detail', 'instance', 'code', 'errors'] as const

/**
 * Converts an error that an action returned to a problem: a text becomes its detail, a structure supplies its standard
 * members.
 */
export function convertToProblem({ name, status, body }: ActionResponse): Problem {
  const title = statusMessages[status as keyof typeof statusMessages] ?? name
  const code = name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
  const problem: Record<string, unknown> = { type: 'about:blank', title, status, code }
  if (typeof body === 'string') problem['detail'] = body
  else if (typeof body === 'object' && body !== null) {
    for (const member of MEMBERS) {
      const value: unknown = Reflect.get(body, member)
      if (value !== undefined) problem[member] = value
    }
  }
  return problem as unknown as Problem
}
