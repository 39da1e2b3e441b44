// A body of JSON: strict UTF-8, bounded nesting, and errors as values that say where the text is wrong and repeat none of it.
import type { Failed } from '../../util/failed.ts'
import { MAX_JSON_DEPTH, JSON_DELIMITERS, type JsonFault, findJsonOverflow, parseJson } from '../../util/json/parse-json.ts'
import { type Reasoned, reasoned } from '../problem/reasons.ts'

/** The value of a JSON text, or the reason why it has none. */
export type JsonResult = { readonly value: unknown } | Failed<Reasoned>

/** Why bytes that are not UTF-8 are refused. */
export const NOT_UTF8: Reasoned = reasoned('utf8')

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
const BYTES_PER_DELIMITER = 16

/** How many commas, colons and brackets there may be in the JSON of a body with a limit. */
export const getMaxDelimiters = (limit: number): number => Math.max(JSON_DELIMITERS, Math.floor(limit / BYTES_PER_DELIMITER))

/**
 * Reads JSON from the bytes of a body that is not empty; never throws. It may have so many commas, colons and brackets,
 * less those that were read before.
 */
export function readJson(bytes: Uint8Array, maxSigns: number, before = 0): JsonResult {
  const fault = findJsonOverflow(bytes, maxSigns, before)
  if (fault !== undefined) return { fault: reasonOf(fault) }
  const text = decodeUtf8(bytes)
  if (text === undefined) return { fault: NOT_UTF8 }
  const read = parseJson(text)
  return 'fault' in read ? { fault: reasonOf(read) } : read
}

function reasonOf(found: JsonFault): Reasoned {
  if (found.fault === 'depth') return reasoned('json-depth', { limit: MAX_JSON_DEPTH })
  if (found.fault === 'signs') return reasoned('json-size', { limit: found.limit })
  const { line, column } = found
  return line === undefined || column === undefined ? reasoned('json-short') : reasoned('json-syntax', { line, column })
}
