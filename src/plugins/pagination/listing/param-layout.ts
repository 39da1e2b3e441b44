// The params of a list and their roles: read from a request, and written into links.
import { formatLinkPagination, type PaginationText } from '../pagination-text.ts'
import { isPageSlot, CURSOR_ROLES, type ParamRole, type ParamRoleTree, type ParamSlot, ParamSlots, getByPath } from './param-slots.ts'

/** The part of a list that a request asks for. */
export interface PageParams extends PaginationText {
  readonly offset?: number
}

/** A part of a list as it is written; members that are undefined are left out. */
export type PartialPageParams = { readonly [K in keyof PageParams]?: PageParams[K] | undefined }

const SELECTION_ROLES: ReadonlySet<ParamRole> = new Set(['fields', 'fieldsOfType'])
const ORDER_ROLES: ReadonlySet<ParamRole> = new Set(['order', 'orderWords'])

/** Tokens say on which side of a place their part is. */
const NEXT_MARK = 'n'
const PREVIOUS_MARK = 'p'

/** The params of one list, as servers read and write them. */
export class ParamLayout extends ParamSlots {
  /** Names of params that a place is not tied to: those of the part and of what is shown, and the order, which is tied itself. */
  readonly unboundParams: readonly string[]
  readonly #pageNames: ReadonlySet<string>

  constructor(roles: ParamRoleTree) {
    super(roles)
    const all = [...this.slots.values()]
    const isFree = (slot: ParamSlot): boolean => isPageSlot(slot) || SELECTION_ROLES.has(slot.role) || ORDER_ROLES.has(slot.role)
    this.unboundParams = [...new Set(all.filter(isFree).map(({ path }) => path[0] as string))]
    this.#pageNames = new Set(all.filter(isPageSlot).map(({ name }) => name))
  }

  /** Reads the part of the list that a request asks for. */
  readPage(params: Readonly<Record<string, unknown>>): PageParams {
    const text = this.slots.get('text')
    if (text !== undefined) return (getByPath(params, text.path) ?? {}) as PaginationText
    const said = (role: ParamRole): never => this.getRoleValue(role, params) as never
    const token = said('token') as string | undefined
    return {
      page: said('page'),
      offset: said('offset'),
      // Conventions that take 0 mean a page of the default size.
      items: said('items') || (undefined as never),
      after: token === undefined || token.startsWith(PREVIOUS_MARK) ? said('after') : stripTokenMark(token),
      before: token?.startsWith(PREVIOUS_MARK) === true ? stripTokenMark(token) : said('before'),
      total_count: said('count'),
    }
  }

  /** The value of the param with a role. */
  getRoleValue(role: ParamRole, params: Readonly<Record<string, unknown>>): unknown {
    const slot = this.slots.get(role)
    return slot === undefined ? undefined : getByPath(params, slot.path)
  }

  /** The slot of the first of some roles that there is, or else the one that a part begins with. */
  findSlot(...roles: readonly ParamRole[]): ParamSlot {
    const found = [...roles, 'text' as const, 'items' as const, ...CURSOR_ROLES].find((role) => this.slots.has(role))
    return (found === undefined ? [...this.slots.values()][0] : this.slots.get(found)) as ParamSlot
  }

  /** Where requests name a place. */
  getCursorPointer({ after }: PageParams): string {
    return this.findSlot('token', after === undefined ? 'before' : 'after').pointer
  }

  /** The pairs of a query that ask for a part. */
  formatQuery(part: PartialPageParams): string {
    const text = this.slots.get('text')
    if (text !== undefined) return `${text.encodedName}=${formatLinkPagination(part)}`
    const { items, page, offset, after, before, total_count } = part
    let pairs = this.#formatPair('items', items) + this.#formatPair('count', total_count)
    if (page !== undefined) pairs += this.#formatPair('page', page)
    if (offset !== undefined) pairs += this.#formatPair('offset', offset)
    const token = this.slots.has('token') ? toPageToken(part) : undefined
    if (token !== undefined) return (pairs + this.#formatPair('token', token)).slice(1)
    return (pairs + this.#formatPair('after', after) + this.#formatPair('before', before)).slice(1)
  }

  #formatPair(role: ParamRole, value: string | number | boolean | undefined): string {
    const slot = value === undefined ? undefined : this.slots.get(role)
    return slot === undefined ? '' : `&${slot.encodedName}=${encodeURIComponent(value as string)}`
  }

  /** Returns whether a name of a query says something about the part. */
  isPageParam(name: string): boolean {
    return this.#pageNames.has(name)
  }
}

/** The token of a part on one side of a place. */
export function toPageToken({ after, before }: PartialPageParams): string | undefined {
  if (after !== undefined) return NEXT_MARK + after
  return before === undefined ? undefined : PREVIOUS_MARK + before
}

const stripTokenMark = (token: string): string =>
  token.startsWith(NEXT_MARK) || token.startsWith(PREVIOUS_MARK) ? token.slice(1) : '?'
