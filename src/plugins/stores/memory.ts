// A store in the memory of one process, for one process: bounded, and answering at once.
import { form } from '../../extend.ts'
import { type Counted, type Store, StoreError } from './store.ts'

/** Settings of `memoryStore`. */
export interface MemoryStoreOptions {
  /**
   * The most counters; beyond that, the oldest restart.
   * @default 100,000
   */
  readonly counters?: number
  /**
   * The most values; beyond that, new ones are rejected until some expire.
   * @default 100,000
   */
  readonly values?: number
  /**
   * The most characters of keys and values together.
   * @default 64 Mi
   */
  readonly characters?: number
  /**
   * Milliseconds of a clock that never goes back; tests bring one of their own.
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

/** Makes a store in memory; other processes do not see it, and it is lost with this one. */
export function memoryStore(options: MemoryStoreOptions = {}): Store {
  const settled = form.validateSettings('memoryStore', options, FIELDS)
  const { counters = 100_000, values = 100_000, characters = 64 << 20 } = settled
  const now = settled.now ?? (() => performance.now())
  const counts = new CounterMap(counters, now)
  const kept = new ValueMap(values, characters, now)
  return Object.freeze({
    count: (key, ttl) => counts.add(key, ttl),
    get: (key) => kept.get(key)?.value,
    set(key, value, ttl, expected) {
      const known = kept.get(key)?.value ?? null
      if (expected !== undefined && expected !== known) return false
      kept.set(key, { value, expiresAt: now() + ttl })
      return true
    },
    delete(key, expected) {
      const known = kept.get(key)
      return known !== undefined && (expected === undefined || known.value === expected) && kept.delete(key)
    },
  } satisfies Store)
}

/** Counters by their keys, in the order in which they began. */
class CounterMap {
  readonly #counters = new Map<string, Counter>()
  readonly #maxCounters: number
  readonly #now: () => number

  constructor(most: number, now: () => number) {
    this.#maxCounters = most
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

  // A tenth at a time, so that a look at all of them is rare.
  #makeRoom(now: number): void {
    for (const [key, { expiresAt: ends }] of this.#counters) if (ends <= now) this.#counters.delete(key)
    const most = this.#maxCounters - Math.ceil(this.#maxCounters / 10)
    for (const key of this.#counters.keys()) {
      if (this.#counters.size <= most) return
      this.#counters.delete(key)
    }
  }
}

/** Values by their keys: what was promised to be kept is kept. */
class ValueMap {
  readonly #entries = new Map<string, Entry>()
  readonly #maxEntries: number
  readonly #maxCharacters: number
  readonly #now: () => number
  #size = 0
  /** No value ends before this moment. */
  #nextExpiry = 0

  constructor(most: number, characters: number, now: () => number) {
    this.#maxEntries = most
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
    const before = this.#entries.get(key)
    const more = measureEntry(key, entry) - (before === undefined ? 0 : measureEntry(key, before))
    const isFull = (): boolean =>
      (before === undefined && this.#entries.size >= this.#maxEntries) || this.#size + more > this.#maxCharacters
    if (isFull()) this.#sweep()
    if (isFull()) throw new StoreError('The memory store is full: raise its limits, or use a store outside the process')
    this.#entries.set(key, entry)
    this.#size += more
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
    for (const [key, { expiresAt: ends }] of this.#entries) {
      if (ends <= now) this.delete(key)
      else this.#nextExpiry = Math.min(this.#nextExpiry, ends)
    }
  }
}

const measureEntry = (key: string, { value }: Entry): number => key.length + value.length
