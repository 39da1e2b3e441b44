// Results that are made once, and kept.

/** Makes a function that remembers its results by the object it is given, for as long as the object lives. */
export function memoize<K extends object, V extends object>(make: (key: K) => V): (key: K) => V {
  const results = new WeakMap<K, V>()
  return (key) => {
    const known = results.get(key)
    if (known !== undefined) return known
    const made = make(key)
    results.set(key, made)
    return made
  }
}

/** Makes a function that remembers its results by the name it is given, or its one result if it is given none. */
export function memoizeByKey<K, V>(make: (key: K) => V): (key: K) => V {
  const results = new Map<K, V>()
  return (key) => {
    if (!results.has(key)) results.set(key, make(key))
    return results.get(key) as V
  }
}

/** Makes a function that does some work once; when the work fails, the next call tries it again. */
export function runOnce<T>(work: () => Promise<T>): () => Promise<T> {
  let doing: Promise<T> | undefined
  return () => {
    doing ??= work().catch((error: unknown) => {
      doing = undefined
      throw error
    })
    return doing
  }
}
