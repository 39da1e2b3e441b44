// Cursors as text, for links and for callers that continue a list later. Each is bound to the list that it was created for.

import type { ExactCursor } from '../../query/exact-cursor.ts'
import type { CursorValue, TruncatedValue } from '../../query/query.ts'
import { isTruncatedValue } from '../../query/truncated-cursor.ts'

/** Writes an exact cursor; a mark distinguishes it from a position of attribute values. */
export const encodeCursor = ({ values, digest }: ExactCursor, binding: string): string =>
  encodeValues(digest === undefined ? [EXACT_MARK + binding, ...values] : [ROW_MARK + binding, digest, ...values])

const EXACT_MARK = '='
const ROW_MARK = '#'

/** Reads a cursor; undefined if the text was not written for this list. */
export function decodeCursor(text: string, binding: string): ExactCursor | undefined {
  const [mark, ...values] = decodeValues(text)
  // The list checks the number of values, because its order ends in a key.
  if (mark === EXACT_MARK + binding) return values.every(isCursorValue) ? { values } : undefined
  return mark === ROW_MARK + binding ? toRowCursor(values) : undefined
}

function toRowCursor([digest, ...key]: readonly unknown[]): ExactCursor | undefined {
  return typeof digest === 'string' && key.every(isRowCursorValue) ? { values: key, digest } : undefined
}

const isRowCursorValue = (value: unknown): value is CursorValue | TruncatedValue =>
  isCursorValue(value) || isTruncatedValue(value)

const isCursorValue = (value: unknown): value is CursorValue =>
  value === null || typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'

/** Reads the values of a text; returns none if `encodeValues` did not write it. */
export function decodeValues(text: string): readonly unknown[] {
  try {
    const values: unknown = JSON.parse(fromBase64Url(text))
    return Array.isArray(values) ? values : []
  } catch {
    return []
  }
}

/** Writes values as URL-safe text. */
export const encodeValues = (values: readonly unknown[]): string => toBase64Url(JSON.stringify(values))

// Most cursors are ASCII text, whose characters are its bytes.
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

/** Returns a short hash that identifies a list (two 32-bit FNV-1a hashes). */
export function computeFingerprint(text: string): string {
  let [one, other] = [0x811c9dc5, PRIME]
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    one = Math.imul(one ^ code, PRIME)
    other = Math.imul(other ^ code, PRIME)
  }
  return (one >>> 0).toString(36) + (other >>> 0).toString(36)
}

const PRIME = 0x01000193
