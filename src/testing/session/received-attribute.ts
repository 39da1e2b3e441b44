// Partial bodies: a field that a default view or a selection leaves out is neither missing nor invented.
import type { AnyOptions, Attribute } from '../../schema/attribute.ts'
import { mapMembers } from '../../schema/children.ts'
import { makeLazyAttribute, rebuildAttribute } from '../../schema/structures/rebuild-attribute.ts'

/**
 * An attribute as an answer holds it. With `partial`, nothing within it is missing, however deep; else what the attribute
 * shows by itself must be there. Types and limits are checked as ever; rules between attributes are for requests.
 */
export function toReceivedAttribute(attribute: Attribute, partial: boolean): Attribute {
  const options = { ...attribute.options, requires: undefined } as AnyOptions
  const change = (children: Readonly<Record<string, Attribute>>, { core }: Attribute) =>
    mapMembers(children, (one, name) => {
      const isCertain = !partial && Object.hasOwn(core.shown, name)
      return makeLazyAttribute(() => toReceivedAttribute(one, partial), isCertain ? one.options : toOptionalOptions(one.options))
    })
  return rebuildAttribute(attribute, change, options)
}

// A field that is not shown has an unknown value: its default would be a guess.
function toOptionalOptions({ default: _, ...options }: AnyOptions): AnyOptions {
  return { ...options, required: false }
}
