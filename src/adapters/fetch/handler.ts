// Handles requests through Fetch: for Bun, Deno, Workers, service workers and tests without a socket.

import { isStreamBody, openStream, releaseBody } from '../../server/body-stream.ts'
import { consoleLogger, guardLogger, type Logger } from '../../server/logger.ts'
import { toProblem } from '../../server/problem/problem.ts'
import { toPathAndQuery } from '../../server/request/request-target.ts'
import type { Handler, RawResponse, SendOutcome, StreamBody } from '../../server/transport.ts'
import { FetchTransport } from './fetch-transport.ts'

/** A handler that may have its own logger, like an application. */
export interface FetchApp extends Handler {
  readonly logger?: Logger | undefined
}

const encoder = new TextEncoder()
const internalErrorResponse: RawResponse = {
  status: 500,
  headers: ['Content-Type', 'application/problem+json', 'X-Content-Type-Options', 'nosniff'],
  body: JSON.stringify(toProblem({ code: 'internal' })),
  code: 'internal',
}

/** Creates a function that handles web Requests. */
export function fetchHandler(handler: FetchApp): (request: Request) => Promise<Response> {
  const logger = guardLogger(handler.logger ?? consoleLogger)
  return (request) =>
    new Promise((resolve) => {
      let isReplaced = false
      const logFailure = (err: unknown): void => {
        const target = toPathAndQuery(request.url)
        const url = handler.redactUrl?.(target) ?? target
        logger.error({ err, method: request.method, url }, 'A response could not be sent')
      }
      const transport = new FetchTransport(request)
      const send = (response: RawResponse): void => {
        try {
          resolve(toFetchResponse(request, response, logFailure))
        } catch (error) {
          logFailure(error)
          releaseBody(response.body)
          // The application may pass the failure through its plugins, once.
          const { replace: instead } = response
          if (isReplaced || (instead === undefined && handler.refuse === undefined))
            return resolve(
              toFetchResponse(
                request,
                { ...internalErrorResponse, ...(response.done && { done: response.done }) },
                logFailure,
              ),
            )
          isReplaced = true
          if (instead === undefined) handler.refuse?.(transport, internalErrorResponse, send)
          else instead(internalErrorResponse, error)
        }
      }
      handler.handle(transport, send)
    })
}

function toFetchResponse(request: Request, raw: RawResponse, logFailure: (error: unknown) => void): Response {
  const { status, body } = raw
  const headers = new Headers()
  for (let i = 0; i < raw.headers.length; i += 2) headers.append(raw.headers[i]!, raw.headers[i + 1]!)
  const bytes = typeof body === 'string' ? encoder.encode(body) : body
  // Only the handler knows the length of a stream, or of a body that it omitted for HEAD.
  if (bytes instanceof Uint8Array) headers.set('Content-Length', String(bytes.length))
  else if (bytes === null && request.method !== 'HEAD') headers.set('Content-Length', '0')
  if (status === 204 || status === 304) headers.delete('Content-Length')
  if (status === 205) headers.set('Content-Length', '0')
  // Workers would encode a body with a Content-Encoding again; other runtimes ignore this setting.
  const init = { status, headers, encodeBody: 'manual' }
  if (bytes !== null && hasBody(request, status)) {
    if (isStreamBody(bytes)) return new Response(createBodyStream(bytes, raw, request, logFailure), init)
    const response = new Response(bytes as BodyInit, init)
    raw.done?.(status, 'sent', bytes.length)
    return response
  }
  releaseBody(bytes)
  const response = new Response(null, init)
  raw.done?.(status, 'sent', 0)
  return response
}

function hasBody({ method }: Request, status: number): boolean {
  return method !== 'HEAD' && status !== 204 && status !== 205 && status !== 304
}

/**
 * Creates a stream of a body, pulled as fast as the client reads it; an error in the body or a disconnect aborts the
 * response.
 */
function createBodyStream(
  body: StreamBody,
  response: RawResponse,
  request: Request,
  logFailure: (error: unknown) => void,
): ReadableStream<Uint8Array> {
  const source = openStream(body)
  const sending = new StreamedResponse(response, request)
  return new ReadableStream<Uint8Array>({
    start(controller) {
      sending.onDisconnect((reason) => {
        controller.error(reason)
        void source.cancel()
      })
    },
    async pull(controller) {
      try {
        const piece = await source.next()
        if (sending.isDone) return
        if (piece.done === true) {
          controller.close()
          sending.finish('sent')
        } else controller.enqueue(sending.countChunk(piece.value))
      } catch (error) {
        if (sending.isDone) return
        logFailure(error)
        controller.error(error)
        sending.finish('failed', error)
        void source.cancel()
      }
    },
    async cancel() {
      sending.finish('aborted')
      // Workers end a request that awaits nothing, and with it the cleanup of the source.
      await source.cancel()
    },
  })
}

/** A streamed response: the bytes that were sent, and its end, which is reported once. */
class StreamedResponse {
  isDone = false
  readonly #response: RawResponse
  // Keeps the request alive: one that is garbage-collected would not receive its abort event.
  readonly #request: Request
  #sentBytes = 0
  #removeListener = (): void => {}

  constructor(response: RawResponse, request: Request) {
    this.#response = response
    this.#request = request
  }

  /** Calls back when the client disconnects before the end, or if it already has. */
  onDisconnect(callback: (reason: unknown) => void): void {
    const { signal } = this.#request
    const abort = (): void => {
      this.finish('aborted')
      callback(signal.reason)
    }
    if (signal.aborted) return abort()
    signal.addEventListener('abort', abort, { once: true })
    this.#removeListener = () => signal.removeEventListener('abort', abort)
  }

  /** Counts a piece and returns its bytes. */
  countChunk(piece: Uint8Array | string | undefined): Uint8Array {
    if (typeof piece !== 'string' && !ArrayBuffer.isView(piece))
      throw new TypeError('A streamed body gave a piece that is neither text nor bytes')
    const bytes = typeof piece === 'string' ? encoder.encode(piece) : piece
    this.#sentBytes += bytes.length
    return bytes
  }

  finish(outcome: SendOutcome, error?: unknown): void {
    if (this.isDone) return
    this.isDone = true
    this.#removeListener()
    this.#response.done?.(this.#response.status, outcome, this.#sentBytes, error)
  }
}
