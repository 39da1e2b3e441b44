// Retries requests if the verb or a policy of the action makes that safe.
import { getRetryDelay } from '../design/declare/retry-pause.ts'
import { isReadableStream } from './build-request.ts'
import { ResponseError } from './call-errors.ts'
import type { CallTable, Repeat } from './call-table.ts'

/** The default number of attempts of an idempotent request. */
const DEFAULT_ATTEMPTS = 3

// Repeating these has the same effect as sending them once (RFC 9110, 9.2.2).
const IDEMPOTENT_METHODS = /^(?:GET|HEAD|QUERY|OPTIONS|TRACE|PUT|DELETE)$/

/** Returns whether any request of an action may be sent again. */
export const canRepeat = ({ routes, policies }: Pick<CallTable, 'routes' | 'policies'>): boolean =>
  routes.some(({ verb }) => verb === 'ANY' || IDEMPOTENT_METHODS.test(verb)) ||
  policies.some(({ retry }) => retry !== undefined)

/**
 * Sends a request and reads its response, with retries by the rules of the action. Returns the result of the last
 * response, or throws the last error. An interrupted response counts as a failed attempt.
 */
export const sendWithRetries: Repeat = async (call, { init: { method, body } }, send, read) => {
  const { action, client, signal, attempts = client.attempts } = call
  const rules = action.policies.flatMap((policy) => policy.retry ?? [])
  if (IDEMPOTENT_METHODS.test(method)) rules.push((attempt) => getRetryDelay(attempt, attempts ?? DEFAULT_ATTEMPTS))
  for (let count = 1; ; count++) {
    // Negative means no retry. `count >= undefined` is false, so only the rules limit it then.
    const waitAfter = (response?: Response): number =>
      isReadableStream(body) || count >= (attempts as number) || signal.aborted
        ? -1
        : Math.max(-1, ...rules.map((rule) => rule({ count, response }) ?? -1))
    let wait = -1
    try {
      const response = await send(count)
      wait = waitAfter(response)
      if (wait < 0) return await read(response)
      await response.body?.cancel()
    } catch (error) {
      if (wait < 0) wait = waitAfter()
      // After a `ResponseError` a retry would receive the same response.
      if (wait < 0 || error instanceof ResponseError) throw error
    }
    await new Promise((resolve) => {
      call.retryTimer = setTimeout(resolve, wait)
    })
  }
}
