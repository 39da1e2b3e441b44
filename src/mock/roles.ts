// Determines the role of an action in a mock from its verb, its path and its responses.
import type { ResolvedAction, ResolvedResponse } from '../design/resolve/resolved.ts'
import { describeElement } from '../plugins/pagination/extend.ts'
import { type BodyElements, findBodyElements, findListedType, findListing, findShownType } from './body-elements.ts'
import { type CallerModel, findOwner } from './callers.ts'
import { type ElementAddress, getInheritedNames } from './element-addresses.ts'
import type { Entity, ToOnePart } from './entity.ts'
import type { EntityRegistry, ParentLink } from './entity-registry.ts'
import { findMarkWord, type Mark } from './marks.ts'
import { findParamFilters, type ParamFilters } from './param-filters.ts'
import { findPayloadPart, type PayloadPart } from './payload-part.ts'
import { hasVerb } from './resource-index.ts'
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
  /** Whether the path names the only element below its parent. */
  readonly isOnly: boolean
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
  const response = findSuccess(action)
  const address = registry.addresses.get(action)
  const ownEntity = address && registry.getEntity(address.mediaType)
  // An action that only fails does not use rows.
  const isFailure = response === undefined || response.status >= 400
  const listed = findListedType(action)
  const elements = isFailure
    ? undefined
    : ((findListing(action) && listed && { mediaType: listed, isList: true }) ??
      findConventionElement(action) ??
      findResponseElements(action, response))
  const entity = elements === undefined ? ownEntity : registry.getEntity(elements.mediaType)
  const parentLink = address && registry.getParentLink(address)
  const standing: Standing = { address, parentLink, isOwn: entity === ownEntity }
  const scope = entity === undefined ? new Map<string, string>() : buildScope(action, entity, standing)
  const role =
    entity === undefined || isFailure
      ? 'none'
      : (chooseResourceRole(action, model) ??
        chooseRole(action, response, elements?.isList, { ...standing, entity, model }))
  const isCaller =
    entity === callers?.entity &&
    (role === 'show' || role === 'update' || role === 'delete') &&
    action.policies.has('security') &&
    !hasKeyInPath(action, address)
  const resource = registry.addresses.getResource(action)
  const isOnly = resource?.key.length === 0 && entity === ownEntity
  const plan = { action, role, entity, response, scope, parentLink, isOnly, callers, isCaller }
  if (entity === undefined) {
    const values = response && findShownValues(action, response, registry)
    return { ...plan, sent: undefined, owner: undefined, mark: undefined, unmarked: {}, filters: NO_FILTERS, values }
  }
  const own = model.actions.filter((one) => registry.getOwnEntity(one) === entity)
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

/** The subject of an action: its address, the parent of its elements, and whether it is about the elements of its address. */
interface Standing {
  readonly address: ElementAddress | undefined
  readonly parentLink: ParentLink | undefined
  readonly isOwn: boolean
}

function findConventionElement(action: ResolvedAction): Pick<BodyElements, 'mediaType' | 'isList'> | undefined {
  const element = describeElement(action)
  return element && { mediaType: element.mediaType, isList: false }
}

function findResponseElements({ endpoint }: ResolvedAction, { bodies }: ResolvedResponse): BodyElements | undefined {
  for (const body of bodies) {
    const elements = findBodyElements(body, endpoint.mediaType)
    if (elements !== undefined) return elements
  }
  return undefined
}

// Paths that show the subject of an action show its effect, too.
function chooseResourceRole(action: ResolvedAction, { registry, callers }: MockModel): MockRole | undefined {
  const resource = registry.addresses.getResource(action)
  if (resource === undefined || callers?.logins.has(action)) return undefined
  if (resource.create === action) return 'create'
  if (resource.updates.includes(action)) return 'update'
  return resource.remove === action ? 'delete' : undefined
}

function chooseRole(
  action: ResolvedAction,
  response: ResolvedResponse | undefined,
  list: boolean | undefined,
  { entity, isOwn, address, model }: Standing & { readonly entity: Entity; readonly model: MockModel },
): MockRole {
  const verbs = new Set(action.routes.map(({ verb }) => verb))
  if (list === true) return 'list'
  if (model.callers?.logins.has(action)) return 'login'
  if (findMark(action, entity, model) !== undefined) return verbs.has('DELETE') ? 'unmark' : 'mark'
  const shows = list === false || hasKeyInPath(action, address)
  if (!isOwn || verbs.has('GET') || verbs.has('QUERY')) return shows ? 'show' : 'none'
  if (verbs.has('POST') && !hasKeyInPath(action, address))
    return response !== undefined && response.status < 300 ? 'create' : 'none'
  if (isElementPath(action)) {
    if (verbs.has('PATCH') || verbs.has('PUT')) return 'update'
    if (verbs.has('DELETE')) return 'delete'
  }
  return hasKeyInPath(action, address) ? 'show' : 'none'
}

// A path below that of an element, such as `/:id/owner`, addresses something else.
function isElementPath(action: ResolvedAction): boolean {
  const shows = [...action.endpoint.actions.values()].filter(
    (one) => hasVerb(one, 'GET') && findShownType(one) !== undefined,
  )
  const paths = new Set(shows.flatMap(({ routes }) => routes.map(({ path }) => path)))
  return action.routes.some(({ path }) => paths.has(path) || /\/[^/]*:\w+$/.test(path))
}

function hasKeyInPath({ endpoint, routes }: ResolvedAction, address: ElementAddress | undefined): boolean {
  const key = address?.key ?? []
  const inherited = new Set(address?.inherited ?? getInheritedNames(endpoint))
  return routes.some(({ pattern: { names } }) =>
    key.length > 0 ? key.every((name) => names.includes(name)) : names.some((name) => !inherited.has(name)),
  )
}

function buildScope(
  { endpoint, routes }: ResolvedAction,
  entity: Entity,
  { address, parentLink, isOwn }: Standing,
): ReadonlyMap<string, string> {
  const inherited = new Set(address?.inherited ?? getInheritedNames(endpoint))
  const captured = new Set(routes.flatMap(({ pattern }) => pattern.names))
  const pairs = [...captured].flatMap((name): [string, string][] => {
    const link = isOwn ? parentLink?.on.find(({ param }) => param === name) : undefined
    if (link !== undefined) return [[name, link.ours]]
    // A param of a parent that the mock does not keep may still be an attribute.
    if (inherited.has(name) && !entity.aliases.has(name)) {
      const column = entity.findColumn(name)
      return column === undefined ? [] : [[name, column]]
    }
    const column = isOwn && !inherited.has(name) ? entity.findColumn(name) : undefined
    return column === undefined ? [] : [[name, column]]
  })
  return new Map(pairs)
}
