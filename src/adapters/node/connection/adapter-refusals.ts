// The responses of the adapter itself, before or instead of the application: problem documents (RFC 9457) with fixed
// texts.
import { STATUS_CODES } from 'node:http'
import { type Problem, toProblem } from '../../../server/problem/problem.ts'
import type { RawResponse } from '../../../server/transport.ts'

/** The reasons why the adapter rejects a request. */
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

/** The response for each reason. */
export const adapterRefusals: Readonly<Record<AdapterRefusal, RawResponse>> = {
  malformed: createRefusal(createProblem(400, 'malformed-request', 'The request is not valid HTTP')),
  host: createRefusal(createProblem(400, 'malformed-request', 'The request must have one Host header')),
  timeout: createRefusal(toProblem({ code: 'timeout' })),
  bodyTooLarge: createRefusal(toProblem({ code: 'payload-too-large' })),
  expectation: createRefusal(createProblem(417, 'unknown-expectation', 'The expectation is not supported')),
  headersTooLarge: createRefusal(createProblem(431, 'headers-too-large', 'The header fields are too large')),
  coding: createRefusal(createProblem(501, 'unsupported-transfer-coding', 'The transfer coding is not supported')),
  overloaded: createRefusal(toProblem({ code: 'unavailable' }), 'Retry-After', '1'),
  internal: createRefusal(toProblem({ code: 'internal' })),
}

function createProblem(status: number, code: string, title: string): Problem {
  return { type: 'about:blank', title, status, code }
}

function createRefusal(problem: Problem, ...extra: readonly string[]): RawResponse {
  const headers = ['Content-Type', 'application/problem+json', 'X-Content-Type-Options', 'nosniff', ...extra]
  // Frozen, so that the formatted head is cached: rejecting must be cheap.
  const { status, code } = problem
  return { status, headers: Object.freeze(headers), body: JSON.stringify(problem), code }
}

/** Serializes the last response of a connection, for a socket without a parsed request. */
export function serializeResponse({ status, headers, body }: RawResponse): Uint8Array {
  // A stream cannot be sent on a connection that ends here.
  const bytes = typeof body === 'string' || body instanceof Uint8Array ? Buffer.from(body) : Buffer.alloc(0)
  const head = [`HTTP/1.1 ${status} ${STATUS_CODES[status]}`, 'Connection: close', `Date: ${new Date().toUTCString()}`]
  for (let i = 0; i < headers.length; i += 2) head.push(`${headers[i]}: ${headers[i + 1]}`)
  head.push(`Content-Length: ${bytes.length}`, '', '')
  return Buffer.concat([Buffer.from(head.join('\r\n'), 'latin1'), bytes])
}
