// Refusals: thrown by libraries below an action when only the work itself shows that a request cannot be served.
import type { DefinedIssue, FailureCode, IssueCode, IssueDetail } from '../../errors.ts'
import { makeIssue } from '../../schema/issue.ts'
import { hasBrand } from '../../util/brand.ts'
import { type Failure, type InputError, type InputPart, toInputErrors } from './problem.ts'
import type { Reason } from './reasons.ts'

/** A problem document to answer with: a code of the core, or one of `defineCodes` with its status and title. */
export type ProblemInit = ProblemMembers & (CoreProblem | CustomProblem)

interface CoreProblem {
  readonly code: FailureCode
  readonly status?: number
  readonly title?: string
}

interface CustomProblem {
  /** A word for programs, such as `rate-limited`. */
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
  /** Members of the document beside the standard ones. */
  readonly members?: Readonly<Record<string, unknown>>
}

/** A problem document to answer with, as the core writes it. */
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
}

/** An error that answers a request with a problem document, such as 409 or 422; no action has to declare it. */
export class Refusal extends Error {
  readonly '~refusal' = true
  /** The problem document that it is answered with. */
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

  /** Makes a refusal for what is wrong with params. */
  static ofParams(values: readonly RefusedValue[]): Refusal {
    return createRefusal('params', values)
  }

  /** Makes a refusal for what is wrong with headers. */
  static ofHeaders(values: readonly RefusedValue[]): Refusal {
    return createRefusal('headers', values)
  }

  /** Makes a refusal for what is wrong with a payload. */
  static ofPayload(values: readonly RefusedValue[]): Refusal {
    return createRefusal('payload', values)
  }
}

/** Whether a value is a `Refusal`, also one of another copy of this package. */
export const isRefusal = (value: unknown): value is Refusal => hasBrand(value, '~refusal')

function createRefusal(part: InputPart, values: readonly RefusedValue[]): Refusal {
  const made = values.map(({ pointer, code, detail }) => makeIssue(pointer, code, detail))
  return new Refusal({ code: 'validation', errors: toInputErrors(part, made) })
}
