// Sends a call: timeout, retries, same-origin redirects, `around` hooks.
import { buildRequest, formatActionName, isReadableStream } from './build-request.ts'
import { type AnyCallResponse, ResponseError } from './call-errors.ts'
import type { ActiveCall, CallTable, PendingCall, PreparedRequest, Repeat } from './call-table.ts'
import { readResponse } from './read-response.ts'

/** Runs `work` until it completes, the signal aborts, or the timeout expires. */
async function withTimeout<T>(call: PendingCall, work: (activeCall: ActiveCall) => Promise<T>): Promise<T> {
  const timeout = (call.timeout ?? call.client.timeout) as number
  // Timers take integers below 2^31.
  const sources = [call.signal ?? [], timeout < 2 ** 31 ? AbortSignal.timeout(Math.max(0, timeout | 0)) : []].flat()
  // A single signal is combined, too: otherwise each call adds a listener to a shared signal. Some runtimes lack
  // `AbortSignal.any`; there it is needed only for two signals.
  const combines = 'any' in AbortSignal || sources.length > 1
  const one = combines ? AbortSignal.any(sources) : (sources[0] ?? new AbortController().signal)
  const signal = Object.assign(one, { sources })
  const activeCall: ActiveCall = { ...call, signal }
  signal.throwIfAborted()
  let stop = (): void => {}
  const stopped = new Promise<never>((_, reject) => {
    stop = () => reject(signal.reason)
    signal.addEventListener('abort', stop)
  })
  try {
    // Some `fetch` implementations ignore the signal.
    return await Promise.race([work(activeCall), stopped])
  } finally {
    signal.removeEventListener('abort', stop)
    clearTimeout(activeCall.retryTimer)
  }
}

/** A response and its request. */
export interface CallExchange {
  readonly result: AnyCallResponse
  readonly response: Response
  /** The URL of the response. */
  readonly url: string
  readonly prepared: PreparedRequest
}

/** Sends the request of a call, or the same request to another address, and reads the response. */
export function sendCall(pending: PendingCall, address?: string): Promise<CallExchange> {
  return withTimeout(pending, async (call) => {
    const { action } = call
    const prepared = await buildRequest(action, call.input, call.client, address)
    let current = prepared
    const send = async (attempt: number): Promise<Response> => {
      current = prepared
      for (let hops = 0; ; hops++) {
        const response = await sendThroughHooks(call, createRequest(action, current, call.signal), attempt)
        const next = resolveRedirect(action, current, response)
        if (next === undefined) return response
        if (hops === MAX_REDIRECTS)
          throw new ResponseError(`${formatActionName(action)} is redirected too often`, response)
        await response.body?.cancel()
        current = next
      }
    }
    return (action.repeat ?? sendOnce)(call, prepared, send, async (response) => {
      const result = await readResponse(call, response)
      return { result, response, url: current.url, prepared }
    })
  })
}

const MAX_REDIRECTS = 20

const sendOnce: Repeat = async (_, __, send, read) => read(await send(1))

function createRequest(action: CallTable, { url, init }: PreparedRequest, signal: AbortSignal): Request {
  const requestInit = { ...init, signal }
  if (!isReadableStream(init.body) || hasDeclaredRedirect(action)) return new Request(url, requestInit)
  // Node buffers a streamed body for redirects, unless they are errors. A stream cannot be sent twice anyway. Workers
  // reject the setting, and do not buffer.
  try {
    return new Request(url, { ...requestInit, redirect: 'error' })
  } catch {
    return new Request(url, requestInit)
  }
}

const hasDeclaredRedirect = ({ responses }: CallTable, isOne = isRedirectStatus): boolean =>
  responses.some(({ status }) => isOne(status))

const isRedirectStatus = (status: number): boolean => status > 300 && status < 309 && !(status > 303 && status < 307)

function sendThroughHooks(
  { action, client, around, stream }: PendingCall,
  request: Request,
  attempt: number,
): Promise<Response> {
  const last = client.fetch ?? ((one: Request) => globalThis.fetch(one))
  const through = [client.around, around]
    .flat()
    .reduceRight<(request: Request) => Promise<Response>>(
      (next, one) =>
        one === undefined
          ? next
          : async (current) =>
              one({ endpoint: action.endpoint.name, action: action.name, request: current, attempt, stream }, next),
      last,
    )
  return through(request)
}

/**
 * Returns the request that a response redirects to; undefined if it does not redirect, or if the redirect is declared.
 */
function resolveRedirect(
  action: CallTable,
  { url, bodyParams, init }: PreparedRequest,
  response: Response,
): PreparedRequest | undefined {
  const { status, type, headers } = response
  if (type === 'opaqueredirect')
    throw new ResponseError(`${formatActionName(action)} is redirected, and browsers hide where to`, response)
  const target = isRedirectStatus(status) ? headers.get('Location') : null
  if (target === null || hasDeclaredRedirect(action, (one) => one === status)) return undefined
  const next = resolveSameOrigin(target, url)
  if (next === undefined)
    throw new ResponseError(`${formatActionName(action)} is redirected to another origin: ${target}`, response)
  const { body, method, headers: requestHeaders, ...rest } = init
  // After 301 and 302 only a POST becomes a GET (RFC 9110, 15.4); after 303 everything does.
  const keepsMethod = status > 303 || (status < 303 && method !== 'POST')
  if (keepsMethod || method === 'GET' || method === 'HEAD') return { url: next, bodyParams, init }
  const headersWithoutType = new Headers(requestHeaders)
  headersWithoutType.delete('Content-Type')
  return { url: next, bodyParams: {}, init: { ...rest, method: 'GET', headers: headersWithoutType } }
}

/**
 * Resolves a link; undefined if it has another origin or userinfo. The headers of a call, including credentials, must
 * only be sent to the origin of the call.
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
