// Stage 1, load: the body is read and decoded, as far as the action has a payload.
import type { Exchange, Outcome, Step } from '../exchange.ts'
import { FailureResponse } from '../failures.ts'

/** Reads and decodes the body; calls back with the failure when that is not possible. */
export function loadBody(exchange: Exchange, done: (ended: Outcome) => void): void {
  const { payload } = exchange.compiled
  if (payload === null) return done(undefined)
  payload.codec.read(exchange.transport, (result) => {
    if ('code' in result) return done(new FailureResponse(result))
    exchange.body = result
    done(undefined)
  })
}

/** The same as a step, for actions with callbacks around it. */
export const loadStep: Step = (exchange) => new Promise((resolve) => loadBody(exchange, resolve))
