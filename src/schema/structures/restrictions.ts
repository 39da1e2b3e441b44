// Restricted attributes: their audiences, and the attributes that a client sees.

import type { AnyOptions, Restriction } from '../attribute-options.ts'
import type { Attribute, AttributeRules, Attributes, VisibilityFilter } from '../kind.ts'

/** A rule between attributes, reduced to their names. */
interface NamedRule {
  readonly names: readonly string[]
}

/**
 * Returns the audiences of an attribute; undefined if all clients see it. A list has the audiences of its elements, a
 * reference those of its target.
 */
export function findRestriction(attribute: Attribute): Restriction | undefined {
  let one: Attribute | undefined = attribute
  // References may form a cycle.
  for (let steps = 0; one !== undefined && steps < MAX_REFERENCE_STEPS; steps++) {
    const { visibleTo } = one.options
    if (visibleTo !== undefined)
      return one === attribute ? visibleTo : { ...visibleTo, required: attribute.options.required ?? false }
    one = one.core.target ?? one.core.element
  }
  return undefined
}

const MAX_REFERENCE_STEPS = 32

/** Returns the sorted names of all audiences of the given attributes, and of attributes below or referenced by them. */
export function collectAudiences(attributes: readonly Attribute[], rules: AttributeRules): readonly string[] {
  const found = new Set<string>()
  const seen = new Set<Attribute>()
  const visit = (one: Attribute): void => {
    if (seen.has(one)) return
    seen.add(one)
    for (const name of one.options.visibleTo?.audiences ?? []) found.add(name)
    const { target, children, selectsFrom } = one.core
    for (const related of [target, rules.getFieldsUse(one)?.of, selectsFrom]) if (related !== undefined) visit(related)
    for (const child of Object.values(children)) visit(child)
  }
  for (const one of attributes) visit(one)
  return [...found].sort()
}

/** Returns the visible ones of some attributes, each with its visible parts. */
export const filterVisible = (attributes: Attributes, see: VisibilityFilter): Attributes =>
  Object.fromEntries(
    Object.entries(attributes).flatMap(([name, one]) => {
      const visible = see(one)
      return visible === undefined ? [] : [[name, visible] as const]
    }),
  )

/** Reduces rules between attributes to those that are present. */
export const filterVisibleRules = <R extends NamedRule>(rules: readonly R[], attributes: Attributes): readonly R[] =>
  rules.flatMap((rule) => {
    const names = rule.names.filter((name) => Object.hasOwn(attributes, name))
    return names.length === 0 ? [] : [{ ...rule, names }]
  })

/** Removes invisible attributes from the rules in a structure's options. */
export function withVisibleRules(options: AnyOptions, children: Attributes): AnyOptions {
  const { requires } = options as { readonly requires?: readonly NamedRule[] }
  return requires === undefined
    ? options
    : ({ ...options, requires: filterVisibleRules(requires, children) } as AnyOptions)
}
