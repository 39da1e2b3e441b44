// An answer on its way out, as plugins and policies see it: status, headers and a body that is written already.
import { isHeaderName, isHeaderValue } from './heads.ts'
import type { Answer } from './transport.ts'

/** An answer that can still be changed: its headers, its body and its status. */
export class OutgoingResponse {
  status: number
  /** Text, bytes, a stream of them, or null; its length is added when it is sent. */
  body: Answer['body']
  /** Names and values take turns; copied when it is changed first, because lists are shared between answers. */
  #headers: readonly string[]
  #own = false

  constructor({ status, headers, body }: Answer) {
    this.status = status
    this.#headers = headers
    this.body = body
  }

  /** The value of a header, several joined by commas; undefined without it. */
  get(name: string): string | undefined {
    const values = this.#positions(name).map((at) => this.#headers[at + 1] as string)
    return values.length === 0 ? undefined : values.join(', ')
  }

  /** Sets a header in place of all of its name. */
  set(name: string, value: string): void {
    check(name, value)
    this.delete(name)
    this.#change().push(name, value)
  }

  /** Adds a header beside others of its name; `Vary` stays one list without repetitions. */
  append(name: string, value: string): void {
    check(name, value)
    if (name.toLowerCase() !== 'vary') {
      this.#change().push(name, value)
      return
    }
    const known = (this.get(name) ?? '').split(',').map((one) => one.trim().toLowerCase())
    for (const one of value.split(',').map((field) => field.trim()))
      if (!known.includes(one.toLowerCase())) this.#change().push(name, one)
  }

  /** Removes a header. */
  delete(name: string): void {
    const at = this.#positions(name)
    if (at.length > 0) this.#headers = this.#change().filter((_, i) => !at.includes(i - (i % 2)))
  }

  /** The names and values of all headers. */
  *[Symbol.iterator](): IterableIterator<readonly [name: string, value: string]> {
    for (let i = 0; i < this.#headers.length; i += 2) yield [this.#headers[i] as string, this.#headers[i + 1] as string]
  }

  /** All headers in one list, names and values in turn. */
  get headers(): readonly string[] {
    return this.#headers
  }

  #positions(name: string): number[] {
    const lower = name.toLowerCase()
    const found: number[] = []
    for (let i = 0; i < this.#headers.length; i += 2)
      if ((this.#headers[i] as string).toLowerCase() === lower) found.push(i)
    return found
  }

  #change(): string[] {
    if (!this.#own) {
      this.#headers = [...this.#headers]
      this.#own = true
    }
    return this.#headers as string[]
  }
}

function check(name: string, value: string): void {
  if (!isHeaderName(name)) throw new TypeError(`'${name}' is not the name of a header`)
  if (typeof value !== 'string' || !isHeaderValue(value))
    throw new TypeError(`The header ${name} has a character that a header cannot carry; encode it`)
}
