// Requests that are sent again: where the verb or a policy of the action says that it is safe, and when.
import { retryPause } from '../design/declare/retry.ts'
import type { ActionOutline } from '../design/resolve/outline.ts'
import { AnswerError } from './thrown.ts'

/** How often a request of an idempotent verb is sent, unless the client says otherwise. */
const ATTEMPTS = 3

// Their effect is the same whether they arrive once or twice (RFC 9110, 9.2.2).
const IDEMPOTENT = /^(?:GET|HEAD|QUERY|OPTIONS|TRACE|PUT|DELETE)$/

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
  const rules = policies.flatMap((policy) => policy.retry ?? [])
  if (IDEMPOTENT.test(verb)) rules.push((attempt) => retryPause(attempt, attempts ?? ATTEMPTS))
  for (let count = 1; ; count++) {
    const { answer, error } = await tried(send, count)
    const waits = count === attempts || signal.aborted ? [] : rules.flatMap((rule) => rule({ count, answer }) ?? [])
    if (waits.length > 0) {
      await answer?.body?.cancel()
      await pause(Math.max(...waits), signal)
    } else if (answer === undefined) throw error
    else return answer
  }
}

interface Outcome {
  readonly answer?: Response
  readonly error?: unknown
}

async function tried(send: (attempt: number) => Promise<Response>, count: number): Promise<Outcome> {
  try {
    return { answer: await send(count) }
  } catch (error) {
    // An answer came, and no other is to be expected.
    if (error instanceof AnswerError) throw error
    return { error }
  }
}

async function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  await new Promise<void>((resolve) => {
    const over = (): void => {
      clearTimeout(timer)
      signal.removeEventListener('abort', over)
      resolve()
    }
    const timer = setTimeout(over, milliseconds)
    signal.addEventListener('abort', over)
  })
  signal.throwIfAborted()
}
