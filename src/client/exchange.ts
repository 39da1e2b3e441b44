// One request of a call and its answer: within its time, again where that is safe, within its origin, through all functions
// around it.
import type { ActionOutline } from '../design/resolve/outline.ts'
import { answerOf } from './answer.ts'
import { type Called, type Calling, isStream, type Prepared, placeOf, requestOf } from './request.ts'
import { repeated } from './retry.ts'
import { AnswerError, type Answered } from './thrown.ts'

/** Does the work of a call until it is done, its signal says stop, or its time is over. */
async function limited<T>(call: Calling, work: (called: Called) => Promise<T>): Promise<T> {
  const timeout = (call.timeout ?? call.client.timeout) as number
  // Timers know whole numbers, and none as large as that.
  const ends = [call.signal ?? [], timeout < 2 ** 31 ? AbortSignal.timeout(Math.max(0, timeout | 0)) : []].flat()
  // Joined even if it is one: a signal of many calls would get a listener of each. Not every runtime can, and few calls have two.
  const joined = 'any' in AbortSignal || ends.length > 1
  const one = joined ? AbortSignal.any(ends) : (ends[0] ?? new AbortController().signal)
  const signal = Object.assign(one, { ends })
  const called: Called = { ...call, signal }
  signal.throwIfAborted()
  let stop = (): void => {}
  const stopped = new Promise<never>((_, reject) => {
    stop = () => reject(signal.reason)
    signal.addEventListener('abort', stop)
  })
  try {
    // Not everything that sends requests looks at their signals.
    return await Promise.race([work(called), stopped])
  } finally {
    signal.removeEventListener('abort', stop)
    clearTimeout(called.timer)
  }
}

/** An answer, and what was asked for it. */
export interface Exchanged {
  readonly answer: Answered
  readonly response: Response
  /** The address that the answer came from. */
  readonly url: string
  readonly prepared: Prepared
}

/** Makes the request of a call, or the same to another address, and reads its answer. */
export function exchanged(calling: Calling, address?: string): Promise<Exchanged> {
  return limited(calling, async (call) => {
    const { action } = call
    const prepared = await requestOf(action, call.sent, call.client, address)
    let last = prepared
    const send = async (attempt: number): Promise<Response> => {
      last = prepared
      for (let hops = 0; ; hops++) {
        const answer = await sent(call, requestFor(action, last, call.signal), attempt)
        const next = redirected(action, last, answer)
        if (next === undefined) return answer
        if (hops === MOST_HOPS) throw new AnswerError(`${placeOf(action)} is redirected without an end`, answer)
        await answer.body?.cancel()
        last = next
      }
    }
    return repeated(call, prepared, send, async (response) => {
      const answer = await answerOf(call, response)
      return { answer, response, url: last.url, prepared }
    })
  })
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

function sent({ action, client, around, stream }: Calling, request: Request, attempt: number): Promise<Response> {
  const last = client.fetch ?? ((one: Request) => globalThis.fetch(one))
  const through = [client.around, around]
    .flat()
    .reduceRight<(request: Request) => Promise<Response>>(
      (next, one) =>
        one === undefined
          ? next
          : async (given) =>
              one({ endpoint: action.endpoint.name, action: action.name, request: given, attempt, stream }, next),
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
