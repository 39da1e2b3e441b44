// The params of a list and their roles: read from a request, and written into links.
import { linkedPagination, type PaginationText } from '../page-text.ts'
import { isPart, PLACES, type Role, type Roles, type Slot, Slots, valueAt } from './slots.ts'

/** The part of a list that a request asks for. */
export interface PartText extends PaginationText {
  readonly offset?: number
}

/** A part of a list as it is written; members that are undefined are left out. */
export type WrittenPart = { readonly [K in keyof PartText]?: PartText[K] | undefined }

const SHOWING: ReadonlySet<Role> = new Set(['fields', 'fieldsOfType'])
const ORDER: ReadonlySet<Role> = new Set(['order', 'orderWords'])

/** Tokens say on which side of a place their part is. */
const NEXT = 'n'
const PREVIOUS = 'p'

/** The params of one list, as servers read and write them. */
export class Language extends Slots {
  /** Names of params that a place is not tied to: those of the part and of what is shown, and the order, which is tied itself. */
  readonly free: readonly string[]
  readonly #names: ReadonlySet<string>

  constructor(roles: Roles) {
    super(roles)
    const all = [...this.slots.values()]
    const isFree = (slot: Slot): boolean => isPart(slot) || SHOWING.has(slot.role) || ORDER.has(slot.role)
    this.free = [...new Set(all.filter(isFree).map(({ path }) => path[0] as string))]
    this.#names = new Set(all.filter(isPart).map(({ name }) => name))
  }

  /** Reads the part of the list that a request asks for. */
  read(params: Readonly<Record<string, unknown>>): PartText {
    const text = this.slots.get('text')
    if (text !== undefined) return (valueAt(params, text.path) ?? {}) as PaginationText
    const said = (role: Role): never => this.value(role, params) as never
    const token = said('token') as string | undefined
    return {
      page: said('page'),
      offset: said('offset'),
      // Conventions that take 0 mean a page of the default size.
      items: said('items') || (undefined as never),
      after: token === undefined || token.startsWith(PREVIOUS) ? said('after') : unmarked(token),
      before: token?.startsWith(PREVIOUS) === true ? unmarked(token) : said('before'),
      total_count: said('count'),
    }
  }

  /** The value of the param with a role. */
  value(role: Role, params: Readonly<Record<string, unknown>>): unknown {
    const slot = this.slots.get(role)
    return slot === undefined ? undefined : valueAt(params, slot.path)
  }

  /** The slot of the first of some roles that there is, or else the one that a part begins with. */
  slot(...roles: readonly Role[]): Slot {
    const found = [...roles, 'text' as const, 'items' as const, ...PLACES].find((role) => this.slots.has(role))
    return (found === undefined ? [...this.slots.values()][0] : this.slots.get(found)) as Slot
  }

  /** Where requests name a place. */
  placePointer({ after }: PartText): string {
    return this.slot('token', after === undefined ? 'before' : 'after').pointer
  }

  /** The pairs of a query that ask for a part. */
  pairs(part: WrittenPart): string {
    const text = this.slots.get('text')
    if (text !== undefined) return `${text.written}=${linkedPagination(part)}`
    const { items, page, offset, after, before, total_count } = part
    let pairs = this.#pair('items', items) + this.#pair('count', total_count)
    if (page !== undefined) pairs += this.#pair('page', page)
    if (offset !== undefined) pairs += this.#pair('offset', offset)
    const token = this.slots.has('token') ? tokenOf(part) : undefined
    if (token !== undefined) return (pairs + this.#pair('token', token)).slice(1)
    return (pairs + this.#pair('after', after) + this.#pair('before', before)).slice(1)
  }

  #pair(role: Role, value: string | number | boolean | undefined): string {
    const slot = value === undefined ? undefined : this.slots.get(role)
    return slot === undefined ? '' : `&${slot.written}=${encodeURIComponent(value as string)}`
  }

  /** Returns whether a name of a query says something about the part. */
  isPart(name: string): boolean {
    return this.#names.has(name)
  }
}

/** The token of a part on one side of a place. */
export function tokenOf({ after, before }: WrittenPart): string | undefined {
  if (after !== undefined) return NEXT + after
  return before === undefined ? undefined : PREVIOUS + before
}

const unmarked = (token: string): string =>
  token.startsWith(NEXT) || token.startsWith(PREVIOUS) ? token.slice(1) : '?'
