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
}

/** The params of a page to be written; undefined members are omitted. */
export type PartialPageParams = { readonly [K in keyof PageParams]?: PageParams[K] | undefined }

const SELECTION_ROLES: ReadonlySet<ParamRole> = new Set(['fields', 'fieldsOfType'])
const ORDER_ROLES: ReadonlySet<ParamRole> = new Set(['order', 'orderWords'])

/** The marks of tokens: whether the page is after or before the cursor. */
const NEXT_MARK = 'n'
const PREVIOUS_MARK = 'p'

/** The params of one list, as servers read and write them. */
export class ParamLayout extends ParamSlots {
  /** The params that cursors are not bound to: those of the page and of the selected fields, and the order, which is bound separately. */
  readonly unboundParams: readonly string[]
  readonly #pageNames: ReadonlySet<string>

  constructor(roles: ParamRoleTree) {
    super(roles)
    const all = [...this.slots.values()]
    const isUnbound = (slot: ParamSlot): boolean =>
      isPageSlot(slot) || SELECTION_ROLES.has(slot.role) || ORDER_ROLES.has(slot.role)
    this.unboundParams = [...new Set(all.filter(isUnbound).map(({ path }) => path[0] as string))]
    this.#pageNames = new Set(all.filter(isPageSlot).map(({ name }) => name))
  }

  /** Reads the page that a request specifies. */
  readPage(params: Readonly<Record<string, unknown>>): PageParams {
    const text = this.slots.get('text')
    if (text !== undefined) return (getByPath(params, text.path) ?? {}) as PaginationText
    const getValue = (role: ParamRole): never => this.getRoleValue(role, params) as never
    const token = getValue('token') as string | undefined
    return {
      page: getValue('page'),
      offset: getValue('offset'),
      // Conventions that accept 0 use the default page size for it.
      items: getValue('items') || (undefined as never),
      after: token === undefined || token.startsWith(PREVIOUS_MARK) ? getValue('after') : stripTokenMark(token),
      before: token?.startsWith(PREVIOUS_MARK) === true ? stripTokenMark(token) : getValue('before'),
      total_count: getValue('count'),
    }
  }

  /** Returns the value of the param with a role. */
  getRoleValue(role: ParamRole, params: Readonly<Record<string, unknown>>): unknown {
    const slot = this.slots.get(role)
    return slot === undefined ? undefined : getByPath(params, slot.path)
  }

  /** Returns the slot of the first of the given roles that exists, or else one that selects the page. */
  findSlot(...roles: readonly ParamRole[]): ParamSlot {
    const found = [...roles, 'text' as const, 'items' as const, ...CURSOR_ROLES].find((role) => this.slots.has(role))
    return (found === undefined ? [...this.slots.values()][0] : this.slots.get(found)) as ParamSlot
  }

  /** Returns the pointer to the cursor of a request. */
  getCursorPointer({ after }: PageParams): string {
    return this.findSlot('token', after === undefined ? 'before' : 'after').pointer
  }

  /** Writes the query pairs of a page. */
  formatQuery(pageParams: PartialPageParams): string {
    const text = this.slots.get('text')
    if (text !== undefined) return `${text.encodedName}=${formatLinkPagination(pageParams)}`
    const { items, page, offset, after, before, total_count } = pageParams
    let pairs = this.#formatPair('items', items) + this.#formatPair('count', total_count)
    if (page !== undefined) pairs += this.#formatPair('page', page)
    if (offset !== undefined) pairs += this.#formatPair('offset', offset)
    const token = this.slots.has('token') ? toPageToken(pageParams) : undefined
    if (token !== undefined) return (pairs + this.#formatPair('token', token)).slice(1)
    return (pairs + this.#formatPair('after', after) + this.#formatPair('before', before)).slice(1)
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
