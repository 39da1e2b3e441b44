// Writes lists and streams of events element by element: checks each against its declaration, and buffers no more than one
// piece.
import type { StreamForm } from '../../design/resolve/resolved.ts'
import type { Attribute } from '../../schema/attribute.ts'
import { Dumping } from '../../schema/dumping.ts'
import { prefixIssues } from '../../schema/issue.ts'
import type { Failed } from '../../util/failed.ts'
import { notifyViolations, reportViolation } from '../failure/violations.ts'
import type { Exchange } from '../request/exchange.ts'
import { createBodyFinding, createViolation, type RenderedBody, type RenderFault } from '../response/render-result.ts'
import { describeIssues, describeViolation, failMissingBody, getCheckLimit } from './body-violations.ts'
import { ElementFault, isElementFault } from './element-fault.ts'
import { type ElementSource, openElementSource, takeFirst } from './element-source.ts'
import { createElementWriter, type ElementWriter, EventWriter } from './element-writer.ts'
import { type EventForm, EventKeeper, IDLE } from './event-keeper.ts'

/** A piece is sent when it has this size, or when no further elements are available yet. */
const PIECE_SIZE = 64 * 1024

/** Creates the writer of a list of elements; `getAttribute` returns the attribute of each for a request. */
export function createElementBodyWriter(
  contentType: string,
  getAttribute: (exchange: Exchange) => Attribute,
  form: StreamForm | undefined,
): (body: unknown, exchange: Exchange) => RenderedBody | Failed<RenderFault> {
  return (body, exchange) => {
    if (body === undefined) return failMissingBody(exchange)
    const isEvents = form?.as === 'events'
    const events = isEvents ? new EventWriter(getAttribute(exchange)) : undefined
    const writer = new CheckedElementWriter(events ?? createElementWriter(getAttribute(exchange), form), exchange)
    try {
      if (Array.isArray(body) && events === undefined) return { contentType, body: writeAllElements(body, writer) }
      const source = openElementSource(body)
      if (source !== undefined) {
        const keeper = events && new EventKeeper(events, exchange, form as EventForm)
        return { contentType, body: new ElementStream(source, writer, keeper) }
      }
    } catch (error) {
      if (!isElementFault(error)) throw error
      return createViolation(error.message, ...error.findings)
    }
    return createViolation(
      describeViolation(exchange, 'it is no list of elements'),
      createBodyFinding('type', 'is no list of elements'),
    )
  }
}

function writeAllElements(elements: readonly unknown[], writer: CheckedElementWriter): string | Uint8Array {
  for (const element of elements) writer.add(element)
  writer.end()
  return writer.take()
}

/** Writes elements and checks them against their declaration, up to the application's limit. */
class CheckedElementWriter {
  readonly #writer: ElementWriter
  readonly #exchange: Exchange
  #maxChecked: number
  #count = 0

  constructor(writer: ElementWriter, exchange: Exchange) {
    this.#writer = writer
    this.#exchange = exchange
    this.#maxChecked = exchange.services.shouldCheckBody() ? getCheckLimit(exchange) : 0
  }

  get size(): number {
    return this.#writer.size
  }

  add(element: unknown): void {
    const dumping = new Dumping(this.#count < this.#maxChecked ? 'checked' : 'unchecked')
    const isSent = this.#writer.add(element, dumping)
    if (dumping.issues !== null) this.#checkIssues(element, dumping, isSent)
    this.#count++
  }

  #checkIssues(element: unknown, { issues }: Dumping, isSent: boolean): void {
    prefixIssues(issues, this.#count, 0)
    const { broken, findings } = describeIssues(this.#exchange, issues ?? [])
    if (!isSent || this.#exchange.services.validateResponses === 'always') {
      if (isSent) this.#writer.remove?.()
      throw new ElementFault(broken, findings, element)
    }
    reportViolation(this.#exchange, broken, findings)
    // One report per list is enough.
    this.#maxChecked = 0
  }

  end(): void {
    this.#writer.end()
  }

  take(): string | Uint8Array {
    return this.#writer.take()
  }

  /** Reports an element that aborted the response to plugins. */
  notifyFault(error: unknown): void {
    if (isElementFault(error)) notifyViolations(this.#exchange, error.findings, 'failed')
  }
}

/** The pieces of a list, written on demand. */
class ElementStream implements AsyncIterableIterator<string | Uint8Array> {
  readonly #source: ElementSource
  readonly #writer: CheckedElementWriter
  /** Keeps a stream of events open, and ends it. */
  readonly #keeper: EventKeeper | undefined
  #batch: readonly unknown[] = []
  #at = 0
  #pending: ReturnType<ElementSource['next']> | undefined
  #idle: Promise<typeof IDLE> | undefined
  #ended = false

  constructor(source: ElementSource, writer: CheckedElementWriter, keeper?: EventKeeper) {
    this.#source = source
    this.#writer = writer
    this.#keeper = keeper
    const first = takeFirst(source)
    // A mismatch at the beginning can still become a failure response.
    if (first !== undefined) this.#take(first)
  }

  async next(): Promise<IteratorResult<string | Uint8Array>> {
    try {
      while (!this.#ended && this.#writer.size < PIECE_SIZE && !this.#hasAll()) {
        if (this.#keeper?.isStopping === true) {
          this.#keeper.addEnd()
          void this.return()
          break
        }
        const batch = await this.#readMore()
        if (batch !== IDLE) this.#take(batch)
        else if (this.#writer.size > 0) break
      }
    } catch (error) {
      if (this.#keeper === undefined) {
        this.#writer.notifyFault(error)
        await this.return()
        throw error
      }
      if (!this.#ended) this.#keeper.addFailure(error)
      void this.return()
    }
    if (this.#ended && this.#writer.size === 0) return { done: true, value: undefined }
    this.#idle = undefined
    return { done: false, value: this.#writer.take() }
  }

  /** Returns whether all elements that are there have been written. */
  #hasAll(): boolean {
    return this.#source.isLive === true && this.#writer.size > 0 && this.#at >= this.#batch.length
  }

  /** Returns the next batch; or IDLE if none has arrived for a moment, so that the written elements can be sent. */
  #readMore(): Promise<IteratorResult<readonly unknown[], unknown> | typeof IDLE> {
    if (this.#at < this.#batch.length) return Promise.resolve({ done: false, value: this.#batch })
    this.#pending ??= this.#source.next()
    if (this.#writer.size === 0) return this.#keeper?.waitFor(this.#pending) ?? this.#pending
    this.#idle ??= this.#keeper === undefined ? waitForTimers() : waitForMicrotasks()
    return Promise.race([this.#pending, this.#idle])
  }

  #take({ done, value }: IteratorResult<readonly unknown[], unknown>): void {
    this.#pending = undefined
    if (done === true) {
      this.#writer.end()
      this.#ended = true
      this.#keeper?.release()
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
    this.#keeper?.stop()
    await this.#source.cancel()
    return { done: true, value: undefined }
  }

  [Symbol.asyncIterator](): this {
    return this
  }
}

/** Elements that arrive meanwhile share a piece. */
const waitForTimers = (): Promise<typeof IDLE> => new Promise((resolve) => setTimeout(resolve, 0, IDLE))

/** The most promises between an event that is there and its arrival. */
const MICROTASKS = 16

// Events are sent as they come, and share a piece only with those that are there already: a timer for each event of each stream
// would cost more than the event.
async function waitForMicrotasks(): Promise<typeof IDLE> {
  for (let i = 0; i < MICROTASKS; i++) await Promise.resolve()
  return IDLE
}
