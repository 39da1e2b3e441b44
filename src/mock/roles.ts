// Determines the role of an action in a mock from its verb, its path and its responses.
import type { MediaType } from '../design/declare/media-type.ts'
import { findShownPart, getMediaType } from '../design/fields/shown-part.ts'
import { findEndpointType } from '../design/resolve/endpoint-type.ts'
import type { ResolvedAction, ResolvedBody, ResolvedResponse } from '../design/resolve/resolved.ts'
import { describeElement } from '../plugins/pagination/extend.ts'
import type { Listing } from '../schema/attribute.ts'
import { type CallerModel, findOwner } from './callers.ts'
import type { Entity, ToOnePart } from './entity.ts'
import { type EntityRegistry, getInheritedNames, getOwnCaptures, type ParentLink } from './entity-registry.ts'
import { findMarkWord, type Mark } from './marks.ts'
import { findParamFilters, type ParamFilters } from './param-filters.ts'
import { findPayloadPart, type PayloadPart } from './payload-part.ts'
import { findShownValues, type ShownValues } from './value-list.ts'

/** The operation of an action on rows. With `show`, a missing row is reported, too. */
type MockRole = 'list' | 'show' | 'create' | 'update' | 'delete' | 'login' | 'mark' | 'unmark' | 'none'

/** The model that the actions of a mock share. */
export interface MockModel {
  readonly registry: EntityRegistry
  readonly actions: readonly ResolvedAction[]
  readonly callers: CallerModel | undefined
  readonly marks: readonly Mark[]
}

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
  /** The part of the payload with the values of an element. */
  readonly sent: PayloadPart | undefined
  readonly callers: CallerModel | undefined
  /** Whether the path names no element, so that it is the caller. */
  readonly isCaller: boolean
  /** The reference to the caller who made an element. */
  readonly owner: ToOnePart | undefined
  readonly mark: Mark | undefined
  /** The counts of marks on a new element. */
  readonly unmarked: Readonly<Record<string, number>>
  readonly filters: ParamFilters
  /** The plain values that an action without an entity lists. */
  readonly values: ShownValues | undefined
}

const NO_FILTERS: ParamFilters = { filters: [], others: [] }

/** Determines the role of an action and the rows it uses. */
export function planMockAction(action: ResolvedAction, model: MockModel): MockPlan {
  const { registry, callers } = model
  const { endpoint } = action
  const response = findSuccess(action)
  const endpointEntity = registry.getOwnEntity(endpoint)
  // An action that only fails does not use rows.
  const isFailure = response === undefined || response.status >= 400
  const elements = isFailure
    ? undefined
    : (findListedElements(action) ?? findConventionElement(action) ?? findShownElements(response))
  const entity = elements === undefined ? endpointEntity : registry.getEntity(elements.mediaType)
  const scope = entity === undefined ? new Map<string, string>() : buildScope(action, entity, entity === endpointEntity)
  const parentLink = registry.getParentLink(endpoint)
  const role =
    entity === undefined || isFailure
      ? 'none'
      : chooseRole(action, response, elements?.isList, { entity, isOwn: entity === endpointEntity, model })
  const isCaller =
    entity === callers?.entity &&
    (role === 'show' || role === 'update' || role === 'delete') &&
    action.policies.has('security') &&
    !hasKeyInPath(action)
  const plan = { action, role, entity, response, scope, parentLink, callers, isCaller }
  if (entity === undefined) {
    const values = response && findShownValues(action, response, registry)
    return { ...plan, sent: undefined, owner: undefined, mark: undefined, unmarked: {}, filters: NO_FILTERS, values }
  }
  const own = model.actions.filter((one) => findEndpointType(one.endpoint) === entity.mediaType)
  return {
    ...plan,
    sent: findPayloadPart(action, entity),
    owner: findOwner(entity, callers, own),
    mark: findMark(action, entity, model),
    unmarked: Object.fromEntries(
      model.marks.flatMap((one) => (one.entity === entity && one.count !== undefined ? [[one.count, 0]] : [])),
    ),
    values: undefined,
    filters: role === 'list' ? findParamFilters(action, entity, model.marks, callers) : NO_FILTERS,
  }
}

const findMark = (action: ResolvedAction, entity: Entity, { marks }: MockModel): Mark | undefined => {
  const word = findMarkWord(action)
  return marks.find((mark) => mark.entity === entity && mark.word === word)
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
  /** The names of the members that lead to them. */
  readonly path: readonly string[]
}

/** Returns the elements of a body, and whether it is a list of them. */
export function findBodyElements({ attribute, list }: ResolvedBody): BodyElements | undefined {
  if (attribute === undefined) return undefined
  const part = findShownPart(attribute)
  return part && { mediaType: getMediaType(part.resource), isList: list || part.isList, path: part.path }
}

/** Returns the list convention of an action whose list is not an array. */
export const findListing = ({ params }: ResolvedAction): Listing | undefined =>
  Object.values(params)
    .map(({ core }) => core.listing)
    .find((one) => one !== undefined)

function findListedElements(action: ResolvedAction): BodyElements | undefined {
  const listing = findListing(action)
  return listing && { mediaType: getMediaType(listing.of as MediaType), isList: true, path: [] }
}

function findConventionElement(action: ResolvedAction): BodyElements | undefined {
  const element = describeElement(action)
  return element && { mediaType: element.mediaType, isList: false, path: [] }
}

function findShownElements({ bodies }: ResolvedResponse): BodyElements | undefined {
  for (const body of bodies) {
    const elements = findBodyElements(body)
    if (elements !== undefined) return elements
  }
  return undefined
}

function chooseRole(
  action: ResolvedAction,
  response: ResolvedResponse | undefined,
  list: boolean | undefined,
  { entity, isOwn, model }: { readonly entity: Entity; readonly isOwn: boolean; readonly model: MockModel },
): MockRole {
  const verbs = new Set(action.routes.map(({ verb }) => verb))
  if (list === true) return 'list'
  if (model.callers?.logins.has(action)) return 'login'
  if (findMark(action, entity, model) !== undefined) return verbs.has('DELETE') ? 'unmark' : 'mark'
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
      findShownElements(response)?.isList === false
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
