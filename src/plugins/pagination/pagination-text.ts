// The text of `pagination`: parses and writes comma-separated `key=value` pairs with percent-encoded values.
import { type INVALID, type Loading, shortenName } from '../../extend.ts'
import { codes } from './codes.ts'

/** The pagination that a request specifies, before the settings are applied. */
export interface PaginationText {
  readonly page?: number
  readonly items?: number
  readonly by?: string
  readonly from?: string
  readonly after?: string
  readonly before?: string
  readonly total_count?: boolean
}

/** Pagination to be written; undefined members are omitted. */
export type PartialPagination = { readonly [K in keyof PaginationText]?: PaginationText[K] | undefined }

/** Writes pagination as request text, with percent-encoded values. */
export const formatPagination = (text: PartialPagination): string => formatPairs(text, ',', '=', encodeURIComponent)

/** Writes pagination for a URL, in which the complete text is percent-encoded once more. */
export const formatLinkPagination = (text: PartialPagination): string =>
  formatPairs(text, '%2C', '%3D', (value) => encodeURIComponent(encodeURIComponent(value)))

function formatPairs(
  { page, by, from, after, before, items, total_count }: PartialPagination,
  comma: string,
  equals: string,
  encode: (value: string) => string,
): string {
  const formatPair = (key: string, value: string): string =>
    `${comma}${key}${equals}${UNESCAPED.test(value) ? value : encode(value)}`
  let pairs = ''
  if (page !== undefined) pairs += `${comma}page${equals}${page}`
  if (by !== undefined) pairs += formatPair('by', by)
  if (from !== undefined) pairs += formatPair('from', from)
  if (after !== undefined) pairs += formatPair('after', after)
  if (before !== undefined) pairs += formatPair('before', before)
  if (items !== undefined) pairs += `${comma}items${equals}${items}`
  if (total_count !== undefined) pairs += `${comma}total_count${equals}${total_count}`
  return pairs.slice(comma.length)
}

// Mostly names of fields and cursors: percent-encoding does not change them.
const UNESCAPED = /^[\w.-]*$/

const KNOWN_KEYS: ReadonlySet<string> = new Set(['page', 'items', 'by', 'from', 'total_count', 'after', 'before'])

/** Parses the text of a request, and reports the first mistake. */
export function parsePagination(text: string, loading: Loading): PaginationText | typeof INVALID {
  const pairs = new Map<string, string>()
  for (const part of text.split(',')) {
    const equals = part.indexOf('=')
    if (equals < 1) return loading.fail(codes.issues['pagination-syntax'])
    const key = part.slice(0, equals)
    if (!KNOWN_KEYS.has(key)) return loading.fail(codes.issues['pagination-key'], { key: shortenName(key) })
    if (pairs.has(key)) return loading.fail(codes.issues['pagination-repeated'], { key })
    const value = unescapeValue(part.slice(equals + 1))
    if (value === undefined) return loading.fail('encoding')
    if (value === '' && key !== 'from') return loading.fail(codes.issues['pagination-empty'], { key })
    pairs.set(key, value)
  }
  return combinePairs(pairs, loading)
}

function unescapeValue(value: string): string | undefined {
  if (!value.includes('%')) return value
  try {
    return decodeURIComponent(value)
  } catch {
    return undefined
  }
}

function combinePairs(pairs: ReadonlyMap<string, string>, loading: Loading): PaginationText | typeof INVALID {
  const text: Record<string, string | number | boolean> = {}
  for (const [key, value] of pairs) {
    if (key === 'page' || key === 'items') {
      const number = /^[1-9]\d{0,15}$/.test(value) ? Number(value) : Number.NaN
      if (!Number.isSafeInteger(number)) return loading.fail(codes.issues['pagination-number'], { key })
      text[key] = number
    } else if (key === 'total_count') {
      if (value !== 'true' && value !== 'false') return loading.fail(codes.issues['pagination-total-count'])
      text[key] = value === 'true'
    } else text[key] = value
  }
  const cursorCount = [pairs.has('from'), pairs.has('after'), pairs.has('before')].filter(Boolean).length
  const isMixed = cursorCount > 1 || (pairs.has('page') && (cursorCount > 0 || pairs.has('by')))
  return isMixed ? loading.fail(codes.issues['pagination-mixed']) : (text as PaginationText)
}
