// The life of a request within its action: one loop over its steps, then one over its answer's. Synchronous work stays synchronous.
import { isThenable } from '../util/thenable.ts'
import { type Exchange, LATER, type Outcome, type Step } from './exchange.ts'
import { FailureResponse, logLate, thrownOutcome } from './failure/failures.ts'
import { sendResponse } from './steps/response.ts'

/** Takes one request through its action's steps to exactly one answer. */
export function run(exchange: Exchange): void {
  proceed(exchange, exchange.compiled.steps, 0)
}

function proceed(exchange: Exchange, steps: readonly Step[], from: number): void {
  for (let i = from; i < steps.length; i++) {
    let ended: ReturnType<Step['run']>
    try {
      ended = (steps[i] as Step).run(exchange)
    } catch (error) {
      return end(exchange, steps, thrownOutcome(exchange.services, error, exchange.origin))
    }
    if (ended === undefined) continue
    if (ended === LATER) {
      exchange.resume = (outcome) => {
        exchange.stepEnd?.()
        resume(exchange, outcome, steps, i + 1)
      }
      return
    }
    return isThenable(ended) ? wait(exchange, ended, steps, i + 1) : end(exchange, steps, ended)
  }
  end(exchange, steps, undefined)
}

function resume(exchange: Exchange, ended: Outcome, steps: readonly Step[], next: number): void {
  // Meanwhile the deadline may have passed.
  if (exchange.sent) return drop(exchange, ended)
  if (ended === undefined) proceed(exchange, steps, next)
  else end(exchange, steps, ended)
}

function drop(exchange: Exchange, ended: Outcome): void {
  if (ended !== undefined) exchange.release(ended)
}

/** Every response, failures too, goes through the answer's steps once; then it is sent. */
function end(exchange: Exchange, steps: readonly Step[], ended: Outcome): void {
  if (ended !== undefined) exchange.response = ended
  const { answer } = exchange.compiled
  if (steps === answer || answer.length === 0) return sendResponse(exchange)
  exchange.answering = true
  proceed(exchange, answer, 0)
}

// Only what waits can be late: a request whose steps are all synchronous needs no clock.
function wait(exchange: Exchange, ended: Promise<Outcome>, steps: readonly Step[], next: number): void {
  const { late } = exchange
  ended.then(
    (outcome) => {
      if (exchange.late === late) resume(exchange, outcome, steps, next)
      else drop(exchange, outcome)
    },
    (error: unknown) => {
      if (exchange.late !== late || exchange.sent) logLate(exchange, error)
      else end(exchange, steps, thrownOutcome(exchange.services, error, exchange.origin))
    },
  )
  exchange.guardBody()
  // After the deadline there is no time left for steps that wait.
  if (late) return sendResponse(exchange)
  const { deadline } = exchange.services
  if (deadline !== 0) exchange.timer ??= setTimeout(expire, deadline, exchange)
}

function expire(exchange: Exchange): void {
  const { compiled, answering } = exchange
  exchange.late = true
  end(exchange, answering ? compiled.answer : compiled.steps, lateResponse(exchange))
}

function lateResponse(exchange: Exchange): FailureResponse {
  const { request, services, compiled } = exchange
  const { deadline, logger } = services
  const late = new DOMException('The deadline has passed', 'TimeoutError')
  exchange.error = late
  request.abort(late)
  logger.error({ action: compiled.actionName, requestId: request.id, deadline }, 'An action exceeded its deadline')
  return new FailureResponse({
    code: 'deadline-exceeded',
    headers: ['Retry-After', '1'],
    extensions: { requestId: request.id },
  })
}
