// The whole request on one screen: security, load → validate → action → response. Synchronous steps stay synchronous.
import { isThenable } from '../util/thenable.ts'
import type { Exchange, Outcome, Step } from './exchange.ts'
import { FailureResponse, logLate, thrownResponse } from './failures.ts'
import { loadBody } from './stages/load.ts'
import { sendResponse, sendWritten } from './stages/response.ts'

/** Takes one request through its action's stages to exactly one answer. */
export function run(exchange: Exchange): void {
  const { enter } = exchange.compiled
  // 0. security: strangers are turned away before anything else is looked at.
  if (enter !== null) step(exchange, enter, load)
  else load(exchange)
}

function load(exchange: Exchange): void {
  const { compiled } = exchange
  // 1. load: the body is read, when the action has a payload. Without callbacks this needs no promise.
  if (compiled.load !== null) return step(exchange, compiled.load, validate)
  if (compiled.payload === null) return validate(exchange)
  loadBody(exchange, (ended) => (ended === undefined ? validate(exchange) : end(exchange, ended)))
}

// 2. validate: params and headers, then the payload, with every error of all three.
function validate(exchange: Exchange): void {
  step(exchange, exchange.compiled.validate, act)
}

// 3. action: the controller's function, within the deadline.
function act(exchange: Exchange): void {
  step(exchange, exchange.compiled.act, respond)
}

// 4. response: always, also for a failure; callbacks may still change the response, or replace what was written of it.
function respond(exchange: Exchange): void {
  const { respond: callbacks } = exchange.compiled
  if (callbacks === null) return sendResponse(exchange)
  attempt(exchange, callbacks, () => sendWritten(exchange), sendWritten)
}

function step(exchange: Exchange, stage: Step, next: (exchange: Exchange) => void): void {
  attempt(exchange, stage, (ended) => (ended === undefined ? next(exchange) : end(exchange, ended)), respond)
}

function end(exchange: Exchange, response: NonNullable<Outcome>): void {
  exchange.response = response
  respond(exchange)
}

function attempt(
  exchange: Exchange,
  stage: Step,
  next: (ended: Outcome) => void,
  failed: (exchange: Exchange) => void,
): void {
  const fail = (error: unknown): void => {
    exchange.response = thrownResponse(exchange.services, error, exchange)
    failed(exchange)
  }
  let ended: Outcome | Promise<Outcome>
  try {
    ended = stage(exchange)
  } catch (error) {
    return fail(error)
  }
  if (!isThenable(ended)) return next(ended)
  wait(exchange, ended, next, fail, failed)
}

// Only what waits can be late: a synchronous step needs no timer. What comes after the deadline is ignored.
function wait(
  exchange: Exchange,
  ended: Promise<Outcome>,
  next: (ended: Outcome) => void,
  fail: (error: unknown) => void,
  failed: (exchange: Exchange) => void,
): void {
  const { deadline } = exchange.services
  let over = false
  const pass = (): void => {
    over = true
    exchange.late = true
    exchange.response = lateResponse(exchange)
    failed(exchange)
  }
  const timer = deadline === 0 ? undefined : setTimeout(pass, deadline)
  const settled = (proceed: () => void): void => {
    clearTimeout(timer)
    if (!over) proceed()
  }
  ended.then(
    (late) => settled(() => next(late)),
    (error: unknown) => (over ? logLate(exchange, error) : settled(() => fail(error))),
  )
}

function lateResponse({ request, services, compiled }: Exchange): FailureResponse {
  const { deadline, logger } = services
  request.abort(new DOMException('The deadline has passed', 'TimeoutError'))
  logger.error({ action: compiled.place, requestId: request.id, deadline }, 'An action passed its deadline')
  return new FailureResponse({
    code: 'deadline-exceeded',
    headers: ['Retry-After', '1'],
    extensions: { requestId: request.id },
  })
}
