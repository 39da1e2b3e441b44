// Finds the element or the list that a body shows: the body itself, or a part of an envelope around it. Every tool that reads
// bodies asks here, so that all see through the same envelopes.
import type { Attribute, Attributes } from '../../schema/attribute.ts'
import { isInline } from '../../schema/children.ts'
import { memoize } from '../../util/memoize.ts'
import { isMediaType, isView, type MediaType, type MediaTypeConfig, type View } from '../declare/media-type.ts'

/** The part of a body that is an element of a media type, or a list of them. */
export interface ShownPart {
  /** The names of the members that lead to it; empty for the body itself. */
  readonly path: readonly string[]
  /** The element, or the list. */
  readonly attribute: Attribute
  /** The media type or the view of the elements. */
  readonly resource: MediaType | View
  readonly isList: boolean
}

/** Returns the media type of a view, or the media type itself. */
export const getMediaType = (resource: MediaType | View): MediaType => (isView(resource) ? resource.of : resource)

/** Returns the media type or view that an attribute is, also with options of its own; undefined for anything else. */
export function getResource(attribute: Attribute): MediaType | View | undefined {
  const { core } = resolveTarget(attribute)
  if (isMediaType(attribute) || isView(attribute)) return attribute
  return core.shape === 'object' && core.related ? (core.config as MediaTypeConfig).origin?.() : undefined
}

/** Returns the attribute that a reference leads to. */
export function resolveTarget(attribute: Attribute): Attribute {
  let one = attribute
  while (one.core.target !== undefined) one = one.core.target
  return one
}

/** Envelopes within envelopes are searched to this depth. */
const MAX_DEPTH = 8

/** Lists the elements and lists in a body, those of outer envelopes first. */
export const listShownParts: (body: Attribute) => readonly ShownPart[] = memoize((body) => {
  let level: (readonly [path: readonly string[], attribute: Attribute])[] = [[[], body]]
  const parts: ShownPart[] = []
  for (let depth = 0; depth <= MAX_DEPTH && level.length > 0; depth++) {
    parts.push(...level.flatMap(([path, one]) => toShownPart(path, one) ?? []))
    level = level.flatMap(([path, one]) =>
      Object.entries(getMembers(one)).map(([name, member]) => [[...path, name], member] as const),
    )
  }
  return parts
})

const getMembers = (attribute: Attribute): Attributes => {
  const one = resolveTarget(attribute)
  return isInline(one) ? one.core.children : {}
}

function toShownPart(path: readonly string[], attribute: Attribute): ShownPart | undefined {
  const resource = getResource(attribute)
  if (resource !== undefined) return { path, attribute, resource, isList: false }
  const { shape, element } = resolveTarget(attribute).core
  const listed = shape === 'list' && element !== undefined ? getResource(element) : undefined
  return listed && { path, attribute, resource: listed, isList: true }
}

/**
 * Returns the part that a body shows, of a media type if one is given: its only list, or without lists its only element.
 * Lists and elements of outer envelopes hide those of inner ones. Returns undefined if there are several.
 */
export const findShownPart = (body: Attribute, of?: MediaType): ShownPart | undefined =>
  chooseShownPart(
    listShownParts(body).filter(({ resource }) => of === undefined || isSameMediaType(getMediaType(resource), of)),
  )

// Parts of outer envelopes come first.
function chooseShownPart(parts: readonly ShownPart[]): ShownPart | undefined {
  const outer = parts.filter(({ path }) => path.length === parts[0]?.path.length)
  const lists = outer.filter(({ isList }) => isList)
  const [found, other] = lists.length > 0 ? lists : outer
  return other === undefined ? found : undefined
}

/** Returns the list that a body shows; clients need no more. */
export function findShownList(body: Attribute): ShownPart | undefined {
  const found = chooseShownPart(listShownParts(body))
  return found?.isList === true ? found : undefined
}

// A narrowed media type is the one that it was made from.
const isSameMediaType = (one: MediaType, other: MediaType): boolean => getOrigin(one) === getOrigin(other)

const getOrigin = (one: MediaType): MediaType => (one as { readonly '~origin'?: MediaType })['~origin'] ?? one

/** Returns the value at the path of a part; undefined if a step is missing. */
export function readShownPart(body: unknown, path: readonly string[]): unknown {
  let found = body
  for (const step of path) {
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, step)) return undefined
    found = (found as Readonly<Record<string, unknown>>)[step]
  }
  return found
}
