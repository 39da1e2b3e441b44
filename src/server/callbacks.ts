// Callbacks around a stage, composed once per action at boot; a stage without callbacks is left as it is.
import type { Registration, Stage } from '../design/callback.ts'
import { isResponse } from '../design/response.ts'
import { isThenable } from '../util/thenable.ts'
import type { Exchange, Outcome, Step } from './exchange.ts'

/** Puts an action's callbacks of one stage around it. */
export function withCallbacks(registrations: readonly Registration[], stage: Stage, action: string, core: Step): Step {
  const mine = registrations.filter(
    (one) => one.stage === stage && (one.actions === undefined || one.actions.includes(action)),
  )
  if (mine.length === 0) return core
  const befores = mine.filter((one) => one.when === 'before')
  const afters = mine.filter((one) => one.when === 'after')
  const inner = mine.filter((one) => one.when === 'around').reduceRight<Step>(wrapped, core)
  const rest: Step = (exchange) => then(inner(exchange), (ended) => ended ?? each(afters, exchange, 0))
  return (exchange) => then(each(befores, exchange, 0), (ended) => ended ?? rest(exchange))
}

// Continues with a value, at once or when it arrives. Not exported: a module with a `then` cannot be imported dynamically.
function then(
  value: Outcome | Promise<Outcome>,
  next: (outcome: Outcome) => Outcome | Promise<Outcome>,
): Outcome | Promise<Outcome> {
  return isThenable(value) ? value.then(next) : next(value)
}

function each(list: readonly Registration[], exchange: Exchange, from: number): Outcome | Promise<Outcome> {
  for (let i = from; i < list.length; i++) {
    const result = (list[i] as Registration).run(exchange as never, never)
    if (isThenable(result)) return result.then((late) => taken(exchange, late) ?? each(list, exchange, i + 1))
    const ended = taken(exchange, result)
    if (ended !== undefined) return ended
  }
  return undefined
}

// A response returned by a callback becomes the current one, so that the callbacks of later stages see it.
function taken(exchange: Exchange, result: unknown): Outcome {
  if (!isResponse(result)) return undefined
  exchange.response = result
  return result
}

const never = (): Promise<void> => Promise.resolve()

function wrapped(next: Step, around: Registration): Step {
  return (exchange) => {
    let ended: Outcome
    const proceed = async (): Promise<void> => {
      ended = await next(exchange)
    }
    const result = around.run(exchange as never, proceed)
    if (isThenable(result)) return result.then((late) => taken(exchange, late) ?? ended)
    return taken(exchange, result) ?? ended
  }
}
