// The retry settings of a client, for requests that are safe to repeat.
import type { ClientAttempt } from './policy.ts'

/** The longest time that a server may ask a client to wait, in milliseconds. */
const MAX_RETRY_AFTER = 60_000

/**
 * Returns for how many milliseconds a client waits until it sends a request again that is safe to repeat; undefined when it does not:
 * after an answer of the action, after `attempts` times, or when the server asks for more than a minute.
 */
export function retryPause({ count, response: answer }: ClientAttempt, attempts: number): number | undefined {
  if (count >= attempts) return undefined
  const backoff = 100 * 2 ** (count - 1) * (0.5 + Math.random())
  // An answer of a proxy is no answer of the action.
  if (answer === undefined || answer.status === 502 || answer.status === 504) return backoff
  const after = parseRetryAfter(answer.headers.get('Retry-After'))
  const invites = answer.status === 409 || answer.status === 429 || answer.status === 503
  return invites && after <= MAX_RETRY_AFTER ? Math.max(after, backoff) : undefined
}

// Seconds, or the moment until which to wait (RFC 9110, 10.2.3).
function parseRetryAfter(header: string | null): number {
  if (header === null) return Number.NaN
  return /^\d+$/.test(header) ? Number(header) * 1000 : Date.parse(header) - Date.now()
}
