// Makes values safe for log lines: escapes characters that end a line, move a cursor or change the direction of text.

const UNSAFE_CHARACTER = /[\p{Cc}\u2028\u2029\u200e\u200f\u061c\u202a-\u202e\u2066-\u2069\ufeff]/u
const ALL_UNSAFE_CHARACTERS = new RegExp(UNSAFE_CHARACTER, 'gu')
const MAX_DEPTH = 5
const MAX_ENTRIES = 100

const escapeCharacter = (char: string): string => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`

/** Escapes control characters in a string. */
export function escapeControls(text: string): string {
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    if (code < 0x20 || code > 0x7e)
      return UNSAFE_CHARACTER.test(text) ? text.replace(ALL_UNSAFE_CHARACTERS, escapeCharacter) : text
  }
  return text
}

/** Returns a copy of a value for JSON: of bounded depth and size, without functions, with control characters escaped. */
export function toLogValue(value: unknown, depth: number = MAX_DEPTH): unknown {
  if (typeof value === 'string') return escapeControls(value)
  if (typeof value === 'bigint') return String(value)
  if (typeof value === 'function' || typeof value === 'symbol') return undefined
  if (typeof value !== 'object' || value === null) return value
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? null : value.toISOString()
  if (value instanceof Error) return { name: escapeControls(value.name), message: escapeControls(value.message) }
  if (depth === 0) return '…'
  if (Array.isArray(value)) return value.slice(0, MAX_ENTRIES).map((one) => toLogValue(one, depth - 1))
  const entries = Object.entries(value).slice(0, MAX_ENTRIES)
  return Object.fromEntries(entries.map(([name, one]) => [escapeControls(name), toLogValue(one, depth - 1)]))
}
