// One problem of one value, in a request or a response, and its JSON pointer.
import { type DefinedIssue, formatIssue, type IssueCode, type IssueDetail } from '../errors.ts'

/** One problem of one value: its location (a JSON pointer), its code and its text. */
export interface Issue {
  pointer: string
  readonly code: string
  readonly message: string
  /** The values that fill the text, such as the exceeded limit. */
  readonly detail?: IssueDetail | undefined
}

/** The number of issues that are stored; further ones are only counted, so that a hostile body stays cheap. */
export const MAX_ISSUES = 100

/** Creates an issue from its code and the details of its text. */
export function makeIssue(pointer: string, code: IssueCode | DefinedIssue, detail?: IssueDetail): Issue {
  return { pointer, code: typeof code === 'string' ? code : code.code, message: formatIssue(code, detail), detail }
}

/** The result of a loader or dumper for an invalid value; the issues contain the reason. */
export const INVALID: unique symbol = Symbol.for('edict.invalid')

/** Collects issues: the part of loading and dumping that checks need. */
export class IssueCollector {
  issues: Issue[] | null = null
  /** The number of issues, including those beyond MAX_ISSUES. */
  total = 0

  /** Reports an issue at the current location and returns INVALID. */
  fail(code: IssueCode | DefinedIssue, detail?: IssueDetail): typeof INVALID {
    return this.failAt('', code, detail)
  }

  /** Reports an issue below the current location and returns INVALID, which callers may ignore to keep the value. */
  failAt(pointer: string, code: IssueCode | DefinedIssue, detail?: IssueDetail): typeof INVALID {
    this.total++
    if (this.issues === null) this.issues = [makeIssue(pointer, code, detail)]
    else if (this.issues.length < MAX_ISSUES) this.issues.push(makeIssue(pointer, code, detail))
    return INVALID
  }
}

const MAX_POINTER_STEP = 128

/** Escapes one step of a JSON pointer (RFC 6901) and shortens long names sent by clients. */
export function escapePointer(step: string | number): string {
  if (typeof step === 'number') return String(step)
  const name = step.length > MAX_POINTER_STEP ? `${step.slice(0, MAX_POINTER_STEP)}…` : step
  return name.includes('~') || name.includes('/') ? name.replaceAll('~', '~0').replaceAll('/', '~1') : name
}

/** Prepends a step to the pointer of every issue from index `since` on. */
export function prefixIssues(issues: readonly Issue[] | null, step: string | number, since: number): void {
  if (issues === null || issues.length === since) return
  const prefix = `/${escapePointer(step)}`
  for (let i = since; i < issues.length; i++) {
    const issue = issues[i] as Issue
    issue.pointer = prefix + issue.pointer
  }
}
