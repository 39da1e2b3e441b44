// Runs a request through its action: one loop over its steps, then one over the steps of its response. Synchronous work
// stays synchronous.
import { isThenable } from '../util/thenable.ts'
import { convertThrown, FailureResponse, logLateError } from './failure/failures.ts'
import { type Exchange, RESUMES_LATER, type Step, type StepOutcome } from './request/exchange.ts'
import { sendResponse } from './steps/send-response.ts'

/** Runs the steps of the request's action, and sends exactly one response. */
export function runPipeline(exchange: Exchange): void {
  runSteps(exchange, exchange.compiled.steps, 0)
}

function runSteps(exchange: Exchange, steps: readonly Step[], from: number): void {
  for (let i = from; i < steps.length; i++) {
    let result: ReturnType<Step['run']>
    try {
      result = (steps[i] as Step).run(exchange)
    } catch (error) {
      return finishSteps(exchange, steps, convertThrown(exchange.services, error, exchange.origin))
    }
    if (result === undefined) continue
    if (result === RESUMES_LATER) {
      exchange.resume = (outcome) => {
        exchange.stepEnd?.()
        resumeSteps(exchange, outcome, steps, i + 1)
      }
      return
    }
    return isThenable(result) ? awaitStep(exchange, result, steps, i + 1) : finishSteps(exchange, steps, result)
  }
  finishSteps(exchange, steps, undefined)
}

function resumeSteps(exchange: Exchange, outcome: StepOutcome, steps: readonly Step[], next: number): void {
  // The deadline may have passed in the meantime.
  if (exchange.sent) return dropOutcome(exchange, outcome)
  if (outcome === undefined) runSteps(exchange, steps, next)
  else finishSteps(exchange, steps, outcome)
}

function dropOutcome(exchange: Exchange, outcome: StepOutcome): void {
  if (outcome !== undefined) exchange.releaseResponse(outcome)
}

/** Runs the response steps once for every response, failures included; then sends it. */
function finishSteps(exchange: Exchange, steps: readonly Step[], outcome: StepOutcome): void {
  if (outcome !== undefined) exchange.response = outcome
  const { responseSteps } = exchange.compiled
  if (steps === responseSteps || responseSteps.length === 0) return sendResponse(exchange)
  exchange.responding = true
  runSteps(exchange, responseSteps, 0)
}

// Only asynchronous steps can be late: a request whose steps are all synchronous needs no timer.
function awaitStep(exchange: Exchange, pending: Promise<StepOutcome>, steps: readonly Step[], next: number): void {
  const { late } = exchange
  pending.then(
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
  // After the deadline there is no time left for asynchronous steps.
  if (late) return sendResponse(exchange)
  exchange.startDeadline(expireExchange)
}

function expireExchange(exchange: Exchange): void {
  const { compiled, responding } = exchange
  exchange.late = true
  finishSteps(exchange, responding ? compiled.responseSteps : compiled.steps, createLateResponse(exchange))
}

function createLateResponse(exchange: Exchange): FailureResponse {
  const { request, services, compiled } = exchange
  const { deadline, logger } = services
  const timeout = new DOMException('The deadline has passed', 'TimeoutError')
  exchange.error = timeout
  request.abort(timeout)
  logger.error({ action: compiled.actionName, requestId: request.id, deadline }, 'An action exceeded its deadline')
  return new FailureResponse({
    code: 'deadline-exceeded',
    headers: ['Retry-After', '1'],
    extensions: { requestId: request.id },
  })
}
