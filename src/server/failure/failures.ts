// The only place where a throw or a refused request becomes a response.
import { ActionResponse } from '../../design/declare/action-response.ts'
import { builtinStatuses } from '../../design/declare/status.ts'
import { hasBrand } from '../../util/brand.ts'
import type { ViolationFinding } from '../response/violation.ts'
import type { Exchange, FailureOrigin } from '../request/exchange.ts'
import type { Services } from '../services.ts'
import { releaseBody, reportClosing, UNCLOSED } from '../body-stream.ts'
import { type BodyFault, readBodyFault } from '../transport.ts'
import { type Failure, type Problem, toProblem, convertToProblem } from '../problem/problem.ts'
import { type Reason, reasoned } from '../problem/reasons.ts'
import { toFailure, isRefusal, type ProblemInit, type Refusal } from '../problem/refusal.ts'
import { describeThrown, isError, toLoggableError } from '../problem/thrown-value.ts'
import { notifyViolations } from './violations.ts'

/** A response that the framework itself gives: always permitted, written as a problem. */
export class FailureResponse extends ActionResponse<string, Problem> {
  /** Headers that belong to the failure, names and values alternating. */
  readonly extraHeaders: readonly string[]
  /** Why the request failed, as data for encoders. */
  readonly reason: Reason | undefined

  constructor(failure: Failure, problem: Problem = toProblem(failure)) {
    super(getStatusName(problem.status), problem.status, { body: problem })
    this.extraHeaders = failure.headers ?? []
    this.reason = failure.reason
  }

  get '~failure'(): true {
    return true
  }
}

/** Whether a response is a failure, also one of another copy of this package. */
export const isFailure = (response: object): response is FailureResponse =>
  (response as Partial<FailureResponse>)['~failure'] === true

/** The code of a failure. */
export const getFailureCode = ({ body }: FailureResponse): string => (body as Problem).code

/** A declared error without a media type, as the failure that an encoder writes. */
export function convertToFailure(response: ActionResponse): FailureResponse {
  const problem = convertToProblem(response)
  const made = new FailureResponse({ code: problem.code }, problem)
  if (response.hasHeaders) made.headers = response.headers
  return made
}

/** Makes a problem document as a response; no action has to declare it. */
export const problem = (init: ProblemInit): ActionResponse => new FailureResponse(toFailure(init))

const namesByStatus = new Map([...builtinStatuses].map(([name, status]) => [status, name]))

/** The name of the built-in response of a status. */
const getStatusName = (status: number): string => namesByStatus.get(status) ?? 'internalServerError'

/** The failure that a client gets for a body fault. */
function toBodyFailure(fault: BodyFault): Failure {
  if (fault === 'too-large') return { code: 'payload-too-large' }
  if (fault === 'timeout') return { code: 'timeout' }
  if (fault === 'overload') return { code: 'unavailable', headers: ['Retry-After', '1'] }
  if (fault === 'consumed') return { code: 'internal', ...reasoned('body-consumed') }
  if (fault === 'coding') return { code: 'unsupported-coding' }
  return { code: 'malformed-body', ...reasoned(fault === 'malformed' ? 'body-framing' : 'body-short') }
}

/** Turns anything thrown into a response; one that was thrown is held to the declaration like one that was returned. */
export const convertThrown = (services: Services, thrown: unknown, origin: FailureOrigin): ActionResponse =>
  // A thrown value may be anything, even an object whose getters throw.
  hasBrand(thrown, '~response') ? (thrown as ActionResponse) : toFailureResponse(services, thrown, origin)

/** Turns an error into a failure: the client learns nothing of it in production, the log everything. */
export function toFailureResponse(services: Services, thrown: unknown, origin: FailureOrigin): FailureResponse {
  const fault = readBodyFault(thrown)
  if (fault !== undefined) return new FailureResponse(toBodyFailure(fault))
  if (isRefusal(thrown)) return new FailureResponse(resolveRefusal(services, thrown, origin))
  if (origin.isClientAbort?.(thrown)) return new FailureResponse({ code: 'unavailable' })
  // Nothing is sent of a response that was thrown where none can be, nor of one of Fetch.
  const unsent = hasBrand(thrown, '~response') ? (thrown as ActionResponse).body : thrown
  const err = toLoggableError(thrown)
  const { recordError: keep, isClientAbort: _, locateErrors: __, ...told } = origin
  reportClosing(unsent, (error) => services.logger.error({ err: error, ...told }, UNCLOSED))
  releaseBody(unsent)
  keep(err)
  const message = origin.plugin === undefined ? 'A request failed with an uncaught error' : 'A plugin failed'
  services.logger.error({ err, ...told }, message)
  const detail = describeThrown(isError(thrown) ? err : thrown)
  return new FailureResponse(createInternalFailure(services, detail, origin.requestId))
}

// The log gets the datastore's own error; the client gets the text of the catalogue.
function resolveRefusal(services: Services, { problem, cause }: Refusal, origin: FailureOrigin): Failure {
  const failure = toFailure(problem)
  if (failure.code === 'validation') {
    if (failure.errors === undefined) return { ...failure, status: services.validationStatus }
    const errors = origin.locateErrors?.(failure.errors) ?? failure.errors
    const detail = failure.detail ?? errors[0]?.message
    return { ...failure, status: services.validationStatus, errors, ...(detail !== undefined && { detail }) }
  }
  if (cause === undefined) return failure
  const { recordError: keep, isClientAbort: _, locateErrors: __, ...told } = origin
  const err = toLoggableError(cause)
  const unavailable = failure.code === 'unavailable'
  if (unavailable) keep(err)
  // Client errors are logged at info.
  services.logger[unavailable ? 'error' : 'info']({ err, ...told }, `A request was refused: ${failure.code}`)
  return failure
}

/** Writes down what an action threw after its deadline: its answer is out, and the log is the only place left. */
export function logLateError(exchange: Exchange, thrown: unknown): void {
  // A response that is thrown is no failure.
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

/** Reports a broken promise of the application itself: a response or a body that was not declared. */
export function respondWithViolation(
  exchange: Exchange,
  problem: string,
  findings: readonly ViolationFinding[],
): FailureResponse {
  const { services, compiled, request } = exchange
  exchange.error = new Error(problem)
  notifyViolations(exchange, findings, true)
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
