// One reader of a channel: first it reads what a carrier keeps behind its position, then it shares the tail.
import type { Carrier } from './carrier.ts'
import type { EventTexts } from './event-text.ts'
import { BATCH_SIZE, readEntries, type Tail, type TailEntry } from './tail.ts'

/** An event as a stream gets it. */
interface StreamEvent {
  readonly event: string
  readonly data: unknown
  readonly id: string
}

/** A position without an event: where a stream begins, and where it is after events that were left out. */
interface StreamPosition {
  readonly id: string
}

/** The parts of an open channel that its readers share. */
export interface SharedChannel {
  readonly name: string
  readonly carrier: Carrier
  readonly texts: EventTexts
  readonly tail: Tail
}

/** Returns whether a reader gets an event. */
export type EventFilter = (event: StreamEvent) => boolean

/** A client learns its position after this many events that it does not get, so that it misses none of them later. */
const MAX_LEFT_OUT = 100

const END: IteratorReturnResult<undefined> = { done: true, value: undefined }

/** One reader of a channel. */
export class Subscription implements AsyncIterableIterator<StreamEvent | StreamPosition> {
  readonly #channel: SharedChannel
  readonly #includes: EventFilter | undefined
  #isStopped = false
  readonly #wake = (): void => this.#resume()
  #resume = (): void => {}
  #leave: (() => void) | undefined
  #position: string | undefined
  /** Entries that were read and not taken yet. */
  #read: TailEntry[] = []
  /** The number of the next entry of the tail; undefined while the reader reads by itself. */
  #next: number | undefined
  #leftOut = 0
  /** Events of a batch that are given one by one. */
  #shown: (StreamEvent | StreamPosition)[] = []

  constructor(channel: SharedChannel, after: string | undefined, includes: EventFilter | undefined) {
    this.#channel = channel
    this.#includes = includes
    this.#position = after
  }

  async next(): Promise<IteratorResult<StreamEvent | StreamPosition>> {
    if (this.#shown.length === 0) {
      const { done, value } = await this.#nextBatch()
      if (done === true) return END
      this.#shown = value
    }
    return { done: false, value: this.#shown.shift() as StreamEvent | StreamPosition }
  }

  /** Gives all that is there at once. */
  '~batches'(): AsyncIterator<readonly (StreamEvent | StreamPosition)[]> & { readonly isLive: true } {
    return { isLive: true, next: () => this.#nextBatch(), return: () => this.return() }
  }

  async #nextBatch(): Promise<IteratorResult<(StreamEvent | StreamPosition)[]>> {
    // A reader that is never asked for an event does not keep the tail open.
    this.#leave ??= this.#channel.tail.join()
    if (this.#position === undefined) {
      this.#position = await this.#channel.carrier.last(this.#channel.name)
      return this.#isStopped ? END : { done: false, value: [{ id: this.#position }] }
    }
    while (!this.#isStopped) {
      const batch = this.#takeBatch()
      if (batch.length > 0) return { done: false, value: batch }
      await this.#readMore()
    }
    return END
  }

  #takeBatch(): (StreamEvent | StreamPosition)[] {
    const batch: (StreamEvent | StreamPosition)[] = []
    while (batch.length < BATCH_SIZE) {
      const entry = this.#read.shift() ?? this.#takeFromTail()
      if (entry === undefined) break
      this.#position = entry.position
      const value = this.#show(entry)
      if (value !== undefined) batch.push(value)
    }
    return batch
  }

  #takeFromTail(): TailEntry | undefined {
    const { tail } = this.#channel
    if (this.#next !== undefined && tail.hasDropped(this.#next)) this.#next = undefined
    if (this.#next === undefined) return undefined
    const entry = tail.at(this.#next)
    if (entry !== undefined) this.#next++
    return entry
  }

  /** Waits for the tail if the reader has come to it; else reads from the carrier. */
  async #readMore(): Promise<void> {
    const { name, carrier, texts, tail } = this.#channel
    const { version } = tail
    const position = this.#position as string
    this.#next ??= tail.find(position)
    if (this.#next !== undefined) {
      if (tail.at(this.#next) === undefined) await this.#wait(version)
      return
    }
    const batch = await carrier.read(name, position, BATCH_SIZE)
    this.#read = await readEntries(batch, position, texts)
    if (this.#read.length === 0) await this.#wait(version)
  }

  // An AbortSignal for each wait of each stream would cost more than the event.
  #wait(version: number): Promise<void> {
    if (this.#isStopped) return Promise.resolve()
    return new Promise((resolve) => {
      this.#resume = resolve
      this.#channel.tail.wakeAfter(version, this.#wake)
    })
  }

  #show({ position: id, event, gapAfter }: TailEntry): StreamEvent | StreamPosition | undefined {
    if (gapAfter !== undefined) return { event: 'gap', data: { after: gapAfter }, id }
    if (event !== undefined && this.#includes?.(event) !== false) {
      this.#leftOut = 0
      return event
    }
    this.#leftOut++
    if (this.#leftOut < MAX_LEFT_OUT) return undefined
    this.#leftOut = 0
    return { id }
  }

  async return(): Promise<IteratorReturnResult<undefined>> {
    this.#isStopped = true
    this.#channel.tail.forget(this.#wake)
    this.#resume()
    this.#leave?.()
    return END
  }

  [Symbol.asyncIterator](): this {
    return this
  }
}
