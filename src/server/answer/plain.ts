// Answers that no action declares: failures outside actions, and responses of plugins.
import type { ActionResponse } from '../../design/declare/response.ts'
import { type FailureResponse, isFailure } from '../failure/failures.ts'
import { returnedProblem, writeFailure, writeProblem } from '../failure/problem.ts'
import type { Services } from '../services.ts'
import type { Answer } from '../transport.ts'
import { isBinary, isPlain } from './bodies.ts'
import { pushHeaders } from './heads.ts'

/** Writes a failure. */
export function failureAnswer({ encodeProblem, baseHeaders }: Services, response: FailureResponse): Answer {
  const { mediaType, body } = writeFailure(encodeProblem, response.body)
  return { status: response.status, headers: ['Content-Type', mediaType, ...baseHeaders, ...response.extra], body }
}

/**
 * Writes a response of a plugin: text, bytes and streams as they are, anything else as JSON; an error without a media type
 * of its own is a problem document, as declared errors are.
 */
export function plainAnswer(services: Services, response: ActionResponse): Answer {
  if (isFailure(response)) return failureAnswer(services, response)
  const { status, body } = response
  if (status >= 400 && response.mediaType === undefined && !isBinary(body)) return problemAnswer(services, response)
  const type = response.mediaType ?? typeOf(body)
  const headers = [...(type === undefined ? [] : ['Content-Type', type]), ...services.baseHeaders]
  const broken = response.hasHeaders ? pushHeaders(headers, response.headers) : undefined
  if (broken !== undefined) throw new TypeError(broken)
  if (body === undefined || body === null) return { status, headers, body: null }
  return { status, headers, body: isPlain(body) ? body : JSON.stringify(body) }
}

function problemAnswer(services: Services, response: ActionResponse): Answer {
  const { mediaType, body } = writeProblem(services.encodeProblem, returnedProblem(response))
  const headers = ['Content-Type', mediaType, ...services.baseHeaders]
  const broken = response.hasHeaders ? pushHeaders(headers, response.headers) : undefined
  if (broken !== undefined) throw new TypeError(broken)
  return { status: response.status, headers, body }
}

function typeOf(body: unknown): string | undefined {
  if (body === undefined || body === null) return undefined
  if (typeof body === 'string') return 'text/plain; charset=utf-8'
  return isPlain(body) ? 'application/octet-stream' : 'application/json'
}
