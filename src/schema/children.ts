// Finds child attributes by the steps of a name such as `items[0][id]`.
import type { Attribute } from './attribute.ts'

/**
 * Returns the attribute one step below another: a structure's by name, a list's element for any step; undefined if
 * there is none.
 */
export function getChildAttribute(attribute: Attribute | undefined, step: string): Attribute | undefined {
  const { core } = attribute?.core.target ?? attribute ?? {}
  if (core?.shape !== 'union') return core && (getOwn(core.children, step) ?? core.children['*'])
  return Object.values(core.children)
    .map((one) => getOwn(one.core.children, step))
    .find((one) => one !== undefined)
}

/** Returns an own property of an object by name; undefined for inherited properties. */
export const getOwn = <T>(object: { readonly [name: string]: T } | undefined, name: string): T | undefined =>
  object && Object.hasOwn(object, name) ? object[name] : undefined

/** Returns whether a predicate holds for an attribute or for any below it. */
export function hasAttributeWhere(
  attribute: Attribute,
  predicate: (one: Attribute) => boolean,
  seen: Set<Attribute> = new Set(),
): boolean {
  if (seen.has(attribute)) return false
  seen.add(attribute)
  const { target, children } = attribute.core
  const below = target === undefined ? Object.values(children) : [target]
  return predicate(attribute) || below.some((one) => hasAttributeWhere(one, predicate, seen))
}

/** Returns whether an attribute is an inline object, not a media type or a view. */
export const isInline = ({ core }: Attribute): boolean => core.shape === 'object' && !core.related

/** Maps the values of an object. */
export const mapMembers = <T>(
  object: Readonly<Record<string, T>>,
  transform: (one: T, name: string) => T,
): Record<string, T> => Object.fromEntries(Object.entries(object).map(([name, one]) => [name, transform(one, name)]))
