// Answers of the adapter itself, before or instead of the application: problem documents (RFC 9457) of fixed text.
import { STATUS_CODES } from 'node:http'
import { type Problem, toProblem } from '../../../server/problem/problem.ts'
import type { RawResponse } from '../../../server/transport.ts'

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

function createRefusal(refusal: Problem, ...extra: readonly string[]): RawResponse {
  const headers = ['Content-Type', 'application/problem+json', 'X-Content-Type-Options', 'nosniff', ...extra]
  // Frozen, so that the text of the head is kept: refusing must cost next to nothing.
  const { status, code } = refusal
  return { status, headers: Object.freeze(headers), body: JSON.stringify(refusal), code }
}

/** The refusal as the bytes of a last answer, for a socket on which no request could be made out. */
export function serializeResponse({ status, headers, body }: RawResponse): Uint8Array {
  // A stream has no place on a connection that ends here.
  const bytes = typeof body === 'string' || body instanceof Uint8Array ? Buffer.from(body) : Buffer.alloc(0)
  const head = [`HTTP/1.1 ${status} ${STATUS_CODES[status]}`, 'Connection: close', `Date: ${new Date().toUTCString()}`]
  for (let i = 0; i < headers.length; i += 2) head.push(`${headers[i]}: ${headers[i + 1]}`)
  head.push(`Content-Length: ${bytes.length}`, '', '')
  return Buffer.concat([Buffer.from(head.join('\r\n'), 'latin1'), bytes])
}
