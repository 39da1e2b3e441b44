// Callbacks around a stage, composed once per action at boot; a stage without callbacks is left as it is.
import type { Registration, Stage } from '../design/callback.ts'
import { isResponse, type Response } from '../design/response.ts'
import { isThenable } from '../util/thenable.ts'
import type { Exchange, Outcome, Step } from './exchange.ts'
import { violationResponse } from './failures.ts'

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

// The stage within an around callback has come to its end before the request goes on, whether or not the callback waits.
function wrapped(next: Step, around: Registration): Step {
  return (exchange) => {
    const stage = new Enclosed(exchange, next)
    const result = around.run(exchange as never, () => stage.run())
    const finish = (late: unknown): Outcome | Promise<Outcome> =>
      taken(exchange, late) ?? stage.outcome() ?? skipped(exchange, around.stage)
    return isThenable(result) ? result.then(finish) : finish(result)
  }
}

/** A stage inside an around callback: run when the callback says so. */
class Enclosed {
  readonly #exchange: Exchange
  readonly #stage: Step
  #running: Promise<void> | undefined
  #ended: Outcome
  #failure: { readonly error: unknown; readonly response: Response } | undefined

  constructor(exchange: Exchange, stage: Step) {
    this.#exchange = exchange
    this.#stage = stage
  }

  run(): Promise<void> {
    this.#running = this.#run()
    // A callback that does not wait must not make a failure an unhandled one.
    this.#running.catch(() => {})
    return this.#running
  }

  /** What the stage ended in, once it has; undefined when it never ran. */
  outcome(): Promise<Outcome> | undefined {
    const settle = (): Outcome => {
      // A failure stands unless the callback has put another response in its place.
      if (this.#failure?.response === this.#exchange.response) throw this.#failure.error
      return this.#ended
    }
    return this.#running?.then(settle, settle)
  }

  async #run(): Promise<void> {
    this.#failure = undefined
    try {
      this.#ended = await this.#stage(this.#exchange)
    } catch (error) {
      this.#failure = { error, response: this.#exchange.response }
      throw error
    }
  }
}

// Without its action a request still has a response; without its validation it has nothing that an action may rely on.
function skipped(exchange: Exchange, stage: Stage): Outcome {
  if (stage === 'action' || stage === 'response') return undefined
  return violationResponse(
    exchange,
    `a callback around the stage '${stage}' neither called next nor returned a response`,
  )
}
