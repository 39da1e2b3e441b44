// The whole request on one screen: load → validate → action → response. Synchronous steps stay synchronous.
import { isThenable } from '../util/thenable.ts'
import type { Exchange, Outcome, Step } from './exchange.ts'
import { FailureResponse, thrownResponse } from './failures.ts'
import { loadBody } from './stages/load.ts'
import { sendResponse } from './stages/response.ts'

/** Takes one request through its action's stages to exactly one answer. */
export function run(exchange: Exchange): void {
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

// 4. response: always, also for a failure; callbacks may still change the response, then it is written.
function respond(exchange: Exchange): void {
  const { respond: callbacks } = exchange.compiled
  if (callbacks === null) return sendResponse(exchange)
  attempt(exchange, callbacks, () => sendResponse(exchange), sendResponse)
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
  const timer = deadline(exchange)
  ended.then(
    (late) => {
      clearTimeout(timer)
      if (!exchange.sent) next(late)
    },
    (error) => {
      clearTimeout(timer)
      if (!exchange.sent) fail(error)
    },
  )
}

// Only what waits can be late: a synchronous step needs no timer.
function deadline(exchange: Exchange): ReturnType<typeof setTimeout> | undefined {
  const { deadline: milliseconds, logger } = exchange.services
  if (milliseconds === 0) return undefined
  return setTimeout(() => {
    if (exchange.sent) return
    exchange.request.abort(new DOMException('The deadline has passed', 'TimeoutError'))
    logger.error(
      { action: exchange.compiled.place, requestId: exchange.request.id, deadline: milliseconds },
      'An action passed its deadline',
    )
    exchange.response = new FailureResponse({ code: 'deadline-exceeded', headers: ['Retry-After', '1'] })
    sendResponse(exchange)
  }, milliseconds)
}
