// Stage 1, load: the body is read and decoded, where the action has a payload or takes its params there.
import { isFailed } from '../../util/failed.ts'
import { type Exchange, LATER, type Outcome, type Run } from '../exchange.ts'
import { FailureResponse, thrownOutcome } from '../failure/failures.ts'

/** Reads and decodes the body. */
export const loadBody: Run = (exchange) => {
  const { payload, params } = exchange.compiled
  const codec = payload === null ? params.body?.codec : payload.codec
  if (codec === undefined) return undefined
  let waits = false
  let ended: Outcome | typeof LATER = LATER
  codec.read(exchange.transport, (result) => {
    const outcome = isFailed(result) ? new FailureResponse(result.fault) : keep(exchange, result)
    if (waits) resume(exchange, outcome)
    else ended = outcome
  })
  waits = true
  return ended
}

// The body arrived in another context: that of the connection, or of the stream.
function resume(exchange: Exchange, outcome: Outcome): void {
  const { inside, services } = exchange
  if (inside === undefined) return exchange.resume(outcome)
  inside(
    () => exchange.resume(outcome),
    (error, plugin) => exchange.resume(thrownOutcome(services, error, { ...exchange.origin, plugin, hook: 'around' })),
  )
}

function keep(exchange: Exchange, body: Exchange['body']): undefined {
  exchange.body = body
}
