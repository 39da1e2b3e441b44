// Reads a JSON body: strict UTF-8, bounded nesting, and errors as values that state the position of the error and
// repeat none of the text.
import type { Failed } from '../../util/failed.ts'
import {
  findJsonOverflow,
  JSON_DELIMITERS,
  type JsonFault,
  MAX_JSON_DEPTH,
  parseJson,
} from '../../util/json/parse-json.ts'
import { createReason, type ProblemReason } from '../problem/reasons.ts'

/** The value of a JSON text, or the reason why it cannot be read. */
export type JsonResult = { readonly value: unknown; readonly hasPlainTexts?: boolean } | Failed<ProblemReason>

/** The reason for rejecting bytes that are not UTF-8. */
export const NOT_UTF8: ProblemReason = createReason('utf8')

const decoder = globalThis.TextDecoder && new TextDecoder('utf-8', { fatal: true })

/** Decodes UTF-8 without its byte order mark; returns undefined if the bytes are not UTF-8. */
export function decodeUtf8(bytes: Uint8Array): string | undefined {
  try {
    return decoder.decode(bytes)
  } catch {
    return undefined
  }
}

/**
 * A body may have one comma, colon or bracket per this many bytes of its limit, if that is more than `JSON_DELIMITERS`.
 */
const BYTES_PER_DELIMITER = 16

/** Returns the most commas, colons and brackets in the JSON of a body with a size limit. */
export const getMaxDelimiters = (limit: number): number =>
  Math.max(JSON_DELIMITERS, Math.floor(limit / BYTES_PER_DELIMITER))

/**
 * Parses JSON from the bytes of a non-empty body; never throws. The text may have `maxDelimiters` commas, colons and
 * brackets, less the `before` that were read earlier.
 */
export function readJson(bytes: Uint8Array, maxDelimiters: number, before = 0): JsonResult {
  const fault = findJsonOverflow(bytes, maxDelimiters, before)
  if (fault !== undefined) return { fault: toReason(fault) }
  const text = decodeUtf8(bytes)
  if (text === undefined) return { fault: NOT_UTF8 }
  const read = parseJson(text)
  // In UTF-8, only an escape can write U+0000 or a lone surrogate.
  return 'fault' in read ? { fault: toReason(read) } : { value: read.value, hasPlainTexts: !text.includes('\\u') }
}

function toReason(found: JsonFault): ProblemReason {
  if (found.fault === 'depth') return createReason('json-depth', { limit: MAX_JSON_DEPTH })
  if (found.fault === 'signs') return createReason('json-size', { limit: found.limit })
  const { line, column } = found
  return line === undefined || column === undefined
    ? createReason('json-short')
    : createReason('json-syntax', { line, column })
}
