// The life of a request within its action: one loop over its steps, then one over its answer's. Synchronous work stays synchronous.
import { isThenable } from '../util/thenable.ts'
import { type Exchange, LATER, type StepOutcome, type Step } from './request/exchange.ts'
import { FailureResponse, logLateError, convertThrown } from './failure/failures.ts'
import { sendResponse } from './steps/send-response.ts'

/** Takes one request through its action's steps to exactly one answer. */
export function runPipeline(exchange: Exchange): void {
  runSteps(exchange, exchange.compiled.steps, 0)
}

function runSteps(exchange: Exchange, steps: readonly Step[], from: number): void {
  for (let i = from; i < steps.length; i++) {
    let ended: ReturnType<Step['run']>
    try {
      ended = (steps[i] as Step).run(exchange)
    } catch (error) {
      return finishSteps(exchange, steps, convertThrown(exchange.services, error, exchange.origin))
    }
    if (ended === undefined) continue
    if (ended === LATER) {
      exchange.resume = (outcome) => {
        exchange.stepEnd?.()
        resumeSteps(exchange, outcome, steps, i + 1)
      }
      return
    }
    return isThenable(ended) ? awaitStep(exchange, ended, steps, i + 1) : finishSteps(exchange, steps, ended)
  }
  finishSteps(exchange, steps, undefined)
}

function resumeSteps(exchange: Exchange, ended: StepOutcome, steps: readonly Step[], next: number): void {
  // Meanwhile the deadline may have passed.
  if (exchange.sent) return dropOutcome(exchange, ended)
  if (ended === undefined) runSteps(exchange, steps, next)
  else finishSteps(exchange, steps, ended)
}

function dropOutcome(exchange: Exchange, ended: StepOutcome): void {
  if (ended !== undefined) exchange.releaseResponse(ended)
}

/** Every response, failures too, goes through the answer's steps once; then it is sent. */
function finishSteps(exchange: Exchange, steps: readonly Step[], ended: StepOutcome): void {
  if (ended !== undefined) exchange.response = ended
  const { responseSteps: answer } = exchange.compiled
  if (steps === answer || answer.length === 0) return sendResponse(exchange)
  exchange.responding = true
  runSteps(exchange, answer, 0)
}

// Only what waits can be late: a request whose steps are all synchronous needs no clock.
function awaitStep(exchange: Exchange, ended: Promise<StepOutcome>, steps: readonly Step[], next: number): void {
  const { late } = exchange
  ended.then(
    (outcome) => {
      if (exchange.late === late) resumeSteps(exchange, outcome, steps, next)
      else dropOutcome(exchange, outcome)
    },
    (error: unknown) => {
      if (exchange.late !== late || exchange.sent) logLateError(exchange, error)
      else finishSteps(exchange, steps, convertThrown(exchange.services, error, exchange.origin))
    },
  )
  exchange.guardBody()
  // After the deadline there is no time left for steps that wait.
  if (late) return sendResponse(exchange)
  const { deadline } = exchange.services
  if (deadline !== 0) exchange.timer ??= setTimeout(expireExchange, deadline, exchange)
}

function expireExchange(exchange: Exchange): void {
  const { compiled, responding: answering } = exchange
  exchange.late = true
  finishSteps(exchange, answering ? compiled.responseSteps : compiled.steps, createLateResponse(exchange))
}

function createLateResponse(exchange: Exchange): FailureResponse {
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
