// A store in the memory of one process: bounded and synchronous.
import { form } from '../../extend.ts'
import { type Counted, type Store, StoreError } from './store.ts'

/** The options of `memoryStore`. */
export interface MemoryStoreOptions {
  /**
   * The maximum number of counters; beyond it, the oldest are reset.
   * @default 100,000
   */
  readonly counters?: number
  /**
   * The maximum number of values; beyond it, new ones are rejected until some expire.
   * @default 100,000
   */
  readonly values?: number
  /**
   * The maximum number of characters of all keys and values.
   * @default 64 Mi
   */
  readonly characters?: number
  /**
   * A monotonic clock in milliseconds, which tests may replace.
   * @default that of the process
   */
  readonly now?: () => number
}

const FIELDS: form.Fields<MemoryStoreOptions> = {
  counters: form.integerFrom(1),
  values: form.integerFrom(1),
  characters: form.integerFrom(1),
  now: form.callable,
}

interface Counter {
  count: number
  readonly expiresAt: number
}

interface Entry {
  readonly value: string
  readonly expiresAt: number
}

/** Creates a store in memory. Other processes do not see it, and it is lost when this one ends. */
export function memoryStore(options: MemoryStoreOptions = {}): Store {
  const settings = form.validateSettings('memoryStore', options, FIELDS)
  const { counters = 100_000, values = 100_000, characters = 64 << 20 } = settings
  const now = settings.now ?? (() => performance.now())
  const counts = new CounterMap(counters, now)
  const entries = new ValueMap(values, characters, now)
  return Object.freeze({
    count: (key, ttl) => counts.add(key, ttl),
    get: (key) => entries.get(key)?.value,
    set(key, value, ttl, expected) {
      const known = entries.get(key)?.value ?? null
      if (expected !== undefined && expected !== known) return false
      entries.set(key, { value, expiresAt: now() + ttl })
      return true
    },
    delete(key, expected) {
      const known = entries.get(key)
      return known !== undefined && (expected === undefined || known.value === expected) && entries.delete(key)
    },
  } satisfies Store)
}

/** Counters by key, in the order of their start. */
class CounterMap {
  readonly #counters = new Map<string, Counter>()
  readonly #maxCounters: number
  readonly #now: () => number

  constructor(maxCounters: number, now: () => number) {
    this.#maxCounters = maxCounters
    this.#now = now
  }

  add(key: string, ttl: number): Counted {
    const now = this.#now()
    const known = this.#counters.get(key)
    if (known !== undefined && known.expiresAt > now) {
      known.count += 1
      return { count: known.count, left: known.expiresAt - now }
    }
    if (known !== undefined) this.#counters.delete(key)
    else if (this.#counters.size >= this.#maxCounters) this.#makeRoom(now)
    this.#counters.set(key, { count: 1, expiresAt: now + ttl })
    return { count: 1, left: ttl }
  }

  // Removes a tenth at once, so that the full scan is rare.
  #makeRoom(now: number): void {
    for (const [key, { expiresAt }] of this.#counters) if (expiresAt <= now) this.#counters.delete(key)
    const target = this.#maxCounters - Math.ceil(this.#maxCounters / 10)
    for (const key of this.#counters.keys()) {
      if (this.#counters.size <= target) return
      this.#counters.delete(key)
    }
  }
}

/** Values by key. Values are never evicted before they expire. */
class ValueMap {
  readonly #entries = new Map<string, Entry>()
  readonly #maxEntries: number
  readonly #maxCharacters: number
  readonly #now: () => number
  #size = 0
  /** A lower bound of the earliest expiry. */
  #nextExpiry = 0

  constructor(maxEntries: number, characters: number, now: () => number) {
    this.#maxEntries = maxEntries
    this.#maxCharacters = characters
    this.#now = now
  }

  get(key: string): Entry | undefined {
    const known = this.#entries.get(key)
    if (known === undefined || known.expiresAt > this.#now()) return known
    this.delete(key)
    return undefined
  }

  set(key: string, entry: Entry): void {
    const previous = this.#entries.get(key)
    const growth = measureEntry(key, entry) - (previous === undefined ? 0 : measureEntry(key, previous))
    const isFull = (): boolean =>
      (previous === undefined && this.#entries.size >= this.#maxEntries) || this.#size + growth > this.#maxCharacters
    if (isFull()) this.#sweep()
    if (isFull()) throw new StoreError('The memory store is full: raise its limits, or use a store outside the process')
    this.#entries.set(key, entry)
    this.#size += growth
    this.#nextExpiry = Math.min(this.#nextExpiry, entry.expiresAt)
  }

  delete(key: string): boolean {
    const known = this.#entries.get(key)
    if (known !== undefined) this.#size -= measureEntry(key, known)
    return this.#entries.delete(key)
  }

  #sweep(): void {
    const now = this.#now()
    if (now < this.#nextExpiry) return
    this.#nextExpiry = Number.POSITIVE_INFINITY
    for (const [key, { expiresAt }] of this.#entries) {
      if (expiresAt <= now) this.delete(key)
      else this.#nextExpiry = Math.min(this.#nextExpiry, expiresAt)
    }
  }
}

const measureEntry = (key: string, { value }: Entry): number => key.length + value.length
