// Distinguishes values from promises, so that synchronous code stays synchronous.

/** Returns whether a value is a promise or behaves like one. */
export function isThenable(value: unknown): value is Promise<unknown> {
  return typeof value === 'object' && value !== null && typeof (value as { then?: unknown }).then === 'function'
}
