// Requests that are sent again: where the verb or a policy of the action says that it is safe, and when.
import { retryPause } from '../design/declare/retry-pause.ts'
import { type ActiveCall, isReadableStream, type PreparedRequest } from './build-request.ts'
import { ResponseError } from './call-errors.ts'

/** How often a request of an idempotent verb is sent, unless the client says otherwise. */
const DEFAULT_ATTEMPTS = 3

// Their effect is the same whether they arrive once or twice (RFC 9110, 9.2.2).
const IDEMPOTENT_METHODS = /^(?:GET|HEAD|QUERY|OPTIONS|TRACE|PUT|DELETE)$/

/**
 * Sends a request and reads its answer, again if its declaration says so; gives what was read of the last answer, or throws
 * the last failure. An answer that breaks off is as good as none.
 */
export async function sendWithRetries<T>(
  called: ActiveCall,
  { init: { method, body } }: PreparedRequest,
  send: (attempt: number) => Promise<Response>,
  read: (answer: Response) => Promise<T>,
): Promise<T> {
  const { action, client, signal, attempts = client.attempts } = called
  const rules = action.policies.flatMap((policy) => policy.retry ?? [])
  if (IDEMPOTENT_METHODS.test(method)) rules.push((attempt) => retryPause(attempt, attempts ?? DEFAULT_ATTEMPTS))
  for (let count = 1; ; count++) {
    // Negative where the request is not sent again. Nothing is more than undefined.
    const waitAfter = (answer?: Response): number =>
      isReadableStream(body) || count >= (attempts as number) || signal.aborted
        ? -1
        : Math.max(-1, ...rules.map((rule) => rule({ count, response: answer }) ?? -1))
    let wait = -1
    try {
      const answer = await send(count)
      wait = waitAfter(answer)
      if (wait < 0) return await read(answer)
      await answer.body?.cancel()
    } catch (error) {
      if (wait < 0) wait = waitAfter()
      // A ResponseError means that a response came, and no other is to be expected.
      if (wait < 0 || error instanceof ResponseError) throw error
    }
    await new Promise((resolve) => {
      called.retryTimer = setTimeout(resolve, wait)
    })
  }
}
