// Lists that are written element by element: each is held to its declaration, and no more of them are kept than a piece holds.
import type { StreamForm } from '../../design/resolve/resolved.ts'
import type { Attribute } from '../../schema/attribute.ts'
import { Dumping } from '../../schema/dumping.ts'
import { prefixIssues } from '../../schema/issue.ts'
import { hasBrand } from '../../util/brand.ts'
import type { Failed } from '../../util/failed.ts'
import type { Exchange } from '../request/exchange.ts'
import { reportViolation, notifyViolations } from '../failure/violations.ts'
import { type ElementSource, takeFirst, openElementSource } from './element-source.ts'
import { describeIssues, failMissingBody, getCheckLimit, describeViolation } from './body-violations.ts'
import { type ElementWriter, createElementWriter } from './element-writer.ts'
import { type RenderedBody, type RenderFault, createViolation, createBodyFinding } from '../response/render-result.ts'
import type { ViolationFinding } from '../response/violation.ts'

/** A piece is sent when it is this long, or when nothing more is there to be written. */
const PIECE_SIZE = 64 * 1024

/** Makes the writer of a list of elements; `shown` gives what a request sees of each. */
export function createElementBodyWriter(
  contentType: string,
  shown: (exchange: Exchange) => Attribute,
  form: StreamForm | undefined,
): (body: unknown, exchange: Exchange) => RenderedBody | Failed<RenderFault> {
  return (body, exchange) => {
    if (body === undefined) return failMissingBody(exchange)
    const pieces = new CheckedElementWriter(createElementWriter(shown(exchange), form), exchange)
    try {
      if (Array.isArray(body)) return { contentType, body: writeAllElements(body, pieces) }
      const source = openElementSource(body)
      if (source !== undefined) return { contentType, body: new ElementStream(source, pieces) }
    } catch (error) {
      if (!isElementFault(error)) throw error
      return createViolation(error.message, ...error.findings)
    }
    return createViolation(describeViolation(exchange, 'it is no list of elements'), createBodyFinding('type', 'is no list of elements'))
  }
}

function writeAllElements(elements: readonly unknown[], pieces: CheckedElementWriter): string | Uint8Array {
  for (const element of elements) pieces.add(element)
  pieces.end()
  return pieces.take()
}

/** Thrown for an element that must not be sent. */
class ElementFault extends Error {
  override readonly name = 'ElementFault'
  readonly '~elementFault' = true
  readonly findings: readonly ViolationFinding[]

  constructor(text: string, findings: readonly ViolationFinding[]) {
    super(text)
    this.findings = findings
  }
}

const isElementFault = (error: unknown): error is ElementFault => hasBrand(error, '~elementFault')

/** Pieces of elements that are held to their declaration, as many as the application says. */
class CheckedElementWriter {
  readonly #writer: ElementWriter
  readonly #exchange: Exchange
  #checked: number
  #count = 0

  constructor(pieces: ElementWriter, exchange: Exchange) {
    this.#writer = pieces
    this.#exchange = exchange
    this.#checked = exchange.services.shouldCheckBody() ? getCheckLimit(exchange) : 0
  }

  get size(): number {
    return this.#writer.size
  }

  add(element: unknown): void {
    const dumping = new Dumping(this.#count < this.#checked)
    const isSent = this.#writer.add(element, dumping)
    if (dumping.issues !== null) this.#checkIssues(dumping, isSent)
    this.#count++
  }

  #checkIssues({ issues }: Dumping, isSent: boolean): void {
    prefixIssues(issues, this.#count, 0)
    const { broken, findings } = describeIssues(this.#exchange, issues ?? [])
    if (!isSent || this.#exchange.services.validateResponses === 'always') throw new ElementFault(broken, findings)
    reportViolation(this.#exchange, broken, findings)
    // One report tells of the list.
    this.#checked = 0
  }

  end(): void {
    this.#writer.end()
  }

  take(): string | Uint8Array {
    return this.#writer.take()
  }

  /** Tells plugins of an element that broke the answer off. */
  notifyFault(error: unknown): void {
    if (isElementFault(error)) notifyViolations(this.#exchange, error.findings, true)
  }
}

const IDLE = Symbol('idle')

/** The pieces of a list, made as they are asked for. */
class ElementStream implements AsyncIterableIterator<string | Uint8Array> {
  readonly #source: ElementSource
  readonly #writer: CheckedElementWriter
  #batch: readonly unknown[] = []
  #at = 0
  #pending: ReturnType<ElementSource['next']> | undefined
  #idle: Promise<typeof IDLE> | undefined
  #ended = false

  constructor(source: ElementSource, pieces: CheckedElementWriter) {
    this.#source = source
    this.#writer = pieces
    const first = takeFirst(source)
    // A mismatch at the beginning can still be answered with a failure.
    if (first !== undefined) this.#take(first)
  }

  async next(): Promise<IteratorResult<string | Uint8Array>> {
    try {
      while (!this.#ended && this.#writer.size < PIECE_SIZE) {
        const found = await this.#readMore()
        if (found === IDLE) break
        this.#take(found)
      }
    } catch (error) {
      this.#writer.notifyFault(error)
      await this.return()
      throw error
    }
    if (this.#ended && this.#writer.size === 0) return { done: true, value: undefined }
    this.#idle = undefined
    return { done: false, value: this.#writer.take() }
  }

  /** The next elements; or that nothing has come for a moment, in which what is written can be sent. */
  #readMore(): Promise<IteratorResult<readonly unknown[], unknown> | typeof IDLE> {
    if (this.#at < this.#batch.length) return Promise.resolve({ done: false, value: this.#batch })
    this.#pending ??= this.#source.next()
    if (this.#writer.size === 0) return this.#pending
    this.#idle ??= new Promise((resolve) => setTimeout(resolve, 0, IDLE))
    return Promise.race([this.#pending, this.#idle])
  }

  #take({ done, value }: IteratorResult<readonly unknown[], unknown>): void {
    this.#pending = undefined
    if (done === true) {
      this.#writer.end()
      this.#ended = true
      return
    }
    if (value !== this.#batch) {
      this.#batch = value
      this.#at = 0
    }
    while (this.#at < value.length && this.#writer.size < PIECE_SIZE) this.#writer.add(value[this.#at++])
  }

  async return(): Promise<IteratorReturnResult<undefined>> {
    this.#ended = true
    await this.#source.cancel()
    return { done: true, value: undefined }
  }

  [Symbol.asyncIterator](): this {
    return this
  }
}
