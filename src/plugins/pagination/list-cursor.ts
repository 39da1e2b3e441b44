// Continuations: exact places in a list, written into links and read back; each is tied to the list it was made for.

import { Dumping, Loading } from '../../extend.ts'
import type { Attribute, MediaType } from '../../index.ts'
import {
  truncateValues,
  computeBinding,
  canonicalValue,
  computeDigest,
  type ExactCursor,
  findField,
  getFieldValue,
  isLinkable,
  type OrderTerm,
  type CursorValue,
  type Position,
  type RowCursor,
  readCursor,
  readValues,
  writeCursor,
  writeValues,
} from '../mapper/extend.ts'

/** Makes the function that finds an element's place in an order. */
export function createPositionReader(order: readonly OrderTerm[], mediaType: MediaType): (element: unknown) => Position {
  const fields = order.map(({ field }) => [field, findField(mediaType, field) as Attribute] as const)
  return (element) => fields.map(([field, attribute]) => canonicalValue(getFieldValue(element, field), attribute))
}

/** Makes the function that gives the values of a place as JSON has them. */
function createPositionDumper(order: readonly OrderTerm[], mediaType: MediaType): (position: Position) => readonly CursorValue[] {
  const cores = order.map(({ field }) => (findField(mediaType, field) as Attribute).core)
  return (position) =>
    position.map((value, i) => (value === null ? null : (cores[i]?.dumper(value, new Dumping(false)) as CursorValue)))
}

/** Writes a place as text that fits into a URL; undefined where its values are too long. */
export function writePosition(
  position: Position,
  order: readonly OrderTerm[],
  mediaType: MediaType,
  binding: string,
): string | undefined {
  const values = createPositionDumper(order, mediaType)(position)
  return isLinkable(JSON.stringify(values)) ? writeValues([binding, ...values]) : undefined
}

/** Writes a place that is too long for a link, so that it is found again in the same list. */
export function writeLongPosition(
  position: Position,
  order: readonly OrderTerm[],
  mediaType: MediaType,
  binding: string,
): string {
  return writeCursor(toRowCursor(createPositionDumper(order, mediaType)(position)), binding)
}

const toRowCursor = (values: readonly CursorValue[]): RowCursor => ({
  values: truncateValues(values),
  digest: computeDigest(JSON.stringify(values)),
})

/** Makes the function that tells whether a place is the one that a link was too short for. */
export function createCursorTest(
  { values: place, digest }: RowCursor,
  order: readonly OrderTerm[],
  mediaType: MediaType,
): (position: Position) => boolean {
  const [valuesOf, ends] = [createPositionDumper(order, mediaType), JSON.stringify(place)]
  return (position) => {
    const own = toRowCursor(valuesOf(position))
    return own.digest === digest && JSON.stringify(own.values) === ends
  }
}

/** A place that was read from a link: by values of attributes, or exactly as a datastore wrote it. */
export type ListCursor = { readonly position: Position } | { readonly exact: ExactCursor }

/** Reads a place back; undefined when the text is not one that was written for this list. */
export function readListCursor(
  text: string,
  order: readonly OrderTerm[],
  mediaType: MediaType,
  binding: string,
): ListCursor | undefined {
  const exact = readCursor(text, binding)
  if (exact !== undefined) return { exact }
  const [mark, ...values] = readValues(text)
  if (mark !== binding || values.length !== order.length) return undefined
  const loading = new Loading(false)
  const position = values.map((value, i) =>
    value === null
      ? null
      : (findField(mediaType, (order[i] as OrderTerm).field) as Attribute).core.loader(value, loading),
  )
  return loading.issues === null ? { position } : undefined
}

/** A short text that is the same for the same order and the same params but those of `except` (FNV-1a, two runs of 32 bits). */
export function computeListBinding(
  order: readonly OrderTerm[],
  params: Readonly<Record<string, unknown>>,
  except: readonly string[],
): string {
  const others = Object.keys(params).filter((name) => !except.includes(name))
  if (others.length === 0) return getOrderBinding(order)
  const entries = others.map((name): [string, unknown] => [name, params[name]])
  return computeBinding(`[${JSON.stringify(order)},${JSON.stringify(entries.sort(compareNames), replaceBigint)}]`)
}

const orderBindings = new WeakMap<readonly OrderTerm[], string>()

function getOrderBinding(order: readonly OrderTerm[]): string {
  let binding = orderBindings.get(order)
  if (binding === undefined) {
    binding = computeBinding(`[${JSON.stringify(order)},[]]`)
    orderBindings.set(order, binding)
  }
  return binding
}

const compareNames = ([a]: [string, unknown], [b]: [string, unknown]): number => (a < b ? -1 : 1)

const replaceBigint = (_: string, value: unknown): unknown => (typeof value === 'bigint' ? String(value) : value)
