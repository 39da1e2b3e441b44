// Brands: string keys that tell what a value is, also one that another copy of this package has made.

/** Whether a value has a brand; false for one that cannot be inspected, as thrown values may be. */
export function hasBrand(value: unknown, brand: `~${string}`): boolean {
  if (typeof value !== 'object' || value === null) return false
  try {
    return (value as Record<string, unknown>)[brand] === true
  } catch {
    return false
  }
}
