// Reads the header Retry-After.

/** Returns the milliseconds that a `Retry-After` header asks to wait: seconds, or a date (RFC 9110, 10.2.3). NaN for none. */
export function parseRetryAfter(header: string | null): number {
  if (header === null) return Number.NaN
  return /^\d+$/.test(header) ? Number(header) * 1000 : Date.parse(header) - Date.now()
}
