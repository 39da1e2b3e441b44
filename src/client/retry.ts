// Requests that are sent again: where a policy of the action says that it is safe, and when.
import type { ResolvedAction } from '../design/resolve/resolved.ts'

/** Sends a request, again if the policies of its action say so; gives the last answer, or throws the last failure. */
export async function sendRequest(
  { policies }: ResolvedAction,
  request: Request,
  send: (request: Request) => Promise<Response>,
): Promise<Response> {
  const retrying = [...policies.values()].flatMap((policy) => (policy.retry === undefined ? [] : [policy]))
  if (retrying.length === 0) return send(request)
  for (let count = 1; ; count++) {
    const outcome = await tried(request, send)
    if (request.signal.aborted) return ended(outcome)
    const { answer } = outcome
    const waits = retrying.flatMap((policy) => policy.retry?.({ count, answer }) ?? [])
    if (waits.length === 0) return ended(outcome)
    await answer?.body?.cancel()
    await pause(Math.max(...waits), request.signal)
  }
}

type Outcome =
  | { readonly answer: Response; readonly error?: never }
  | { readonly answer?: never; readonly error: unknown }

// A request is read when it is sent: each time it is a copy.
async function tried(request: Request, send: (request: Request) => Promise<Response>): Promise<Outcome> {
  try {
    return { answer: await send(request.clone()) }
  } catch (error) {
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
