// Writes responses that no action declares: failures outside actions, and responses of plugins.
import type { ActionResponse } from '../../design/declare/action-response.ts'
import { convertToFailure, type FailureResponse, getFailureCode, isFailure } from '../failure/failures.ts'
import { createAttributeFinder } from '../problem/find-attribute.ts'
import { PROBLEM_JSON, type Problem } from '../problem/problem.ts'
import { stringifyProblem } from '../problem/stringify-problem.ts'
import { IncomingRequest } from '../request/incoming-request.ts'
import { listHeaderNames, overlayHeaders, pushHeaders, withoutHeaders } from '../response/headers.ts'
import { getReplayed } from '../response/recorded-response.ts'
import type { Services } from '../services.ts'
import type { RawResponse } from '../transport.ts'
import { isBinaryBody, isUnstructured } from './bodies.ts'

/** Writes a failure; `request` is the one that failed. */
export function writeFailure(services: Services, response: FailureResponse, request: IncomingRequest): RawResponse {
  const { writeProblem, baseHeaders } = services
  const headers = [...baseHeaders, ...response.extraHeaders]
  const mistake = response.hasHeaders ? pushHeaders(headers, response.headers) : undefined
  if (mistake !== undefined) throw new TypeError(mistake)
  if (writeProblem === undefined) return writeProblemResponse(response, headers)
  const action = IncomingRequest.getAction(request)
  const { environment } = services
  const attributeOf = createAttributeFinder(request.declaration)
  const written = writeProblem(response.body as Problem, {
    request,
    action,
    environment,
    reason: response.reason,
    findAttribute: attributeOf,
    findSentValue: () => undefined,
  })
  const all = overlayHeaders(['Content-Type', written.mediaType, ...headers], written.headers)
  return { status: written.status, headers: all, body: written.body, code: getFailureCode(response) }
}

/** Writes a failure as a problem document. */
export const writeProblemResponse = (response: FailureResponse, headers: readonly string[]): RawResponse => ({
  status: response.status,
  headers: ['Content-Type', PROBLEM_JSON, ...headers],
  body: stringifyProblem(response.body as Problem),
  code: getFailureCode(response),
})

/**
 * Writes a response of a plugin: text, bytes and streams unchanged, anything else as JSON; an error without a media
 * type becomes a problem document, like declared errors.
 */
export function writePluginResponse(
  services: Services,
  response: ActionResponse,
  request: IncomingRequest,
): RawResponse {
  if (isFailure(response)) return writeFailure(services, response, request)
  const replayed = getReplayed(response)
  if (replayed !== undefined) return replayed
  const { status, body } = response
  if (status >= 400 && response.mediaType === undefined && !isBinaryBody(body))
    return writeFailure(services, convertToFailure(response), request)
  const type = response.mediaType ?? guessContentType(body)
  const base = response.hasHeaders
    ? withoutHeaders(services.baseHeaders, listHeaderNames(response.headers))
    : services.baseHeaders
  const headers = [...(type === undefined ? [] : ['Content-Type', type]), ...base]
  const mistake = response.hasHeaders ? pushHeaders(headers, response.headers) : undefined
  if (mistake !== undefined) throw new TypeError(mistake)
  if (body === undefined || body === null) return { status, headers, body: null }
  return { status, headers, body: isUnstructured(body) ? body : JSON.stringify(body) }
}

function guessContentType(body: unknown): string | undefined {
  if (body === undefined || body === null) return undefined
  if (typeof body === 'string') return 'text/plain; charset=utf-8'
  return isUnstructured(body) ? 'application/octet-stream' : 'application/json'
}
