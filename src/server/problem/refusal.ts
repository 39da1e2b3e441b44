// Defines refusals: libraries below an action throw them when processing shows that a request cannot be served.
import type { DefinedIssue, FailureCode, IssueCode, IssueDetail } from '../../errors.ts'
import { makeIssue } from '../../schema/issue.ts'
import { hasBrand } from '../../util/brand.ts'
import { changeError, type Failure, type InputError, type InputPart, toInputErrors } from './problem.ts'
import type { Reason } from './reasons.ts'

/** The content of a problem document: a code of the core, or one of `defineCodes` with its status and title. */
export type ProblemInit = ProblemMembers & (CoreProblem | CustomProblem)

interface CoreProblem {
  readonly code: FailureCode
  readonly status?: number
  readonly title?: string
}

interface CustomProblem {
  /** A code such as `rate-limited`. */
  readonly code: string
  readonly status: number
  readonly title: string
}

/** The further members of a problem document. */
interface ProblemMembers {
  readonly detail?: string
  /** The content of `detail` as data, for encoders. */
  readonly reason?: Reason
  /** The errors in values of the request. */
  readonly errors?: readonly InputError[]
  readonly headers?: Readonly<Record<string, string>>
  /** Members of the document in addition to the standard ones. */
  readonly members?: Readonly<Record<string, unknown>>
}

/** Converts the content of a problem document to a failure. */
export function toFailure({ headers = {}, members, ...failure }: ProblemInit): Failure {
  return {
    ...failure,
    headers: Object.entries(headers).flat(),
    ...(members !== undefined && { extensions: members }),
  }
}

/** One invalid value of a request. */
export interface RefusedValue {
  /** A JSON pointer to the value. */
  readonly pointer: string
  readonly code: IssueCode | DefinedIssue
  readonly detail?: IssueDetail
  /** The value that was written; the error is then left out of responses to requests whose payload does not have it. */
  readonly value?: unknown
}

/** An error that responds to a request with a problem document, such as 409 or 422; no action needs to declare it. */
export class Refusal extends Error {
  readonly '~refusal' = true
  /** The content of the response. */
  readonly problem: ProblemInit

  constructor(problem: ProblemInit, options?: ErrorOptions) {
    super(`The request is refused: ${problem.code}`, options)
    this.name = 'Refusal'
    this.problem = problem
  }

  /** The code of the problem document. */
  get code(): string {
    return this.problem.code
  }

  /** Creates a refusal for invalid params. */
  static ofParams(values: readonly RefusedValue[]): Refusal {
    return createRefusal('params', values)
  }

  /** Creates a refusal for invalid headers. */
  static ofHeaders(values: readonly RefusedValue[]): Refusal {
    return createRefusal('headers', values)
  }

  /** Creates a refusal for an invalid payload. */
  static ofPayload(values: readonly RefusedValue[]): Refusal {
    return createRefusal('payload', values)
  }
}

/** Returns whether a value is a `Refusal`, including one of another copy of this package. */
export const isRefusal = (value: unknown): value is Refusal => hasBrand(value, '~refusal')

function createRefusal(part: InputPart, values: readonly RefusedValue[]): Refusal {
  const issues = values.map(({ pointer, code, detail }) => makeIssue(pointer, code, detail))
  const errors = toInputErrors(part, issues).map((error, i) => {
    const value = values[i]?.value
    return value === undefined ? error : changeError(error, { value })
  })
  return new Refusal({ code: 'validation', errors })
}
