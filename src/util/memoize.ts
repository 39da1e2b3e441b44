// Functions that compute a result once and cache it.

/** Caches the results of a function per argument object, for as long as the object lives. */
/* @__NO_SIDE_EFFECTS__ */
export function memoize<K extends object, V extends NonNullable<unknown>>(make: (key: K) => V): (key: K) => V {
  const results = new WeakMap<K, V>()
  return (key) => {
    const known = results.get(key)
    if (known !== undefined) return known
    const result = make(key)
    results.set(key, result)
    return result
  }
}

/** Caches the results of a function per key, or its single result if it takes none. */
/* @__NO_SIDE_EFFECTS__ */
export function memoizeByKey<K, V>(make: (key: K) => V): (key: K) => V {
  const results = new Map<K, V>()
  return (key) => {
    if (!results.has(key)) results.set(key, make(key))
    return results.get(key) as V
  }
}

/** Caches the results of a function per key for keys that clients choose: beyond the limit, the oldest is removed. */
/* @__NO_SIDE_EFFECTS__ */
export function memoizeLatest<K, V>(make: (key: K) => V, limit: number): (key: K) => V {
  const results = new Map<K, V>()
  return (key) => {
    const known = results.get(key)
    if (known !== undefined || results.has(key)) return known as V
    const result = make(key)
    if (results.size >= limit) results.delete(results.keys().next().value as K)
    results.set(key, result)
    return result
  }
}

/** Returns a function that does some work once; if the work fails, the next call tries again. */
export function runOnce<T>(work: () => Promise<T>): () => Promise<T> {
  let running: Promise<T> | undefined
  return () => {
    running ??= work().catch((error: unknown) => {
      running = undefined
      throw error
    })
    return running
  }
}
