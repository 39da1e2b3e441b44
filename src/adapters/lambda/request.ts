// The way of a request through AWS Lambda and back: whole answers, or answers that are streamed as they are made.
import { problemOf } from '../../server/failure/problem.ts'
import type { Logger } from '../../server/logger.ts'
import { isStream, releaseBody, type Source, sourceOf } from '../../server/stream.ts'
import { pathAndQuery } from '../../server/target.ts'
import type { Answer, Handler, Send, StreamBody } from '../../server/transport.ts'
import type { LambdaResult, LambdaRuntime, LambdaStream } from './event.ts'
import { hasBody, headOf, resultOf } from './result.ts'
import type { LambdaTransport } from './transport.ts'

const HEADERS = ['Content-Type', 'application/problem+json', 'X-Content-Type-Options', 'nosniff']
const internal: Answer = {
  status: 500,
  headers: HEADERS,
  body: JSON.stringify(problemOf({ code: 'internal' })),
  code: 'internal',
}
const late: Answer = {
  status: 503,
  headers: [...HEADERS, 'Retry-After', '1'],
  body: JSON.stringify(problemOf({ code: 'deadline-exceeded' })),
  code: 'deadline-exceeded',
}

/** The time at which a request has to be answered. */
export class Deadline {
  readonly controller: AbortController = new AbortController()
  readonly #timer: ReturnType<typeof setTimeout>

  constructor(ms: number) {
    this.#timer = setTimeout(() => this.controller.abort(), Math.max(0, ms))
  }

  end(): void {
    clearTimeout(this.#timer)
  }

  /** Calls back when it is too late. */
  whenPassed(callback: () => void): void {
    this.controller.signal.addEventListener('abort', callback, { once: true })
  }
}

/** One request of a function. */
export class LambdaRequest {
  readonly #app: Handler
  readonly #logger: Logger
  readonly #deadline: Deadline
  readonly #transport: LambdaTransport
  /** Bytes of a streamed body that were written. */
  #written = 0
  /** The client has gone before the end of a streamed body. */
  #gone = false
  /** Takes the answer of the application. */
  #receive: Send = () => {}
  /** Ends the wait for the next piece of a body. */
  #giveUp = (): void => {}

  constructor(app: Handler, logger: Logger, deadline: Deadline, transport: LambdaTransport) {
    this.#app = app
    this.#logger = logger
    this.#deadline = deadline
    deadline.whenPassed(() => this.#giveUp())
    this.#transport = transport
  }

  end(): void {
    this.#deadline.end()
  }

  /** The whole response; if its body fails or takes too long before anything is sent, it is replaced. */
  async result(): Promise<LambdaResult> {
    const { method } = this.#transport
    let answer = await this.#answer()
    if (isStream(answer.body) && hasBody(method, answer)) {
      const body = await this.#collected(answer.body)
      if (body instanceof Uint8Array) {
        answer.done?.(answer.status, 'sent', body.length)
        return resultOf(method, answer, body)
      }
      answer = await this.#instead(answer, body.instead, body.error)
    }
    const body = isStream(answer.body) ? null : answer.body
    releaseBody(answer.body)
    answer.done?.(answer.status, 'sent', body === null || !hasBody(method, answer) ? 0 : lengthOf(body))
    return resultOf(method, answer, body)
  }

  /** Writes the answer to the stream of the runtime. */
  async stream(runtime: LambdaRuntime, stream: LambdaStream): Promise<void> {
    const { method } = this.#transport
    const answer = await this.#answer()
    const { body } = answer
    if (!isStream(body) || !hasBody(method, answer)) {
      const bytes = body === null || isStream(body) ? undefined : body
      releaseBody(body)
      const length = bytes === undefined ? 0 : lengthOf(bytes)
      const out = runtime.HttpResponseStream.from(stream, headOf(method, answer, length))
      // The runtime sends no head before something was written.
      const sent = bytes !== undefined && hasBody(method, answer)
      out.write(sent ? bytes : '')
      out.end()
      answer.done?.(answer.status, 'sent', sent ? length : 0)
      return
    }
    await this.#streamed(answer, body, () => runtime.HttpResponseStream.from(stream, headOf(method, answer, undefined)))
  }

  async #streamed({ status, done }: Answer, body: StreamBody, begin: () => LambdaStream): Promise<void> {
    let source: Source | undefined
    let out: LambdaStream | undefined
    try {
      out = begin()
      source = sourceOf(body)
      if (await this.#pump(source, out)) out.end()
      done?.(status, this.#gone ? 'aborted' : 'sent', this.#written)
    } catch (error) {
      if (source === undefined) releaseBody(body)
      else void source.cancel()
      this.#log(error)
      done?.(status, 'failed', this.#written, error)
      if (out === undefined) throw error
      out.destroy?.(error instanceof Error ? error : new Error(String(error)))
    }
  }

  /** Writes all pieces; false if the client went first. */
  async #pump(source: Source, out: LambdaStream): Promise<boolean> {
    let wake = (): void => {}
    const gone = (): void => {
      this.#gone = true
      void source.cancel()
      this.#giveUp()
      wake()
    }
    out.once('close', gone)
    out.once('error', gone)
    if (out.destroyed === true) gone()
    while (!this.#gone) {
      const { done, value } = await this.#next(source).catch((error: unknown) => {
        if (this.#gone) return GONE
        throw error
      })
      if (done === true) return !this.#gone
      this.#written += lengthOf(checked(value))
      if (out.write(checked(value))) continue
      await new Promise<void>((resolve) => {
        wake = resolve
        out.once('drain', resolve)
      })
    }
    return false
  }

  /** The response of the application, or that for an exceeded deadline; a later one is dropped. */
  #answer(): Promise<Answer> {
    return new Promise((resolve) => {
      this.#receive = (answer) => {
        this.#receive = unheard
        resolve(answer)
      }
      // Its plugins see the request once, by the response that no client waits for any more.
      this.#deadline.whenPassed(() => this.#receive(late))
      this.#app.handle(this.#transport, (answer) => this.#receive(answer))
    })
  }

  /** The answer in place of one that cannot be given; plugins of the application see it, once. */
  #instead(answer: Answer, failure: Answer, error: unknown): Promise<Answer> {
    const { instead, done } = answer
    if (instead === undefined) return Promise.resolve({ ...failure, ...(done !== undefined && { done }) })
    return new Promise((resolve) => {
      this.#receive = (other) => {
        this.#receive = unheard
        resolve(other)
      }
      instead(failure, error)
    })
  }

  /** All pieces of a body, or the answer that has to take its place. */
  async #collected(stream: StreamBody): Promise<Uint8Array | { readonly instead: Answer; readonly error: unknown }> {
    const chunks: Uint8Array[] = []
    let source: Source | undefined
    try {
      source = sourceOf(stream)
      for (;;) {
        const { done, value } = await this.#next(source)
        if (done === true) return joined(chunks)
        const piece = checked(value)
        chunks.push(typeof piece === 'string' ? encoder.encode(piece) : piece)
      }
    } catch (error) {
      if (source === undefined) releaseBody(stream)
      else void source.cancel()
      if (error === TOO_LATE) return { instead: late, error }
      this.#log(error)
      return { instead: internal, error }
    }
  }

  #next(source: Source): ReturnType<Source['next']> {
    if (this.#transport.signal.aborted) return Promise.reject(TOO_LATE)
    return new Promise((resolve, reject) => {
      this.#giveUp = () => reject(TOO_LATE)
      source.next().then(resolve, reject)
    })
  }

  #log(err: unknown): void {
    const { method, url } = this.#transport
    const target = pathAndQuery(url)
    const shown = this.#app.redactUrl?.(target) ?? target
    this.#logger.error({ err, method, url: shown }, 'An answer could not be sent')
  }
}

function unheard({ status, body, done }: Answer): void {
  releaseBody(body)
  done?.(status, 'aborted', 0)
}

function checked(piece: string | Uint8Array | undefined): string | Uint8Array {
  if (typeof piece === 'string' || ArrayBuffer.isView(piece)) return piece
  throw new TypeError('A streamed body gave a piece that is neither text nor bytes')
}

const GONE = { done: true, value: undefined } as const
const TOO_LATE = new Error('The function has no time left')
const encoder = new TextEncoder()
const lengthOf = (body: string | Uint8Array): number =>
  typeof body === 'string' ? encoder.encode(body).length : body.length

function joined(chunks: readonly Uint8Array[]): Uint8Array {
  const all = new Uint8Array(chunks.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const chunk of chunks) {
    all.set(chunk, at)
    at += chunk.length
  }
  return all
}
