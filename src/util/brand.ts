// Brands: string keys that identify a value, including one created by another copy of this package.

/** Returns whether a value has a brand; false for values that throw when inspected, as thrown values may. */
export function hasBrand(value: unknown, brand: `~${string}`): boolean {
  if (typeof value !== 'object' || value === null) return false
  try {
    return (value as Record<string, unknown>)[brand] === true
  } catch {
    return false
  }
}
