// An answer on its way out, as plugins and policies see it: status, headers and a body that is written already.
import type { OutgoingResponse } from '../../design/declare/policy.ts'
import { isThenable } from '../../util/thenable.ts'
import { addHeader, isAccumulating, isHeaderName, isHeaderValue } from './headers.ts'
import { guardBody, releaseBody, replaceBody } from '../body-stream.ts'
import type { RawResponse } from '../transport.ts'

/** A function of a plugin or a policy that sees an answer before it is sent; S is what it knows of the request. */
export interface ResponseHook<S> {
  readonly name: string
  run(response: OutgoingResponse, subject: S): void | Promise<void>
}

/** An answer that can still be changed: its headers, its body and its status. */
class MutableResponse implements OutgoingResponse {
  status: number
  /** Text, bytes, a stream of them, or null; its length is added when it is sent. */
  body: RawResponse['body']
  /** Names and values take turns; copied when it is changed first, because lists are shared between answers. */
  #headers: readonly string[]
  #isCopied = false

  constructor({ status, headers, body }: RawResponse) {
    this.status = status
    this.#headers = headers
    this.body = body
  }

  /** The value of a header, several joined by commas; undefined without it. */
  get(name: string): string | undefined {
    const lower = name.toLowerCase()
    let found: string | undefined
    for (let at = this.#findNext(lower, 0); at !== -1; at = this.#findNext(lower, at + 2)) {
      const value = this.#headers[at + 1] as string
      found = found === undefined ? value : `${found}, ${value}`
    }
    return found
  }

  /** Sets a header in place of all of its name; `Vary`, `Link`, `Set-Cookie` and `Server-Timing` are added. */
  set(name: string, value: string): void {
    checkHeader(name, value)
    if (!isAccumulating(name.toLowerCase())) this.delete(name)
    addHeader(this.#change(), name, value)
  }

  /** Adds a header beside others of its name; `Vary` stays one list without repetitions. */
  append(name: string, value: string): void {
    checkHeader(name, value)
    addHeader(this.#change(), name, value)
  }

  /** Removes a header. */
  delete(name: string): void {
    const lower = name.toLowerCase()
    for (let at = this.#findNext(lower, 0); at !== -1; at = this.#findNext(lower, at)) this.#change().splice(at, 2)
  }

  /** The names and values of all headers. */
  *[Symbol.iterator](): IterableIterator<readonly [name: string, value: string]> {
    for (let i = 0; i < this.#headers.length; i += 2) yield [this.#headers[i] as string, this.#headers[i + 1] as string]
  }

  /** All headers in one list, names and values in turn. */
  get headers(): readonly string[] {
    return this.#headers
  }

  /** Where the next header of a name stands, which is given in lower case; -1 without one. */
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

/** The way of an answer past the hooks of S, a request. */
export interface ResponseHookRun<S> {
  readonly subject: S
  readonly hooks: readonly ResponseHook<S>[]
  /** Milliseconds for a hook that waits; 0 for any number. */
  readonly deadline: number
  /** The answer that takes the place of one whose hook failed. */
  respondToFailure(hook: ResponseHook<S>, error: unknown): RawResponse
  done(answer: RawResponse): void
}

/** Shows an answer to hooks and hands it on; a hook that fails is left out when the failure is shown to the others. */
export function runResponseHooks<S>(answer: RawResponse, passage: ResponseHookRun<S>): void {
  const { subject, hooks, done, deadline } = passage
  const response = new MutableResponse(answer)
  // The body that the hooks have seen, which one of them may replace.
  let known = answer.body
  const own = (): void => {
    if (response.body === known) return
    replaceBody(known, response.body)
    known = response.body
  }
  const fail = (hook: ResponseHook<S>, error: unknown): void => {
    own()
    releaseBody(known)
    runResponseHooks(passage.respondToFailure(hook, error), { ...passage, hooks: hooks.filter((one) => one !== hook) })
  }
  const late = (): void => (response.body === known ? undefined : releaseBody(response.body))
  const next = (from: number): void => {
    own()
    proceed(from)
  }
  const proceed = (from: number): void => {
    for (let i = from; i < hooks.length; i++) {
      const hook = hooks[i] as ResponseHook<S>
      try {
        const waiting = hook.run(response, subject)
        if (isThenable(waiting)) {
          guardBody(known)
          const failed = (error: unknown): void => fail(hook, error)
          return void withDeadline(deadline, waiting, late).then(() => next(i + 1), failed)
        }
        if (response.body !== known) own()
      } catch (error) {
        return fail(hook, error)
      }
    }
    const { status, headers, body } = response
    done({ status, headers, body, code: answer.code })
  }
  proceed(0)
}

/**
 * A promise that fails when it takes too long: a hook that never ends must not keep a client waiting for ever. `late` receives
 * what comes of it after that, an error too.
 */
export function withDeadline<T>(
  deadline: number,
  waiting: Promise<T>,
  late: (result: T | undefined, error?: unknown) => void,
): Promise<T> {
  if (deadline === 0) return waiting
  return new Promise((resolve, reject) => {
    let isLate = false
    const timer = setTimeout(() => {
      isLate = true
      reject(new Error(`It took longer than the deadline of ${deadline} ms`))
    }, deadline)
    const settled = (result: T | undefined, error?: unknown): void => {
      clearTimeout(timer)
      if (isLate) late(result, error)
    }
    waiting.then(resolve, reject)
    waiting.then(settled, (error: unknown) => settled(undefined, error))
  })
}
