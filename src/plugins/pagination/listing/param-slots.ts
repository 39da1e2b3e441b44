// The params of a list by role: their paths and names.
import { escapePointer } from '../../../extend.ts'
import type { ParamRoles, ParamTemplate } from './templates.ts'

/**
 * A role of a param; `text` is the complete pagination in one text, as edict writes it, `filterField` the condition on the
 * field of the same name.
 */
export type ParamRole = keyof ParamRoles | 'text' | 'filterField'

/** The name in templates for all fields. */
export const ANY_FIELD = '*'

/** The roles by param name. */
export interface ParamRoleTree {
  readonly [name: string]: ParamRole | ParamTemplate
}

/** A param with a role: the path of its value, and its names. */
export interface ParamSlot {
  readonly role: ParamRole
  /** The path of the value in the params. */
  readonly path: readonly string[]
  /** The name in a query, such as `page[size]`, and the same percent-encoded. */
  readonly name: string
  readonly encodedName: string
  readonly pointer: string
}

const PAGE_ROLES: ReadonlySet<ParamRole> = new Set([
  'items',
  'lastItems',
  'limit',
  'offset',
  'page',
  'after',
  'before',
  'afterValues',
  'token',
  'count',
  'text',
])

/** The roles of cursors. */
export const CURSOR_ROLES: readonly ParamRole[] = ['after', 'before', 'afterValues', 'token']

/** Returns whether a param selects the page. */
export const isPageSlot = ({ role }: ParamSlot): boolean => PAGE_ROLES.has(role)

/** The params of one list that have roles. */
export class ParamSlots {
  readonly slots: ReadonlyMap<ParamRole, ParamSlot>
  /** The params that are conditions on one field each. */
  readonly fieldSlots: readonly ParamSlot[]
  /** Whether pages are requested by cursor. */
  readonly usesCursors: boolean
  /** The paths of the params that select the page. */
  readonly pagePaths: readonly (readonly string[])[]

  constructor(roles: ParamRoleTree) {
    const all = listSlots(roles)
    this.fieldSlots = all.filter(({ role }) => role === 'filterField')
    this.slots = new Map(all.filter(({ role }) => role !== 'filterField').map((slot) => [slot.role, slot]))
    this.usesCursors = CURSOR_ROLES.some((role) => this.slots.has(role))
    this.pagePaths = [...this.slots.values()].filter(isPageSlot).map(({ path }) => path)
  }
}

/** Lists all params with roles, in their order. */
export const listSlots = (roles: ParamRoleTree): readonly ParamSlot[] => [...iterateSlots(roles, [])]

function* iterateSlots(roles: ParamRoleTree, above: readonly string[]): Generator<ParamSlot> {
  for (const [step, role] of Object.entries(roles)) {
    const path = [...above, step]
    if (typeof role === 'string') yield createSlot(role, path)
    else yield* iterateSlots(role, path)
  }
}

function createSlot(role: ParamRole, path: readonly string[]): ParamSlot {
  const [first, ...below] = path as [string, ...string[]]
  const name = first + below.map((step) => `[${step}]`).join('')
  const pointer = path.map((step) => `/${escapePointer(step)}`).join('')
  return { role, path, name, encodedName: encodeURIComponent(name), pointer }
}

/** Returns the value at a path; undefined if a step is missing. */
export function getByPath(value: unknown, path: readonly string[]): unknown {
  let found = value
  for (const step of path) {
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, step)) return undefined
    found = (found as Readonly<Record<string, unknown>>)[step]
  }
  return found
}
