// One problem of one value, on the way in or out, and the arithmetic of its place.
import type { IssueCode, IssueDetail } from '../errors.ts'
import { issueText } from '../errors.ts'

/** One problem of one value: where it is (a JSON pointer), its code and its text. */
export interface Issue {
  pointer: string
  readonly code: IssueCode
  readonly message: string
}

/** Anything that collects issues: a loading or a dumping in progress, so that a check is written once for both. */
export interface Reporter {
  fail(code: IssueCode, detail?: IssueDetail): unknown
  failAt(pointer: string, code: IssueCode, detail?: IssueDetail): unknown
}

/** How many issues are kept with their place and text; what comes after is only counted, so that a hostile body stays cheap. */
export const MAX_ISSUES = 100

/** Makes an issue from its code and the details of its text. */
export function makeIssue(pointer: string, code: IssueCode, detail?: IssueDetail): Issue {
  return { pointer, code, message: issueText(code, detail) }
}

const MAX_STEP = 128

/** Escapes one step of a JSON pointer (RFC 6901); a name that a client made up is not echoed at any length. */
export function escapePointer(step: string | number): string {
  if (typeof step === 'number') return String(step)
  const name = step.length > MAX_STEP ? `${step.slice(0, MAX_STEP)}…` : step
  return name.replaceAll('~', '~0').replaceAll('/', '~1')
}

/** Puts a step in front of the pointer of every issue from index `since` on. */
export function prefixIssues(issues: readonly Issue[] | null, step: string | number, since: number): void {
  if (issues === null || issues.length === since) return
  const prefix = `/${escapePointer(step)}`
  for (let i = since; i < issues.length; i++) {
    const issue = issues[i] as Issue
    issue.pointer = prefix + issue.pointer
  }
}
