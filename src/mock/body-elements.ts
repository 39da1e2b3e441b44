// Finds elements in bodies, whatever envelope is around them: by the media types that are declared, never by names.
import type { MediaType } from '../design/declare/media-type.ts'
import { getMediaType, listShownParts } from '../design/fields/shown-part.ts'
import type { ResolvedAction, ResolvedBody } from '../design/resolve/resolved.ts'
import type { Attribute, Listing } from '../schema/attribute.ts'
import { memoize } from '../util/memoize.ts'

/** The elements of a body, and where they are in it. */
export interface BodyElements {
  readonly mediaType: MediaType
  readonly isList: boolean
  /** The names of the members that lead to them; none for the body itself. */
  readonly path: readonly string[]
  /** The media type or the view of one element. */
  readonly attribute: Attribute
}

/**
 * Returns the elements of a body, those of the outermost envelope. Where several are side by side, those of the media type
 * of the endpoint are meant, or else the only list, or the only single one.
 */
export function findBodyElements({ attribute, list }: ResolvedBody, own?: unknown): BodyElements | undefined {
  const parts = attribute === undefined ? [] : listShownParts(attribute)
  const depth = Math.min(...parts.map(({ path }) => path.length))
  const outer = parts.filter(({ path }) => path.length === depth)
  // A list of envelopes has no one list of elements.
  if (list && depth > 0) return undefined
  const found = outer.map(({ path, resource, isList }) => {
    return { mediaType: getMediaType(resource), isList: isList || list, path, attribute: resource }
  })
  return chooseElements(found, own)
}

function chooseElements(found: readonly BodyElements[], own: unknown): BodyElements | undefined {
  const choices = [
    found.filter(({ mediaType }) => mediaType === own),
    found.filter(({ isList }) => isList),
    found.filter(({ isList }) => !isList),
  ]
  return choices.find((some) => some.length === 1)?.[0]
}

/** Returns the elements that a successful response of an action shows. */
export const findShownElements = (action: ResolvedAction): BodyElements | undefined => findShown(action).elements

const findShown = memoize((action: ResolvedAction): { readonly elements: BodyElements | undefined } => {
  const bodies = [...action.responses.values()].filter(({ status }) => status < 300).flatMap((one) => one.bodies)
  for (const body of bodies) {
    const elements = findBodyElements(body, action.endpoint.mediaType)
    if (elements !== undefined) return { elements }
  }
  return { elements: undefined }
})

/** Returns the media type of the single element that a successful response shows. */
export function findShownType(action: ResolvedAction): MediaType | undefined {
  const elements = findShownElements(action)
  return elements?.isList === false ? elements.mediaType : undefined
}

/** Returns the list convention of an action whose list is not an array. */
export const findListing = ({ params }: ResolvedAction): Listing | undefined =>
  Object.values(params)
    .map(({ core }) => core.listing)
    .find((one) => one !== undefined)

/** Returns the media type of the list that an action shows. */
export function findListedType(action: ResolvedAction): MediaType | undefined {
  const listing = findListing(action)
  if (listing !== undefined) return getMediaType(listing.of as MediaType)
  const elements = findShownElements(action)
  return elements?.isList === true ? elements.mediaType : undefined
}
