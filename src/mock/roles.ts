// Determines the role of an action in a mock from its verb, its path and its responses.
import { isMediaType, isView, type MediaType } from '../design/declare/media-type.ts'
import { findEnvelopeList, findResource, getMediaType } from '../design/fields/selection.ts'
import type { ResolvedAction, ResolvedBody, ResolvedResponse } from '../design/resolve/resolved.ts'
import { describeList } from '../plugins/pagination/extend.ts'
import type { Listing } from '../schema/attribute.ts'
import type { Entity } from './entity.ts'
import { type EntityRegistry, getInheritedNames, getOwnCaptures, type ParentLink } from './entity-registry.ts'

/** The operation of an action on rows. With `show`, a missing row is reported, too. */
type MockRole = 'list' | 'show' | 'create' | 'update' | 'delete' | 'none'

/** The plan of an action in a mock. */
export interface MockPlan {
  readonly action: ResolvedAction
  readonly role: MockRole
  /** The entity whose rows the action uses. */
  readonly entity: Entity | undefined
  /** The successful response. */
  readonly response: ResolvedResponse | undefined
  /** The params that select rows, with their columns. */
  readonly scope: ReadonlyMap<string, string>
  readonly parentLink: ParentLink | undefined
}

/** Determines the role of an action and the rows it uses. */
export function planMockAction(action: ResolvedAction, registry: EntityRegistry): MockPlan {
  const { endpoint } = action
  const response = findSuccess(action)
  const endpointEntity = isMediaType(endpoint.mediaType) ? registry.getEntity(endpoint.mediaType) : undefined
  // An action that only fails does not use rows.
  const isFailure = response === undefined || response.status >= 400
  const elements = isFailure
    ? undefined
    : (findListedElements(action) ?? findShownElements(response, describeList(action)?.pages !== undefined))
  const entity = elements === undefined ? endpointEntity : registry.getEntity(elements.mediaType)
  const scope = entity === undefined ? new Map<string, string>() : buildScope(action, entity, entity === endpointEntity)
  const parentLink = registry.getParentLink(endpoint)
  const role =
    entity === undefined || isFailure
      ? 'none'
      : chooseRole(action, response, elements?.isList, entity === endpointEntity)
  return { action, role, entity, response, scope, parentLink }
}

/** Returns the first 2xx response, or else the first below 400, or else the first. */
function findSuccess({ responses }: ResolvedAction): ResolvedResponse | undefined {
  const all = [...responses.values()]
  return all.find(({ status }) => status < 300) ?? all.find(({ status }) => status < 400) ?? all[0]
}

/** The elements of a body. */
interface BodyElements {
  readonly mediaType: MediaType
  readonly isList: boolean
  /** The name of the list if it is a member of an object. */
  readonly listName: string | undefined
}

/** Returns the elements of a body, and whether it is a list of them. */
export function findBodyElements({ attribute, list }: ResolvedBody): BodyElements | undefined {
  if (attribute === undefined) return undefined
  const isOne = isMediaType(attribute) || isView(attribute)
  const listName = findEnvelopeList(attribute)?.[0]
  const isList = attribute.core.shape === 'list' || listName !== undefined
  const resource = isOne || isList ? findResource(attribute) : undefined
  return resource === undefined ? undefined : { mediaType: getMediaType(resource), isList: list || !isOne, listName }
}

/** Returns the list convention of an action whose list is not an array. */
export const findListing = ({ params }: ResolvedAction): Listing | undefined =>
  Object.values(params)
    .map(({ core }) => core.listing)
    .find((one) => one !== undefined)

function findListedElements(action: ResolvedAction): BodyElements | undefined {
  const listing = findListing(action)
  return listing && { mediaType: getMediaType(listing.of as MediaType), isList: true, listName: undefined }
}

// A list in an envelope is taken from rows if the action pages it; otherwise it is part of the example.
function findShownElements({ bodies }: ResolvedResponse, inParts: boolean): BodyElements | undefined {
  for (const body of bodies) {
    const elements = findBodyElements(body)
    if (elements !== undefined && (inParts || elements.listName === undefined)) return elements
  }
  return undefined
}

function chooseRole(
  action: ResolvedAction,
  response: ResolvedResponse | undefined,
  list: boolean | undefined,
  isOwn: boolean,
): MockRole {
  const verbs = new Set(action.routes.map(({ verb }) => verb))
  if (list === true) return 'list'
  const shows = list === false || hasKeyInPath(action)
  if (!isOwn || verbs.has('GET') || verbs.has('QUERY')) return shows ? 'show' : 'none'
  if (verbs.has('POST') && !hasKeyInPath(action))
    return response !== undefined && response.status < 300 ? 'create' : 'none'
  if (isElementPath(action)) {
    if (verbs.has('PATCH') || verbs.has('PUT')) return 'update'
    if (verbs.has('DELETE')) return 'delete'
  }
  return hasKeyInPath(action) ? 'show' : 'none'
}

// A path below that of an element, such as `/:id/owner`, addresses something else.
function isElementPath(action: ResolvedAction): boolean {
  const shows = [...action.endpoint.actions.values()].filter((one) => {
    const response = findSuccess(one)
    return (
      one.routes.some(({ verb }) => verb === 'GET') &&
      response !== undefined &&
      findShownElements(response, false)?.isList === false
    )
  })
  const paths = new Set(shows.flatMap(({ routes }) => routes.map(({ path }) => path)))
  return action.routes.some(({ path }) => paths.has(path) || /\/[^/]*:\w+$/.test(path))
}

function hasKeyInPath({ endpoint, routes }: ResolvedAction): boolean {
  const key = getOwnCaptures(endpoint)
  const inherited = new Set(getInheritedNames(endpoint))
  return routes.some(({ pattern: { names } }) =>
    key.length > 0 ? key.every((name) => names.includes(name)) : names.some((name) => !inherited.has(name)),
  )
}

function buildScope({ endpoint, routes }: ResolvedAction, entity: Entity, isOwn: boolean): ReadonlyMap<string, string> {
  const inherited = new Set(getInheritedNames(endpoint))
  const captured = new Set(routes.flatMap(({ pattern }) => pattern.names))
  const pairs = [...captured].flatMap((name): [string, string][] => {
    const column = isOwn || inherited.has(name) ? entity.findColumn(name) : undefined
    return column === undefined ? [] : [[name, column]]
  })
  return new Map(pairs)
}
