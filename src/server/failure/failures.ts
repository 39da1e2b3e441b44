// Converts thrown values and rejected requests to responses; nothing else does.
import { ActionResponse } from '../../design/declare/action-response.ts'
import { builtinStatuses } from '../../design/declare/status.ts'
import { hasBrand } from '../../util/brand.ts'
import { readDecodeFault } from '../body/decode-fault.ts'
import { CLOSE_FAILED, releaseBody, reportClosing } from '../body-stream.ts'
import { convertToProblem, type Failure, type Problem, toProblem } from '../problem/problem.ts'
import { createReason, type Reason } from '../problem/reasons.ts'
import { isRefusal, type ProblemInit, type Refusal, toFailure } from '../problem/refusal.ts'
import { describeThrown, isError, toLoggableError } from '../problem/thrown-value.ts'
import type { Exchange, FailureOrigin } from '../request/exchange.ts'
import type { ViolationFinding } from '../response/violation.ts'
import type { Services } from '../services.ts'
import { type BodyFault, readBodyFault } from '../transport.ts'
import { notifyViolations } from './violations.ts'

/** A response of the framework itself: always permitted, written as a problem document. */
export class FailureResponse extends ActionResponse<string, Problem> {
  /** Headers that belong to the failure, names and values alternating. */
  readonly extraHeaders: readonly string[]
  /** The reason of the failure, as data for encoders. */
  readonly reason: Reason | undefined

  constructor(failure: Failure, problem: Problem = toProblem(failure)) {
    super(namesByStatus.get(problem.status) ?? 'internalServerError', problem.status, { body: problem })
    this.extraHeaders = failure.headers ?? []
    this.reason = failure.reason
  }

  get '~failure'(): true {
    return true
  }
}

/** Returns whether a response is a failure, including failures of another copy of this package. */
export const isFailure = (response: object): response is FailureResponse =>
  (response as Partial<FailureResponse>)['~failure'] === true

/** Returns the code of a failure. */
export const getFailureCode = ({ body }: FailureResponse): string => (body as Problem).code

/** Converts a declared error without a media type to the failure that an encoder writes. */
export function convertToFailure(response: ActionResponse): FailureResponse {
  const problem = convertToProblem(response)
  const failure = new FailureResponse({ code: problem.code }, problem)
  if (response.hasHeaders) failure.headers = response.headers
  return failure
}

/** Creates a response with a problem document; no action needs to declare it. */
export const problem = (init: ProblemInit): ActionResponse => new FailureResponse(toFailure(init))

const namesByStatus = new Map([...builtinStatuses].map(([name, status]) => [status, name]))

/** Maps a body fault to the failure that the client receives. */
function toBodyFailure(fault: BodyFault): Failure {
  if (fault === 'too-large') return { code: 'payload-too-large' }
  if (fault === 'timeout') return { code: 'timeout' }
  if (fault === 'overload') return { code: 'unavailable', headers: ['Retry-After', '1'] }
  if (fault === 'consumed') return { code: 'internal', ...createReason('body-consumed') }
  if (fault === 'coding') return { code: 'unsupported-coding' }
  return { code: 'malformed-body', ...createReason(fault === 'malformed' ? 'body-framing' : 'body-short') }
}

/** Converts a thrown value to a response; a thrown response must match the declaration like a returned one. */
export const convertThrown = (services: Services, thrown: unknown, origin: FailureOrigin): ActionResponse =>
  // A thrown value may be anything, even an object whose getters throw.
  hasBrand(thrown, '~response') ? (thrown as ActionResponse) : toFailureResponse(services, thrown, origin)

/** Converts an error to a failure: in production, the log has all details and the client none. */
export function toFailureResponse(services: Services, thrown: unknown, origin: FailureOrigin): FailureResponse {
  const decoded = readDecodeFault(thrown)
  if (decoded !== undefined) return new FailureResponse(decoded.fault)
  const fault = readBodyFault(thrown)
  if (fault !== undefined) return new FailureResponse(toBodyFailure(fault))
  if (isRefusal(thrown)) return new FailureResponse(resolveRefusal(services, thrown, origin))
  if (origin.isClientAbort?.(thrown)) return new FailureResponse({ code: 'unavailable' })
  // A response that is thrown where none is allowed is not sent, nor is a Fetch Response.
  const unsent = hasBrand(thrown, '~response') ? (thrown as ActionResponse).body : thrown
  const err = toLoggableError(thrown)
  const { recordError, isClientAbort: _, locateErrors: __, ...context } = origin
  reportClosing(unsent, (error) => services.logger.error({ err: error, ...context }, CLOSE_FAILED))
  releaseBody(unsent)
  recordError(err)
  const message = origin.plugin === undefined ? 'A request failed with an uncaught error' : 'A plugin failed'
  services.logger.error({ err, ...context }, message)
  const detail = describeThrown(isError(thrown) ? err : thrown)
  return new FailureResponse(createInternalFailure(services, detail, origin.requestId))
}

// The log receives the datastore's error; the client receives the text of the catalogue.
function resolveRefusal(services: Services, { problem, cause }: Refusal, origin: FailureOrigin): Failure {
  const { errors: unplaced, ...rest } = toFailure(problem)
  const placed = unplaced && (origin.locateErrors?.(unplaced) ?? unplaced)
  const failure: Failure = { ...rest, ...(placed !== undefined && placed.length > 0 && { errors: placed }) }
  if (failure.code === 'validation') {
    const detail = failure.detail ?? failure.errors?.[0]?.message
    return { ...failure, status: services.validationStatus, ...(detail !== undefined && { detail }) }
  }
  if (cause === undefined) return failure
  const { recordError, isClientAbort: _, locateErrors: __, ...context } = origin
  const err = toLoggableError(cause)
  const unavailable = failure.code === 'unavailable'
  if (unavailable) recordError(err)
  // Client errors are logged at info.
  services.logger[unavailable ? 'error' : 'info']({ err, ...context }, `A request was refused: ${failure.code}`)
  return failure
}

/** Logs an error that an action threw after its deadline: the response is sent, so only the log remains. */
export function logLateError(exchange: Exchange, thrown: unknown): void {
  // A thrown response is not a failure.
  if (hasBrand(thrown, '~response')) return exchange.releaseResponse(thrown as ActionResponse)
  const { services, request, compiled } = exchange
  const err = toLoggableError(thrown)
  // An action that stops because of its signal behaves correctly.
  if (thrown === request.signal.reason || err.name === 'AbortError') return
  services.logger.error(
    { err, requestId: request.id, action: compiled.actionName },
    'An action failed after its deadline',
  )
}

/** Reports a mistake of the application itself: a response or a body that is not declared. */
export function respondWithViolation(
  exchange: Exchange,
  problem: string,
  findings: readonly ViolationFinding[],
): FailureResponse {
  const { services, compiled, request } = exchange
  exchange.error = new Error(problem)
  notifyViolations(exchange, findings, 'failed')
  services.logger.error({ requestId: request.id, action: compiled.actionName }, problem)
  return new FailureResponse(createInternalFailure(services, `${compiled.actionName}: ${problem}`, request.id))
}

function createInternalFailure({ environment }: Services, detail: string, id: string | undefined): Failure {
  return {
    code: 'internal',
    ...(environment !== 'production' && { detail }),
    ...(id !== undefined && { extensions: { requestId: id } }),
  }
}
