// A text of JSON, wherever it came from: bounded nesting and size, and errors as values that say where the text is wrong.
import { measureJson } from './measure-json.ts'
import { TOO_DEEP, findJsonError } from './find-error.ts'

/** How deep arrays and objects may nest. */
export const MAX_JSON_DEPTH = 64

/** How many commas, colons and opening brackets there may be at least, whatever the limit of bytes is. */
export const JSON_DELIMITERS = 65_536

/** Why a text could not be read: it nests too deep, has too many signs, or is no JSON from a place on (its end without one). */
export type JsonFault =
  | { readonly fault: 'depth' }
  | { readonly fault: 'signs'; readonly limit: number }
  | { readonly fault: 'syntax'; readonly line?: number; readonly column?: number }

/** The value of a JSON text, or the reason why it has none. */
export type JsonParseResult = { readonly value: unknown } | JsonFault

/** Returns whether bytes have more signs than there may be, or nest too deep; undefined when they do neither. */
export function findJsonOverflow(bytes: Uint8Array, maxSigns: number, before: number): JsonFault | undefined {
  if (before + bytes.length <= maxSigns) return undefined
  const { delimiters: signs, depth } = measureJson(bytes, maxSigns, MAX_JSON_DEPTH)
  if (depth > MAX_JSON_DEPTH) return { fault: 'depth' }
  return before + signs > maxSigns ? { fault: 'signs', limit: maxSigns } : undefined
}

/** Reads a text whose size is known to be within its limits; never throws. */
export function parseJson(text: string): JsonParseResult {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return findJsonFault(text)
  }
  return mayNestDeep(text) && isDeeper(value, MAX_JSON_DEPTH) ? { fault: 'depth' } : { value }
}

function findJsonFault(text: string): JsonFault {
  const at = findJsonError(text, MAX_JSON_DEPTH)
  if (at === TOO_DEEP) return { fault: 'depth' }
  if (at >= text.length) return { fault: 'syntax' }
  const [line, column] = locateOffset(text, at)
  return { fault: 'syntax', line, column }
}

// Counted rather than split: a body of line ends would become a list larger than itself.
function locateOffset(text: string, at: number): readonly [line: number, column: number] {
  let line = 1
  let start = 0
  for (let end = text.indexOf('\n'); end >= 0 && end < at; end = text.indexOf('\n', start)) {
    line++
    start = end + 1
  }
  return [line, at - start + 1]
}

// Most texts hold so few brackets that they cannot be too deep, which a few searches find out.
function mayNestDeep(text: string): boolean {
  let brackets = 0
  for (let at = text.indexOf('{'); at >= 0 && brackets <= MAX_JSON_DEPTH; at = text.indexOf('{', at + 1)) brackets++
  for (let at = text.indexOf('['); at >= 0 && brackets <= MAX_JSON_DEPTH; at = text.indexOf('[', at + 1)) brackets++
  return brackets > MAX_JSON_DEPTH
}

// Of the value and not of the text, because engines parse without recursion, and a value has fewer parts than its text.
function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false
  if (levels === 0) return true
  if (Array.isArray(value)) return value.some((one) => isDeeper(one, levels - 1))
  for (const name in value) if (isDeeper((value as Record<string, unknown>)[name], levels - 1)) return true
  return false
}
