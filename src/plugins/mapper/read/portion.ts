// Portions: the requested page of a list, and the facts about the page that was read.

import type { ExactCursor } from '../../query/exact-cursor.ts'
import type { OrderTerm, Position } from '../../query/order-terms.ts'
import { encodeCursor } from './cursor-text.ts'

/** The requested page of a list. */
interface ListPortion {
  /** The maximum number of elements of the page. */
  readonly items: number
  /** Whether the total number of elements is required, and whether an estimate suffices. */
  readonly totalCount: boolean | 'estimated'
  /** The complete order of the list, including the key as the last tie-breaker. */
  readonly order: readonly OrderTerm[]
  /** The order without a key that is not declared: the resource appends its own. */
  readonly requestedOrder: readonly OrderTerm[]
  /** The text that binds cursors to this list. */
  readonly binding?: string | undefined
  /** Whether the cursor of each element is required, not only those of the ends. */
  readonly namesElements?: boolean
}

/** A page at an offset. */
export interface OffsetPortion extends ListPortion {
  readonly mode: 'page'
  /** The number of elements before the page. */
  readonly offset: number
}

/** A cursor, and the side of it that the elements are on. */
export interface CursorBound {
  /** The elements after this position, given by the value of each order field. */
  readonly after: Position | undefined
  /** The elements before this position. */
  readonly before: Position | undefined
  /** An exact cursor from a link, more precise than values, and the side of the requested elements. */
  readonly exact: ({ readonly side: 'after' | 'before' } & ExactCursor) | undefined
  /** An element by its key, and the side of the requested elements. */
  readonly element?: { readonly side: 'after' | 'before'; readonly key: Readonly<Record<string, unknown>> } | undefined
}

/** A page that begins or ends at a cursor. */
export interface CursorPortion extends ListPortion, CursorBound {
  readonly mode: 'cursor'
  /** The elements after this value of the first field; undefined for the first page. */
  readonly from: unknown
  /** Whether the page is that at the end of the list. */
  readonly fromEnd?: boolean
  /** The cursor at the other side, at which the list ends for this page. */
  readonly until?: CursorBound | undefined
  readonly binding: string
}

/** Returns whether a page is read from a cursor towards the beginning. */
export const isBackwards = ({
  before,
  exact,
  element,
  fromEnd,
}: CursorBound & Pick<CursorPortion, 'fromEnd'>): boolean =>
  fromEnd === true || before !== undefined || (exact ?? element)?.side === 'before'

/** Facts about a page and the elements around it. */
export interface ListInfo {
  /** Whether there are elements after the page. */
  readonly next: boolean
  /** Whether there are elements before the page. */
  readonly prev: boolean
  /** The total number of elements in the list, if counted. */
  readonly total: number | undefined
  /** Whether the total may be an estimate. */
  readonly estimated?: boolean
  /** The cursors of the first and the last element; undefined for an empty page, or if cursors are not required. */
  readonly ends: readonly [first: EndCursor, last: EndCursor] | undefined
  /** The cursor of each element, if required. */
  readonly cursors?: readonly EndCursor[] | undefined
  /** The text that binds the cursors to the list. */
  readonly binding?: string | undefined
}

/** An exact cursor, or one that is already written as text. */
export type EndCursor = ExactCursor | string

/** A page of a list; as a response body, it adds the headers Link and Total-Count. */
// Mutable, so that it is assignable to the declared list of a structure.
export type Page<T> = T[] & {
  /** Facts about the page and the elements around it; not part of the body. */
  readonly info: ListInfo
  /** The total number of elements in the list, if counted. */
  readonly total: number | undefined
  /** The cursor after which the list continues; undefined at its end, and for numbered pages. */
  readonly next: string | undefined
  /** The cursor before which there are more elements. */
  readonly prev: string | undefined
}

/** Turns an array of elements into a page, in place. */
export function asPage<T>(elements: T[], info: ListInfo): Page<T> {
  // One by one: `defineProperties` takes twice as long.
  Object.defineProperty(elements, 'total', TOTAL)
  Object.defineProperty(elements, 'next', NEXT)
  Object.defineProperty(elements, 'prev', PREV)
  return Object.defineProperty(elements, 'info', { value: info }) as unknown as Page<T>
}

const formatEndCursor = (info: ListInfo, end: 0 | 1): string | undefined => {
  const cursor = info.ends?.[end]
  if (cursor === undefined || typeof cursor === 'string') return cursor
  return info.binding === undefined ? undefined : encodeCursor(cursor, info.binding)
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
