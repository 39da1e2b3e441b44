// A body of JSON: strict UTF-8, bounded nesting, and errors as values that say where the text is wrong and repeat none of it.
import { jsonSize } from './json-size.ts'
import { DEEP, jsonErrorAt } from './json-syntax.ts'

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

/** So many commas, colons and brackets there may be whatever the limit of a body is, and one for so many bytes of a higher one. */
const [FEWEST_SIGNS, BYTES_OF_SIGN] = [65_536, 16]

/** How many commas, colons and brackets there may be in the JSON of a body with a limit. */
export const jsonSigns = (limit: number): number => Math.max(FEWEST_SIGNS, Math.floor(limit / BYTES_OF_SIGN))

/**
 * Reads JSON from the bytes of a body that is not empty; never throws. It may have so many commas, colons and brackets,
 * less those that were read before.
 */
export function readJson(bytes: Uint8Array, maxSigns: number, before = 0): JsonResult {
  if (before + bytes.length > maxSigns) {
    const { signs, depth } = jsonSize(bytes, maxSigns, JSON_DEPTH)
    if (depth > JSON_DEPTH) return { detail: TOO_DEEP }
    if (before + signs > maxSigns) return { detail: tooMany(maxSigns) }
  }
  const text = decodeUtf8(bytes)
  if (text === undefined) return { detail: NOT_UTF8 }
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return { detail: errorIn(text) }
  }
  return mayBeDeep(text) && isDeeper(value, JSON_DEPTH) ? { detail: TOO_DEEP } : { value }
}

const tooMany = (most: number): string =>
  `The JSON has too many values: more than ${most} commas, colons and opening brackets.`

const TOO_DEEP = `The JSON is nested deeper than ${JSON_DEPTH} levels.`

function errorIn(text: string): string {
  const at = jsonErrorAt(text, JSON_DEPTH)
  if (at === DEEP) return TOO_DEEP
  if (at >= text.length) return 'The JSON is malformed because it ends too early.'
  const [line, column] = placeOf(text, at)
  return `The JSON is malformed at line ${line}, column ${column}.`
}

// Counted rather than split: a body of line ends would become a list larger than itself.
function placeOf(text: string, at: number): readonly [line: number, column: number] {
  let line = 1
  let start = 0
  for (let end = text.indexOf('\n'); end >= 0 && end < at; end = text.indexOf('\n', start)) {
    line++
    start = end + 1
  }
  return [line, at - start + 1]
}

// Most bodies hold so few brackets that they cannot be too deep, which a few searches find out.
function mayBeDeep(text: string): boolean {
  let brackets = 0
  for (let at = text.indexOf('{'); at >= 0 && brackets <= JSON_DEPTH; at = text.indexOf('{', at + 1)) brackets++
  for (let at = text.indexOf('['); at >= 0 && brackets <= JSON_DEPTH; at = text.indexOf('[', at + 1)) brackets++
  return brackets > JSON_DEPTH
}

// Of the value and not of the text, because engines parse without recursion, and a value has fewer parts than its text.
function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false
  if (levels === 0) return true
  if (Array.isArray(value)) return value.some((one) => isDeeper(one, levels - 1))
  for (const name in value) if (isDeeper((value as Record<string, unknown>)[name], levels - 1)) return true
  return false
}
