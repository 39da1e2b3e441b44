// Estimates the memory of a JSON text before it is parsed: a few bytes of text can become a large object.

/** The number of structural characters and the depth of a JSON text. */
export interface JsonSize {
  /** The number of commas, colons and opening brackets: one for each value, and one more for members and lists. */
  readonly delimiters: number
  /** The nesting depth of objects and lists. */
  readonly depth: number
}

const QUOTE = 34
const COMMA = 44
const COLON = 58
const BACKSLASH = 92
// The brackets of objects and of lists differ only in this bit.
const CASE_BIT = 32
const OPEN = 123
const CLOSE = 125

/** Measures the bytes of a JSON text; stops at the first delimiter or level beyond the limits. */
export function measureJson(bytes: Uint8Array, maxDelimiters: number, maxDepth: number): JsonSize {
  let delimiters = 0
  let level = 0
  let depth = 0
  for (let at = 0; at < bytes.length && delimiters <= maxDelimiters && depth <= maxDepth; at++) {
    const byte = bytes[at] as number
    if (byte === QUOTE) at = findTextEnd(bytes, at + 1)
    else if (byte === COMMA || byte === COLON) delimiters++
    else if ((byte | CASE_BIT) === OPEN) {
      delimiters++
      if (++level > depth) depth = level
    } else if ((byte | CASE_BIT) === CLOSE) level--
  }
  return { delimiters, depth }
}

function findTextEnd(bytes: Uint8Array, start: number): number {
  let at = start
  for (; at < bytes.length && bytes[at] !== QUOTE; at++) if (bytes[at] === BACKSLASH) at++
  return at
}
