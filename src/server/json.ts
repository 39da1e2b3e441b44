// A body of JSON: strict UTF-8, bounded nesting, and errors as values that say where the text is wrong and repeat none of it.
import { jsonErrorAt } from './json-syntax.ts'

/** What JSON was read into, or why it could not be. */
export type JsonResult = { readonly value: unknown } | { readonly detail: string }

/** How deep arrays and objects may nest. */
export const JSON_DEPTH = 64

/** What is said of bytes that are not UTF-8. */
export const NOT_UTF8 = 'The text is not valid UTF-8.'

const decoder = new TextDecoder('utf-8', { fatal: true })

/** Decodes UTF-8 without its byte order mark; undefined when the bytes are something else. */
export function decodeUtf8(bytes: Uint8Array): string | undefined {
  try {
    return decoder.decode(bytes)
  } catch {
    return undefined
  }
}

/** Reads JSON from the bytes of a body that is not empty; never throws. */
export function readJson(bytes: Uint8Array): JsonResult {
  const text = decodeUtf8(bytes)
  if (text === undefined) return { detail: NOT_UTF8 }
  if (isTooDeep(text)) return { detail: `The JSON is nested deeper than ${JSON_DEPTH} levels.` }
  try {
    return { value: JSON.parse(text) }
  } catch {
    return { detail: `The JSON is malformed ${placeOf(text, jsonErrorAt(text))}.` }
  }
}

function placeOf(text: string, at: number): string {
  if (at >= text.length) return 'because it ends too early'
  const lines = text.slice(0, at).split('\n')
  return `at line ${lines.length}, column ${(lines.at(-1) as string).length + 1}`
}

// Most bodies hold so few brackets that they cannot be too deep, which takes a few searches to find out.
function isTooDeep(text: string): boolean {
  let brackets = 0
  for (let at = text.indexOf('{'); at >= 0 && brackets <= JSON_DEPTH; at = text.indexOf('{', at + 1)) brackets++
  for (let at = text.indexOf('['); at >= 0 && brackets <= JSON_DEPTH; at = text.indexOf('[', at + 1)) brackets++
  return brackets > JSON_DEPTH && depthExceeds(text, JSON_DEPTH)
}

function depthExceeds(text: string, limit: number): boolean {
  let depth = 0
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === 34) at = quoteAfter(text, at)
    else if (code === 91 || code === 123) {
      if (++depth > limit) return true
    } else if (code === 93 || code === 125) depth--
  }
  return false
}

/** The place of the quote that ends the string at `at`, or the end of the text. */
function quoteAfter(text: string, at: number): number {
  for (at++; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === 34) return at
    if (code === 92) at++
  }
  return at
}
