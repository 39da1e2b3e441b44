// The memory that a JSON text would take, estimated before it is parsed: a few bytes of text can make a large object.

/** The number of structural characters and the depth of a JSON text. */
export interface JsonSize {
  /** How many commas, colons and opening brackets: as many as there are values, and once more for members and lists. */
  readonly delimiters: number
  /** How deep objects and lists nest. */
  readonly depth: number
}

const QUOTE = 34
const COMMA = 44
const COLON = 58
const BACKSLASH = 92
// The signs of objects and of lists are the same but for this bit.
const CASE_BIT = 32
const OPEN = 123
const CLOSE = 125

/** Measures the bytes of a JSON text, up to one sign or level more than there may be. */
export function measureJson(bytes: Uint8Array, maxSigns: number, maxDepth: number): JsonSize {
  let signs = 0
  let level = 0
  let depth = 0
  for (let at = 0; at < bytes.length && signs <= maxSigns && depth <= maxDepth; at++) {
    const byte = bytes[at] as number
    if (byte === QUOTE) at = findTextEnd(bytes, at + 1)
    else if (byte === COMMA || byte === COLON) signs++
    else if ((byte | CASE_BIT) === OPEN) {
      signs++
      if (++level > depth) depth = level
    } else if ((byte | CASE_BIT) === CLOSE) level--
  }
  return { delimiters: signs, depth }
}

function findTextEnd(bytes: Uint8Array, from: number): number {
  let at = from
  for (; at < bytes.length && bytes[at] !== QUOTE; at++) if (bytes[at] === BACKSLASH) at++
  return at
}
