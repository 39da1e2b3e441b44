// Pages: a part of a list, with the facts that links to its neighbours need.

import { Refusal } from '../../../extend.ts'
import {
  asPage,
  type ComparedTerm,
  compareDecimalValues,
  comparePositions,
  compareValues,
  compileFilter,
  type EndCursor,
  type FilterExpression,
  findField,
  getFieldValue,
  type ListInfo,
  listCodes,
  getAttachedListOptions,
  type Page,
  type Position,
  writeCursor,
} from '../../mapper/extend.ts'
import { createCursorTest, createPositionReader, writeLongPosition, writePosition } from '../list-cursor.ts'
import type { PartialPageParams } from './param-layout.ts'
import type { CursorRequest, PageRequest, Pagination } from '../pagination-params.ts'

/** The relations of a page to others, and the pagination each of them has. */
export interface PageLinks {
  readonly first: PartialPageParams
  readonly prev: PartialPageParams | undefined
  readonly next: PartialPageParams | undefined
  readonly last: PartialPageParams | undefined
}

/** A request whose action declares `pagination`. */
export interface PaginatedRequest {
  readonly params: { readonly pagination: Pagination }
}

/** Facts about the rest of a list whose page was read elsewhere. */
export interface PageInfo {
  /** There are elements after those of the page. */
  readonly next: boolean
  /** There are elements before those of the page; numbered pages and pages after a place know by themselves. */
  readonly prev?: boolean
  /** The number of elements in the whole list, if the request asks for it. */
  readonly total?: number | undefined
}

/** Makes a page of elements that you have read in the order and within the bounds of the request. */
export function pageOf<T>(request: PaginatedRequest, elements: readonly T[], around: PageInfo): Page<T> {
  const { pagination } = request.params
  if (pagination.mode === 'cursor' && pagination.exact !== undefined) throw createCursorRefusal('/pagination')
  return createLinkedPage(pagination, elements, around, refuseLongPosition)
}

type WriteLongPosition = typeof writeLongPosition

// Only its reader could find such a place again.
const refuseLongPosition: WriteLongPosition = (_position, order) => {
  throw new Error(
    `pageOf cannot link a page: together, the values of ${order.map(({ field }) => `'${field}'`).join(', ')} are longer ` +
      'than the 1,500 bytes that a link carries; leave fields with long values out of byFields, or use paginate',
  )
}

function createLinkedPage<T>(
  pagination: Pagination,
  elements: readonly T[],
  around: PageInfo,
  writeLong: WriteLongPosition,
): Page<T> {
  // A request without the count gets nothing derived from it, even where counting was free.
  const total = pagination.totalCount === false ? undefined : around.total
  const ends = pagination.mode === 'page' || elements.length === 0 ? undefined : writeEndCursors(pagination, elements, writeLong)
  return asPage([...elements], { next: around.next, prev: hasPrevious(pagination, elements, around), total, ends })
}

// A numbered page with elements has others before it, and so has what comes after a link's place; of anything else only
// the reader of the list can know.
function hasPrevious(pagination: Pagination, elements: readonly unknown[], { prev }: PageInfo): boolean {
  if (elements.length === 0) return false
  return pagination.mode === 'page' ? pagination.offset > 0 : (prev ?? pagination.after !== undefined)
}

function writeEndCursors(
  { order, link: { mediaType }, binding }: CursorRequest,
  elements: readonly unknown[],
  writeLong: WriteLongPosition,
): [string, string] {
  const placeOf = createPositionReader(order, mediaType)
  const written = (element: unknown): string => {
    const place = placeOf(element)
    return writePosition(place, order, mediaType, binding) ?? writeLong(place, order, mediaType, binding)
  }
  return [written(elements[0]), written(elements.at(-1))]
}

// Only datastores write exact places: one that comes to another list was never part of a link to it.
const createCursorRefusal = (pointer: string): Refusal =>
  Refusal.ofParams([{ pointer, code: listCodes.issues['pagination-continuation'] }])

/** The pages around one, as their links describe them. */
export function buildPageLinks(pagination: Pagination, info: ListInfo): PageLinks {
  return pagination.mode === 'page' ? buildNumberedLinks(pagination, info) : buildCursorLinks(pagination, info)
}

/** Returns the requested page of a list in memory, filtered, ordered and linked. */
export function paginate<T>(request: PaginatedRequest, list: readonly T[]): Page<T> {
  return paginateRequest(request, list)
}

/** The same for a request whose params follow any convention. */
export function paginateRequest<T>({ params }: { readonly params: object }, list: readonly T[]): Page<T> {
  const noted = getAttachedListOptions(params)
  const { pagination, filters } = (noted ?? params) as { readonly pagination: Pagination; readonly filters?: unknown }
  const found = slicePage(
    pagination,
    isFilter(filters) ? list.filter(compileFilter(filters, pagination.link.mediaType)) : list,
  )
  if (found === undefined) throw createCursorRefusal(noted?.pointers.pagination ?? '/pagination')
  return found
}

// An action may have a param of this name that is none of lists.
const isFilter = (filters: unknown): filters is FilterExpression =>
  typeof filters === 'object' && filters !== null && Object.hasOwn(filters, 'op')

function slicePage<T>(asked: Pagination, list: readonly T[]): Page<T> | undefined {
  const sorted = asked.mode === 'page' && !asked.ordered ? list.map(withoutPosition) : sortByPosition(list, asked)
  const pagination = asked.mode === 'cursor' ? resolveCursor(asked, sorted) : asked
  if (pagination === undefined) return undefined
  const [from, to] = pagination.mode === 'page' ? getPageBounds(pagination) : findCursorBounds(pagination, sorted)
  const [start, end] = [Math.min(from, list.length), Math.min(to, list.length)]
  const elements = sorted.slice(start, end).map(({ element }) => element)
  const around = { next: end < list.length, prev: start > 0, total: list.length }
  return createLinkedPage(pagination, elements, around, writeLongPosition)
}

/** The same request with the place that its link was too short for; an element that is gone continues no list. */
function resolveCursor(asked: CursorRequest, sorted: readonly PositionedElement<unknown>[]): CursorRequest | undefined {
  const { exact, element: named } = asked
  const side = (exact ?? named)?.side
  if (side === undefined) return asked
  const element = sorted.find(createCursorElementTest(asked))
  return element && { ...asked, exact: undefined, element: undefined, [side]: element.position }
}

function createCursorElementTest({ exact, element, order, link }: CursorRequest): (one: PositionedElement<unknown>) => boolean {
  const key = Object.entries(element?.key ?? {})
  if (exact === undefined)
    return (one) => key.every(([field, value]) => compareValues(getFieldValue(one.element, field), value) === 0)
  if (exact.digest === undefined) return () => false
  const isLinked = createCursorTest(exact, order, link.mediaType)
  return ({ position: place }) => isLinked(place)
}

/** An element and its place in the order. */
interface PositionedElement<T> {
  readonly element: T
  readonly position: Position
}

const withoutPosition = <T>(element: T): PositionedElement<T> => ({ element, position: [] })

function sortByPosition<T>(list: readonly T[], { order, link }: Pagination): readonly PositionedElement<T>[] {
  const readPosition = createPositionReader(order, link.mediaType)
  const terms = toComparedTerms({ order, link })
  return list
    .map((element) => ({ element, position: readPosition(element) }))
    .sort((a, b) => comparePositions(a.position, b.position, terms))
}

const toComparedTerms = ({ order, link }: Pick<Pagination, 'order' | 'link'>): readonly ComparedTerm[] =>
  order.map(({ field, descending }) => ({
    descending,
    compare: findField(link.mediaType, field)?.core.scalar === 'decimal' ? compareDecimalValues : compareValues,
  }))

const getPageBounds = ({ offset, items }: PageRequest): [number, number] => [offset, offset + items]

function findCursorBounds(
  { from, after, before, items, order, link }: CursorRequest,
  sorted: readonly PositionedElement<unknown>[],
): [number, number] {
  const terms = toComparedTerms({ order, link })
  if (before !== undefined) {
    const end = findFirstIndex(sorted, ({ position: place }) => comparePositions(place, before, terms) >= 0)
    return [Math.max(0, end - items), end]
  }
  if (after !== undefined) {
    const start = findFirstIndex(sorted, ({ position: place }) => comparePositions(place, after, terms) > 0)
    return [start, start + items]
  }
  const start =
    from === undefined ? 0 : findFirstIndex(sorted, ({ position: place }) => isAfterValue(place[0], from, terms[0] as ComparedTerm))
  return [start, start + items]
}

// A value typed by hand skips every element that has it, as the meaning of `from` is.
function isAfterValue(value: unknown, from: unknown, { descending, compare }: ComparedTerm): boolean {
  const compared = compare(value, from)
  return descending ? compared < 0 : compared > 0
}

/** The first index from which on a test holds, in a list where it then holds to the end. */
function findFirstIndex<T>(sorted: readonly T[], holds: (one: T) => boolean): number {
  let [low, high] = [0, sorted.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if (holds(sorted[middle] as T)) high = middle
    else low = middle + 1
  }
  return low
}

// Every link keeps the size and the wish for a count of the request's pagination.
function buildNumberedLinks({ offset, items: size, link: { text } }: PageRequest, info: ListInfo): PageLinks {
  const { next, prev } = info
  // An estimate does not say which page is the last.
  const total = info.estimated ? undefined : info.total
  const { items, total_count } = text
  const at = (begin: number, most = items): PartialPageParams => ({
    page: Math.floor(begin / size) + 1,
    offset: begin,
    items: most,
    total_count,
  })
  const last = total === undefined ? undefined : computeLastOffset(offset, size, total)
  const before = Math.min(Math.max(0, offset - size), last ?? offset)
  return {
    first: at(0),
    // Beyond the end, the way back leads to the last page that has elements, where that is known. The part before one that
    // begins within the first page ends where that one begins.
    prev: offset > 0 && (prev || last !== undefined) ? at(before, offset < size ? offset : items) : undefined,
    next: next ? at(offset + size) : undefined,
    last: last === undefined ? undefined : at(last),
  }
}

function computeLastOffset(offset: number, size: number, total: number): number {
  const begun = offset < total ? offset % size : 0
  return total <= begun ? 0 : begun + Math.floor((total - 1 - begun) / size) * size
}

function buildCursorLinks(cursor: CursorRequest, { next, prev, ends }: ListInfo): PageLinks {
  const { by, link, after, from, before, exact, element, binding } = cursor
  const { items, total_count } = link.text
  const place = (end: EndCursor): string => (typeof end === 'string' ? end : writeCursor(end, binding))
  const begun = after !== undefined || from !== undefined || before !== undefined || (exact ?? element) !== undefined
  return {
    first: { by, items, total_count },
    // From a page without elements only the beginning is a sure way: a place excludes the element that it was made of.
    prev: begun && prev && ends !== undefined ? { by, before: place(ends[0]), items, total_count } : undefined,
    next: next && ends !== undefined ? { by, after: place(ends[1]), items, total_count } : undefined,
    last: undefined,
  }
}
