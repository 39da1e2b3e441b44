// Places as texts: exactly as a datastore knows them, for links and for callers that continue a list later. Each is tied to the
// list that it was made for.
import type { TruncatedValue, CursorValue } from '../../query/query.ts'
import type { ExactCursor } from '../../query/exact-cursor.ts'
import { isTruncatedValue } from '../../query/truncated-cursor.ts'

/** Writes a datastore's place; a mark distinguishes it from a place written with values of attributes. */
export const writeCursor = ({ values: place, digest }: ExactCursor, binding: string): string =>
  writeValues(digest === undefined ? [EXACT_MARK + binding, ...place] : [ROW_MARK + binding, digest, ...place])

const EXACT_MARK = '='
const ROW_MARK = '#'

/** Reads a place back; undefined when the text is not one that was written for this list. */
export function readCursor(text: string, binding: string): ExactCursor | undefined {
  const [mark, ...values] = readValues(text)
  // How many values a place has is known to its list, which ends in a key of its own.
  if (mark === EXACT_MARK + binding) return values.every(isCursorValue) ? { values } : undefined
  return mark === ROW_MARK + binding ? toRowCursor(values) : undefined
}

function toRowCursor([digest, ...place]: readonly unknown[]): ExactCursor | undefined {
  return typeof digest === 'string' && place.every(isRowCursorValue) ? { values: place, digest } : undefined
}

const isRowCursorValue = (value: unknown): value is CursorValue | TruncatedValue => isCursorValue(value) || isTruncatedValue(value)

const isCursorValue = (value: unknown): value is CursorValue =>
  value === null || typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'

/** Reads the values of a text; none if `writeValues` did not write it. */
export function readValues(text: string): readonly unknown[] {
  try {
    const values: unknown = JSON.parse(fromBase64Url(text))
    return Array.isArray(values) ? values : []
  } catch {
    return []
  }
}

/** Writes values as text that fits into a URL. */
export const writeValues = (values: readonly unknown[]): string => toBase64Url(JSON.stringify(values))

// Places are numbers, moments and mostly plain texts, which are their own bytes.
const isAscii = (text: string): boolean => !/[\u0080-\uffff]/.test(text)

function toBase64Url(text: string): string {
  let bytes = ''
  if (isAscii(text)) bytes = text
  else for (const byte of new TextEncoder().encode(text)) bytes += String.fromCharCode(byte)
  return btoa(bytes).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '')
}

function fromBase64Url(text: string): string {
  const bytes = atob(text.replaceAll('-', '+').replaceAll('_', '/'))
  if (isAscii(bytes)) return bytes
  return new TextDecoder('utf-8', { fatal: true }).decode(Uint8Array.from(bytes, (byte) => byte.charCodeAt(0)))
}

/** A short text that is another for another list (FNV-1a, two runs of 32 bits). */
export function computeBinding(text: string): string {
  let [one, other] = [0x811c9dc5, PRIME]
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    one = Math.imul(one ^ code, PRIME)
    other = Math.imul(other ^ code, PRIME)
  }
  return (one >>> 0).toString(36) + (other >>> 0).toString(36)
}

const PRIME = 0x01000193
