// The params of a list by their roles: where each of them is, and how it is named.
import { escapePointer } from '../../../extend.ts'
import type { ParamRoles, ParamTemplate } from './templates.ts'

/** A role that a param may have; `text` is the whole part in one text, as edict writes it. */
export type ParamRole = keyof ParamRoles | 'text'

/** Roles by the names of params. */
export interface ParamRoleTree {
  readonly [name: string]: ParamRole | ParamTemplate
}

/** A param with a role: where its value is, and how it is named. */
export interface ParamSlot {
  readonly role: ParamRole
  /** The steps to the value among the params. */
  readonly path: readonly string[]
  /** The name in a query, `page[size]`, and the same as it stands in a URL. */
  readonly name: string
  readonly encodedName: string
  readonly pointer: string
}

const PAGE_ROLES: ReadonlySet<ParamRole> = new Set(['items', 'offset', 'page', 'after', 'before', 'token', 'count', 'text'])

/** Roles of places. */
export const CURSOR_ROLES: readonly ParamRole[] = ['after', 'before', 'token']

/** Returns whether a param chooses a part of the list. */
export const isPageSlot = ({ role }: ParamSlot): boolean => PAGE_ROLES.has(role)

/** The params of one list that have roles. */
export class ParamSlots {
  readonly slots: ReadonlyMap<ParamRole, ParamSlot>
  /** Whether parts are asked for by places. */
  readonly usesCursors: boolean
  /** The paths of the params that choose a part. */
  readonly pagePaths: readonly (readonly string[])[]

  constructor(roles: ParamRoleTree) {
    this.slots = new Map(listSlots(roles).map((slot) => [slot.role, slot]))
    this.usesCursors = CURSOR_ROLES.some((role) => this.slots.has(role))
    this.pagePaths = [...this.slots.values()].filter(isPageSlot).map(({ path }) => path)
  }
}

/** All params with roles, in their order. */
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

/** The value at the end of a path; undefined where a step is missing. */
export function getByPath(value: unknown, path: readonly string[]): unknown {
  let found = value
  for (const step of path) {
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, step)) return undefined
    found = (found as Readonly<Record<string, unknown>>)[step]
  }
  return found
}
