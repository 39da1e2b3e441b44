// Restricted attributes: the audiences of one, and those of several that a client sees.
import type { Attribute, Attributes, VisibilityFilter } from '../kind.ts'
import type { AnyOptions, Restriction } from '../attribute-options.ts'

/** A rule between attributes, as far as it names some. */
interface NamedRule {
  readonly names: readonly string[]
}

/** Returns the audiences of an attribute; undefined if everybody sees it. A list is as visible as its elements, a reference as its target. */
export function restrictionOf(of: Attribute): Restriction | undefined {
  let one: Attribute | undefined = of
  // References may refer to each other in a circle.
  for (let steps = 0; one !== undefined && steps < MAX_REFERENCE_STEPS; steps++) {
    const { visibleTo } = one.options
    if (visibleTo !== undefined)
      return one === of ? visibleTo : { ...visibleTo, required: of.options.required ?? false }
    one = one.core.target ?? one.core.element
  }
  return undefined
}

const MAX_REFERENCE_STEPS = 32

/** The names of all audiences that see more than others do of an attribute, or of anything below or named by it. */
export function collectAudiences(attributes: readonly Attribute[]): readonly string[] {
  const found = new Set<string>()
  const seen = new Set<Attribute>()
  const visit = (one: Attribute): void => {
    if (seen.has(one)) return
    seen.add(one)
    for (const name of one.options.visibleTo?.audiences ?? []) found.add(name)
    const { target, children, usesFields, projects } = one.core
    for (const below of [target, usesFields?.of, projects]) if (below !== undefined) visit(below)
    for (const child of Object.values(children)) visit(child)
  }
  for (const one of attributes) visit(one)
  return [...found].sort()
}

/** Those of some attributes that are seen, as they are seen. */
export const filterVisible = (attributes: Attributes, see: VisibilityFilter): Attributes =>
  Object.fromEntries(
    Object.entries(attributes).flatMap(([name, one]) => {
      const seen = see(one)
      return seen === undefined ? [] : [[name, seen] as const]
    }),
  )

/** Rules between attributes, about those that are there. */
export const filterVisibleRules = <R extends NamedRule>(rules: readonly R[], attributes: Attributes): readonly R[] =>
  rules.flatMap((rule) => {
    const names = rule.names.filter((name) => Object.hasOwn(attributes, name))
    return names.length === 0 ? [] : [{ ...rule, names }]
  })

/** Options of a structure of which some attributes are not seen. */
export function withVisibleRules(options: AnyOptions, children: Attributes): AnyOptions {
  const { requires } = options as { readonly requires?: readonly NamedRule[] }
  return requires === undefined ? options : ({ ...options, requires: filterVisibleRules(requires, children) } as AnyOptions)
}
