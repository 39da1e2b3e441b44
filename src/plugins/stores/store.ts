// The one interface for counters, keys and sessions, and the error of a store that does not do its work.

/** A counter after an increment. */
export interface Counted {
  /** How often it was counted, this time included. */
  readonly count: number
  /** Milliseconds until it begins again. */
  readonly left: number
}

/**
 * Keeps counters and values for a limited time, for every process that shares it. Keys are any text, and those of counters are no
 * keys of values. Values are well-formed text without U+0000, as JSON is. Times are in milliseconds, by the clock of the
 * store. Every method fails with a `StoreError` in bounded time when the store does not answer.
 */
export interface Store {
  /** Adds one to a counter, which begins again when `ttl` has passed since it began. */
  count(key: string, ttl: number): Counted | Promise<Counted>
  /** The value of a key; undefined without one, or when its time has passed. */
  get(key: string): string | undefined | Promise<string | undefined>
  /**
   * Writes the value of a key for `ttl`: whatever it has now, or only if it has the value `expected`, null being none. Tells
   * whether it was written. Of several that write at once where there is nothing, one succeeds.
   */
  set(key: string, value: string, ttl: number, expected?: string | null): boolean | Promise<boolean>
  /** Removes a key, or only if it has the value `expected`; tells whether there was one. */
  delete(key: string, expected?: string): boolean | Promise<boolean>
  /** The values of the store in a transaction of the application, where the store is in its database. */
  within?(connection: unknown): StoreTransaction
}

/** The values of a store in a transaction: writes take effect when it commits. */
export interface StoreTransaction {
  /** Takes a key until the transaction ends; false while another transaction has it. */
  lock(key: string): Promise<boolean>
  /** The value of a key. */
  get(key: string): Promise<string | undefined>
  /** Writes a value for `ttl` where there is none; tells whether it was written. */
  add(key: string, value: string, ttl: number): Promise<boolean>
}

/** Thrown if a store does not respond in time, or is full. */
export class StoreError extends Error {
  override readonly name = 'StoreError'
  readonly '~storeError' = true
}

const STORE_METHODS = ['count', 'get', 'set', 'delete']

/** Returns whether a value is a store. */
export const isStore = (value: unknown): value is Store =>
  typeof value === 'object' && value !== null && STORE_METHODS.every((name) => typeof Reflect.get(value, name) === 'function')

/** Waits for a store at most so long; every failure becomes a `StoreError`. */
export function withStoreTimeout<T>(store: string, timeout: number, work: () => Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new StoreError(`${store} did not answer within ${timeout} ms`)), timeout)
    const failed = (cause: unknown): void => reject(new StoreError(`${store} failed`, { cause }))
    Promise.resolve()
      .then(work)
      .then(resolve, failed)
      .finally(() => clearTimeout(timer))
  })
}

/** A key that every store can hold: texts that are long or have unusual characters by their hash. */
export async function toStorableKey(key: string): Promise<string> {
  if (/^[!-~]{1,180}$/.test(key)) return key
  // JSON escapes halves of surrogate pairs, which UTF-8 would make one and the same.
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(JSON.stringify(key)))
  return ` ${Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('')}`
}
