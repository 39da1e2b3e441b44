// The interface of stores for counters, keys and sessions, and the error of a store that fails.

import { waitAtMost } from '../../extend.ts'
/** A counter after an increment. */
export interface Counted {
  /** The count, including this increment. */
  readonly count: number
  /** The milliseconds until the counter resets. */
  readonly left: number
}

/**
 * Stores counters and values for a limited time, for every process that shares it. Keys are any strings; keys of counters
 * and of values are separate. Values are well-formed strings without U+0000, such as JSON. Times are in milliseconds, by
 * the clock of the store. Every method fails with a `StoreError` within a bounded time if the store does not respond.
 */
export interface Store {
  /** Increments a counter, which resets `ttl` after its first increment. */
  count(key: string, ttl: number): Counted | Promise<Counted>
  /** Returns the value of a key; undefined if it has none or has expired. */
  get(key: string): string | undefined | Promise<string | undefined>
  /**
   * Sets the value of a key for `ttl`: unconditionally, or only if its value is `expected`, where null means none.
   * Returns whether it was set. Of concurrent calls that expect null, one succeeds.
   */
  set(key: string, value: string, ttl: number, expected?: string | null): boolean | Promise<boolean>
  /** Deletes a key, unconditionally or only if its value is `expected`. Returns whether it existed. */
  delete(key: string, expected?: string): boolean | Promise<boolean>
  /** Returns the values of the store in a transaction of the application, if the store is in its database. */
  within?(connection: unknown): StoreTransaction
}

/** The values of a store in a transaction: writes take effect when it commits. */
export interface StoreTransaction {
  /** Locks a key until the transaction ends; returns false if another transaction holds it. */
  lock(key: string): Promise<boolean>
  /** Returns the value of a key. */
  get(key: string): Promise<string | undefined>
  /** Sets a value for `ttl` if the key has none. Returns whether it was set. */
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
  typeof value === 'object' &&
  value !== null &&
  STORE_METHODS.every((name) => typeof Reflect.get(value, name) === 'function')

/** Runs `work` with a timeout; every failure becomes a `StoreError`. */
export function withStoreTimeout<T>(store: string, timeout: number, work: () => Promise<T>): Promise<T> {
  const run = async (): Promise<T> => {
    try {
      return await work()
    } catch (cause) {
      throw new StoreError(`${store} failed`, { cause })
    }
  }
  return waitAtMost(timeout, run(), () =>
    Promise.reject(new StoreError(`${store} did not respond within ${timeout} ms`)),
  )
}

/** Returns a key that every store can hold: long keys and keys with unusual characters are hashed. */
export async function toStorableKey(key: string): Promise<string> {
  if (/^[!-~]{1,180}$/.test(key)) return key
  // JSON escapes lone surrogates, which UTF-8 would all encode as the same replacement character.
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(JSON.stringify(key)))
  return ` ${Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('')}`
}
