// A body of JSON: strict UTF-8, bounded nesting, and errors as values that say where the text is wrong and repeat none of it.
import type { Failed } from '../../util/failed.ts'
import { JSON_DEPTH, JSON_SIGNS, type JsonFault, jsonOverflow, parseJson } from '../../util/json/text.ts'

/** The value of a JSON text, or the reason why it has none. */
export type JsonResult = { readonly value: unknown } | Failed<string>

/** The message for bytes that are not UTF-8. */
export const NOT_UTF8 = 'The text is not valid UTF-8.'

const decoder = globalThis.TextDecoder && new TextDecoder('utf-8', { fatal: true })

/** Decodes UTF-8 without its byte order mark; undefined when the bytes are something else. */
export function decodeUtf8(bytes: Uint8Array): string | undefined {
  try {
    return decoder.decode(bytes)
  } catch {
    return undefined
  }
}

/** There may be one comma, colon or bracket for so many bytes of a limit, where that is more than there may be anyway. */
const BYTES_OF_SIGN = 16

/** How many commas, colons and brackets there may be in the JSON of a body with a limit. */
export const jsonSigns = (limit: number): number => Math.max(JSON_SIGNS, Math.floor(limit / BYTES_OF_SIGN))

/**
 * Reads JSON from the bytes of a body that is not empty; never throws. It may have so many commas, colons and brackets,
 * less those that were read before.
 */
export function readJson(bytes: Uint8Array, maxSigns: number, before = 0): JsonResult {
  const fault = jsonOverflow(bytes, maxSigns, before)
  if (fault !== undefined) return { fault: detailOf(fault) }
  const text = decodeUtf8(bytes)
  if (text === undefined) return { fault: NOT_UTF8 }
  const read = parseJson(text)
  return 'fault' in read ? { fault: detailOf(read) } : read
}

function detailOf(found: JsonFault): string {
  if (found.fault === 'depth') return `The JSON is nested deeper than ${JSON_DEPTH} levels.`
  if (found.fault === 'signs')
    return `The JSON has too many values: more than ${found.limit} commas, colons and opening brackets.`
  if (found.line === undefined) return 'The JSON is malformed because it ends too early.'
  return `The JSON is malformed at line ${found.line}, column ${found.column}.`
}
