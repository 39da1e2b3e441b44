// The retries of a client, for requests that are safe to repeat.
import { parseRetryAfter } from '../../util/retry-after.ts'
import type { ClientAttempt } from './policy.ts'

/** The longest Retry-After that a client accepts, in milliseconds. */
const MAX_RETRY_AFTER = 60_000

/**
 * Returns the milliseconds until a client repeats a safe request; undefined if it does not: after a response of the
 * action, after `attempts` attempts, or when the server requires more than a minute.
 */
export function getRetryDelay({ count, response }: ClientAttempt, attempts: number): number | undefined {
  if (count >= attempts) return undefined
  const backoff = 100 * 2 ** (count - 1) * (0.5 + Math.random())
  // A response of a proxy is not a response of the action.
  if (response === undefined || response.status === 502 || response.status === 504) return backoff
  const retryAfter = parseRetryAfter(response.headers.get('Retry-After'))
  const isRetryable = response.status === 409 || response.status === 429 || response.status === 503
  return isRetryable && retryAfter <= MAX_RETRY_AFTER ? Math.max(retryAfter, backoff) : undefined
}
