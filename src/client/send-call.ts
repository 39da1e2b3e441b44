// One request of a call and its answer: within its time, again where that is safe, within its origin, through all functions
// around it.
import type { ActionOutline } from '../design/resolve/outline.ts'
import { readResponse } from './read-response.ts'
import { type ActiveCall, type PendingCall, isReadableStream, type PreparedRequest, formatActionName, buildRequest } from './build-request.ts'
import { sendWithRetries } from './send-with-retries.ts'
import { ResponseError, type AnyCallResponse } from './call-errors.ts'

/** Does the work of a call until it is done, its signal says stop, or its time is over. */
async function withTimeout<T>(call: PendingCall, work: (called: ActiveCall) => Promise<T>): Promise<T> {
  const timeout = (call.timeout ?? call.client.timeout) as number
  // Timers know whole numbers, and none as large as that.
  const ends = [call.signal ?? [], timeout < 2 ** 31 ? AbortSignal.timeout(Math.max(0, timeout | 0)) : []].flat()
  // Joined even if it is one: a signal of many calls would get a listener of each. Not every runtime can, and few calls have two.
  const joined = 'any' in AbortSignal || ends.length > 1
  const one = joined ? AbortSignal.any(ends) : (ends[0] ?? new AbortController().signal)
  const signal = Object.assign(one, { ends })
  const called: ActiveCall = { ...call, signal }
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
    clearTimeout(called.retryTimer)
  }
}

/** An answer, and what was asked for it. */
export interface CallExchange {
  readonly result: AnyCallResponse
  readonly response: Response
  /** The address that the answer came from. */
  readonly url: string
  readonly prepared: PreparedRequest
}

/** Makes the request of a call, or the same to another address, and reads its answer. */
export function sendCall(calling: PendingCall, address?: string): Promise<CallExchange> {
  return withTimeout(calling, async (call) => {
    const { action } = call
    const prepared = await buildRequest(action, call.input, call.client, address)
    let last = prepared
    const send = async (attempt: number): Promise<Response> => {
      last = prepared
      for (let hops = 0; ; hops++) {
        const answer = await sendThroughHooks(call, createRequest(action, last, call.signal), attempt)
        const next = resolveRedirect(action, last, answer)
        if (next === undefined) return answer
        if (hops === MAX_REDIRECTS) throw new ResponseError(`${formatActionName(action)} is redirected without an end`, answer)
        await answer.body?.cancel()
        last = next
      }
    }
    return sendWithRetries(call, prepared, send, async (response) => {
      const result = await readResponse(call, response)
      return { result, response, url: last.url, prepared }
    })
  })
}

const MAX_REDIRECTS = 20

function createRequest(action: ActionOutline, { url, init }: PreparedRequest, signal: AbortSignal): Request {
  const whole = { ...init, signal }
  if (!isReadableStream(init.body) || hasDeclaredRedirect(action)) return new Request(url, whole)
  // Node keeps all that was read of a stream, for a redirection that it might have to follow; unless each is an error.
  // A stream cannot be sent twice anyway. Workers refuse the setting, and keep nothing.
  try {
    return new Request(url, { ...whole, redirect: 'error' })
  } catch {
    return new Request(url, whole)
  }
}

const hasDeclaredRedirect = ({ responses }: ActionOutline, isOne = isRedirectStatus): boolean =>
  responses.some(({ status }) => isOne(status))

const isRedirectStatus = (status: number): boolean => status > 300 && status < 309 && !(status > 303 && status < 307)

function sendThroughHooks({ action, client, around, stream }: PendingCall, request: Request, attempt: number): Promise<Response> {
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
function resolveRedirect(action: ActionOutline, { url, bodyParams: inBody, init }: PreparedRequest, answer: Response): PreparedRequest | undefined {
  const { status, type, headers } = answer
  if (type === 'opaqueredirect')
    throw new ResponseError(`${formatActionName(action)} is redirected, and a browser does not say where to`, answer)
  const target = isRedirectStatus(status) ? headers.get('Location') : null
  if (target === null || hasDeclaredRedirect(action, (one) => one === status)) return undefined
  const next = resolveSameOrigin(target, url)
  if (next === undefined) throw new ResponseError(`${formatActionName(action)} is redirected to another origin: ${target}`, answer)
  const { body, method, headers: given, ...rest } = init
  // After 301 and 302 only a POST becomes a GET (RFC 9110, 15.4); after 303 everything does.
  const keeps = status > 303 || (status < 303 && method !== 'POST')
  if (keeps || method === 'GET' || method === 'HEAD') return { url: next, bodyParams: inBody, init }
  const bare = new Headers(given)
  bare.delete('Content-Type')
  return { url: next, bodyParams: {}, init: { ...rest, method: 'GET', headers: bare } }
}

/**
 * The address that a link leads to; undefined where it is of another origin, or has userinfo. The headers of a call go along,
 * credentials among them: they are for the origin of the call only.
 */
export function resolveSameOrigin(link: string, from: string): string | undefined {
  try {
    const next = new URL(link, from)
    next.hash = ''
    const userinfo = next.username + next.password
    return userinfo === '' && next.origin === new URL(from).origin ? next.href : undefined
  } catch {
    return undefined
  }
}
