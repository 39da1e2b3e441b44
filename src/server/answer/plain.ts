// Answers that no action declares: failures outside actions, and responses of plugins.
import type { ActionResponse } from '../../design/declare/response.ts'
import { attributeFinder } from '../failure/attributes.ts'
import { codeOf, type FailureResponse, isFailure, returnedFailure } from '../failure/failures.ts'
import { PROBLEM_JSON, type Problem } from '../failure/problem.ts'
import { problemText } from '../failure/problem-text.ts'
import { IncomingRequest } from '../points/incoming.ts'
import type { Services } from '../services.ts'
import type { Answer } from '../transport.ts'
import { isBinary, isPlain } from './bodies.ts'
import { overlaid, pushHeaders, without } from './headers.ts'
import { writtenOf } from './written.ts'

/** Writes a failure; `request` is the one that failed. */
export function failureAnswer(services: Services, response: FailureResponse, request: IncomingRequest): Answer {
  const { writeProblem, baseHeaders } = services
  const headers = [...baseHeaders, ...response.extra]
  const broken = response.hasHeaders ? pushHeaders(headers, response.headers) : undefined
  if (broken !== undefined) throw new TypeError(broken)
  if (writeProblem === undefined) return standardAnswer(response, headers)
  const action = IncomingRequest.actionOf(request)
  const { environment } = services
  const attributeOf = attributeFinder(request.declaration)
  const written = writeProblem(response.body as Problem, {
    request,
    action,
    environment,
    reason: response.reason,
    attributeOf,
    sentValue: () => undefined,
  })
  const all = overlaid(['Content-Type', written.mediaType, ...headers], written.headers)
  return { status: written.status, headers: all, body: written.body, code: codeOf(response) }
}

/** Writes a failure as a problem document. */
export const standardAnswer = (response: FailureResponse, headers: readonly string[]): Answer => ({
  status: response.status,
  headers: ['Content-Type', PROBLEM_JSON, ...headers],
  body: problemText(response.body as Problem),
  code: codeOf(response),
})

/**
 * Writes a response of a plugin: text, bytes and streams as they are, anything else as JSON; an error without a media type
 * of its own is a problem document, as declared errors are.
 */
export function plainAnswer(services: Services, response: ActionResponse, request: IncomingRequest): Answer {
  if (isFailure(response)) return failureAnswer(services, response, request)
  const ready = writtenOf(response)
  if (ready !== undefined) return ready
  const { status, body } = response
  if (status >= 400 && response.mediaType === undefined && !isBinary(body))
    return failureAnswer(services, returnedFailure(response), request)
  const type = response.mediaType ?? typeOf(body)
  const base = response.hasHeaders ? without(services.baseHeaders, Object.keys(response.headers)) : services.baseHeaders
  const headers = [...(type === undefined ? [] : ['Content-Type', type]), ...base]
  const broken = response.hasHeaders ? pushHeaders(headers, response.headers) : undefined
  if (broken !== undefined) throw new TypeError(broken)
  if (body === undefined || body === null) return { status, headers, body: null }
  return { status, headers, body: isPlain(body) ? body : JSON.stringify(body) }
}

function typeOf(body: unknown): string | undefined {
  if (body === undefined || body === null) return undefined
  if (typeof body === 'string') return 'text/plain; charset=utf-8'
  return isPlain(body) ? 'application/octet-stream' : 'application/json'
}
