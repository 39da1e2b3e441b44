// Refusals: what an action throws, or a library on its behalf, when only the work itself shows that a request cannot be served.
import type { IssueCode, IssueDetail } from '../../errors.ts'
import { makeIssue } from '../../schema/issue.ts'
import { type Failure, type InputPart, inputErrors } from './problem.ts'

/** Thrown to answer a request with a failure of the catalogue instead of a 500. */
export class RefusedError extends Error {
  readonly failure: Failure

  constructor(failure: Failure, options?: ErrorOptions) {
    super(`The request is refused: ${failure.code}`, options)
    this.name = 'RefusedError'
    this.failure = failure
  }

  /** A refusal for what is wrong with params. */
  static ofParams(issues: readonly RefusedPlace[]): RefusedError {
    return refusedIn('params', issues)
  }

  /** A refusal for what is wrong with a payload. */
  static ofPayload(issues: readonly RefusedPlace[]): RefusedError {
    return refusedIn('payload', issues)
  }
}

interface RefusedPlace {
  readonly pointer: string
  readonly code: IssueCode
  readonly detail?: IssueDetail
}

function refusedIn(part: InputPart, issues: readonly RefusedPlace[]): RefusedError {
  const made = issues.map(({ pointer, code, detail }) => makeIssue(pointer, code, detail))
  return new RefusedError({ code: 'validation', errors: inputErrors(part, made) })
}
