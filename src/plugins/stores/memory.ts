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
  counters: form.whole(1),
  values: form.whole(1),
  characters: form.whole(1),
  now: form.callable,
}

interface Counter {
  count: number
  readonly ends: number
}

interface Entry {
  readonly value: string
  readonly ends: number
}

/** Makes a store in memory; other processes do not see it, and it is lost with this one. */
export function memoryStore(options: MemoryStoreOptions = {}): Store {
  const settled = form.settled('memoryStore', options, FIELDS)
  const { counters = 100_000, values = 100_000, characters = 64 << 20 } = settled
  const now = settled.now ?? (() => performance.now())
  const counts = new Counters(counters, now)
  const kept = new Values(values, characters, now)
  return Object.freeze({
    count: (key, ttl) => counts.add(key, ttl),
    get: (key) => kept.get(key)?.value,
    set(key, value, ttl, expected) {
      const known = kept.get(key)?.value ?? null
      if (expected !== undefined && expected !== known) return false
      kept.set(key, { value, ends: now() + ttl })
      return true
    },
    delete(key, expected) {
      const known = kept.get(key)
      return known !== undefined && (expected === undefined || known.value === expected) && kept.delete(key)
    },
  } satisfies Store)
}

/** Counters by their keys, in the order in which they began. */
class Counters {
  readonly #all = new Map<string, Counter>()
  readonly #most: number
  readonly #now: () => number

  constructor(most: number, now: () => number) {
    this.#most = most
    this.#now = now
  }

  add(key: string, ttl: number): Counted {
    const now = this.#now()
    const known = this.#all.get(key)
    if (known !== undefined && known.ends > now) {
      known.count += 1
      return { count: known.count, left: known.ends - now }
    }
    if (known !== undefined) this.#all.delete(key)
    else if (this.#all.size >= this.#most) this.#makeRoom(now)
    this.#all.set(key, { count: 1, ends: now + ttl })
    return { count: 1, left: ttl }
  }

  // A tenth at a time, so that a look at all of them is rare.
  #makeRoom(now: number): void {
    for (const [key, { ends }] of this.#all) if (ends <= now) this.#all.delete(key)
    const most = this.#most - Math.ceil(this.#most / 10)
    for (const key of this.#all.keys()) {
      if (this.#all.size <= most) return
      this.#all.delete(key)
    }
  }
}

/** Values by their keys: what was promised to be kept is kept. */
class Values {
  readonly #all = new Map<string, Entry>()
  readonly #most: number
  readonly #characters: number
  readonly #now: () => number
  #size = 0
  /** No value ends before this moment. */
  #next = 0

  constructor(most: number, characters: number, now: () => number) {
    this.#most = most
    this.#characters = characters
    this.#now = now
  }

  get(key: string): Entry | undefined {
    const known = this.#all.get(key)
    if (known === undefined || known.ends > this.#now()) return known
    this.delete(key)
    return undefined
  }

  set(key: string, entry: Entry): void {
    const before = this.#all.get(key)
    const more = sizeOf(key, entry) - (before === undefined ? 0 : sizeOf(key, before))
    const isFull = (): boolean =>
      (before === undefined && this.#all.size >= this.#most) || this.#size + more > this.#characters
    if (isFull()) this.#sweep()
    if (isFull()) throw new StoreError('The memory store is full: raise its limits, or use a store outside the process')
    this.#all.set(key, entry)
    this.#size += more
    this.#next = Math.min(this.#next, entry.ends)
  }

  delete(key: string): boolean {
    const known = this.#all.get(key)
    if (known !== undefined) this.#size -= sizeOf(key, known)
    return this.#all.delete(key)
  }

  #sweep(): void {
    const now = this.#now()
    if (now < this.#next) return
    this.#next = Number.POSITIVE_INFINITY
    for (const [key, { ends }] of this.#all) {
      if (ends <= now) this.delete(key)
      else this.#next = Math.min(this.#next, ends)
    }
  }
}

const sizeOf = (key: string, { value }: Entry): number => key.length + value.length
