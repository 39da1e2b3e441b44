// Stage 1, load: reads and decodes the body, if the action has a payload or accepts its params there.
import { isFailed } from '../../util/failed.ts'
import { convertThrown, FailureResponse } from '../failure/failures.ts'
import { type Exchange, RESUMES_LATER, type StepOutcome, type StepRun } from '../request/exchange.ts'

/** Reads and decodes the body. */
export const loadBody: StepRun = (exchange) => {
  const { payload, params } = exchange.compiled
  const codec = payload === null ? params.body?.codec : payload.codec
  if (codec === undefined) return undefined
  let isAsync = false
  let result: StepOutcome | typeof RESUMES_LATER = RESUMES_LATER
  codec.read(exchange.takeBody(), (decoded) => {
    const outcome = isFailed(decoded) ? new FailureResponse(decoded.fault) : setBody(exchange, decoded)
    if (isAsync) resumeExchange(exchange, outcome)
    else result = outcome
  })
  isAsync = true
  if (result === RESUMES_LATER) exchange.pauseDeadline()
  return result
}

// The body arrived in another async context: that of the connection, or of the stream.
function resumeExchange(exchange: Exchange, outcome: StepOutcome): void {
  const { runAround, services } = exchange
  exchange.continueDeadline()
  if (runAround === undefined) return exchange.resume(outcome)
  runAround(
    () => exchange.resume(outcome),
    (error, plugin) => exchange.resume(convertThrown(services, error, { ...exchange.origin, plugin, hook: 'around' })),
  )
}

function setBody(exchange: Exchange, body: Exchange['body']): undefined {
  exchange.body = body
}
