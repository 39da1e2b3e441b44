// Requests that are sent again: where the verb or a policy of the action says that it is safe, and when.
import type { ClientAttempt } from '../design/declare/policy.ts'
import { retryPause } from '../design/declare/retry.ts'
import type { ActionOutline } from '../design/resolve/outline.ts'
import { AnswerError } from './thrown.ts'

/** How often a request of an idempotent verb is sent, unless the client says otherwise. */
const ATTEMPTS = 3

// Their effect is the same whether they arrive once or twice (RFC 9110, 9.2.2).
const IDEMPOTENT = new Set(['GET', 'HEAD', 'QUERY', 'OPTIONS', 'TRACE', 'PUT', 'DELETE'])

/** How often and how long a request is tried. */
export interface Trying {
  readonly verb: string
  /** How often it is sent at most; undefined where the declaration alone decides. */
  readonly attempts: number | undefined
  readonly signal: AbortSignal
}

/** Sends a request, again if its declaration says so; gives the last answer, or throws the last failure. */
export async function repeated(
  { policies }: ActionOutline,
  { verb, attempts, signal }: Trying,
  send: (attempt: number) => Promise<Response>,
): Promise<Response> {
  const rules = [...policies.values()].flatMap((policy) => (policy.retry === undefined ? [] : [policy.retry]))
  if (IDEMPOTENT.has(verb)) rules.push((attempt) => retryPause(attempt, attempts ?? ATTEMPTS))
  for (let count = 1; ; count++) {
    const outcome = await tried(send, count)
    const waits = count === attempts || signal.aborted ? [] : waitsOf(rules, { count, answer: outcome.answer })
    if (waits.length === 0) return ended(outcome)
    await outcome.answer?.body?.cancel()
    await pause(Math.max(...waits), signal)
  }
}

const waitsOf = (
  rules: readonly ((attempt: ClientAttempt) => number | undefined)[],
  attempt: ClientAttempt,
): number[] => rules.flatMap((rule) => rule(attempt) ?? [])

type Outcome =
  | { readonly answer: Response; readonly error?: never }
  | { readonly answer?: never; readonly error: unknown }

async function tried(send: (attempt: number) => Promise<Response>, count: number): Promise<Outcome> {
  try {
    return { answer: await send(count) }
  } catch (error) {
    // An answer came, and no other is to be expected.
    if (error instanceof AnswerError) throw error
    return { error }
  }
}

function ended({ answer, error }: Outcome): Response {
  if (answer === undefined) throw error
  return answer
}

function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const over = (): void => {
      signal.removeEventListener('abort', aborted)
      resolve()
    }
    const timer = setTimeout(over, milliseconds)
    const aborted = (): void => {
      clearTimeout(timer)
      reject(signal.reason)
    }
    signal.addEventListener('abort', aborted, { once: true })
  })
}
