// Fields: attributes of a media type by their path, `author.name` being the attribute `name` below `author`.
import { audienceText, type FieldUse, restrictionOf } from '../../../extend.ts'
import type { Attribute, Attributes, FieldPath, MediaType, ObjectOf } from '../../../index.ts'

/** The names of a media type's attributes, and the paths to those below them. */
export type FieldName<A> = string extends keyof A ? string : FieldPath<ObjectOf<A>>

/** Something for some of a media type's own attributes, by name. Editors rename these with the attributes. */
export type ByAttribute<A, V> = { readonly [F in keyof A]?: V }

/** Something for some of the fields below a media type's attributes, by path. */
export type ByPath<A, V> = { readonly [F in Exclude<FieldName<A>, keyof A>]?: V }

// A list or a union has no one value below it that a path could mean.
const hasMembers = ({ core }: Attribute): boolean => core.shape === 'object' || core.shape === 'reference'

/** The attribute that a path leads to, or undefined when there is none. */
export const findField = (mediaType: MediaType, path: string): Attribute | undefined => followPath(mediaType, path, keepAttribute)

/**
 * The attribute that a filter of a path compares, or undefined when there is none: the path also leads through lists,
 * and a list of single values stands for each of them.
 */
export function findFilterField(mediaType: MediaType, path: string): Attribute | undefined {
  const found = followPath(mediaType, path, unwrapList)
  return found === undefined ? undefined : getComparedAttribute(found)
}

function followPath(mediaType: MediaType, path: string, entered: (one: Attribute) => Attribute): Attribute | undefined {
  let attributes: Attributes = mediaType.attributes
  let found: Attribute | undefined
  for (const step of path.split('.')) {
    found = Object.hasOwn(attributes, step) ? attributes[step] : undefined
    if (found === undefined) return undefined
    attributes = getChildren(entered(found))
  }
  return found
}

const keepAttribute = (attribute: Attribute): Attribute => attribute

const unwrapList = (attribute: Attribute): Attribute =>
  attribute.core.shape === 'list' ? (attribute.core.element as Attribute) : attribute

const getComparedAttribute = (attribute: Attribute): Attribute => (isOrderable(unwrapList(attribute)) ? unwrapList(attribute) : attribute)

const getChildren = (one: Attribute): Attributes => (hasMembers(one) ? one.core.children : {})

const getShownChildren = (one: Attribute): Attributes => (hasMembers(one) ? one.core.shown : {})

/** Returns whether values of an attribute have an order: one value, not a structure or a list. */
export const isOrderable = (attribute: Attribute): boolean => attribute.core.scalar !== undefined

/** The fields that have an order and that the default view shows, its own and those of structures directly below it. */
export const listOrderableFields = (mediaType: MediaType): string[] => listShownFields(mediaType, keepAttribute, isOrderable)

/** The fields that the default view shows and that hold single values or lists of them, with those directly below. */
export const listComparableFields = (mediaType: MediaType): string[] =>
  listShownFields(mediaType, unwrapList, (one) => isOrderable(getComparedAttribute(one)))

function listShownFields(
  mediaType: MediaType,
  entered: (one: Attribute) => Attribute,
  isWanted: (one: Attribute) => boolean,
): string[] {
  return Object.entries(mediaType.core.shown).flatMap(([name, attribute]) => {
    if (isWanted(attribute)) return [name]
    const inner = Object.entries(getShownChildren(entered(attribute)))
    return inner.flatMap(([step, one]) => (isWanted(one) ? [`${name}.${step}`] : []))
  })
}

/** Returns whether the default view shows a field, and every step of its path. */
export function isShownField(mediaType: MediaType, path: string): boolean {
  let attributes: Attributes = mediaType.core.shown
  return path.split('.').every((step) => {
    const found = Object.hasOwn(attributes, step) ? attributes[step] : undefined
    attributes = found === undefined ? {} : getShownChildren(found)
    return found !== undefined
  })
}

/** The audiences of a field, by the first step of its path that not everybody sees; undefined where everybody does. */
export function findAudiences(mediaType: MediaType, path: string): readonly string[] | undefined {
  let attributes: Attributes = mediaType.attributes
  for (const step of path.split('.')) {
    const found = Object.hasOwn(attributes, step) ? attributes[step] : undefined
    if (found === undefined) return undefined
    const restriction = restrictionOf(found)
    if (restriction !== undefined) return restriction.audiences
    attributes = getChildren(unwrapList(found))
  }
  return undefined
}

/** The note in documents on a field that some clients see only, behind a separator. */
export function formatAudienceNote(mediaType: MediaType, path: string, separator: string): string {
  const audiences = findAudiences(mediaType, path)
  return audiences === undefined ? '' : `${separator}for ${audienceText(audiences)} only`
}

/** The value of a field in an element; undefined where a step is missing. */
export function getFieldValue(element: unknown, path: string): unknown {
  let value = element
  for (const step of path.split('.')) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, step)) return undefined
    value = (value as Record<string, unknown>)[step]
  }
  return value
}

/** Fields that requests order by. */
export const toOrderUses = (fields: readonly string[]): FieldUse[] => fields.map((name) => ({ name, by: 'order' }))
