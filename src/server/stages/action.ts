// Stage 3, action: the controller's function runs and its result becomes the current response.
import { isResponse } from '../../design/response.ts'
import { isThenable } from '../../util/thenable.ts'
import { discard } from '../bodies.ts'
import type { Exchange, Outcome, Step } from '../exchange.ts'
import { violationResponse } from '../failures.ts'

/** Calls an action's function with its params and the context. */
export type Invoke = (exchange: Exchange) => unknown

/** Makes the caller of an action: a function of the implementation, or a method of an instance made for each request. */
export function invoker(implementation: object, action: string): Invoke {
  if (typeof implementation === 'function') {
    const Controller = implementation as new (
      context: Exchange,
    ) => Record<string, (params: unknown, context: Exchange) => unknown>
    return (exchange) => {
      const instance = new Controller(exchange)
      return (instance[action] as (params: unknown, context: Exchange) => unknown)(exchange.request.params, exchange)
    }
  }
  const run = Reflect.get(implementation, action) as (params: unknown, context: Exchange) => unknown
  return (exchange) => run.call(implementation, exchange.request.params, exchange)
}

/** Makes the core of the action stage. */
export function actionStep(invoke: Invoke): Step {
  return (exchange) => {
    const result = invoke(exchange)
    return isThenable(result) ? result.then((late) => settle(exchange, late)) : settle(exchange, result)
  }
}

function settle(exchange: Exchange, result: unknown): Outcome {
  // The request has its answer already, or is about to get it.
  if (exchange.late) {
    if (isResponse(result)) discard(result.body)
    return undefined
  }
  if (isResponse(result)) {
    exchange.response = result
    return undefined
  }
  if (typeof result === 'string') {
    exchange.response.body = result
    return undefined
  }
  return violationResponse(
    exchange,
    `the action returned ${kindOf(result)}; return one of its declared responses, or a string`,
  )
}

function kindOf(value: unknown): string {
  if (value === undefined) return 'nothing'
  return value === null ? 'null' : Array.isArray(value) ? 'an array' : `a value of type ${typeof value}`
}
