// Adds callbacks of a controller before, around and after the steps of a stage, once per action at boot.
import type { Registration, Stage } from '../../design/callback.ts'
import { type ActionResponse, isResponse } from '../../design/declare/action-response.ts'
import { isThenable } from '../../util/thenable.ts'
import { respondWithViolation } from '../failure/failures.ts'
import { type Exchange, RESUMES_LATER, type Step, type StepOutcome, type StepRun } from '../request/exchange.ts'
import { type AccumulatedHeaders, listAccumulated, restoreAccumulated } from '../response/accumulated-headers.ts'

/** Adds an action's callbacks of one stage before, around and after its steps. */
export function withCallbacks(
  callbacks: readonly Registration[],
  stage: Stage,
  steps: readonly Step[],
): readonly Step[] {
  const ofStage = callbacks.filter((one) => one.stage === stage)
  const filterBy = (when: Registration['when']): Registration[] => ofStage.filter((one) => one.when === when)
  const arounds = filterBy('around')
  const inner = arounds.reduceRight<Step>(wrapStep, { name: stage, run: runInSequence(steps) })
  return [
    ...filterBy('before').map(toStep),
    ...(arounds.length === 0 ? steps : [inner]),
    ...filterBy('after').map(toStep),
  ]
}

const formatStepName = ({ when, stage, run }: Registration): string =>
  `${when} ${stage}${run.name === '' ? '' : `: ${run.name}`}`

const toStep = (one: Registration): Step => ({
  name: formatStepName(one),
  run(exchange) {
    const snapshot = takeSnapshot(exchange)
    const result = one.run(exchange.context as never, skipNext)
    const finish = (resolved: unknown): StepOutcome => {
      restoreSnapshot(snapshot)
      return takeResponse(exchange, resolved)
    }
    return isThenable(result) ? result.then(finish) : finish(result)
  },
})

/** A response, and the accumulating headers that it has before a callback sees it. */
type Snapshot = { readonly response: ActionResponse; readonly former: AccumulatedHeaders } | undefined

// Most requests have no response yet, or one without headers.
function takeSnapshot({ currentResponse: response }: Exchange): Snapshot {
  return response?.hasHeaders === true ? { response, former: listAccumulated(response) } : undefined
}

function restoreSnapshot(snapshot: Snapshot): void {
  if (snapshot !== undefined) restoreAccumulated(snapshot.response, snapshot.former)
}

const skipNext = (): Promise<void> => Promise.resolve()

// A response that a callback returns becomes the current one, so that callbacks of later stages see it.
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

/** Runs steps one after the other, for a callback that awaits all of them. */
function runInSequence(steps: readonly Step[]): StepRun {
  return async (exchange) => {
    for (const { run } of steps) {
      const result = run(exchange)
      const outcome = await (result === RESUMES_LATER ? awaitResume(exchange) : result)
      if (outcome !== undefined) return outcome
    }
    return undefined
  }
}

const awaitResume = (exchange: Exchange): Promise<StepOutcome> =>
  new Promise((resolve) => {
    exchange.resume = resolve
  })

/**
 * The end of the steps within an around callback; a failure is stored with the response that was current at the time.
 */
interface StageEnd {
  readonly outcome?: StepOutcome
  readonly failure?: { readonly error: unknown; readonly response: ActionResponse }
}

// The steps within an around callback end before the request continues, even if the callback does not await them.
async function runAroundStage(exchange: Exchange, inner: StepRun, one: Registration): Promise<StepOutcome> {
  let stage: Promise<StageEnd> | undefined
  let snapshot = takeSnapshot(exchange)
  const next = (): Promise<void> => {
    restoreSnapshot(snapshot)
    stage = runToEnd(exchange, inner)
    const done = stage.then(({ failure }) => {
      snapshot = takeSnapshot(exchange)
      if (failure !== undefined) throw failure.error
    })
    // A callback that does not await must not turn a failure into an unhandled rejection.
    done.catch(() => {})
    return done
  }
  const result: unknown = await one.run(exchange.context as never, next)
  restoreSnapshot(snapshot)
  const returned = takeResponse(exchange, result)
  if (returned !== undefined) return returned
  if (stage === undefined) return checkSkipped(exchange, one.stage)
  const { outcome, failure } = await stage
  // A failure is rethrown unless the callback has replaced the response.
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

// Without its action a request still has a response; without validation its inputs cannot be relied on.
function checkSkipped(exchange: Exchange, stage: Stage): StepOutcome {
  if (stage === 'action' || stage === 'response') return undefined
  return respondWithViolation(
    exchange,
    `a callback around the stage '${stage}' neither called next nor returned a response`,
    [],
  )
}
