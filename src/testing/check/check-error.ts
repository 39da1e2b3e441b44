// Findings: a law that does not hold, with the shortest requests that show it, and the error that tells of them.
import type { Law } from './law.ts'
import type { LawViolation } from '../session/law-errors.ts'
import { getActionName } from '../session/test-call.ts'
import { formatClientCall, formatCurl, isBinaryType } from '../session/format-call.ts'
import type { TestResponse } from '../session/check-response.ts'
import type { TestExchange } from '../session/test-session.ts'

/** One request of a fault, in three forms. */
export interface FaultRequest {
  /** The endpoint and the action that it is for. */
  readonly action: string
  /** The verb and the address: `GET /books?order=title`. */
  readonly line: string
  /** As a line of the shell. */
  readonly curl: string
  /** As a call of the client. */
  readonly client: string
  /** The name of the client that sends it, where there are several. */
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
  /** In which way the law is broken. */
  readonly problem: string
  /** The fewest requests that show it, in their order; the last one shows it. */
  readonly requests: readonly FaultRequest[]
}

/** The result of a check. */
export interface CheckReport {
  readonly seed: number
  /** How many requests were sent. */
  readonly requests: number
  /** How many of them were refused with 429 or 503, and said nothing: raise the limits of the application in its test. */
  readonly limited: number
  /** How many cases each law had, by the names of the laws. */
  readonly cases: Readonly<Record<string, number>>
  /** Documented actions that no request had success with: give clients that may call them, or `known` values of their params. */
  readonly unreached: readonly string[]
  /** How long it took, in milliseconds. */
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

/** Failures of the server say what to do at their end. */
const MAX_FAILURE_LENGTH = 900

function formatResponse({ status, text, type, bytes }: TestResponse): string {
  if (text === '') return String(status)
  if (isBinaryType(type)) return `${status} (${bytes.length} bytes of ${type})`
  const most = status >= 500 ? MAX_FAILURE_LENGTH : MAX_BODY_LENGTH
  return `${status} ${text.length > most ? `${text.slice(0, most)}…` : text}`
}

/** Makes the report of a case that a law fails on. */
export async function createFault(
  law: Law,
  action: string,
  broken: LawViolation,
  exchanges: readonly TestExchange[],
): Promise<CheckFault> {
  const requests: FaultRequest[] = []
  for (const { call, request, answer } of exchanges) {
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
  return { law: law.name, action, problem: broken.message, requests }
}

function formatFaults(faults: readonly CheckFault[], { seed, requests }: CheckReport): string {
  const count = faults.length === 1 ? 'one fault' : `${faults.length} faults`
  const head = `The application has ${count} (seed ${seed}, ${requests} requests).`
  return [head, ...faults.map((fault) => formatFault(fault, seed))].join('\n\n')
}

function formatFault({ law, action, problem, requests }: CheckFault, seed: number): string {
  const steps = requests.flatMap(({ curl, client, principal, response: answer }, i) => [
    `  ${requests.length > 1 ? `${i + 1}. ` : ''}${curl}${principal === undefined ? '' : `   # as ${principal}`}`,
    `     ${client}`,
    `     → ${answer}`,
  ])
  const again = `  Again: checkApplication(app, { seed: ${seed}, only: ['${action} ${law}'] })`
  return [`${action} breaks the law '${law}': ${problem}`, ...steps, again].join('\n')
}
