// The only place where a throw or a refused request becomes a response.
import { ActionResponse } from '../../design/declare/response.ts'
import { builtinStatuses } from '../../design/declare/status.ts'
import { hasBrand } from '../../util/brand.ts'
import type { ViolationFinding } from '../answer/violation.ts'
import type { Exchange, Origin } from '../exchange.ts'
import type { Services } from '../services.ts'
import { releaseBody, reportClosing, UNCLOSED } from '../stream.ts'
import { type BodyFault, bodyFaultOf } from '../transport.ts'
import { type Failure, type Problem, problemOf, returnedProblem } from './problem.ts'
import { type Reason, reasoned } from './reasons.ts'
import { failureOf, isRefusal, type ProblemInit, type Refusal } from './refusal.ts'
import { describeThrown, isError, loggable } from './thrown.ts'
import { tellViolations } from './violations.ts'

/** A response that the framework itself gives: always permitted, written as a problem. */
export class FailureResponse extends ActionResponse<string, Problem> {
  /** Headers that belong to the failure, names and values alternating. */
  readonly extra: readonly string[]
  /** Why the request failed, as data for encoders. */
  readonly reason: Reason | undefined

  constructor(failure: Failure, problem: Problem = problemOf(failure)) {
    super(statusName(problem.status), problem.status, { body: problem })
    this.extra = failure.headers ?? []
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
export const codeOf = ({ body }: FailureResponse): string => (body as Problem).code

/** A declared error without a media type, as the failure that an encoder writes. */
export function returnedFailure(response: ActionResponse): FailureResponse {
  const problem = returnedProblem(response)
  const made = new FailureResponse({ code: problem.code }, problem)
  if (response.hasHeaders) made.headers = response.headers
  return made
}

/** Makes a problem document as a response; no action has to declare it. */
export const problem = (init: ProblemInit): ActionResponse => new FailureResponse(failureOf(init))

const names = new Map([...builtinStatuses].map(([name, status]) => [status, name]))

/** The name of the built-in response of a status. */
const statusName = (status: number): string => names.get(status) ?? 'internalServerError'

/** The failure that a client gets for a body fault. */
function bodyFailure(fault: BodyFault): Failure {
  if (fault === 'too-large') return { code: 'payload-too-large' }
  if (fault === 'timeout') return { code: 'timeout' }
  if (fault === 'overload') return { code: 'unavailable', headers: ['Retry-After', '1'] }
  if (fault === 'consumed') return { code: 'internal', ...reasoned('body-consumed') }
  if (fault === 'coding') return { code: 'unsupported-coding' }
  return { code: 'malformed-body', ...reasoned(fault === 'malformed' ? 'body-framing' : 'body-short') }
}

/** Turns anything thrown into a response; one that was thrown is held to the declaration like one that was returned. */
export const thrownOutcome = (services: Services, thrown: unknown, origin: Origin): ActionResponse =>
  // A thrown value may be anything, even an object whose getters throw.
  hasBrand(thrown, '~response') ? (thrown as ActionResponse) : thrownResponse(services, thrown, origin)

/** Turns an error into a failure: the client learns nothing of it in production, the log everything. */
export function thrownResponse(services: Services, thrown: unknown, origin: Origin): FailureResponse {
  const fault = bodyFaultOf(thrown)
  if (fault !== undefined) return new FailureResponse(bodyFailure(fault))
  if (isRefusal(thrown)) return new FailureResponse(refusal(services, thrown, origin))
  if (origin.isGivenUp?.(thrown)) return new FailureResponse({ code: 'unavailable' })
  // Nothing is sent of a response that was thrown where none can be, nor of one of Fetch.
  const unsent = hasBrand(thrown, '~response') ? (thrown as ActionResponse).body : thrown
  const err = loggable(thrown)
  const { keep, isGivenUp: _, placed: __, ...told } = origin
  reportClosing(unsent, (error) => services.logger.error({ err: error, ...told }, UNCLOSED))
  releaseBody(unsent)
  keep(err)
  const message = origin.plugin === undefined ? 'A request failed with an uncaught error' : 'A plugin failed'
  services.logger.error({ err, ...told }, message)
  const detail = describeThrown(isError(thrown) ? err : thrown)
  return new FailureResponse(internalFailure(services, detail, origin.requestId))
}

// The log gets the datastore's own error; the client gets the text of the catalogue.
function refusal(services: Services, { problem, cause }: Refusal, origin: Origin): Failure {
  const failure = failureOf(problem)
  if (failure.code === 'validation') {
    if (failure.errors === undefined) return { ...failure, status: services.validationStatus }
    const errors = origin.placed?.(failure.errors) ?? failure.errors
    const detail = failure.detail ?? errors[0]?.message
    return { ...failure, status: services.validationStatus, errors, ...(detail !== undefined && { detail }) }
  }
  if (cause === undefined) return failure
  const { keep, isGivenUp: _, placed: __, ...told } = origin
  const err = loggable(cause)
  const unavailable = failure.code === 'unavailable'
  if (unavailable) keep(err)
  // Client errors are logged at info.
  services.logger[unavailable ? 'error' : 'info']({ err, ...told }, `A request was refused: ${failure.code}`)
  return failure
}

/** Writes down what an action threw after its deadline: its answer is out, and the log is the only place left. */
export function logLate(exchange: Exchange, thrown: unknown): void {
  // A response that is thrown is no failure.
  if (hasBrand(thrown, '~response')) return exchange.release(thrown as ActionResponse)
  const { services, request, compiled } = exchange
  const err = loggable(thrown)
  // An action that stops because of its signal behaves correctly.
  if (thrown === request.signal.reason || err.name === 'AbortError') return
  services.logger.error(
    { err, requestId: request.id, action: compiled.actionName },
    'An action failed after its deadline',
  )
}

/** Reports a broken promise of the application itself: a response or a body that was not declared. */
export function violationResponse(
  exchange: Exchange,
  problem: string,
  findings: readonly ViolationFinding[],
): FailureResponse {
  const { services, compiled, request } = exchange
  exchange.error = new Error(problem)
  tellViolations(exchange, findings, true)
  services.logger.error({ requestId: request.id, action: compiled.actionName }, problem)
  return new FailureResponse(internalFailure(services, `${compiled.actionName}: ${problem}`, request.id))
}

function internalFailure({ environment }: Services, detail: string, id: string | undefined): Failure {
  return {
    code: 'internal',
    ...(environment !== 'production' && { detail }),
    ...(id !== undefined && { extensions: { requestId: id } }),
  }
}
