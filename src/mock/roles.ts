// Roles: what an action does with the rows of a mock, told by its verb, its path and what it answers.
import { isMediaType, isView, type MediaType } from '../design/declare/media-type.ts'
import { listWithin, mediaTypeOf, resourceOf } from '../design/fields/selection.ts'
import type { ResolvedAction, ResolvedBody, ResolvedResponse } from '../design/resolve/resolved.ts'
import { listOf } from '../plugins/pagination/declared.ts'
import type { Listing } from '../schema/attribute.ts'
import type { Entity } from './entity.ts'
import { inheritedNames, ownCaptures, type Parentage, type Registry } from './registry.ts'

/** The work of an action on rows. An action that shows its element also tells whether there is one. */
type Role = 'list' | 'show' | 'create' | 'update' | 'delete' | 'none'

/** A resolved action of a mock. */
export interface Plan {
  readonly action: ResolvedAction
  readonly role: Role
  /** The entity whose rows it uses. */
  readonly entity: Entity | undefined
  /** Its successful response. */
  readonly response: ResolvedResponse | undefined
  /** The params that say which rows are meant, with their columns. */
  readonly scope: ReadonlyMap<string, string>
  readonly parentage: Parentage | undefined
}

/** Works out what an action does. */
export function planOf(action: ResolvedAction, registry: Registry): Plan {
  const { endpoint } = action
  const response = successOf(action)
  const own = isMediaType(endpoint.mediaType) ? registry.entityOf(endpoint.mediaType) : undefined
  // An action that only fails does nothing with rows.
  const fails = response === undefined || response.status >= 400
  const shown = fails ? undefined : (listedIn(action) ?? shownIn(response, listOf(action) !== undefined))
  const entity = shown === undefined ? own : registry.entityOf(shown.mediaType)
  const scope = entity === undefined ? new Map<string, string>() : scopeOf(action, entity, entity === own)
  const parentage = registry.parentage(endpoint)
  const role = entity === undefined || fails ? 'none' : roleOf(action, response, shown?.list, entity === own)
  return { action, role, entity, response, scope, parentage }
}

/** The first successful response, or else the first that is no error. */
function successOf({ responses }: ResolvedAction): ResolvedResponse | undefined {
  const all = [...responses.values()]
  return all.find(({ status }) => status < 300) ?? all.find(({ status }) => status < 400) ?? all[0]
}

/** Elements of a body. */
interface Elements {
  readonly mediaType: MediaType
  readonly list: boolean
  /** The name of the list, where it stands within a structure. */
  readonly within: string | undefined
}

/** Which elements a body is made of, and whether it is a list of them. */
export function elementsOf({ attribute, list }: ResolvedBody): Elements | undefined {
  if (attribute === undefined) return undefined
  const isOne = isMediaType(attribute) || isView(attribute)
  const within = listWithin(attribute)?.[0]
  const isList = attribute.core.shape === 'list' || within !== undefined
  const resource = isOne || isList ? resourceOf(attribute) : undefined
  return resource === undefined ? undefined : { mediaType: mediaTypeOf(resource), list: list || !isOne, within }
}

/** The list that an action gives in parts, in another form than an array. */
export const listingOf = ({ params }: ResolvedAction): Listing | undefined =>
  Object.values(params)
    .map(({ core }) => core.listing)
    .find((one) => one !== undefined)

function listedIn(action: ResolvedAction): Elements | undefined {
  const listing = listingOf(action)
  return listing && { mediaType: mediaTypeOf(listing.of as MediaType), list: true, within: undefined }
}

// A list within a structure is one of rows where params ask for its parts, and else an example like the rest of it.
function shownIn({ bodies }: ResolvedResponse, inParts: boolean): Elements | undefined {
  for (const body of bodies) {
    const elements = elementsOf(body)
    if (elements !== undefined && (inParts || elements.within === undefined)) return elements
  }
  return undefined
}

function roleOf(
  action: ResolvedAction,
  response: ResolvedResponse | undefined,
  list: boolean | undefined,
  isOwn: boolean,
): Role {
  const verbs = new Set(action.routes.map(({ verb }) => verb))
  if (list === true) return 'list'
  const shows = list === false || capturesKey(action)
  if (!isOwn || verbs.has('GET') || verbs.has('QUERY')) return shows ? 'show' : 'none'
  if (verbs.has('POST') && !capturesKey(action))
    return response !== undefined && response.status < 300 ? 'create' : 'none'
  if (isElementPath(action)) {
    if (verbs.has('PATCH') || verbs.has('PUT')) return 'update'
    if (verbs.has('DELETE')) return 'delete'
  }
  return capturesKey(action) ? 'show' : 'none'
}

// A path below an element's, such as `/:id/owner`, is about something else.
function isElementPath(action: ResolvedAction): boolean {
  const shows = [...action.endpoint.actions.values()].filter((one) => {
    const response = successOf(one)
    return (
      one.routes.some(({ verb }) => verb === 'GET') &&
      response !== undefined &&
      shownIn(response, false)?.list === false
    )
  })
  const paths = new Set(shows.flatMap(({ routes }) => routes.map(({ path }) => path)))
  return action.routes.some(({ path }) => paths.has(path) || /\/[^/]*:\w+$/.test(path))
}

function capturesKey({ endpoint, routes }: ResolvedAction): boolean {
  const key = ownCaptures(endpoint)
  const inherited = new Set(inheritedNames(endpoint))
  return routes.some(({ pattern: { names } }) =>
    key.length > 0 ? key.every((name) => names.includes(name)) : names.some((name) => !inherited.has(name)),
  )
}

function scopeOf({ endpoint, routes }: ResolvedAction, entity: Entity, isOwn: boolean): ReadonlyMap<string, string> {
  const inherited = new Set(inheritedNames(endpoint))
  const captured = new Set(routes.flatMap(({ pattern }) => pattern.names))
  const pairs = [...captured].flatMap((name): [string, string][] => {
    const column = isOwn || inherited.has(name) ? entity.columnOf(name) : undefined
    return column === undefined ? [] : [[name, column]]
  })
  return new Map(pairs)
}
