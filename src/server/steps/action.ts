// Stage 3, action: calls the controller's function; its result becomes the current response.
import { isResponse } from '../../design/declare/action-response.ts'
import { isThenable } from '../../util/thenable.ts'
import { releaseBody } from '../body-stream.ts'
import { respondWithViolation } from '../failure/failures.ts'
import type { Exchange, StepOutcome, StepRun } from '../request/exchange.ts'
import type { RequestContext } from '../request/request-context.ts'

/** Calls an action's function with its params and the context. */
export type Invoke = (exchange: Exchange) => unknown

/**
 * Creates the caller of an action: a function of the implementation, or a method of an instance created for each
 * request.
 */
export function createInvoker(implementation: object, action: string): Invoke {
  if (typeof implementation === 'function') {
    const Controller = implementation as new (
      context: RequestContext,
    ) => Record<string, (params: unknown, context: RequestContext) => unknown>
    return (exchange) => {
      const { context } = exchange
      const instance = new Controller(context)
      return (instance[action] as (params: unknown, context: RequestContext) => unknown)(
        context.request.params,
        context,
      )
    }
  }
  const run = Reflect.get(implementation, action) as (params: unknown, context: RequestContext) => unknown
  return (exchange) => run.call(implementation, exchange.request.params, exchange.context)
}

/** Creates the run of the action step. */
export function createActionRun(invoke: Invoke): StepRun {
  return (exchange) => {
    const result = invoke(exchange)
    return isThenable(result)
      ? result.then((resolved) => applyResult(exchange, resolved))
      : applyResult(exchange, result)
  }
}

function applyResult(exchange: Exchange, result: unknown): StepOutcome {
  if (isResponse(result)) {
    exchange.response = result
    return undefined
  }
  // The response has already been sent.
  if (exchange.sent) {
    exchange.logClosingErrors(result)
    releaseBody(result)
    return undefined
  }
  if (typeof result === 'string') {
    exchange.response.body = result
    exchange.ownBody()
    return undefined
  }
  exchange.logClosingErrors(result)
  releaseBody(result)
  return respondWithViolation(
    exchange,
    `the action returned ${describeKind(result)}; return one of its declared responses, or a string`,
    [{ part: 'response', pointer: '', code: 'type', message: 'is neither a response nor a text' }],
  )
}

function describeKind(value: unknown): string {
  if (value === undefined) return 'nothing'
  if (value === null) return 'null'
  return Array.isArray(value) ? 'an array' : `a value of type ${typeof value}`
}
