// The way of a request through Fetch and back: for Bun, Deno, Workers, service workers and tests without a socket.

import { toProblem } from '../../server/problem/problem.ts'
import { consoleLogger, type Logger, guardLogger } from '../../server/logger.ts'
import { isStreamBody, releaseBody, openStream } from '../../server/body-stream.ts'
import { toPathAndQuery } from '../../server/request/request-target.ts'
import type { RawResponse, Handler, SendOutcome, StreamBody } from '../../server/transport.ts'
import { FetchTransport } from './fetch-transport.ts'

/** A handler that may have its own logger, as an application does. */
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

/** Makes a function that answers web Requests. */
export function fetchHandler(handler: FetchApp): (request: Request) => Promise<Response> {
  const logger = guardLogger(handler.logger ?? consoleLogger)
  return (request) =>
    new Promise((resolve) => {
      let again = false
      const failed = (err: unknown): void => {
        const target = toPathAndQuery(request.url)
        const url = handler.redactUrl?.(target) ?? target
        logger.error({ err, method: request.method, url }, 'An answer could not be sent')
      }
      const transport = new FetchTransport(request)
      const send = (answer: RawResponse): void => {
        try {
          resolve(toFetchResponse(request, answer, failed))
        } catch (error) {
          failed(error)
          releaseBody(answer.body)
          // The application may show the failure to its plugins, once.
          const { instead } = answer
          if (again || (instead === undefined && handler.refuse === undefined))
            return resolve(toFetchResponse(request, { ...internalErrorResponse, ...(answer.done && { done: answer.done }) }, failed))
          again = true
          if (instead === undefined) handler.refuse?.(transport, internalErrorResponse, send)
          else instead(internalErrorResponse, error)
        }
      }
      handler.handle(transport, send)
    })
}

function toFetchResponse(request: Request, answer: RawResponse, failed: (error: unknown) => void): Response {
  const { status, body } = answer
  const headers = new Headers()
  for (let i = 0; i < answer.headers.length; i += 2) headers.append(answer.headers[i]!, answer.headers[i + 1]!)
  const bytes = typeof body === 'string' ? encoder.encode(body) : body
  // A stream's length is known to the handler only, and so is that of what it did not make for HEAD.
  if (bytes instanceof Uint8Array) headers.set('Content-Length', String(bytes.length))
  else if (bytes === null && request.method !== 'HEAD') headers.set('Content-Length', '0')
  if (status === 204 || status === 304) headers.delete('Content-Length')
  if (status === 205) headers.set('Content-Length', '0')
  // Workers would encode a body once more that says how it is encoded; other runtimes do not know this setting.
  const init = { status, headers, encodeBody: 'manual' }
  if (bytes !== null && hasBody(request, status)) {
    if (isStreamBody(bytes)) return new Response(createBodyStream(bytes, answer, request, failed), init)
    const response = new Response(bytes as BodyInit, init)
    answer.done?.(status, 'sent', bytes.length)
    return response
  }
  releaseBody(bytes)
  const response = new Response(null, init)
  answer.done?.(status, 'sent', 0)
  return response
}

function hasBody({ method }: Request, status: number): boolean {
  return method !== 'HEAD' && status !== 204 && status !== 205 && status !== 304
}

/**
 * A stream, or an iterable as one, pulled as fast as the client takes it; a fault in it breaks the answer off, and so does a
 * client that goes.
 */
function createBodyStream(
  body: StreamBody,
  answer: RawResponse,
  request: Request,
  failed: (error: unknown) => void,
): ReadableStream<Uint8Array> {
  const source = openStream(body)
  const sending = new StreamedResponse(answer, request)
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
        failed(error)
        controller.error(error)
        sending.finish('failed', error)
        void source.cancel()
      }
    },
    async cancel() {
      sending.finish('aborted')
      // Workers end a request that waits for nothing, and with it what the source has left to do.
      await source.cancel()
    },
  })
}

/** A streamed answer on its way: the bytes that were sent, and its end, which comes once. */
class StreamedResponse {
  isDone = false
  readonly #response: RawResponse
  // A request that nobody holds any more would not hear that it is aborted.
  readonly #request: Request
  #sentBytes = 0
  #removeListener = (): void => {}

  constructor(answer: RawResponse, request: Request) {
    this.#response = answer
    this.#request = request
  }

  /** Calls back when the client goes before the end, or if it has gone. */
  onDisconnect(callback: (reason: unknown) => void): void {
    const { signal } = this.#request
    const gone = (): void => {
      this.finish('aborted')
      callback(signal.reason)
    }
    if (signal.aborted) return gone()
    signal.addEventListener('abort', gone, { once: true })
    this.#removeListener = () => signal.removeEventListener('abort', gone)
  }

  /** Counts a piece; gives its bytes. */
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
