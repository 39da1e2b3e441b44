// Portions: the requested part of a list, and the facts about the part that was read. Pagination asks, the mapper reads.
import type { OrderTerm, Position } from '../../query/order-terms.ts'
import type { ExactCursor } from '../../query/exact-cursor.ts'
import { writeCursor } from './cursor-text.ts'

/** Which part of a list is wanted. */
interface ListPortion {
  /** The most elements of the part. */
  readonly items: number
  /** Whether the number of all elements is wanted as well, and whether an estimate will do. */
  readonly totalCount: boolean | 'estimated'
  /** The whole order of the list, the key as the last tie-breaker included. */
  readonly order: readonly OrderTerm[]
  /** The same without a key that is not declared: a resource knows its own, and adds it. */
  readonly requestedOrder: readonly OrderTerm[]
  /** The text that binds places to this list. */
  readonly binding?: string | undefined
}

/** A part that begins after a number of elements. */
export interface OffsetPortion extends ListPortion {
  readonly mode: 'page'
  /** How many elements come before it. */
  readonly offset: number
}

/** A part that begins or ends at a place. */
export interface CursorPortion extends ListPortion {
  readonly mode: 'cursor'
  /** The elements after this value of the first field; undefined for the very first. */
  readonly from: unknown
  /** The elements after a place, given by the values of each order field there. */
  readonly after: Position | undefined
  /** The elements before a place. */
  readonly before: Position | undefined
  /** A place as a datastore wrote it into a link, more exact than values can be; the elements on one side of it are wanted. */
  readonly exact: ({ readonly side: 'after' | 'before' } & ExactCursor) | undefined
  /** An element by its key; those on one side of it are wanted. */
  readonly element?: { readonly side: 'after' | 'before'; readonly key: Readonly<Record<string, unknown>> } | undefined
  readonly binding: string
}

/** Returns whether a part is read from a place towards the beginning. */
export const isBackwards = ({ before, exact, element }: CursorPortion): boolean =>
  before !== undefined || (exact ?? element)?.side === 'before'

/** Facts about a page and the elements around it. */
export interface ListInfo {
  /** There are elements after those of the part. */
  readonly next: boolean
  /** There are elements before those of the part. */
  readonly prev: boolean
  /** The number of elements in the whole list, if it was counted. */
  readonly total: number | undefined
  /** Whether the total may be an estimate. */
  readonly estimated?: boolean
  /** The places of the first and the last element; undefined when there are no elements, or places are not asked for. */
  readonly ends: readonly [first: EndCursor, last: EndCursor] | undefined
  /** The text that binds the places to the list. */
  readonly binding?: string | undefined
}

/** A place exactly as its datastore knows it, or as text that was written for a link already. */
export type EndCursor = ExactCursor | string

/** A page of a list; as a response body, it adds the headers Link and Total-Count. */
// Not readonly, so that a structure with a declared list takes it as well.
export type Page<T> = T[] & {
  /** Facts about the page and the elements around it; the body does not have them. */
  readonly info: ListInfo
  /** The number of elements in the whole list, if it was counted. */
  readonly total: number | undefined
  /** The place after which the list goes on; undefined at its end, and where pages have numbers. */
  readonly next: string | undefined
  /** The place before which there are more elements. */
  readonly prev: string | undefined
}

/** Turns a list of elements into a page; the list itself is changed. */
export function asPage<T>(elements: T[], info: ListInfo): Page<T> {
  // One by one: a set of descriptors takes twice as long.
  Object.defineProperty(elements, 'total', TOTAL)
  Object.defineProperty(elements, 'next', NEXT)
  Object.defineProperty(elements, 'prev', PREV)
  return Object.defineProperty(elements, 'info', { value: info }) as unknown as Page<T>
}

const formatEndCursor = (info: ListInfo, end: 0 | 1): string | undefined => {
  const place = info.ends?.[end]
  if (place === undefined || typeof place === 'string') return place
  return info.binding === undefined ? undefined : writeCursor(place, info.binding)
}

type PageMember = PropertyDescriptor & ThisType<Page<unknown>>

const TOTAL: PageMember = {
  get() {
    return this.info.total
  },
}

const NEXT: PageMember = {
  get() {
    return this.info.next ? formatEndCursor(this.info, 1) : undefined
  },
}

const PREV: PageMember = {
  get() {
    return this.info.prev ? formatEndCursor(this.info, 0) : undefined
  },
}

/** Returns the facts about a page, or about the one page within a structure; undefined for any other value. */
export function findListInfo(body: unknown): ListInfo | undefined {
  if (Array.isArray(body)) return (body as Partial<Page<unknown>>).info
  if (typeof body !== 'object' || body === null) return undefined
  const lists = Object.values(body).filter((one) => Array.isArray(one) && findListInfo(one) !== undefined)
  return lists.length === 1 ? findListInfo(lists[0]) : undefined
}
