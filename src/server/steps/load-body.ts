// Stage 1, load: the body is read and decoded, where the action has a payload or takes its params there.
import { isFailed } from '../../util/failed.ts'
import { type Exchange, LATER, type StepOutcome, type StepRun } from '../request/exchange.ts'
import { FailureResponse, convertThrown } from '../failure/failures.ts'

/** Reads and decodes the body. */
export const loadBody: StepRun = (exchange) => {
  const { payload, params } = exchange.compiled
  const codec = payload === null ? params.body?.codec : payload.codec
  if (codec === undefined) return undefined
  let waits = false
  let ended: StepOutcome | typeof LATER = LATER
  codec.read(exchange.transport, (result) => {
    const outcome = isFailed(result) ? new FailureResponse(result.fault) : keepBody(exchange, result)
    if (waits) resumeExchange(exchange, outcome)
    else ended = outcome
  })
  waits = true
  return ended
}

// The body arrived in another context: that of the connection, or of the stream.
function resumeExchange(exchange: Exchange, outcome: StepOutcome): void {
  const { runAround: inside, services } = exchange
  if (inside === undefined) return exchange.resume(outcome)
  inside(
    () => exchange.resume(outcome),
    (error, plugin) => exchange.resume(convertThrown(services, error, { ...exchange.origin, plugin, hook: 'around' })),
  )
}

function keepBody(exchange: Exchange, body: Exchange['body']): undefined {
  exchange.body = body
}
