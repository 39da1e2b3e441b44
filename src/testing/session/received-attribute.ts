// Builds the attribute that validates a response body: fields that a view or a selection leaves out are not required.
import type { AnyOptions, Attribute } from '../../schema/attribute.ts'
import { mapMembers } from '../../schema/children.ts'
import { makeLazyAttribute, rebuildAttribute } from '../../schema/structures/rebuild-attribute.ts'

/**
 * Returns the attribute as a response contains it: `required` are the attributes that are shown by default, or none at any
 * depth. Types and limits are checked as usual; rules between attributes apply to
 * requests only.
 */
export function toReceivedAttribute(attribute: Attribute, required: 'shown' | 'none'): Attribute {
  const options = { ...attribute.options, requires: undefined } as AnyOptions
  const change = (children: Readonly<Record<string, Attribute>>, { core }: Attribute) =>
    mapMembers(children, (one, name) => {
      const isCertain = required === 'shown' && Object.hasOwn(core.shown, name)
      return makeLazyAttribute(
        () => toReceivedAttribute(one, required),
        isCertain ? one.options : toOptionalOptions(one.options),
      )
    })
  return rebuildAttribute(attribute, change, options)
}

// The value of a hidden field is unknown: applying its default would invent one.
function toOptionalOptions({ default: _, ...options }: AnyOptions): AnyOptions {
  return { ...options, required: false }
}
