// Lists that are written element by element: each is held to its declaration, and no more of them are kept than a piece holds.
import type { StreamForm } from '../../design/resolve/resolved.ts'
import type { Attribute } from '../../schema/attribute.ts'
import { Dumping } from '../../schema/dumping.ts'
import { prefixIssues } from '../../schema/issue.ts'
import { hasBrand } from '../../util/brand.ts'
import type { Failed } from '../../util/failed.ts'
import type { Exchange } from '../exchange.ts'
import { reportViolation, tellViolations } from '../failure/violations.ts'
import { type ElementSource, firstOf, sourceOfElements } from './element-source.ts'
import { describeIssues, missingBody, mostChecked, violated } from './judged.ts'
import { type Pieces, piecesOf } from './pieces.ts'
import { type Rendered, type RenderFault, violation, wholeBody } from './rendered.ts'
import type { ViolationFinding } from './violation.ts'

/** A piece is sent when it is this long, or when nothing more is there to be written. */
const PIECE = 64 * 1024

/** Makes the writer of a list of elements; `shown` gives what a request sees of each. */
export function writeElements(
  contentType: string,
  shown: (exchange: Exchange) => Attribute,
  form: StreamForm | undefined,
): (body: unknown, exchange: Exchange) => Rendered | Failed<RenderFault> {
  return (body, exchange) => {
    if (body === undefined) return missingBody(exchange)
    const pieces = new JudgedPieces(piecesOf(shown(exchange), form), exchange)
    try {
      if (Array.isArray(body)) return { contentType, body: wholeOf(body, pieces) }
      const source = sourceOfElements(body)
      if (source !== undefined) return { contentType, body: new PieceStream(source, pieces) }
    } catch (error) {
      if (!isElementFault(error)) throw error
      return violation(error.message, ...error.findings)
    }
    return violation(violated(exchange, 'it is no list of elements'), wholeBody('type', 'is no list of elements'))
  }
}

function wholeOf(elements: readonly unknown[], pieces: JudgedPieces): string | Uint8Array {
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
class JudgedPieces {
  readonly #pieces: Pieces
  readonly #exchange: Exchange
  #checked: number
  #count = 0

  constructor(pieces: Pieces, exchange: Exchange) {
    this.#pieces = pieces
    this.#exchange = exchange
    this.#checked = exchange.services.checksBody() ? mostChecked(exchange) : 0
  }

  get size(): number {
    return this.#pieces.size
  }

  add(element: unknown): void {
    const dumping = new Dumping(this.#count < this.#checked)
    const isSent = this.#pieces.add(element, dumping)
    if (dumping.issues !== null) this.#judge(dumping, isSent)
    this.#count++
  }

  #judge({ issues }: Dumping, isSent: boolean): void {
    prefixIssues(issues, this.#count, 0)
    const { broken, findings } = describeIssues(this.#exchange, issues ?? [])
    if (!isSent || this.#exchange.services.validateResponses === 'always') throw new ElementFault(broken, findings)
    reportViolation(this.#exchange, broken, findings)
    // One report tells of the list.
    this.#checked = 0
  }

  end(): void {
    this.#pieces.end()
  }

  take(): string | Uint8Array {
    return this.#pieces.take()
  }

  /** Tells plugins of an element that broke the answer off. */
  tell(error: unknown): void {
    if (isElementFault(error)) tellViolations(this.#exchange, error.findings, true)
  }
}

const IDLE = Symbol('idle')

/** The pieces of a list, made as they are asked for. */
class PieceStream implements AsyncIterableIterator<string | Uint8Array> {
  readonly #source: ElementSource
  readonly #pieces: JudgedPieces
  #batch: readonly unknown[] = []
  #at = 0
  #coming: ReturnType<ElementSource['next']> | undefined
  #idle: Promise<typeof IDLE> | undefined
  #ended = false

  constructor(source: ElementSource, pieces: JudgedPieces) {
    this.#source = source
    this.#pieces = pieces
    const first = firstOf(source)
    // A mismatch at the beginning can still be answered with a failure.
    if (first !== undefined) this.#take(first)
  }

  async next(): Promise<IteratorResult<string | Uint8Array>> {
    try {
      while (!this.#ended && this.#pieces.size < PIECE) {
        const found = await this.#more()
        if (found === IDLE) break
        this.#take(found)
      }
    } catch (error) {
      this.#pieces.tell(error)
      await this.return()
      throw error
    }
    if (this.#ended && this.#pieces.size === 0) return { done: true, value: undefined }
    this.#idle = undefined
    return { done: false, value: this.#pieces.take() }
  }

  /** The next elements; or that nothing has come for a moment, in which what is written can be sent. */
  #more(): Promise<IteratorResult<readonly unknown[], unknown> | typeof IDLE> {
    if (this.#at < this.#batch.length) return Promise.resolve({ done: false, value: this.#batch })
    this.#coming ??= this.#source.next()
    if (this.#pieces.size === 0) return this.#coming
    this.#idle ??= new Promise((resolve) => setTimeout(resolve, 0, IDLE))
    return Promise.race([this.#coming, this.#idle])
  }

  #take({ done, value }: IteratorResult<readonly unknown[], unknown>): void {
    this.#coming = undefined
    if (done === true) {
      this.#pieces.end()
      this.#ended = true
      return
    }
    if (value !== this.#batch) {
      this.#batch = value
      this.#at = 0
    }
    while (this.#at < value.length && this.#pieces.size < PIECE) this.#pieces.add(value[this.#at++])
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
