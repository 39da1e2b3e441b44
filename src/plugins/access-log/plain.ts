// Values as log lines may hold them: no character that ends a line, moves a cursor or turns the direction of writing.

const UNSAFE = /[\p{Cc}\u2028\u2029\u200e\u200f\u061c\u202a-\u202e\u2066-\u2069\ufeff]/u
const ALL = new RegExp(UNSAFE, 'gu')
const DEPTH = 5
const ENTRIES = 100

const escaped = (char: string): string => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`

/** A text in which control characters are written as escapes. */
export function visible(text: string): string {
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    if (code < 0x20 || code > 0x7e) return UNSAFE.test(text) ? text.replace(ALL, escaped) : text
  }
  return text
}

/** A copy of a value that JSON can write: of bounded depth and breadth, without functions, and with visible texts. */
export function plain(value: unknown, depth: number = DEPTH): unknown {
  if (typeof value === 'string') return visible(value)
  if (typeof value === 'bigint') return String(value)
  if (typeof value === 'function' || typeof value === 'symbol') return undefined
  if (typeof value !== 'object' || value === null) return value
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? null : value.toISOString()
  if (value instanceof Error) return { name: visible(value.name), message: visible(value.message) }
  if (depth === 0) return '…'
  if (Array.isArray(value)) return value.slice(0, ENTRIES).map((one) => plain(one, depth - 1))
  const entries = Object.entries(value).slice(0, ENTRIES)
  return Object.fromEntries(entries.map(([name, one]) => [visible(name), plain(one, depth - 1)]))
}
