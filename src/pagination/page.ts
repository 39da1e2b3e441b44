// Pages: a part of a list together with what the links to its neighbours need.
import { type Position, positions, writePosition } from './continuation.ts'
import { comparePlaces, compareValues } from './order.ts'
import type { OrderTerm } from './ordering-params.ts'
import type { CursorRequest, PageRequest, Pagination, PaginationText } from './pagination-params.ts'

/** The relations of a page to others, and the pagination each of them has. */
export interface PageLinks {
  readonly first?: PaginationText
  readonly prev?: PaginationText
  readonly next?: PaginationText
  readonly last?: PaginationText
}

/** What the plugin writes into the headers of a page's answer. */
export interface PageInfo {
  readonly links: PageLinks
  readonly total: number | undefined
}

/** Elements of one page; answered as they are, with Link and Total-Count added. */
export type Page<T> = readonly T[] & { readonly '~page': PageInfo }

/** A request whose action declares `pagination`. */
export interface PaginatedRequest {
  readonly params: { readonly pagination: Pagination }
}

/** What is known about the rest of a list whose page was read elsewhere. */
export interface Surroundings {
  /** There are elements after those of the page. */
  readonly next: boolean
  /** There are elements before those of the page; a numbered page knows by itself. */
  readonly prev?: boolean
  /** How many elements there are in all, when the request asks for it. */
  readonly total?: number | undefined
}

/** Makes a page of elements that were read elsewhere in the order and within the bounds of the request. */
export function pageOf<T>(
  { params: { pagination } }: PaginatedRequest,
  elements: readonly T[],
  around: Surroundings,
): Page<T> {
  // Who did not ask for the count gets nothing that follows from it, whatever it would have cost.
  const total = pagination.totalCount ? around.total : undefined
  const known = { next: around.next, prev: around.prev ?? true, total }
  const links = pagination.mode === 'page' ? pageLinks(pagination, known) : cursorLinks(pagination, elements, known)
  const page = [...elements]
  Object.defineProperty(page, '~page', { value: { links, total } })
  return page as unknown as Page<T>
}

/** Takes the requested page from a whole list in memory: ordered, cut, and with its surroundings known exactly. */
export function paginate<T>(request: PaginatedRequest, list: readonly T[]): Page<T> {
  const { pagination } = request.params
  const sorted = pagination.mode === 'page' && !pagination.ordered ? list.map(unplaced) : placed(list, pagination)
  const [from, to] = pagination.mode === 'page' ? pageBounds(pagination) : cursorBounds(pagination, sorted)
  const [start, end] = [Math.min(from, list.length), Math.min(to, list.length)]
  const elements = sorted.slice(start, end).map(({ element }) => element)
  return pageOf(request, elements, { next: end < list.length, prev: start > 0, total: list.length })
}

/** An element and its place in the order. */
interface Placed<T> {
  readonly element: T
  readonly place: Position
}

const unplaced = <T>(element: T): Placed<T> => ({ element, place: [] })

function placed<T>(list: readonly T[], { order, link }: Pagination): readonly Placed<T>[] {
  const placeOf = positions(order, link.mediaType)
  return list
    .map((element) => ({ element, place: placeOf(element) }))
    .sort((a, b) => comparePlaces(a.place, b.place, order))
}

const pageBounds = ({ page, items }: PageRequest): [number, number] => [(page - 1) * items, page * items]

function cursorBounds(
  { from, after, before, items, order }: CursorRequest,
  sorted: readonly Placed<unknown>[],
): [number, number] {
  if (before !== undefined) {
    const end = firstIndex(sorted, ({ place }) => comparePlaces(place, before, order) >= 0)
    return [Math.max(0, end - items), end]
  }
  if (after !== undefined) {
    const start = firstIndex(sorted, ({ place }) => comparePlaces(place, after, order) > 0)
    return [start, start + items]
  }
  const start =
    from === undefined ? 0 : firstIndex(sorted, ({ place }) => isPast(place[0], from, order[0] as OrderTerm))
  return [start, start + items]
}

// A value typed by hand skips every element that has it, as the meaning of `from` is.
function isPast(value: unknown, from: unknown, { descending }: OrderTerm): boolean {
  const compared = compareValues(value, from)
  return descending ? compared < 0 : compared > 0
}

/** The first index from which on a test holds, in a list where it then holds to the end. */
function firstIndex<T>(sorted: readonly T[], holds: (one: T) => boolean): number {
  let [low, high] = [0, sorted.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if (holds(sorted[middle] as T)) high = middle
    else low = middle + 1
  }
  return low
}

function pageLinks({ page, items, link: { text } }: PageRequest, { next, total }: Surroundings): PageLinks {
  const at = (number: number): PaginationText => ({ ...rest(text), page: number })
  const last = total === undefined ? undefined : Math.max(1, Math.ceil(total / items))
  return {
    first: at(1),
    // Beyond the end, the way back leads to the last page that has elements, where that is known.
    ...(page > 1 && { prev: at(Math.min(page - 1, last ?? page - 1)) }),
    ...(next && { next: at(page + 1) }),
    ...(last !== undefined && { last: at(last) }),
  }
}

function cursorLinks(cursor: CursorRequest, elements: readonly unknown[], { next, prev }: Surroundings): PageLinks {
  const { by, order, link, after, from, before, binding } = cursor
  const base: PaginationText = { ...rest(link.text), by }
  // From a page without elements only the beginning is a sure way: a place excludes the element that it was made of.
  if (elements.length === 0) return { first: base }
  const placeOf = positions(order, link.mediaType)
  const place = (element: unknown): string => writePosition(placeOf(element), order, link.mediaType, binding)
  const begun = after !== undefined || from !== undefined || before !== undefined
  return {
    first: base,
    ...(begun && prev && { prev: { ...base, before: place(elements[0]) } }),
    ...(next && { next: { ...base, after: place(elements.at(-1)) } }),
  }
}

/** What every link keeps of the request's pagination: the size and the wish for a count. */
function rest({ items, total_count }: PaginationText): PaginationText {
  return { ...(items !== undefined && { items }), ...(total_count !== undefined && { total_count }) }
}
