// Finds the media type of an endpoint: the declared one, or the only one that its responses show.
import { memoize } from '../../util/memoize.ts'
import { isMediaType, type MediaType } from '../declare/media-type.ts'
import { findShownPart, getMediaType } from '../fields/shown-part.ts'
import type { ResolvedEndpoint } from './resolved.ts'

/** Returns the media type of an endpoint; undefined if it declares none and its responses show none, or several. */
export const findEndpointType = (endpoint: ResolvedEndpoint): MediaType | undefined => findType(endpoint).type

const findType = memoize((endpoint: ResolvedEndpoint): { readonly type: MediaType | undefined } => {
  const { mediaType, actions } = endpoint
  if (mediaType !== undefined) return { type: isMediaType(mediaType) ? mediaType : undefined }
  const bodies = [...actions.values()].flatMap(({ responses }) =>
    [...responses.values()].flatMap((response) => (response.status < 300 ? response.bodies : [])),
  )
  const parts = bodies.flatMap(({ attribute }) => (attribute && findShownPart(attribute)) ?? [])
  const types = [...new Set(parts.map(({ resource }) => getMediaType(resource)))]
  return { type: types.length === 1 ? types[0] : undefined }
})
