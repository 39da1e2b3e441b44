// Callbacks of a controller, put before, around and after the steps of a stage once per action at boot.
import type { Registration, Stage } from '../../design/callback.ts'
import { type ActionResponse, isResponse } from '../../design/declare/action-response.ts'
import { isThenable } from '../../util/thenable.ts'
import { type Exchange, LATER, type StepOutcome, type StepRun, type Step } from '../request/exchange.ts'
import { respondWithViolation } from '../failure/failures.ts'

/** Puts an action's callbacks of one stage before, around and after its steps. */
export function withCallbacks(mine: readonly Registration[], stage: Stage, steps: readonly Step[]): readonly Step[] {
  const own = mine.filter((one) => one.stage === stage)
  const of = (when: Registration['when']): Registration[] => own.filter((one) => one.when === when)
  const arounds = of('around')
  const inner = arounds.reduceRight<Step>(wrapStep, { name: stage, run: runInSequence(steps) })
  return [...of('before').map(toStep), ...(arounds.length === 0 ? steps : [inner]), ...of('after').map(toStep)]
}

const formatStepName = ({ when, stage, run }: Registration): string =>
  `${when} ${stage}${run.name === '' ? '' : `: ${run.name}`}`

const toStep = (one: Registration): Step => ({
  name: formatStepName(one),
  run(exchange) {
    const result = one.run(exchange.context as never, skipNext)
    return isThenable(result) ? result.then((late) => takeResponse(exchange, late)) : takeResponse(exchange, result)
  },
})

const skipNext = (): Promise<void> => Promise.resolve()

// A response returned by a callback becomes the current one, so that the callbacks of later stages see it.
function takeResponse(exchange: Exchange, result: unknown): StepOutcome {
  if (!isResponse(result)) {
    exchange.ownBody()
    return undefined
  }
  exchange.response = result
  return result
}

const wrapStep = (inner: Step, one: Registration): Step => ({
  name: `${formatStepName(one)} (${inner.name})`,
  run: (exchange) => runAroundStage(exchange, inner.run, one),
})

/** Runs steps one after the other, for a callback that waits for all of them. */
function runInSequence(steps: readonly Step[]): StepRun {
  return async (exchange) => {
    for (const { run } of steps) {
      const ended = run(exchange)
      const outcome = await (ended === LATER ? awaitResume(exchange) : ended)
      if (outcome !== undefined) return outcome
    }
    return undefined
  }
}

const awaitResume = (exchange: Exchange): Promise<StepOutcome> =>
  new Promise((resolve) => {
    exchange.resume = resolve
  })

/** The end of the steps within an around callback; a failure is kept with the response that stood when it came. */
interface StageEnd {
  readonly outcome?: StepOutcome
  readonly failure?: { readonly error: unknown; readonly response: ActionResponse }
}

// The steps within an around callback end before the request continues, even if the callback does not await them.
async function runAroundStage(exchange: Exchange, inner: StepRun, one: Registration): Promise<StepOutcome> {
  let stage: Promise<StageEnd> | undefined
  const next = (): Promise<void> => {
    stage = runToEnd(exchange, inner)
    const done = stage.then(({ failure }) => {
      if (failure !== undefined) throw failure.error
    })
    // A callback that does not wait must not make a failure an unhandled one.
    done.catch(() => {})
    return done
  }
  const ended = takeResponse(exchange, await one.run(exchange.context as never, next))
  if (ended !== undefined) return ended
  if (stage === undefined) return checkSkipped(exchange, one.stage)
  const { outcome, failure } = await stage
  // A failure stands unless the callback has put another response in its place.
  if (failure !== undefined && failure.response === exchange.response) throw failure.error
  return outcome
}

async function runToEnd(exchange: Exchange, inner: StepRun): Promise<StageEnd> {
  try {
    return { outcome: (await inner(exchange)) as StepOutcome }
  } catch (error) {
    return { failure: { error, response: exchange.response } }
  }
}

// Without its action a request still has a response; without its validation it has nothing that an action may rely on.
function checkSkipped(exchange: Exchange, stage: Stage): StepOutcome {
  if (stage === 'action' || stage === 'response') return undefined
  return respondWithViolation(
    exchange,
    `a callback around the stage '${stage}' neither called next nor returned a response`,
    [],
  )
}
