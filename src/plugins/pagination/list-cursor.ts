// List cursors: positions in a list, written into links and read again; each is bound to the list that it was created for.

import { attributeRules, Dumping, Loading, memoize } from '../../extend.ts'
import type { Attribute, MediaType } from '../../index.ts'
import {
  type CursorValue,
  computeDigest,
  computeFingerprint,
  decodeCursor,
  decodeValues,
  type EndCursor,
  type ExactCursor,
  encodeCursor,
  encodeValues,
  findField,
  fitsInLink,
  getFieldValue,
  type OrderTerm,
  type Position,
  type RowCursor,
  toCanonicalValue,
  truncateValues,
} from '../mapper/extend.ts'

/** Creates the function that reads an element's position in an order. */
export function createPositionReader(
  order: readonly OrderTerm[],
  mediaType: MediaType,
): (element: unknown) => Position {
  const fields = order.map(({ field }) => [field, findField(mediaType, field) as Attribute] as const)
  return (element) => fields.map(([field, attribute]) => toCanonicalValue(getFieldValue(element, field), attribute))
}

/** Creates the function that converts the values of a position to JSON. */
function createPositionDumper(
  order: readonly OrderTerm[],
  mediaType: MediaType,
): (position: Position) => readonly CursorValue[] {
  const dumpers = order.map(({ field }) => attributeRules.getDumper(findField(mediaType, field) as Attribute))
  return (position) =>
    position.map((value, i) => (value === null ? null : (dumpers[i]?.(value, new Dumping('unchecked')) as CursorValue)))
}

/** Writes a position as URL-safe text; undefined if its values are too long. */
export function writePosition(
  position: Position,
  order: readonly OrderTerm[],
  mediaType: MediaType,
  binding: string,
): string | undefined {
  const values = createPositionDumper(order, mediaType)(position)
  return fitsInLink(JSON.stringify(values)) ? encodeValues([binding, ...values]) : undefined
}

/** Writes a position that is too long for a link, as a row cursor of the same list. */
export function writeLongPosition(
  position: Position,
  order: readonly OrderTerm[],
  mediaType: MediaType,
  binding: string,
): string {
  return encodeCursor(toRowCursor(createPositionDumper(order, mediaType)(position)), binding)
}

const toRowCursor = (values: readonly CursorValue[]): RowCursor => ({
  values: truncateValues(values),
  digest: computeDigest(JSON.stringify(values)),
})

/** Creates the function that tests whether a position matches a row cursor. */
export function createCursorTest(
  { values, digest }: RowCursor,
  order: readonly OrderTerm[],
  mediaType: MediaType,
): (position: Position) => boolean {
  const [dumpPosition, expected] = [createPositionDumper(order, mediaType), JSON.stringify(values)]
  return (position) => {
    const cursor = toRowCursor(dumpPosition(position))
    return cursor.digest === digest && JSON.stringify(cursor.values) === expected
  }
}

/** A cursor from a link: a position of attribute values, or an exact cursor of a datastore. */
export type ListCursor = { readonly position: Position } | { readonly exact: ExactCursor }

/** Reads a cursor; undefined if the text was not written for this list. */
export function readListCursor(
  text: string,
  order: readonly OrderTerm[],
  mediaType: MediaType,
  binding: string,
): ListCursor | undefined {
  const exact = decodeCursor(text, binding)
  if (exact !== undefined) return { exact }
  const [mark, ...values] = decodeValues(text)
  if (mark !== binding || values.length !== order.length) return undefined
  const position = loadPosition(values, order, mediaType)
  return position && { position }
}

/** Returns a hash of the order and of all params except those of `except` (two 32-bit FNV-1a hashes). */
export function computeListFingerprint(
  order: readonly OrderTerm[],
  params: Readonly<Record<string, unknown>>,
  except: readonly string[],
): string {
  const others = Object.keys(params).filter((name) => !except.includes(name))
  if (others.length === 0) return getOrderBinding(order)
  const entries = others.map((name): [string, unknown] => [name, params[name]])
  return computeFingerprint(
    `[${JSON.stringify(order)},${JSON.stringify(
      entries.sort(([a], [b]) => (a < b ? -1 : 1)),
      replaceBigint,
    )}]`,
  )
}

const getOrderBinding = memoize((order: readonly OrderTerm[]) => computeFingerprint(`[${JSON.stringify(order)},[]]`))

const replaceBigint = (_: string, value: unknown): unknown => (typeof value === 'bigint' ? String(value) : value)

/** Returns the values of a cursor in the fields of the order; those too long for a link as one text. */
export function toCursorValues(cursor: EndCursor, binding: string): readonly unknown[] {
  if (typeof cursor !== 'string') return cursor.digest === undefined ? cursor.values : [encodeCursor(cursor, binding)]
  // A cursor of a list in memory: its binding, and a position.
  return decodeCursor(cursor, binding) === undefined ? decodeValues(cursor).slice(1) : [cursor]
}

/** Reads the values of a cursor; undefined if they are not those of an element in this order. */
export function readCursorValues(
  values: readonly unknown[],
  order: readonly OrderTerm[],
  binding: string,
): ExactCursor | undefined {
  const [first] = values
  const long = values.length === 1 && typeof first === 'string' ? decodeCursor(first, binding) : undefined
  if (long !== undefined) return long
  return values.length === order.length && values.every(isCursorValue) ? { values } : undefined
}

const isCursorValue = (value: unknown): value is CursorValue =>
  value === null || typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'

/** Reads the values of a cursor as a position of attribute values; undefined if they do not fit. */
export function loadPosition(
  values: readonly unknown[],
  order: readonly OrderTerm[],
  mediaType: MediaType,
): Position | undefined {
  const loading = new Loading('json')
  const position = values.map((value, i) =>
    value === null
      ? null
      : attributeRules.getLoader(findField(mediaType, (order[i] as OrderTerm).field) as Attribute)(value, loading),
  )
  return loading.issues === null ? position : undefined
}
