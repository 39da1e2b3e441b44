// From an attribute to those below it, by the steps of a name such as `items[0][id]`.
import type { Attribute, Attributes } from '../attribute.ts'

/** The attribute one step below another: of a structure by its name, of a list by any; undefined when there is none. */
export function childAt(attribute: Attribute, step: string): Attribute | undefined {
  const { core } = attribute.core.target ?? attribute
  const { children } = core
  if (core.shape !== 'union') return Object.hasOwn(children, step) ? children[step] : children['*']
  const variant = Object.values(children).find((one) => Object.hasOwn(one.core.children, step))
  return variant?.core.children[step]
}

/** Returns whether something holds for an attribute or for any below it. */
export function someBelow(
  attribute: Attribute,
  holds: (one: Attribute) => boolean,
  seen: Set<Attribute> = new Set(),
): boolean {
  if (seen.has(attribute)) return false
  seen.add(attribute)
  const { target, children } = attribute.core
  if (holds(attribute) || (target !== undefined && someBelow(target, holds, seen))) return true
  return Object.values(children).some((one) => someBelow(one, holds, seen))
}

/** Returns whether an attribute is an object declared in place, not a media type or a view. */
export const isInline = ({ core }: Attribute): boolean => core.shape === 'object' && !core.related

/** Attributes by their names, each changed. */
export const mapped = (attributes: Attributes, change: (one: Attribute, name: string) => Attribute): Attributes =>
  Object.fromEntries(Object.entries(attributes).map(([name, one]) => [name, change(one, name)]))
