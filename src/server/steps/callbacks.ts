// Callbacks of a controller, put before, around and after the steps of a stage once per action at boot.
import type { Registration, Stage } from '../../design/declare/callback.ts'
import { type ActionResponse, isResponse } from '../../design/declare/response.ts'
import { isThenable } from '../../util/thenable.ts'
import { type Exchange, LATER, type Outcome, type Run, type Step } from '../exchange.ts'
import { violationResponse } from '../failure/failures.ts'

/** Puts an action's callbacks of one stage before, around and after its steps. */
export function withCallbacks(mine: readonly Registration[], stage: Stage, steps: readonly Step[]): readonly Step[] {
  const own = mine.filter((one) => one.stage === stage)
  const of = (when: Registration['when']): Registration[] => own.filter((one) => one.when === when)
  const arounds = of('around')
  const inner = arounds.reduceRight<Step>(surrounded, { name: stage, run: sequence(steps) })
  return [...of('before').map(plain), ...(arounds.length === 0 ? steps : [inner]), ...of('after').map(plain)]
}

const nameOf = ({ when, stage, run }: Registration): string =>
  `${when} ${stage}${run.name === '' ? '' : `: ${run.name}`}`

const plain = (one: Registration): Step => ({
  name: nameOf(one),
  run(exchange) {
    const result = one.run(exchange.context as never, never)
    return isThenable(result) ? result.then((late) => taken(exchange, late)) : taken(exchange, result)
  },
})

const never = (): Promise<void> => Promise.resolve()

// A response returned by a callback becomes the current one, so that the callbacks of later stages see it.
function taken(exchange: Exchange, result: unknown): Outcome {
  if (!isResponse(result)) {
    exchange.ownBody()
    return undefined
  }
  exchange.response = result
  return result
}

const surrounded = (inner: Step, one: Registration): Step => ({
  name: `${nameOf(one)} (${inner.name})`,
  run: (exchange) => aroundStage(exchange, inner.run, one),
})

/** Runs steps one after the other, for a callback that waits for all of them. */
function sequence(steps: readonly Step[]): Run {
  return async (exchange) => {
    for (const { run } of steps) {
      const ended = run(exchange)
      const outcome = await (ended === LATER ? resumption(exchange) : ended)
      if (outcome !== undefined) return outcome
    }
    return undefined
  }
}

const resumption = (exchange: Exchange): Promise<Outcome> =>
  new Promise((resolve) => {
    exchange.resume = resolve
  })

/** The end of the steps within an around callback; a failure is kept with the response that stood when it came. */
interface Ended {
  readonly outcome?: Outcome
  readonly failure?: { readonly error: unknown; readonly response: ActionResponse }
}

// The steps within an around callback end before the request continues, even if the callback does not await them.
async function aroundStage(exchange: Exchange, inner: Run, one: Registration): Promise<Outcome> {
  let stage: Promise<Ended> | undefined
  const next = (): Promise<void> => {
    stage = endOf(exchange, inner)
    const done = stage.then(({ failure }) => {
      if (failure !== undefined) throw failure.error
    })
    // A callback that does not wait must not make a failure an unhandled one.
    done.catch(() => {})
    return done
  }
  const ended = taken(exchange, await one.run(exchange.context as never, next))
  if (ended !== undefined) return ended
  if (stage === undefined) return skipped(exchange, one.stage)
  const { outcome, failure } = await stage
  // A failure stands unless the callback has put another response in its place.
  if (failure !== undefined && failure.response === exchange.response) throw failure.error
  return outcome
}

async function endOf(exchange: Exchange, inner: Run): Promise<Ended> {
  try {
    return { outcome: (await inner(exchange)) as Outcome }
  } catch (error) {
    return { failure: { error, response: exchange.response } }
  }
}

// Without its action a request still has a response; without its validation it has nothing that an action may rely on.
function skipped(exchange: Exchange, stage: Stage): Outcome {
  if (stage === 'action' || stage === 'response') return undefined
  return violationResponse(
    exchange,
    `a callback around the stage '${stage}' neither called next nor returned a response`,
    [],
  )
}
