// Which variant of a union a value is.
import type { Attribute } from '../schema/attribute.ts'

/** Makes the search for the variant that a value of a union is of; undefined when it is of none. */
export function variantFinder({ core }: Attribute): (value: unknown) => Attribute | undefined {
  const variants = Object.entries(core.children).map(([name, one]) => ({ name, one, tag: tagOf(name, one) }))
  return (value) => {
    if (typeof value !== 'object' || value === null) return undefined
    return variants.find(({ name, tag }) => Reflect.get(value, tag) === name)?.one
  }
}

// The discriminator of a variant is the attribute that takes the name of the variant and no other text.
function tagOf(name: string, { core }: Attribute): string {
  const isTag = ({ options }: Attribute): boolean => {
    const { values } = options as { readonly values?: readonly string[] }
    return values?.length === 1 && values[0] === name
  }
  return Object.entries(core.children).find(([, one]) => isTag(one))?.[0] ?? ''
}
