// Parses JSON from any source: limits nesting and size, and returns errors as values with their location.

import { findJsonError, TOO_DEEP } from './find-error.ts'
import { measureJson } from './measure-json.ts'

/** The maximum nesting depth of arrays and objects. */
export const MAX_JSON_DEPTH = 64

/** The number of commas, colons and opening brackets that is always allowed, independent of the byte limit. */
export const JSON_DELIMITERS = 65_536

/**
 * The reason why a text could not be parsed: it nests too deep, has too many delimiters, or is not JSON (without line
 * and column: it ends too early).
 */
export type JsonFault =
  | { readonly fault: 'depth' }
  | { readonly fault: 'signs'; readonly limit: number }
  | { readonly fault: 'syntax'; readonly line?: number; readonly column?: number }

/** The value of a JSON text, or the reason why it could not be parsed. */
export type JsonParseResult = { readonly value: unknown } | JsonFault

/** Returns a fault if the bytes have too many delimiters or nest too deep; undefined otherwise. */
export function findJsonOverflow(bytes: Uint8Array, maxDelimiters: number, before: number): JsonFault | undefined {
  if (before + bytes.length <= maxDelimiters) return undefined
  const { delimiters, depth } = measureJson(bytes, maxDelimiters, MAX_JSON_DEPTH)
  if (depth > MAX_JSON_DEPTH) return { fault: 'depth' }
  return before + delimiters > maxDelimiters ? { fault: 'signs', limit: maxDelimiters } : undefined
}

/** Parses a text whose size is within the limits; never throws. */
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
  const offset = findJsonError(text, MAX_JSON_DEPTH)
  if (offset === TOO_DEEP) return { fault: 'depth' }
  if (offset >= text.length) return { fault: 'syntax' }
  const [line, column] = locateOffset(text, offset)
  return { fault: 'syntax', line, column }
}

// Counts instead of splitting: a body of line breaks would become a list larger than itself.
function locateOffset(text: string, offset: number): readonly [line: number, column: number] {
  let line = 1
  let start = 0
  for (let end = text.indexOf('\n'); end >= 0 && end < offset; end = text.indexOf('\n', start)) {
    line++
    start = end + 1
  }
  return [line, offset - start + 1]
}

// Most texts have so few brackets that they cannot be too deep, which a few searches find out.
function mayNestDeep(text: string): boolean {
  let brackets = 0
  for (let at = text.indexOf('{'); at >= 0 && brackets <= MAX_JSON_DEPTH; at = text.indexOf('{', at + 1)) brackets++
  for (let at = text.indexOf('['); at >= 0 && brackets <= MAX_JSON_DEPTH; at = text.indexOf('[', at + 1)) brackets++
  return brackets > MAX_JSON_DEPTH
}

const isContainer = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null

// Checks the value and not the text, because engines parse without recursion, and a value has fewer parts than its
// text.
function isDeeper(value: unknown, levels: number): boolean {
  if (!isContainer(value)) return false
  if (levels === 0) return true
  if (Array.isArray(value)) {
    for (let i = 0; i < value.length; i++) if (isContainer(value[i]) && isDeeper(value[i], levels - 1)) return true
    return false
  }
  for (const name in value) {
    const one = value[name]
    if (isContainer(one) && isDeeper(one, levels - 1)) return true
  }
  return false
}
