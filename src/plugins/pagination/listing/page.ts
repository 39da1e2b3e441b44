// Pages: a part of a list, with the facts that the links to other pages require.

import { Refusal } from '../../../extend.ts'
import {
  asPage,
  type ComparedTerm,
  compareDecimalValues,
  comparePositions,
  compareValues,
  compileFilter,
  type EndCursor,
  encodeCursor,
  type FilterExpression,
  findField,
  getFieldValue,
  isBackwards,
  type ListInfo,
  listCodes,
  type Page,
  type Position,
  type RequestedList,
} from '../../mapper/extend.ts'
import {
  createCursorTest,
  createPositionReader,
  loadPosition,
  writeLongPosition,
  writePosition,
} from '../list-cursor.ts'
import type { CursorRequest, PageRequest, Pagination } from '../pagination-config.ts'
import type { PageParams, PartialPageParams } from './param-layout.ts'

/** The relations of a page to other pages, with the params of each. */
export interface PageLinks {
  readonly first: PartialPageParams | undefined
  readonly prev: PartialPageParams | undefined
  readonly next: PartialPageParams | undefined
  readonly last: PartialPageParams | undefined
}

/** A request whose action declares `pagination`. */
export interface PaginatedRequest {
  readonly params: { readonly pagination: Pagination }
}

/** The facts about a list of which the application has read a page. */
export interface PageInfo {
  /** Whether there are elements after the page. */
  readonly next: boolean
  /** Whether there are elements before the page; known for numbered pages and for pages after a cursor. */
  readonly prev?: boolean
  /** The total number of elements in the list, if the request requires it. */
  readonly total?: number | undefined
}

/** Creates a page of elements that the application has read in the order and within the bounds of the request. */
export function pageOf<T>(request: PaginatedRequest, elements: readonly T[], info: PageInfo): Page<T> {
  const { pagination } = request.params
  if (pagination.mode === 'cursor' && pagination.exact !== undefined) throw createCursorRefusal('/pagination')
  return createLinkedPage(pagination, elements, info, refuseLongPosition)
}

type WriteLongPosition = typeof writeLongPosition

// Only `paginate`, which has the complete list, can find such a position again.
const refuseLongPosition: WriteLongPosition = (_position, order) => {
  throw new Error(
    `pageOf cannot link a page: together, the values of ${order.map(({ field }) => `'${field}'`).join(', ')} are longer ` +
      'than the 1,500 bytes that a link carries; leave fields with long values out of byFields, or use paginate',
  )
}

function createLinkedPage<T>(
  pagination: Pagination,
  elements: readonly T[],
  info: PageInfo,
  writeLong: WriteLongPosition,
): Page<T> {
  // Without `total_count`, a request gets nothing derived from the count, even if counting was free.
  const total = pagination.totalCount === false ? undefined : info.total
  const ends =
    pagination.mode === 'page' || elements.length === 0 ? undefined : writeEndCursors(pagination, elements, writeLong)
  const named = pagination.namesElements === true && { cursors: writeCursors(pagination, elements, writeLong) }
  return asPage([...elements], {
    next: info.next,
    prev: hasPrevious(pagination, elements, info),
    total,
    ends,
    ...named,
  })
}

// A numbered page with elements has others before it, and so has a page after a cursor. In other cases only the reader of
// the list knows.
function hasPrevious(pagination: Pagination, elements: readonly unknown[], { prev }: PageInfo): boolean {
  if (elements.length === 0) return false
  return pagination.mode === 'page' ? pagination.offset > 0 : (prev ?? pagination.after !== undefined)
}

const writeEndCursors = (
  pagination: CursorRequest,
  elements: readonly unknown[],
  writeLong: WriteLongPosition,
): [string, string] =>
  writeCursors(pagination, [elements[0], elements.at(-1)], writeLong) as readonly string[] as [string, string]

function writeCursors(
  { order, link: { mediaType }, binding = '' }: Pagination,
  elements: readonly unknown[],
  writeLong: WriteLongPosition,
): readonly string[] {
  const readPosition = createPositionReader(order, mediaType)
  return elements.map((element) => {
    const position = readPosition(element)
    return writePosition(position, order, mediaType, binding) ?? writeLong(position, order, mediaType, binding)
  })
}

// Only datastores write exact cursors: for a list in memory, such a cursor was never part of a link.
const createCursorRefusal = (pointer: string): Refusal =>
  Refusal.ofParams([{ pointer, code: listCodes.issues['pagination-continuation'] }])

/** Returns the params of the pages around one. */
export function buildPageLinks(pagination: Pagination, info: ListInfo): PageLinks {
  return pagination.mode === 'page' ? buildNumberedLinks(pagination, info) : buildCursorLinks(pagination, info)
}

/** Returns the params of the pages around one, without those that lead to the page itself. */
export function buildOtherPageLinks(pagination: Pagination, info: ListInfo): PageLinks {
  const { first, last, ...neighbours } = buildPageLinks(pagination, info)
  if (pagination.mode === 'cursor') return { ...neighbours, first: isWithin(pagination) ? first : undefined, last }
  const omitSelf = (one: PartialPageParams | undefined) => (one?.offset === pagination.offset ? undefined : one)
  return { ...neighbours, first: omitSelf(first), last: omitSelf(last) }
}

/** Returns the requested page of a list in memory, filtered, ordered and linked. */
export function paginate<T>(request: PaginatedRequest, list: readonly T[]): Page<T> {
  return paginateRequest(request, list)
}

/** Returns the requested page of a list in memory, for a request of any convention. */
export function paginateRequest<T>(
  { params, list: requested }: { readonly params: object; readonly list?: RequestedList | undefined },
  list: readonly T[],
): Page<T> {
  const { pagination, filters } = (requested ?? params) as {
    readonly pagination: Pagination
    readonly filters?: unknown
  }
  const page = slicePage(
    pagination,
    isFilter(filters) ? list.filter(compileFilter(filters, pagination.link.mediaType)) : list,
  )
  if (page === undefined) throw createCursorRefusal(requested?.pointers.pagination ?? '/pagination')
  return page
}

// An action may have a param of this name that is not a list param.
const isFilter = (filters: unknown): filters is FilterExpression =>
  typeof filters === 'object' && filters !== null && Object.hasOwn(filters, 'op')

function slicePage<T>(requested: Pagination, list: readonly T[]): Page<T> | undefined {
  const sorted =
    requested.mode === 'page' && !requested.ordered
      ? list.map((element) => ({ element, position: [] }))
      : sortByPosition(list, requested)
  const pagination = requested.mode === 'cursor' ? resolveCursors(requested, sorted) : requested
  if (pagination === undefined) return undefined
  const reachable = pagination.mode === 'page' ? sorted : (cutAtEnd(pagination, sorted) as typeof sorted)
  const { length } = reachable
  const [from, to] =
    pagination.mode === 'page'
      ? [pagination.offset, pagination.offset + pagination.items]
      : findCursorBounds(pagination, reachable)
  const [start, end] = [Math.min(from, length), Math.min(to, length)]
  const elements = reachable.slice(start, end).map(({ element }) => element)
  const info = { next: end < length, prev: start > 0, total: list.length }
  return createLinkedPage(pagination, elements, info, writeLongPosition)
}

/** Returns the elements up to the cursor at which a page ends at the latest. */
function cutAtEnd(
  { until, order, link, ...pagination }: CursorRequest,
  sorted: readonly PositionedElement<unknown>[],
): readonly PositionedElement<unknown>[] {
  if (until === undefined) return sorted
  const terms = toComparedTerms({ order, link })
  const { after, before } = until
  if (isBackwards(pagination))
    return sorted.slice(
      findFirstIndex(sorted, ({ position }) => comparePositions(position, after as Position, terms) > 0),
    )
  const end = findFirstIndex(sorted, ({ position }) => comparePositions(position, before as Position, terms) >= 0)
  return sorted.slice(0, end)
}

/** Resolves the cursors of a page. */
function resolveCursors(
  request: CursorRequest,
  sorted: readonly PositionedElement<unknown>[],
): CursorRequest | undefined {
  const start = resolveCursor(request, sorted)
  if (start === undefined || request.until === undefined) return start
  const until = resolveCursor({ ...request, ...request.until }, sorted)
  return until && { ...start, until: { after: until.after, before: until.before, exact: undefined } }
}

/** Resolves a row cursor or a key to the position of its element; undefined if the element is gone. */
function resolveCursor(
  request: CursorRequest,
  sorted: readonly PositionedElement<unknown>[],
): CursorRequest | undefined {
  const { exact, element: keyed } = request
  const side = (exact ?? keyed)?.side
  if (side === undefined) return request
  // The values of an element are its position, whether or not it still exists.
  if (request.namesElements === true && exact !== undefined && exact.digest === undefined) {
    const position = loadPosition(exact.values, request.order, request.link.mediaType)
    return position && { ...request, exact: undefined, [side]: position }
  }
  const element = sorted.find(createCursorElementTest(request))
  return element && { ...request, exact: undefined, element: undefined, [side]: element.position }
}

function createCursorElementTest({
  exact,
  element,
  order,
  link,
}: CursorRequest): (one: PositionedElement<unknown>) => boolean {
  const key = Object.entries(element?.key ?? {})
  if (exact === undefined)
    return (one) => key.every(([field, value]) => compareValues(getFieldValue(one.element, field), value) === 0)
  if (exact.digest === undefined) return () => false
  const isLinked = createCursorTest(exact, order, link.mediaType)
  return ({ position }) => isLinked(position)
}

/** An element and its position in the order. */
interface PositionedElement<T> {
  readonly element: T
  readonly position: Position
}

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

function findCursorBounds(
  { from, after, before, fromEnd, items, order, link }: CursorRequest,
  sorted: readonly PositionedElement<unknown>[],
): [number, number] {
  const terms = toComparedTerms({ order, link })
  if (before !== undefined) {
    const end = findFirstIndex(sorted, ({ position }) => comparePositions(position, before, terms) >= 0)
    return [Math.max(0, end - items), end]
  }
  if (fromEnd === true) return [Math.max(0, sorted.length - items), sorted.length]
  if (after !== undefined) {
    const start = findFirstIndex(sorted, ({ position }) => comparePositions(position, after, terms) > 0)
    return [start, start + items]
  }
  const start =
    from === undefined
      ? 0
      : findFirstIndex(sorted, ({ position }) => isAfterValue(position[0], from, terms[0] as ComparedTerm))
  return [start, start + items]
}

// A value typed by hand skips every element that has it: `from` is exclusive.
function isAfterValue(value: unknown, from: unknown, { descending, compare }: ComparedTerm): boolean {
  const compared = compare(value, from)
  return descending ? compared < 0 : compared > 0
}

/** Returns the first index at which a test holds, in a list in which it then holds to the end (binary search). */
function findFirstIndex<T>(sorted: readonly T[], holds: (one: T) => boolean): number {
  let [low, high] = [0, sorted.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if (holds(sorted[middle] as T)) high = middle
    else low = middle + 1
  }
  return low
}

// Every link keeps the page size and the `total_count` of the request.
function buildNumberedLinks({ offset, items: size, link: { text } }: PageRequest, info: ListInfo): PageLinks {
  const { next, prev } = info
  // An estimate does not determine the last page.
  const total = info.estimated ? undefined : info.total
  const { items, total_count, limit } = text as PageParams
  // A page without elements has no neighbours.
  if (size === 0)
    return { first: { page: 1, offset: 0, items, total_count }, prev: undefined, next: undefined, last: undefined }
  // The elements that a limited list has after this page.
  const rest = limit === undefined ? undefined : limit - size
  const createParams = (start: number, maxItems = items): PartialPageParams => ({
    ...(limit !== undefined && { limit: start > offset ? rest : limit }),
    page: Math.floor(start / size) + 1,
    offset: start,
    items: maxItems,
    total_count,
  })
  const last = total === undefined ? undefined : computeLastOffset(offset, size, total)
  const previous = Math.min(Math.max(0, offset - size), last ?? offset)
  return {
    first: createParams(0),
    // Beyond the end, `prev` is the last page that has elements, if that is known. The page before one that begins within the
    // first page ends where that one begins.
    prev:
      offset > 0 && (prev || last !== undefined) ? createParams(previous, offset < size ? offset : items) : undefined,
    next: next && rest !== 0 ? createParams(offset + size) : undefined,
    last: last === undefined ? undefined : createParams(last),
  }
}

function computeLastOffset(offset: number, size: number, total: number): number {
  const remainder = offset < total ? offset % size : 0
  return total <= remainder ? 0 : remainder + Math.floor((total - 1 - remainder) / size) * size
}

function buildCursorLinks(cursor: CursorRequest, { next, prev, ends }: ListInfo): PageLinks {
  const { by, link, until, binding } = cursor
  const text = link.text as PageParams
  const { lastItems, items = lastItems, total_count, limit } = text
  // Towards the other cursor, a link keeps it.
  const [end, begin] = isBackwards(cursor) ? [undefined, text.after] : [text.before, undefined]
  const rest = limit === undefined ? undefined : limit - cursor.items
  const formatCursor = (end: EndCursor): string => (typeof end === 'string' ? end : encodeCursor(end, binding))
  const hasStart = isWithin(cursor)
  return {
    first: { by, items, total_count, limit },
    // From a page without elements, only `first` is reliable: a cursor excludes the element that it was created from.
    prev:
      hasStart && prev && ends !== undefined
        ? {
            by,
            before: formatCursor(ends[0]),
            ...(until && { after: begin, lastItems: items }),
            items,
            total_count,
            limit,
          }
        : undefined,
    next:
      next && rest !== 0 && ends !== undefined
        ? { by, after: formatCursor(ends[1]), ...(until && { before: end }), items, total_count, limit: rest }
        : undefined,
    last: undefined,
  }
}

/** Returns whether a page begins anywhere but at the start of its list. */
const isWithin = ({ fromEnd, after, from, before, exact, element }: CursorRequest): boolean =>
  fromEnd === true || [after, from, before, exact, element].some((one) => one !== undefined)
