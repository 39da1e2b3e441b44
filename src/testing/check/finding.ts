// Findings: a law that does not hold, with the shortest requests that show it, and the error that tells of them.
import type { Law } from '../laws/law.ts'
import type { Broken } from './broken.ts'
import { nameOf } from './call.ts'
import { clientCallOf, curlOf, isBinary } from './curl.ts'
import type { Answer } from './judge.ts'
import type { Exchange } from './session.ts'

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
  readonly answer: string
}

/** A law that an application breaks. */
export interface Fault {
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
  readonly faults: readonly Fault[]
  readonly report: CheckReport

  constructor(faults: readonly Fault[], report: CheckReport) {
    super(messageOf(faults, report))
    this.faults = faults
    this.report = report
  }
}

const SHOWN = 300

/** Failures of the server say what to do at their end. */
const SHOWN_OF_FAILURES = 900

function answerText({ status, text, type, bytes }: Answer): string {
  if (text === '') return String(status)
  if (isBinary(type)) return `${status} (${bytes.length} bytes of ${type})`
  const most = status >= 500 ? SHOWN_OF_FAILURES : SHOWN
  return `${status} ${text.length > most ? `${text.slice(0, most)}…` : text}`
}

/** Makes the report of a case that a law fails on. */
export async function faultOf(
  law: Law,
  action: string,
  broken: Broken,
  exchanges: readonly Exchange[],
): Promise<Fault> {
  const requests: FaultRequest[] = []
  for (const { call, request, answer } of exchanges) {
    const { pathname, search } = new URL(request.url)
    requests.push({
      action: nameOf(call.action),
      line: `${request.method} ${pathname}${search}`,
      curl: await curlOf(request),
      client: clientCallOf(call),
      principal: call.principal,
      answer: answerText(answer),
    })
  }
  return { law: law.name, action, problem: broken.message, requests }
}

function messageOf(faults: readonly Fault[], { seed, requests }: CheckReport): string {
  const count = faults.length === 1 ? 'one fault' : `${faults.length} faults`
  const head = `The application has ${count} (seed ${seed}, ${requests} requests).`
  return [head, ...faults.map((fault) => faultText(fault, seed))].join('\n\n')
}

function faultText({ law, action, problem, requests }: Fault, seed: number): string {
  const steps = requests.flatMap(({ curl, client, principal, answer }, i) => [
    `  ${requests.length > 1 ? `${i + 1}. ` : ''}${curl}${principal === undefined ? '' : `   # as ${principal}`}`,
    `     ${client}`,
    `     → ${answer}`,
  ])
  const again = `  Again: checkApplication(app, { seed: ${seed}, only: ['${action} ${law}'] })`
  return [`${action} breaks the law '${law}': ${problem}`, ...steps, again].join('\n')
}
