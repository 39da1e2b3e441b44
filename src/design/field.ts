// Fields: attributes of a media type by their path, `author.name` being the attribute `name` below `author`.
import type { Attribute, Attributes } from '../schema/attribute.ts'
import type { MediaType } from './media-type.ts'

/** The names of a media type's own attributes, and any path below one of them; boot checks that the path exists. */
export type FieldName<A> = (keyof A & string) | `${keyof A & string}.${string}`

// A list or a union has no one value below it that a path could mean.
const STRUCTURES: ReadonlySet<string> = new Set(['struct', 'media', 'ref'])

/** The attribute that a path leads to, or undefined when there is none. */
export function fieldAt(mediaType: MediaType, path: string): Attribute | undefined {
  let attributes: Attributes = mediaType.attributes
  let found: Attribute | undefined
  for (const step of path.split('.')) {
    found = Object.hasOwn(attributes, step) ? attributes[step] : undefined
    if (found === undefined) return undefined
    attributes = STRUCTURES.has(found.kind) ? found.core.children : {}
  }
  return found
}

const SCALARS: ReadonlySet<string> = new Set([
  'string',
  'integer',
  'number',
  'bigint',
  'boolean',
  'date',
  'dateTime',
  'time',
])

/** Tells whether values of an attribute have an order: one value, not a structure or a list. */
export const isOrderable = (attribute: Attribute): boolean => SCALARS.has(attribute.kind)

/** The fields of a media type that have an order, its own and those of structures directly below it. */
export function orderableFields(mediaType: MediaType): string[] {
  return Object.entries(mediaType.attributes).flatMap(([name, attribute]) => {
    if (isOrderable(attribute)) return [name]
    if (!STRUCTURES.has(attribute.kind)) return []
    const below = Object.entries(attribute.core.children)
    return below.flatMap(([inner, one]) => (isOrderable(one) ? [`${name}.${inner}`] : []))
  })
}

/** The value of a field in an element; undefined where a step is missing. */
export function fieldValue(element: unknown, path: string): unknown {
  let value = element
  for (const step of path.split('.')) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, step)) return undefined
    value = (value as Record<string, unknown>)[step]
  }
  return value
}
