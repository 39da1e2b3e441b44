// One request of a call and its answer: within its time, again where that is safe, within its origin, through all functions
// around it.
import type { ActionOutline } from '../design/resolve/outline.ts'
import type { Around } from './around.ts'
import { isStream, type Prepared, placeOf } from './request.ts'
import { repeated } from './retry.ts'
import { AnswerError } from './thrown.ts'
import type { ClientOptions } from './types.ts'

/** The settings of a call, and the client that makes it. */
export interface Calling {
  readonly action: ActionOutline
  readonly client: ClientOptions
  readonly signal?: AbortSignal | undefined
  readonly timeout?: number | undefined
  readonly attempts?: number | undefined
  readonly around?: Around | readonly Around[] | undefined
}

/** Does some work of a call until it is done, its signal says stop, or its time is over. */
export async function limited<T>(call: Calling, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const timeout = call.timeout ?? call.client.timeout
  const ends = [call.signal ?? [], timeout === undefined ? [] : AbortSignal.timeout(timeout)].flat()
  // Joined even if it is one: a signal of many calls would get a listener of each. Not every runtime can, and few calls have two.
  const joined = 'any' in AbortSignal || ends.length > 1
  const signal = joined ? AbortSignal.any(ends) : (ends[0] ?? new AbortController().signal)
  signal.throwIfAborted()
  let stop = (): void => {}
  const stopped = new Promise<never>((_, reject) => {
    stop = () => reject(signal.reason)
    signal.addEventListener('abort', stop)
  })
  try {
    // Not everything that sends requests looks at their signals.
    return await Promise.race([work(signal), stopped])
  } finally {
    signal.removeEventListener('abort', stop)
  }
}

/** Sends a request; gives the answer and the address that it came from. */
export async function exchanged(
  call: Calling,
  prepared: Prepared,
  signal: AbortSignal,
): Promise<{ readonly response: Response; readonly url: string }> {
  const { method: verb, body } = prepared.init
  let { url } = prepared
  const attempts = isStream(body) ? 1 : (call.attempts ?? call.client.attempts)
  const response = await repeated(call.action, { verb, attempts, signal }, async (attempt) => {
    let current: Prepared | undefined = prepared
    for (let hops = 0; ; hops++) {
      url = current.url
      const answer = await sent(call, requestFor(call.action, current, signal), attempt)
      current = redirected(call.action, current, answer)
      if (current === undefined) return answer
      if (hops === MOST_HOPS) throw new AnswerError(`${placeOf(call.action)} is redirected without an end`, answer)
      await answer.body?.cancel()
    }
  })
  return { response, url }
}

const MOST_HOPS = 20

function requestFor(action: ActionOutline, { url, init }: Prepared, signal: AbortSignal): Request {
  const whole = { ...init, signal }
  if (!isStream(init.body) || isRedirecting(action)) return new Request(url, whole)
  // Node keeps all that was read of a stream, for a redirection that it might have to follow; unless each is an error.
  // A stream cannot be sent twice anyway. Workers refuse the setting, and keep nothing.
  try {
    return new Request(url, { ...whole, redirect: 'error' })
  } catch {
    return new Request(url, whole)
  }
}

const isRedirecting = ({ responses }: ActionOutline, isOne = isRedirection): boolean =>
  responses.some(({ status }) => isOne(status))

const isRedirection = (status: number): boolean => status > 300 && status < 309 && !(status > 303 && status < 307)

function sent({ action, client, around }: Calling, request: Request, attempt: number): Promise<Response> {
  const last = client.fetch ?? ((one: Request) => globalThis.fetch(one))
  const through = [client.around, around]
    .flat()
    .reduceRight<(request: Request) => Promise<Response>>(
      (next, one) =>
        one === undefined
          ? next
          : async (given) =>
              one({ endpoint: action.endpoint.name, action: action.name, request: given, attempt }, next),
      last,
    )
  return through(request)
}

/** The request that an answer redirects to; undefined for one that redirects nowhere, or is declared to. */
function redirected(action: ActionOutline, { url, inBody, init }: Prepared, answer: Response): Prepared | undefined {
  const { status, type, headers } = answer
  if (type === 'opaqueredirect')
    throw new AnswerError(`${placeOf(action)} is redirected, and a browser does not say where to`, answer)
  const target = isRedirection(status) ? headers.get('Location') : null
  if (target === null || isRedirecting(action, (one) => one === status)) return undefined
  const next = sameOrigin(target, url)
  if (next === undefined) throw new AnswerError(`${placeOf(action)} is redirected to another origin: ${target}`, answer)
  const { body, method, headers: given, ...rest } = init
  // After 301 and 302 only a POST becomes a GET (RFC 9110, 15.4); after 303 everything does.
  const keeps = status > 303 || (status < 303 && method !== 'POST')
  if (keeps || method === 'GET' || method === 'HEAD') return { url: next, inBody, init }
  const bare = new Headers(given)
  bare.delete('Content-Type')
  return { url: next, inBody: {}, init: { ...rest, method: 'GET', headers: bare } }
}

/**
 * The address that a link leads to; undefined where it is of another origin, or has userinfo. The headers of a call go along,
 * credentials among them: they are for the origin of the call only.
 */
export function sameOrigin(link: string, from: string): string | undefined {
  try {
    const next = new URL(link, from)
    next.hash = ''
    const userinfo = next.username + next.password
    return userinfo === '' && next.origin === new URL(from).origin ? next.href : undefined
  } catch {
    return undefined
  }
}
