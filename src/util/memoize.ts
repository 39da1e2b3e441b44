// Functions that compute a result once and cache it.

/** Caches the results of a function per argument object, for as long as the object lives. */
export function memoize<K extends object, V extends object>(make: (key: K) => V): (key: K) => V {
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
export function memoizeByKey<K, V>(make: (key: K) => V): (key: K) => V {
  const results = new Map<K, V>()
  return (key) => {
    if (!results.has(key)) results.set(key, make(key))
    return results.get(key) as V
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
