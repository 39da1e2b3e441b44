// A carrier in the memory of one process.
import { form } from '../../extend.ts'
import {
  type AppendedEvent,
  type Batch,
  type CarriedEvent,
  type Carrier,
  type CarrierBounds,
  formatPosition,
  parsePosition,
} from './carrier.ts'

/** The options of `memoryCarrier`. */
export interface MemoryCarrierOptions {
  /**
   * A clock in milliseconds, which tests may replace.
   * @default that of the process
   */
  readonly now?: () => number
}

const FIELDS: form.Fields<MemoryCarrierOptions> = { now: form.callable }

/** Creates a carrier in memory. Other processes do not see it, and its events are lost when this one ends. */
export function memoryCarrier(options: MemoryCarrierOptions = {}): Carrier {
  const { now = Date.now } = form.validateSettings('memoryCarrier', options, FIELDS)
  const logs = new Map<string, EventLog>()
  const open = (channel: string): EventLog => {
    const known = logs.get(channel)
    if (known !== undefined) return known
    const log = new EventLog(now)
    logs.set(channel, log)
    return log
  }
  return Object.freeze({
    append: async (channel, events, bounds) => open(channel).append(events, bounds),
    read: async (channel, after, limit) => open(channel).read(after, limit),
    last: async (channel) => open(channel).last,
    wait: (channel, after, signal) => open(channel).wait(after, signal),
  } satisfies Carrier)
}

interface KeptEvent {
  readonly text: string
  readonly at: number
}

/** The events of one channel. */
class EventLog {
  readonly #now: () => number
  readonly #generation: number
  /** The number of the last event that is kept no more. */
  #dropped = 0
  #kept: KeptEvent[] = []
  #bounds: CarrierBounds = { count: Number.POSITIVE_INFINITY, age: Number.POSITIVE_INFINITY }
  /** The keys of appended events, the oldest first. */
  readonly #keys = new Map<string, number>()
  readonly #waiting = new Set<() => void>()

  constructor(now: () => number) {
    this.#now = now
    this.#generation = Math.max(0, Math.floor(now()))
  }

  get last(): string {
    return this.#format(this.#dropped + this.#kept.length)
  }

  append(events: readonly AppendedEvent[], bounds: CarrierBounds): void {
    const at = this.#now()
    this.#bounds = bounds
    this.#forgetKeys(at)
    for (const { text, key } of events) {
      if (key !== undefined && this.#keys.has(key)) continue
      if (key !== undefined) this.#keys.set(key, at)
      this.#kept.push({ text, at })
    }
    this.#drop()
    const waiting = [...this.#waiting]
    this.#waiting.clear()
    for (const wake of waiting) wake()
  }

  #drop(): void {
    const { count, age } = this.#bounds
    const oldest = this.#now() - age
    const young = this.#kept.findIndex(({ at }) => at > oldest)
    const surplus = Math.max(this.#kept.length - count, young < 0 ? this.#kept.length : young)
    if (surplus <= 0) return
    this.#kept = this.#kept.slice(surplus)
    this.#dropped += surplus
  }

  #forgetKeys(at: number): void {
    for (const [key, since] of this.#keys) {
      if (since > at - KEY_AGE) return
      this.#keys.delete(key)
    }
  }

  read(after: string, limit: number): Batch {
    this.#drop()
    const number = this.#findNumber(after)
    const begin = number ?? this.#dropped
    const index = begin - this.#dropped
    const events = this.#kept
      .slice(index, index + limit)
      .map(({ text }, i): CarriedEvent => ({ position: this.#format(begin + i + 1), text }))
    return { from: number === undefined ? this.#format(begin) : after, events }
  }

  /** Returns the number of a position behind which every event is kept. */
  #findNumber(text: string): number | undefined {
    const position = parsePosition(text)
    if (position?.generation !== this.#generation) return undefined
    const { number } = position
    return number >= this.#dropped && number <= this.#dropped + this.#kept.length ? number : undefined
  }

  wait(after: string, signal: AbortSignal): Promise<void> {
    if (after !== this.last || signal.aborted) return Promise.resolve()
    return new Promise((resolve) => {
      const end = (): void => {
        this.#waiting.delete(end)
        signal.removeEventListener('abort', end)
        resolve()
      }
      this.#waiting.add(end)
      signal.addEventListener('abort', end)
    })
  }

  #format(number: number): string {
    return formatPosition({ generation: this.#generation, number })
  }
}

/** The milliseconds for which a key is remembered. */
const KEY_AGE = 86_400_000
