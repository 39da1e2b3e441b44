// Answers of the adapter itself, before or instead of the application: problem documents (RFC 9457) of fixed text.
import { STATUS_CODES } from 'node:http'
import { type Problem, problemOf } from '../../../server/failure/problem.ts'
import type { Answer } from '../../../server/transport.ts'

/** Why the adapter refuses a request by itself. */
export type AdapterRefusal =
  | 'malformed'
  | 'host'
  | 'timeout'
  | 'bodyTooLarge'
  | 'expectation'
  | 'headersTooLarge'
  | 'coding'
  | 'overloaded'
  | 'internal'

/** The problem for each refusal. */
export const refusals: Readonly<Record<AdapterRefusal, Answer>> = {
  malformed: answer(problem(400, 'malformed-request', 'The request is not valid HTTP')),
  host: answer(problem(400, 'malformed-request', 'The request must have one Host header')),
  timeout: answer(problemOf({ code: 'timeout' })),
  bodyTooLarge: answer(problemOf({ code: 'payload-too-large' })),
  expectation: answer(problem(417, 'unknown-expectation', 'The expectation is not supported')),
  headersTooLarge: answer(problem(431, 'headers-too-large', 'The header fields are too large')),
  coding: answer(problem(501, 'unsupported-transfer-coding', 'The transfer coding is not supported')),
  overloaded: answer(problemOf({ code: 'unavailable' }), 'Retry-After', '1'),
  internal: answer(problemOf({ code: 'internal' })),
}

function problem(status: number, code: string, title: string): Problem {
  return { type: 'about:blank', title, status, code }
}

function answer(refusal: Problem, ...extra: readonly string[]): Answer {
  const headers = ['Content-Type', 'application/problem+json', 'X-Content-Type-Options', 'nosniff', ...extra]
  // Frozen, so that the text of the head is kept: refusing must cost next to nothing.
  const { status, code } = refusal
  return { status, headers: Object.freeze(headers), body: JSON.stringify(refusal), code }
}

/** The refusal as the bytes of a last answer, for a socket on which no request could be made out. */
export function wireBytes({ status, headers, body }: Answer): Uint8Array {
  // A stream has no place on a connection that ends here.
  const bytes = typeof body === 'string' || body instanceof Uint8Array ? Buffer.from(body) : Buffer.alloc(0)
  const head = [`HTTP/1.1 ${status} ${STATUS_CODES[status]}`, 'Connection: close', `Date: ${new Date().toUTCString()}`]
  for (let i = 0; i < headers.length; i += 2) head.push(`${headers[i]}: ${headers[i + 1]}`)
  head.push(`Content-Length: ${bytes.length}`, '', '')
  return Buffer.concat([Buffer.from(head.join('\r\n'), 'latin1'), bytes])
}
