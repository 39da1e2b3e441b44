// Fields: attributes of a media type by their path, `author.name` being the attribute `name` below `author`.
import type { Attribute, Attributes } from '../schema/attribute.ts'
import type { MediaType } from './media-type.ts'

/** The names of a media type's own attributes, and any path below one of them; boot checks that the path exists. */
export type FieldName<A> = (keyof A & string) | `${keyof A & string}.${string}`

// A list or a union has no one value below it that a path could mean.
const STRUCTURES: ReadonlySet<string> = new Set(['struct', 'media', 'ref'])

/** The attribute that a path leads to, or undefined when there is none. */
export const fieldAt = (mediaType: MediaType, path: string): Attribute | undefined => follow(mediaType, path, itself)

/**
 * The attribute that a filter of a path compares, or undefined when there is none: the path also leads through lists,
 * and a list of single values stands for each of them.
 */
export function filterFieldAt(mediaType: MediaType, path: string): Attribute | undefined {
  const found = follow(mediaType, path, eachOf)
  return found === undefined ? undefined : comparedIn(found)
}

function follow(mediaType: MediaType, path: string, entered: (one: Attribute) => Attribute): Attribute | undefined {
  let attributes: Attributes = mediaType.attributes
  let found: Attribute | undefined
  for (const step of path.split('.')) {
    found = Object.hasOwn(attributes, step) ? attributes[step] : undefined
    if (found === undefined) return undefined
    attributes = below(entered(found))
  }
  return found
}

const itself = (attribute: Attribute): Attribute => attribute

const eachOf = (attribute: Attribute): Attribute =>
  attribute.kind === 'collection' ? (attribute.core.children['*'] as Attribute) : attribute

const comparedIn = (attribute: Attribute): Attribute => (isOrderable(eachOf(attribute)) ? eachOf(attribute) : attribute)

const below = ({ kind, core }: Attribute): Attributes => (STRUCTURES.has(kind) ? core.children : {})

const SCALARS: ReadonlySet<string> = new Set([
  'string',
  'integer',
  'number',
  'bigint',
  'decimal',
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

/** The fields of a media type that hold single values or lists of them, its own and those directly below them. */
export function comparableFields(mediaType: MediaType): string[] {
  const compares = (one: Attribute): boolean => isOrderable(comparedIn(one))
  return Object.entries(mediaType.attributes).flatMap(([name, attribute]) => {
    if (compares(attribute)) return [name]
    const inner = Object.entries(below(eachOf(attribute)))
    return inner.flatMap(([step, one]) => (compares(one) ? [`${name}.${step}`] : []))
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
