// The params of a list and their roles: read from a request, and written into links.
import { escapePointer } from '../../../extend.ts'
import { linkedPagination, type PaginationText } from '../page-text.ts'
import type { ParamRoles, ParamTemplate } from './templates.ts'

/** The part of a list that a request asks for. */
export interface PartText extends PaginationText {
  readonly offset?: number
}

/** A part of a list as it is written; members that are undefined are left out. */
export type WrittenPart = { readonly [K in keyof PartText]?: PartText[K] | undefined }

/** A role that a param may have; `text` is the whole part in one text, as edict writes it. */
export type Role = keyof ParamRoles | 'text'

/** Roles by the names of params. */
export interface Roles {
  readonly [name: string]: Role | ParamTemplate
}

/** A param with a role: where its value is, and how it is named. */
export interface Slot {
  readonly role: Role
  /** The steps to the value among the params. */
  readonly path: readonly string[]
  /** The name in a query, `page[size]`, and the same as it stands in a URL. */
  readonly name: string
  readonly written: string
  readonly pointer: string
}

const PART: ReadonlySet<Role> = new Set(['items', 'offset', 'page', 'after', 'before', 'token', 'count', 'text'])
const SHOWING: ReadonlySet<Role> = new Set(['fields', 'fieldsOfType'])
const ORDER: ReadonlySet<Role> = new Set(['order', 'orderWords'])
const PLACES: readonly Role[] = ['after', 'before', 'token']

/** Tokens say on which side of a place their part is. */
const NEXT = 'n'
const PREVIOUS = 'p'

/** The params of one list. */
export class Language {
  readonly slots: ReadonlyMap<Role, Slot>
  /** Whether parts are asked for by places. */
  readonly placed: boolean
  /** Names of params that a place is not tied to: those of the part and of what is shown, and the order, which is tied itself. */
  readonly free: readonly string[]
  /** The paths of the params that choose a part. */
  readonly parts: readonly (readonly string[])[]
  readonly #names: ReadonlySet<string>

  constructor(roles: Roles) {
    this.slots = new Map([...slotsIn(roles, [])].map((slot) => [slot.role, slot]))
    this.placed = PLACES.some((role) => this.slots.has(role))
    const all = [...this.slots.values()]
    const isFree = ({ role }: Slot): boolean => PART.has(role) || SHOWING.has(role) || ORDER.has(role)
    this.free = [...new Set(all.filter(isFree).map(({ path }) => path[0] as string))]
    const chosen = all.filter(({ role }) => PART.has(role))
    this.parts = chosen.map(({ path }) => path)
    this.#names = new Set(chosen.map(({ name }) => name))
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

function* slotsIn(roles: Roles, above: readonly string[]): Generator<Slot> {
  for (const [step, role] of Object.entries(roles)) {
    const path = [...above, step]
    if (typeof role === 'string') yield slotOf(role, path)
    else yield* slotsIn(role, path)
  }
}

function slotOf(role: Role, path: readonly string[]): Slot {
  const [first, ...below] = path as [string, ...string[]]
  const name = first + below.map((step) => `[${step}]`).join('')
  const pointer = path.map((step) => `/${escapePointer(step)}`).join('')
  return { role, path, name, written: encodeURIComponent(name), pointer }
}

/** The value at the end of a path; undefined where a step is missing. */
export function valueAt(value: unknown, path: readonly string[]): unknown {
  let found = value
  for (const step of path) {
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, step)) return undefined
    found = (found as Readonly<Record<string, unknown>>)[step]
  }
  return found
}
