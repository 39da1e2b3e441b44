// The way of a request through Fetch and back: for Bun, Deno, Workers, service workers and tests without a socket.

import { consoleLogger, type Logger, safely } from '../../server/logger.ts'
import { problemOf } from '../../server/problem.ts'
import { pathAndQuery } from '../../server/target.ts'
import type { Answer, Handler, StreamBody } from '../../server/transport.ts'
import { FetchTransport } from './transport.ts'

/** A handler that may bring its own logger, as an application does. */
export interface FetchServed extends Handler {
  readonly logger?: Logger | undefined
}

const encoder = new TextEncoder()
const internal: Answer = {
  status: 500,
  headers: ['Content-Type', 'application/problem+json', 'X-Content-Type-Options', 'nosniff'],
  body: JSON.stringify(problemOf({ code: 'internal' })),
}

/** Makes a function that answers web Requests. */
export function fetchHandler(handler: FetchServed): (request: Request) => Promise<Response> {
  const logger = safely(handler.logger ?? consoleLogger)
  return (request) =>
    new Promise((resolve) => {
      const failed = (err: unknown): void => {
        logger.error({ err, method: request.method, url: pathAndQuery(request.url) }, 'An answer could not be sent')
      }
      handler.handle(new FetchTransport(request), (answer) => {
        try {
          resolve(respond(request, answer, failed))
        } catch (error) {
          failed(error)
          abandon(answer.body)
          resolve(respond(request, internal, failed))
        }
      })
    })
}

function respond(request: Request, answer: Answer, failed: (error: unknown) => void): Response {
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
    return new Response(isStream(bytes) ? streamOf(bytes, failed) : (bytes as BodyInit), init)
  }
  abandon(bytes)
  return new Response(null, init)
}

function hasBody({ method }: Request, status: number): boolean {
  return method !== 'HEAD' && status !== 204 && status !== 205 && status !== 304
}

function isStream(body: Answer['body']): body is StreamBody {
  return typeof body === 'object' && body !== null && !(body instanceof Uint8Array)
}

/** An iterable as a stream, pulled as fast as the client takes it; a fault in it breaks the answer off. */
function streamOf(body: StreamBody, failed: (error: unknown) => void): ReadableStream<Uint8Array> {
  if ('getReader' in body) return body
  const iterator = body[Symbol.asyncIterator]()
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const { done, value } = await iterator.next()
        if (done === true) controller.close()
        else controller.enqueue(typeof value === 'string' ? encoder.encode(value) : value)
      } catch (error) {
        failed(error)
        controller.error(error)
      }
    },
    async cancel() {
      await iterator.return?.()
    },
  })
}

/** Lets go of a streamed body that will not be sent. */
function abandon(body: Answer['body']): void {
  if (!isStream(body)) return
  const left = 'getReader' in body ? (body.locked ? undefined : body.cancel()) : body[Symbol.asyncIterator]().return?.()
  Promise.resolve(left).catch(() => {})
}
