// Fields: attributes of a media type by path; `author.name` is the attribute `name` of `author`.
import { type FieldUse, findRestriction, formatAudiences } from '../../../extend.ts'
import type { Attribute, Attributes, FieldPath, MediaType, ObjectOf } from '../../../index.ts'

/** The names of a media type's attributes, and the paths to nested ones. */
export type FieldName<A> = string extends keyof A ? string : FieldPath<ObjectOf<A>>

/** A value for some of a media type's direct attributes, by name. Renaming an attribute in an editor renames these keys. */
export type ByAttribute<A, V> = { readonly [F in keyof A]?: V }

/** A value for some of the nested fields of a media type, by path. */
export type ByPath<A, V> = { readonly [F in Exclude<FieldName<A>, keyof A>]?: V }

// A path cannot continue into a list or a union, which have no single value.
const hasMembers = ({ core }: Attribute): boolean => core.shape === 'object' || core.shape === 'reference'

/** Returns the attribute at a path; undefined if there is none. */
export const findField = (mediaType: MediaType, path: string): Attribute | undefined =>
  followPath(mediaType, path, keepAttribute)

/**
 * Returns the attribute that a filter on a path compares; undefined if there is none. The path may pass lists, and for a
 * list of scalars it is the attribute of the elements.
 */
export function findFilterField(mediaType: MediaType, path: string): Attribute | undefined {
  const found = followPath(mediaType, path, unwrapList)
  return found === undefined ? undefined : getComparedAttribute(found)
}

function followPath(mediaType: MediaType, path: string, unwrap: (one: Attribute) => Attribute): Attribute | undefined {
  let attributes: Attributes = mediaType.attributes
  let found: Attribute | undefined
  for (const step of path.split('.')) {
    found = Object.hasOwn(attributes, step) ? attributes[step] : undefined
    if (found === undefined) return undefined
    attributes = getChildren(unwrap(found))
  }
  return found
}

const keepAttribute = (attribute: Attribute): Attribute => attribute

const unwrapList = (attribute: Attribute): Attribute =>
  attribute.core.shape === 'list' ? (attribute.core.element as Attribute) : attribute

const getComparedAttribute = (attribute: Attribute): Attribute =>
  isOrderable(unwrapList(attribute)) ? unwrapList(attribute) : attribute

const getChildren = (one: Attribute): Attributes => (hasMembers(one) ? one.core.children : {})

const getShownChildren = (one: Attribute): Attributes => (hasMembers(one) ? one.core.shown : {})

/** Returns whether values of an attribute are ordered: scalars, not structures or lists. */
export const isOrderable = (attribute: Attribute): boolean => attribute.core.scalar !== undefined

/** Lists the orderable fields of the default view, with those of structures one level deep. */
export const listOrderableFields = (mediaType: MediaType): string[] =>
  listShownFields(mediaType, keepAttribute, isOrderable)

/** Lists the fields of the default view that are scalars or lists of scalars, with nested ones one level deep. */
export const listComparableFields = (mediaType: MediaType): string[] =>
  listShownFields(mediaType, unwrapList, (one) => isOrderable(getComparedAttribute(one)))

function listShownFields(
  mediaType: MediaType,
  unwrap: (one: Attribute) => Attribute,
  isWanted: (one: Attribute) => boolean,
): string[] {
  return Object.entries(mediaType.core.shown).flatMap(([name, attribute]) => {
    if (isWanted(attribute)) return [name]
    const inner = Object.entries(getShownChildren(unwrap(attribute)))
    return inner.flatMap(([step, one]) => (isWanted(one) ? [`${name}.${step}`] : []))
  })
}

/** Returns whether the default view includes a field, and every step of its path. */
export function isShownField(mediaType: MediaType, path: string): boolean {
  let attributes: Attributes = mediaType.core.shown
  return path.split('.').every((step) => {
    const found = Object.hasOwn(attributes, step) ? attributes[step] : undefined
    attributes = found === undefined ? {} : getShownChildren(found)
    return found !== undefined
  })
}

/** Returns the audiences of the first restricted step of a path; undefined if all clients see the field. */
export function findAudiences(mediaType: MediaType, path: string): readonly string[] | undefined {
  let attributes: Attributes = mediaType.attributes
  for (const step of path.split('.')) {
    const found = Object.hasOwn(attributes, step) ? attributes[step] : undefined
    if (found === undefined) return undefined
    const restriction = findRestriction(found)
    if (restriction !== undefined) return restriction.audiences
    attributes = getChildren(unwrapList(found))
  }
  return undefined
}

/** Returns the note in documents on a field that only some clients see, after a separator. */
export function formatAudienceNote(mediaType: MediaType, path: string, separator: string): string {
  const audiences = findAudiences(mediaType, path)
  return audiences === undefined ? '' : `${separator}for ${formatAudiences(audiences)} only`
}

/** Returns the value of a field in an element; undefined if a step is missing. */
export function getFieldValue(element: unknown, path: string): unknown {
  let value = element
  for (const step of path.split('.')) {
    if (typeof value !== 'object' || value === null) return undefined
    value = readAttribute(value, step)
  }
  return value
}

/** Returns the value of an attribute. What every object inherits, such as constructor, is none; a getter of a class is one. */
export const readAttribute = (element: object, name: string): unknown =>
  name in Object.prototype && !Object.hasOwn(element, name) ? undefined : (element as Record<string, unknown>)[name]

/** Converts the names of fields to their use in an order. */
export const toOrderUses = (fields: readonly string[]): FieldUse[] => fields.map((name) => ({ name, by: 'order' }))
