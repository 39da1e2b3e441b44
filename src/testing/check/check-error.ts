// The faults that a check finds: a violated law with the shortest requests that reproduce it, and the error that lists them.

import type { TestResponse } from '../session/check-response.ts'
import { formatClientCall, formatCurl, isBinaryType } from '../session/format-call.ts'
import type { LawViolation } from '../session/law-errors.ts'
import { getActionName } from '../session/test-call.ts'
import type { TestExchange } from '../session/test-session.ts'
import type { Law } from './law.ts'

/** One request of a fault, in three notations. */
export interface FaultRequest {
  /** The endpoint and action, as `Books.show`. */
  readonly action: string
  /** The method and the target: `GET /books?order=title`. */
  readonly line: string
  /** The request as a curl command. */
  readonly curl: string
  /** The request as a call of the client. */
  readonly client: string
  /** The name of the client that sends the request, when there are several. */
  readonly principal: string | undefined
  /** The status, and the beginning of the body. */
  readonly response: string
}

/** A law that an application breaks. */
export interface CheckFault {
  /** The name of the law. */
  readonly law: string
  /** The endpoint and the action. */
  readonly action: string
  /** The description of the violation. */
  readonly problem: string
  /** The shortest sequence of requests that reproduces the fault; the last one shows it. */
  readonly requests: readonly FaultRequest[]
}

/** A law that was tried on nothing. */
export interface Untested {
  readonly law: string
  readonly reason: string
  readonly remedy: string
}

/** An action that no request reached. */
export interface Unreached {
  /** The endpoint and the action. */
  readonly action: string
  readonly reason: string
  readonly remedy: string
}

/** The result of a check. */
export interface CheckReport {
  readonly seed: number
  /** The number of requests sent. */
  readonly requests: number
  /** The number of requests refused with 429 or 503, which prove nothing: raise the limits of the application in the test. */
  readonly limited: number
  /** The number of cases per law, keyed by the name of the law. */
  readonly cases: Readonly<Record<string, number>>
  /** The laws without a case that proves anything, other than those that the options leave out. */
  readonly untested: readonly Untested[]
  /** The documented actions without a successful request. */
  readonly unreached: readonly Unreached[]
  /** The duration, in milliseconds. */
  readonly time: number
}

/** Thrown by `checkApplication` for an application that breaks laws. */
export class CheckError extends Error {
  override readonly name = 'CheckError'
  readonly faults: readonly CheckFault[]
  readonly report: CheckReport

  constructor(faults: readonly CheckFault[], report: CheckReport) {
    super(formatFaults(faults, report))
    this.faults = faults
    this.report = report
  }
}

const MAX_BODY_LENGTH = 300

/** Server errors end with the remedy, so more of them is shown. */
const MAX_FAILURE_LENGTH = 900

function formatResponse({ status, text, type, bytes }: TestResponse): string {
  if (text === '') return String(status)
  if (isBinaryType(type)) return `${status} (${bytes.length} bytes of ${type})`
  const maxLength = status >= 500 ? MAX_FAILURE_LENGTH : MAX_BODY_LENGTH
  return `${status} ${text.length > maxLength ? `${text.slice(0, maxLength)}…` : text}`
}

/** Creates the fault of a case that violates a law. */
export async function createFault(
  law: Law,
  action: string,
  violation: LawViolation,
  exchanges: readonly TestExchange[],
): Promise<CheckFault> {
  const requests: FaultRequest[] = []
  for (const { call, request, response: answer } of exchanges) {
    const { pathname, search } = new URL(request.url)
    requests.push({
      action: getActionName(call.action),
      line: `${request.method} ${pathname}${search}`,
      curl: await formatCurl(request),
      client: formatClientCall(call),
      principal: call.principal,
      response: formatResponse(answer),
    })
  }
  return { law: law.name, action, problem: violation.message, requests }
}

function formatFaults(faults: readonly CheckFault[], { seed, requests }: CheckReport): string {
  const count = faults.length === 1 ? 'one fault' : `${faults.length} faults`
  const head = `The application has ${count} (seed ${seed}, ${requests} requests).`
  return [head, ...faults.map((fault) => formatFault(fault, seed))].join('\n\n')
}

function formatFault({ law, action, problem, requests }: CheckFault, seed: number): string {
  const steps = requests.flatMap(({ curl, client, principal, response }, i) => [
    `  ${requests.length > 1 ? `${i + 1}. ` : ''}${curl}${principal === undefined ? '' : `   # as ${principal}`}`,
    `     ${client}`,
    `     → ${response}`,
  ])
  const again = `  Again: checkApplication(app, { seed: ${seed}, only: ['${action} ${law}'] })`
  return [`${action} breaks the law '${law}': ${problem}`, ...steps, again].join('\n')
}
