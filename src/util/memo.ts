// Results that are made once for each object, and kept for as long as the object lives.

/** Makes a function that remembers its results by the object it is given. */
export function memo<K extends object, V extends object>(make: (key: K) => V): (key: K) => V {
  const results = new WeakMap<K, V>()
  return (key) => {
    const known = results.get(key)
    if (known !== undefined) return known
    const made = make(key)
    results.set(key, made)
    return made
  }
}
