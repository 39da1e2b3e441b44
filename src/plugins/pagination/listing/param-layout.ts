// The params of a list by role: read from a request, and written into links.
import { formatLinkPagination, type PaginationText } from '../pagination-text.ts'
import {
  CURSOR_ROLES,
  getByPath,
  isPageSlot,
  type ParamRole,
  type ParamRoleTree,
  type ParamSlot,
  ParamSlots,
} from './param-slots.ts'

/** The page that a request specifies. */
export interface PageParams extends PaginationText {
  readonly offset?: number
  /** The maximum number of elements of a page that is read backwards. */
  readonly lastItems?: number
  /** The maximum number of elements of the whole list. */
  readonly limit?: number
}

/** The params of a page to be written; undefined members are omitted. */
export type PartialPageParams = { readonly [K in keyof PageParams]?: PageParams[K] | undefined }

const SELECTION_ROLES: ReadonlySet<ParamRole> = new Set(['fields', 'fieldsOfType', 'include', 'expand'])
const ORDER_ROLES: ReadonlySet<ParamRole> = new Set([
  'order',
  'orderWords',
  'orderColons',
  'orderField',
  'orderDirection',
])

/** The marks of tokens: whether the page is after or before the cursor. */
const NEXT_MARK = 'n'
const PREVIOUS_MARK = 'p'

/** The params of one list, as servers read and write them. */
export class ParamLayout extends ParamSlots {
  /** The params that cursors are not bound to: those of the page and of the selected fields, and the order, which is bound separately. */
  readonly unboundParams: readonly string[]
  /** The param with the order, or with its field. */
  readonly orderSlot: ParamSlot | undefined
  readonly #pageNames: ReadonlySet<string>

  constructor(roles: ParamRoleTree) {
    super(roles)
    const all = [...this.slots.values()]
    const isUnbound = (slot: ParamSlot): boolean =>
      isPageSlot(slot) || SELECTION_ROLES.has(slot.role) || ORDER_ROLES.has(slot.role)
    this.unboundParams = [...new Set(all.filter(isUnbound).map(({ path }) => path[0] as string))]
    this.orderSlot =
      this.slots.get('order') ??
      this.slots.get('orderWords') ??
      this.slots.get('orderColons') ??
      this.slots.get('orderField')
    this.#pageNames = new Set(all.filter(isPageSlot).map(({ name }) => name))
  }

  /** Reads the page that a request specifies; 0 elements are those of the default size, unless a page may have none. */
  readPage(params: Readonly<Record<string, unknown>>, onZero?: 'refuse' | 'default' | 'empty'): PageParams {
    const text = this.slots.get('text')
    if (text !== undefined) return (getByPath(params, text.path) ?? {}) as PaginationText
    const getValue = (role: ParamRole): never => this.getRoleValue(role, params) as never
    // An empty token is the one before the first page.
    const getToken = (role: ParamRole): never => (getValue(role) === '' ? undefined : getValue(role)) as never
    const token = getToken('token') as string | undefined
    // A page 0 that its attribute lets pass is the first one.
    const page: number | undefined = getValue('page')
    const values = getValue('afterValues') as readonly unknown[] | undefined
    const offset: number | undefined = getValue('offset')
    return {
      page: (page === 0 ? 1 : page) as never,
      limit: getValue('limit'),
      lastItems: getValue('lastItems'),
      // The list begins at offset 0, so that this adds nothing to a cursor.
      offset: (offset === 0 && values !== undefined ? undefined : offset) as never,
      items: getValue('items') === 0 && onZero !== 'empty' ? (undefined as never) : getValue('items'),
      after: this.#readAfter(token, values) ?? getToken('after'),
      before: token?.startsWith(PREVIOUS_MARK) === true ? stripTokenMark(token) : getToken('before'),
      total_count: getValue('count'),
    }
  }

  #readAfter(token: string | undefined, values: readonly unknown[] | undefined): string {
    if (values !== undefined) return JSON.stringify(values)
    return (token === undefined || token.startsWith(PREVIOUS_MARK) ? undefined : stripTokenMark(token)) as never
  }

  /** Returns the value of the param with a role. */
  getRoleValue(role: ParamRole, params: Readonly<Record<string, unknown>>): unknown {
    const slot = this.slots.get(role)
    return slot === undefined ? undefined : getByPath(params, slot.path)
  }

  /** Returns the slot of the first of the given roles that exists, or else one that selects the page. */
  findSlot(...roles: readonly ParamRole[]): ParamSlot {
    const found = [...roles, 'text' as const, 'items' as const, 'limit' as const, ...CURSOR_ROLES].find((role) =>
      this.slots.has(role),
    )
    return (found === undefined ? [...this.slots.values()][0] : this.slots.get(found)) as ParamSlot
  }

  /** The pointer to the filters of a request. */
  get filterPointer(): string {
    const { pointer } = this.findSlot(
      'filters',
      'filterWords',
      'filterOData',
      'filterQuery',
      'filterMembers',
      'filterOperators',
    )
    return this.fieldSlots[0]?.pointer ?? pointer
  }

  /** Returns the pointer to the cursor of a request. */
  getCursorPointer({ after }: PageParams): string {
    return this.findSlot('token', after === undefined ? 'before' : 'after', 'afterValues').pointer
  }

  /** Writes the query pairs of a page. */
  formatQuery(pageParams: PartialPageParams): string {
    const text = this.slots.get('text')
    if (text !== undefined) return `${text.encodedName}=${formatLinkPagination(pageParams)}`
    const { items, page, offset, after, before, lastItems, limit, total_count } = pageParams
    const isBackwards =
      before !== undefined && this.slots.has('lastItems') && (after === undefined || lastItems !== undefined)
    let pairs =
      this.#formatPair(isBackwards ? 'lastItems' : 'items', items) +
      this.#formatPair('limit', limit) +
      this.#formatPair('count', total_count)
    if (page !== undefined) pairs += this.#formatPair('page', page)
    if (offset !== undefined) pairs += this.#formatPair('offset', offset)
    const token = this.slots.has('token') ? toPageToken(pageParams) : undefined
    if (token !== undefined) return (pairs + this.#formatPair('token', token)).slice(1)
    return (
      pairs +
      this.#formatPair('after', after) +
      this.#formatPair('afterValues', after) +
      this.#formatPair('before', before)
    ).slice(1)
  }

  #formatPair(role: ParamRole, value: string | number | boolean | undefined): string {
    const slot = value === undefined ? undefined : this.slots.get(role)
    return slot === undefined ? '' : `&${slot.encodedName}=${encodeURIComponent(value as string)}`
  }

  /** Returns whether a query param selects the page. */
  isPageParam(name: string): boolean {
    return this.#pageNames.has(name)
  }
}

/** Returns the token of a page after or before a cursor. */
export function toPageToken({ after, before }: PartialPageParams): string | undefined {
  if (after !== undefined) return NEXT_MARK + after
  return before === undefined ? undefined : PREVIOUS_MARK + before
}

const stripTokenMark = (token: string): string =>
  token.startsWith(NEXT_MARK) || token.startsWith(PREVIOUS_MARK) ? token.slice(1) : '?'
