// Handles requests through AWS Lambda: buffered responses, or responses that are streamed as they are produced.

import { isStreamBody, openStream, releaseBody, type StreamSource } from '../../server/body-stream.ts'
import type { Logger } from '../../server/logger.ts'
import { toProblem } from '../../server/problem/problem.ts'
import { toPathAndQuery } from '../../server/request/request-target.ts'
import type { Handler, RawResponse, Send, StreamBody } from '../../server/transport.ts'
import type { LambdaResult, LambdaRuntime, LambdaStream } from './event.ts'
import { buildLambdaHead, buildLambdaResult, isBodySent } from './lambda-result.ts'
import type { LambdaTransport } from './lambda-transport.ts'

const PROBLEM_HEADERS = ['Content-Type', 'application/problem+json', 'X-Content-Type-Options', 'nosniff']
const internalErrorResponse: RawResponse = {
  status: 500,
  headers: PROBLEM_HEADERS,
  body: JSON.stringify(toProblem({ code: 'internal' })),
  code: 'internal',
}
const deadlineResponse: RawResponse = {
  status: 503,
  headers: [...PROBLEM_HEADERS, 'Retry-After', '1'],
  body: JSON.stringify(toProblem({ code: 'deadline-exceeded' })),
  code: 'deadline-exceeded',
}

/** The time by which a request must have its response. */
export class Deadline {
  readonly controller: AbortController = new AbortController()
  readonly #timer: ReturnType<typeof setTimeout>

  constructor(ms: number) {
    this.#timer = setTimeout(() => this.controller.abort(), Math.max(0, ms))
  }

  clear(): void {
    clearTimeout(this.#timer)
  }

  /** Calls back when the deadline has passed. */
  onPassed(callback: () => void): void {
    this.controller.signal.addEventListener('abort', callback, { once: true })
  }
}

/** One request of a Lambda function. */
export class LambdaRequest {
  readonly #app: Handler
  readonly #logger: Logger
  readonly #deadline: Deadline
  readonly #transport: LambdaTransport
  /** Bytes of a streamed body that were written. */
  #writtenBytes = 0
  /** Whether the client disconnected before the end of a streamed body. */
  #isDisconnected = false
  /** Receives the response of the application. */
  #resolveResponse: Send = () => {}
  /** Cancels waiting for the next piece of a body. */
  #cancelWait = (): void => {}

  constructor(app: Handler, logger: Logger, deadline: Deadline, transport: LambdaTransport) {
    this.#app = app
    this.#logger = logger
    this.#deadline = deadline
    deadline.onPassed(() => this.#cancelWait())
    this.#transport = transport
  }

  finish(): void {
    this.#deadline.clear()
  }

  /** Returns the complete response; if its body fails or takes too long before anything is sent, it is replaced. */
  async toResult(): Promise<LambdaResult> {
    const { method } = this.#transport
    let response = await this.#waitForResponse()
    if (isStreamBody(response.body) && isBodySent(method, response)) {
      const body = await this.#collectBody(response.body)
      if (body instanceof Uint8Array) {
        response.done?.(response.status, 'sent', body.length)
        return buildLambdaResult(method, response, body)
      }
      response = await this.#replaceResponse(response, body.instead, body.error)
    }
    const body = isStreamBody(response.body) ? null : response.body
    releaseBody(response.body)
    response.done?.(response.status, 'sent', body === null || !isBodySent(method, response) ? 0 : countBytes(body))
    return buildLambdaResult(method, response, body)
  }

  /** Writes the response to the stream of the runtime. */
  async streamTo(runtime: LambdaRuntime, stream: LambdaStream): Promise<void> {
    const { method } = this.#transport
    const response = await this.#waitForResponse()
    const { body } = response
    if (!isStreamBody(body) || !isBodySent(method, response)) {
      const bytes = body === null || isStreamBody(body) ? undefined : body
      releaseBody(body)
      const length = bytes === undefined ? 0 : countBytes(bytes)
      const out = runtime.HttpResponseStream.from(stream, buildLambdaHead(method, response, length))
      // The runtime sends the head only after the first write.
      const sent = bytes !== undefined && isBodySent(method, response)
      out.write(sent ? bytes : '')
      out.end()
      response.done?.(response.status, 'sent', sent ? length : 0)
      return
    }
    await this.#writeStream(response, body, () =>
      runtime.HttpResponseStream.from(stream, buildLambdaHead(method, response, undefined)),
    )
  }

  async #writeStream({ status, done }: RawResponse, body: StreamBody, begin: () => LambdaStream): Promise<void> {
    let source: StreamSource | undefined
    let out: LambdaStream | undefined
    try {
      out = begin()
      source = openStream(body)
      if (await this.#pumpChunks(source, out)) out.end()
      done?.(status, this.#isDisconnected ? 'aborted' : 'sent', this.#writtenBytes)
    } catch (error) {
      if (source === undefined) releaseBody(body)
      else void source.cancel()
      this.#logFailure(error)
      done?.(status, 'failed', this.#writtenBytes, error)
      if (out === undefined) throw error
      out.destroy?.(error instanceof Error ? error : new Error(String(error)))
    }
  }

  /** Writes all pieces; returns false if the client disconnected first. */
  async #pumpChunks(source: StreamSource, out: LambdaStream): Promise<boolean> {
    let wake = (): void => {}
    const disconnect = (): void => {
      this.#isDisconnected = true
      void source.cancel()
      this.#cancelWait()
      wake()
    }
    out.once('close', disconnect)
    out.once('error', disconnect)
    if (out.destroyed === true) disconnect()
    while (!this.#isDisconnected) {
      const { done, value } = await this.#readNext(source).catch((error: unknown) => {
        if (this.#isDisconnected) return DISCONNECTED
        throw error
      })
      if (done === true) return !this.#isDisconnected
      this.#writtenBytes += countBytes(checkChunk(value))
      if (out.write(checkChunk(value))) continue
      await new Promise<void>((resolve) => {
        wake = resolve
        out.once('drain', resolve)
      })
    }
    return false
  }

  /** Returns the response of the application, or that for an exceeded deadline; a later one is dropped. */
  #waitForResponse(): Promise<RawResponse> {
    return new Promise((resolve) => {
      this.#resolveResponse = (response) => {
        this.#resolveResponse = discardResponse
        resolve(response)
      }
      // Plugins see the request end once, with the late response that is not sent.
      this.#deadline.onPassed(() => this.#resolveResponse(deadlineResponse))
      this.#app.handle(this.#transport, (response) => this.#resolveResponse(response))
    })
  }

  /** Returns the response that replaces one that cannot be sent; plugins of the application see it, once. */
  #replaceResponse(response: RawResponse, failure: RawResponse, error: unknown): Promise<RawResponse> {
    const { replace: instead, done } = response
    if (instead === undefined) return Promise.resolve({ ...failure, ...(done !== undefined && { done }) })
    return new Promise((resolve) => {
      this.#resolveResponse = (replacement) => {
        this.#resolveResponse = discardResponse
        resolve(replacement)
      }
      instead(failure, error)
    })
  }

  /** Collects all pieces of a body, or returns the response that replaces it. */
  async #collectBody(
    stream: StreamBody,
  ): Promise<Uint8Array | { readonly instead: RawResponse; readonly error: unknown }> {
    const chunks: Uint8Array[] = []
    let source: StreamSource | undefined
    try {
      source = openStream(stream)
      for (;;) {
        const { done, value } = await this.#readNext(source)
        if (done === true) return joinChunks(chunks)
        const piece = checkChunk(value)
        chunks.push(typeof piece === 'string' ? encoder.encode(piece) : piece)
      }
    } catch (error) {
      if (source === undefined) releaseBody(stream)
      else void source.cancel()
      if (error === TOO_LATE) return { instead: deadlineResponse, error }
      this.#logFailure(error)
      return { instead: internalErrorResponse, error }
    }
  }

  #readNext(source: StreamSource): ReturnType<StreamSource['next']> {
    if (this.#transport.signal.aborted) return Promise.reject(TOO_LATE)
    return new Promise((resolve, reject) => {
      this.#cancelWait = () => reject(TOO_LATE)
      source.next().then(resolve, reject)
    })
  }

  #logFailure(err: unknown): void {
    const { method, url } = this.#transport
    const target = toPathAndQuery(url)
    const redacted = this.#app.redactUrl?.(target) ?? target
    this.#logger.error({ err, method, url: redacted }, 'A response could not be sent')
  }
}

function discardResponse({ status, body, done }: RawResponse): void {
  releaseBody(body)
  done?.(status, 'aborted', 0)
}

function checkChunk(piece: string | Uint8Array | undefined): string | Uint8Array {
  if (typeof piece === 'string' || ArrayBuffer.isView(piece)) return piece
  throw new TypeError('A streamed body gave a piece that is neither text nor bytes')
}

const DISCONNECTED = { done: true, value: undefined } as const
const TOO_LATE = new Error('The function has no time left')
const encoder = new TextEncoder()
const countBytes = (body: string | Uint8Array): number =>
  typeof body === 'string' ? encoder.encode(body).length : body.length

function joinChunks(chunks: readonly Uint8Array[]): Uint8Array {
  const all = new Uint8Array(chunks.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const chunk of chunks) {
    all.set(chunk, at)
    at += chunk.length
  }
  return all
}
