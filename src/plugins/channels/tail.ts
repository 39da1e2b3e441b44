// The end of a channel as one process reads it, once for all of its streams.
import { SharedEvent } from '../../extend.ts'
import type { Batch, Carrier } from './carrier.ts'
import type { EventTexts } from './event-text.ts'

/** An event of a channel, or a gap in it, with its position. */
export type TailEntry = { readonly position: string; readonly size: number } & (
  | { readonly event: SharedEvent | undefined; readonly gapAfter?: undefined }
  | { readonly gapAfter: string; readonly event?: undefined }
)

/** The newest entries that are held for streams; those behind them read for themselves. */
const MAX_ENTRIES = 256
/** The most characters of their events, besides the newest one. */
const MAX_SIZE = 4 << 20
/** The most events that are read at once. */
export const BATCH_SIZE = 256
/** Milliseconds before a carrier that failed is asked again: the first and the longest pause. */
const PAUSE = { first: 50, longest: 5000 }

/** Turns a batch into entries: its gap, if it has one, and its events. */
export async function readEntries({ from, events }: Batch, after: string, texts: EventTexts): Promise<TailEntry[]> {
  const entries: TailEntry[] = from === after ? [] : [{ position: from, size: 0, gapAfter: after }]
  for (const { position, text } of events) {
    const read = await texts.read(text)
    entries.push({ position, size: text.length, event: read && new SharedEvent(read.event, read.data, position) })
  }
  return entries
}

/** Reads the end of a channel for as long as streams wait for it. */
export class Tail {
  readonly #carrier: Carrier
  readonly #channel: string
  readonly #texts: EventTexts
  readonly #onFailure: (error: unknown) => void
  #entries: TailEntry[] = []
  /** The number of the first entry that is held. */
  #first = 0
  /** The position before the first entry that is held. */
  #before: string | undefined
  #version = 0
  readonly #waiting = new Set<() => void>()
  #readers = 0
  #stopping = new AbortController()

  constructor(carrier: Carrier, channel: string, texts: EventTexts, onFailure: (error: unknown) => void) {
    this.#carrier = carrier
    this.#channel = channel
    this.#texts = texts
    this.#onFailure = onFailure
  }

  /** Adds a reader; the first one starts to read. Returns a function that removes it; without readers, nothing is read. */
  join(): () => void {
    this.#readers++
    if (this.#readers === 1) {
      this.#stopping = new AbortController()
      void this.#follow(this.#stopping.signal)
    }
    let isHere = true
    return () => {
      if (!isHere) return
      isHere = false
      this.#readers--
      if (this.#readers === 0) this.#stop()
    }
  }

  #stop(): void {
    this.#stopping.abort()
    this.#first += this.#entries.length
    this.#entries = []
    this.#before = undefined
    this.#wake()
  }

  /** Grows with everything that the tail learns. */
  get version(): number {
    return this.#version
  }

  /** Returns whether the entry of a number is held no more. */
  hasDropped(number: number): boolean {
    return number < this.#first
  }

  /** Returns the entry of a number that is not dropped; undefined if it has not come yet. */
  at(number: number): TailEntry | undefined {
    return this.#entries[number - this.#first]
  }

  /** Returns the number of the entry behind a position; undefined if the position is not among those that are held. */
  find(position: string): number | undefined {
    const index = this.#entries.findLastIndex((one) => one.position === position)
    if (index >= 0) return this.#first + index + 1
    return position === this.#before ? this.#first : undefined
  }

  /** Wakes a reader once, when the tail has learned something since a version. */
  wakeAfter(version: number, wake: () => void): void {
    if (this.#version === version) this.#waiting.add(wake)
    else wake()
  }

  /** Does not wake a reader that waits no longer. */
  forget(wake: () => void): void {
    this.#waiting.delete(wake)
  }

  async #follow(signal: AbortSignal): Promise<void> {
    let pause = PAUSE.first
    while (!signal.aborted) {
      try {
        await this.#readOnce(signal)
        pause = PAUSE.first
      } catch (error) {
        if (signal.aborted) return
        this.#onFailure(error)
        await sleep(pause, signal)
        pause = Math.min(pause * 2, PAUSE.longest)
      }
    }
  }

  async #readOnce(signal: AbortSignal): Promise<void> {
    const known = this.#entries.at(-1)?.position ?? this.#before
    if (known === undefined) {
      const last = await this.#carrier.last(this.#channel)
      if (signal.aborted) return
      this.#before = last
      // Events between this position and that of a stream were published in the meantime: nothing else tells it.
      this.#wake()
      return
    }
    const batch = await this.#carrier.read(this.#channel, known, BATCH_SIZE)
    const entries = await readEntries(batch, known, this.#texts)
    if (signal.aborted) return
    if (entries.length === 0) return this.#carrier.wait(this.#channel, known, signal)
    this.#add(entries)
    return undefined
  }

  #add(entries: readonly TailEntry[]): void {
    this.#entries.push(...entries)
    const surplus = countSurplus(this.#entries)
    if (surplus > 0) {
      this.#before = this.#entries[surplus - 1]?.position
      this.#entries = this.#entries.slice(surplus)
      this.#first += surplus
    }
    this.#wake()
  }

  #wake(): void {
    this.#version++
    const waiting = [...this.#waiting]
    this.#waiting.clear()
    wakeSome(waiting, 0)
  }
}

/** Returns how many of the oldest entries are beyond what is held. */
function countSurplus(entries: readonly TailEntry[]): number {
  let [first, size] = [entries.length, 0]
  while (first > 0 && entries.length - first < MAX_ENTRIES && size < MAX_SIZE) size += entries[--first]?.size ?? 0
  return first
}

/** The readers that are woken before other requests get their turn. */
const MAX_WOKEN = 64

function wakeSome(waiting: readonly (() => void)[], from: number): void {
  const to = Math.min(from + MAX_WOKEN, waiting.length)
  for (let i = from; i < to; i++) waiting[i]?.()
  if (to < waiting.length) yieldTurn(() => wakeSome(waiting, to))
}

// Some runtimes have no setImmediate.
const yieldTurn: (run: () => void) => unknown = globalThis.setImmediate ?? ((run) => setTimeout(run, 0))

/** Waits, but not beyond the end of a signal. */
export function sleep(milliseconds: number, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve()
  return new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer)
      signal.removeEventListener('abort', end)
      resolve()
    }
    const timer = setTimeout(end, milliseconds)
    signal.addEventListener('abort', end)
  })
}
