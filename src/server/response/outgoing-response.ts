// A response before it is sent, as plugins and policies see it: status, headers and a written body.
import type { OutgoingResponse } from '../../design/declare/policy.ts'
import { isThenable } from '../../util/thenable.ts'
import { guardBody, releaseBody, replaceBody } from '../body-stream.ts'
import type { RawResponse } from '../transport.ts'
import { addHeader, isAccumulating, isHeaderName, isHeaderValue } from './headers.ts'

/** A function of a plugin or a policy that runs before a response is sent; S is the request. */
export interface ResponseHook<S> {
  readonly name: string
  run(response: OutgoingResponse, subject: S): void | Promise<void>
}

/** A response that can still be changed: its headers, its body and its status. */
class MutableResponse implements OutgoingResponse {
  status: number
  /** Text, bytes, a stream of them, or null; its length is added when it is sent. */
  body: RawResponse['body']
  /** Names and values in turn; copied on the first change, because responses share lists. */
  #headers: readonly string[]
  #isCopied = false

  constructor({ status, headers, body }: RawResponse) {
    this.status = status
    this.#headers = headers
    this.body = body
  }

  /** Returns the value of a header, several joined by commas; undefined without it. */
  get(name: string): string | undefined {
    const lower = name.toLowerCase()
    let found: string | undefined
    for (let at = this.#findNext(lower, 0); at !== -1; at = this.#findNext(lower, at + 2)) {
      const value = this.#headers[at + 1] as string
      found = found === undefined ? value : `${found}, ${value}`
    }
    return found
  }

  /** Sets a header, replacing all of its name; `Vary`, `Link`, `Set-Cookie` and `Server-Timing` are added. */
  set(name: string, value: string): void {
    checkHeader(name, value)
    if (!isAccumulating(name.toLowerCase())) this.delete(name)
    addHeader(this.#change(), name, value)
  }

  /** Adds a header, keeping others of its name; `Vary` stays a list without repetitions. */
  append(name: string, value: string): void {
    checkHeader(name, value)
    addHeader(this.#change(), name, value)
  }

  /** Removes a header. */
  delete(name: string): void {
    const lower = name.toLowerCase()
    for (let at = this.#findNext(lower, 0); at !== -1; at = this.#findNext(lower, at)) this.#change().splice(at, 2)
  }

  /** Iterates over the names and values of all headers. */
  *[Symbol.iterator](): IterableIterator<readonly [name: string, value: string]> {
    for (let i = 0; i < this.#headers.length; i += 2) yield [this.#headers[i] as string, this.#headers[i + 1] as string]
  }

  /** All headers in one list, names and values in turn. */
  get headers(): readonly string[] {
    return this.#headers
  }

  /** Returns the index of the next header of a lower-case name; -1 without one. */
  #findNext(lower: string, from: number): number {
    for (let at = from; at < this.#headers.length; at += 2) {
      const name = this.#headers[at] as string
      if (name.length === lower.length && name.toLowerCase() === lower) return at
    }
    return -1
  }

  #change(): string[] {
    if (!this.#isCopied) {
      this.#headers = [...this.#headers]
      this.#isCopied = true
    }
    return this.#headers as string[]
  }
}

function checkHeader(name: string, value: string): void {
  if (!isHeaderName(name)) throw new TypeError(`'${name}' is not the name of a header`)
  if (typeof value !== 'string' || !isHeaderValue(value))
    throw new TypeError(`The header ${name} has a character that a header cannot carry; encode it`)
}

/** The run of hooks on a response; S is the request. */
export interface ResponseHookRun<S> {
  readonly subject: S
  readonly hooks: readonly ResponseHook<S>[]
  /** The most milliseconds for an asynchronous hook; 0 for no limit. */
  readonly deadline: number
  /** Returns the response that replaces one whose hook failed. */
  respondToFailure(hook: ResponseHook<S>, error: unknown): RawResponse
  done(response: RawResponse): void
}

/** Runs hooks on a response and passes it on; after a failure, the other hooks run on the failure response. */
export function runResponseHooks<S>(original: RawResponse, run: ResponseHookRun<S>): void {
  const { subject, hooks, done, deadline } = run
  const response = new MutableResponse(original)
  // The body before the current hook, which the hook may replace.
  let currentBody = original.body
  const trackBody = (): void => {
    if (response.body === currentBody) return
    replaceBody(currentBody, response.body)
    currentBody = response.body
  }
  const fail = (hook: ResponseHook<S>, error: unknown): void => {
    trackBody()
    releaseBody(currentBody)
    runResponseHooks(run.respondToFailure(hook, error), { ...run, hooks: hooks.filter((one) => one !== hook) })
  }
  const releaseLate = (): void => (response.body === currentBody ? undefined : releaseBody(response.body))
  const next = (from: number): void => {
    trackBody()
    proceed(from)
  }
  const proceed = (from: number): void => {
    for (let i = from; i < hooks.length; i++) {
      const hook = hooks[i] as ResponseHook<S>
      try {
        const pending = hook.run(response, subject)
        if (isThenable(pending)) {
          guardBody(currentBody)
          const onError = (error: unknown): void => fail(hook, error)
          return void withDeadline(deadline, pending, releaseLate).then(() => next(i + 1), onError)
        }
        if (response.body !== currentBody) trackBody()
      } catch (error) {
        return fail(hook, error)
      }
    }
    const { status, headers, body } = response
    done({ status, headers, body, code: original.code })
  }
  proceed(0)
}

/**
 * Rejects a promise that takes too long: a hook that never ends must not block a client forever. `late` receives the
 * result or the error after that.
 */
export function withDeadline<T>(
  deadline: number,
  pending: Promise<T>,
  late: (result: T | undefined, error?: unknown) => void,
): Promise<T> {
  if (deadline === 0) return pending
  return new Promise((resolve, reject) => {
    let isLate = false
    const timer = setTimeout(() => {
      isLate = true
      reject(new Error(`It took longer than the deadline of ${deadline} ms`))
    }, deadline)
    const settle = (result: T | undefined, error?: unknown): void => {
      clearTimeout(timer)
      if (isLate) late(result, error)
    }
    pending.then(resolve, reject)
    pending.then(settle, (error: unknown) => settle(undefined, error))
  })
}
