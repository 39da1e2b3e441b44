// The params of a list by their roles: where each of them is, and how it is named.
import { escapePointer } from '../../../extend.ts'
import type { ParamRoles, ParamTemplate } from './templates.ts'

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

/** Roles of places. */
export const PLACES: readonly Role[] = ['after', 'before', 'token']

/** Returns whether a param chooses a part of the list. */
export const isPart = ({ role }: Slot): boolean => PART.has(role)

/** The params of one list that have roles. */
export class Slots {
  readonly slots: ReadonlyMap<Role, Slot>
  /** Whether parts are asked for by places. */
  readonly placed: boolean
  /** The paths of the params that choose a part. */
  readonly parts: readonly (readonly string[])[]

  constructor(roles: Roles) {
    this.slots = new Map(slotsOf(roles).map((slot) => [slot.role, slot]))
    this.placed = PLACES.some((role) => this.slots.has(role))
    this.parts = [...this.slots.values()].filter(isPart).map(({ path }) => path)
  }
}

/** All params with roles, in their order. */
export const slotsOf = (roles: Roles): readonly Slot[] => [...slotsIn(roles, [])]

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
