// From an attribute to those below it, by the steps of a name such as `items[0][id]`.
import type { Attribute } from './attribute.ts'

/** The attribute one step below another: of a structure by its name, of a list by any; undefined when there is none. */
export function getChildAttribute(attribute: Attribute | undefined, step: string): Attribute | undefined {
  const { core } = attribute?.core.target ?? attribute ?? {}
  if (core?.shape !== 'union') return core && (getOwn(core.children, step) ?? core.children['*'])
  return Object.values(core.children)
    .map((one) => getOwn(one.core.children, step))
    .find((one) => one !== undefined)
}

/** A member of an object by its name; undefined for names that all objects have. */
export const getOwn = <T>(of: { readonly [name: string]: T } | undefined, name: string): T | undefined =>
  of && Object.hasOwn(of, name) ? of[name] : undefined

/** Returns whether something holds for an attribute or for any below it. */
export function hasAttributeWhere(
  attribute: Attribute,
  holds: (one: Attribute) => boolean,
  seen: Set<Attribute> = new Set(),
): boolean {
  if (seen.has(attribute)) return false
  seen.add(attribute)
  const { target, children } = attribute.core
  const below = target === undefined ? Object.values(children) : [target]
  return holds(attribute) || below.some((one) => hasAttributeWhere(one, holds, seen))
}

/** Returns whether an attribute is an object declared in place, not a media type or a view. */
export const isInline = ({ core }: Attribute): boolean => core.shape === 'object' && !core.related

/** The members of an object, each changed. */
export const mapMembers = <T>(of: Readonly<Record<string, T>>, change: (one: T, name: string) => T): Record<string, T> =>
  Object.fromEntries(Object.entries(of).map(([name, one]) => [name, change(one, name)]))
