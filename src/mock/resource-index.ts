// Finds the resources of an application by the paths of its actions: which ones create, show, list, change and delete the same
// elements, and which elements lie below others.
import { isMediaType, type MediaType } from '../design/declare/media-type.ts'
import type { ResolvedAction, ResolvedEndpoint } from '../design/resolve/resolved.ts'
import { findShownType } from './body-elements.ts'
import { getScalarKind } from './entity.ts'

/** The actions on the elements of one path. */
export interface PathResource<List extends PathList = PathList> {
  /** The endpoint that shows elements, or else that changes or lists them. */
  readonly endpoint: ResolvedEndpoint
  readonly mediaType: MediaType
  /** The path of an element, with `:` for each capture. */
  readonly path: string
  /** The params that identify elements, those of parents first. */
  readonly inherited: readonly string[]
  readonly key: readonly string[]
  /** The attributes of the element that hold the key, keyed by the names of the params. */
  readonly keyAttributes: Readonly<Record<string, string>>
  readonly create?: ResolvedAction | undefined
  readonly show?: ResolvedAction | undefined
  readonly updates: readonly ResolvedAction[]
  readonly remove?: ResolvedAction | undefined
  readonly list?: List | undefined
}

/** A list of elements. */
export interface PathList {
  readonly action: ResolvedAction
  readonly mediaType: MediaType
}

/** Returns the list of an action; undefined if it shows none. */
type FindList<List extends PathList> = (action: ResolvedAction) => List | undefined

/** The resources of an application. */
export class ResourceIndex<List extends PathList = PathList> {
  readonly resources: readonly PathResource<List>[]
  readonly #byAction = new Map<ResolvedAction, PathResource<List> | undefined>()

  constructor(actions: readonly ResolvedAction[], findList: FindList<List>) {
    const groups = new Map<string, ResolvedAction[]>()
    for (const action of actions) {
      const key = getGroupKey(action, getPath(action))
      groups.set(key, [...(groups.get(key) ?? []), action])
    }
    const found = [...groups.values()].flatMap((group) => buildResource(findList, group, groups) ?? [])
    // Elements without a key of their own, such as the account of the client, follow the others.
    this.resources = [...found].sort((a, b) => Number(a.key.length === 0) - Number(b.key.length === 0))
    for (const resource of this.resources)
      for (const action of listOwnActions(resource))
        if (!this.#byAction.has(action)) this.#byAction.set(action, resource)
  }

  /** Returns the resource that an action belongs to; undefined for one that is only below its elements. */
  getOwn(action: ResolvedAction): PathResource<List> | undefined {
    const found = this.get(action)
    return found !== undefined && listOwnActions(found).includes(action) ? found : undefined
  }

  /** Returns the resource that an action belongs to, or the one whose elements its path passes. */
  get(action: ResolvedAction): PathResource<List> | undefined {
    if (!this.#byAction.has(action)) this.#byAction.set(action, this.#findNearest(action))
    return this.#byAction.get(action)
  }

  #findNearest(action: ResolvedAction): PathResource<List> | undefined {
    const own = this.resources.filter(({ endpoint }) => endpoint === action.endpoint)
    const path = getPath(action)
    const byLength = [...own].sort((a, b) => b.path.length - a.path.length)
    return byLength.find((one) => isBelow(path, one.path)) ?? byLength.find((one) => isBelow(path, getCollection(one)))
  }

  /** Returns the resources whose elements a path passes, the innermost first; the last step may be the element itself. */
  listAlong(action: ResolvedAction): PathResource<List>[] {
    const path = getPath(action)
    return this.resources
      .filter(
        ({ endpoint, path: own, key }) =>
          key.length > 0 && endpoint.version === action.endpoint.version && isBelow(path, own),
      )
      .sort((a, b) => b.path.length - a.path.length)
  }

  /** Returns the resource whose elements are the parents of another one's. */
  getParent(child: PathResource<List>): PathResource<List> | undefined {
    const above = this.resources.filter(
      ({ endpoint, path, key }) =>
        key.length > 0 &&
        path !== child.path &&
        endpoint.version === child.endpoint.version &&
        isBelow(child.path, path),
    )
    return above.sort((a, b) => b.path.length - a.path.length)[0]
  }

  listChildren(parent: PathResource<List>): PathResource<List>[] {
    return this.resources.filter((one) => this.getParent(one) === parent)
  }
}

/** Returns the path of an action, with `:` for each capture. */
export const getPath = ({ routes }: ResolvedAction): string => normalizePath(routes[0]?.path ?? '')

const normalizePath = (path: string): string => path.replace(/[:*]\w*/g, ':')

const getGroupKey = ({ endpoint }: ResolvedAction, path: string): string => `${endpoint.version ?? ''} ${path}`

/** Returns whether a path is another one or goes on behind it. */
const isBelow = (path: string, above: string): boolean => path === above || path.startsWith(`${above}/`)

/** Returns the path of the list that contains the elements of a path. */
const getCollection = ({ path, key }: PathResource): string => (key.length === 0 ? path : removeLastSegment(path))

const removeLastSegment = (path: string): string => path.slice(0, path.lastIndexOf('/')) || '/'

/** Returns the names of the captures in the first segments of an action's path. */
const listCaptures = ({ routes }: ResolvedAction, path: string): string[] =>
  [...(routes[0]?.path ?? '').matchAll(/[:*](\w+)/g)]
    .slice(0, path.split(':').length - 1)
    .map(([, name]) => name as string)

/** Returns whether an action has one of some verbs. */
export const hasVerb = ({ routes }: ResolvedAction, ...verbs: readonly string[]): boolean =>
  routes.some(({ verb }) => verbs.includes(verb))

const listOwnActions = ({ show, create, updates, remove, list }: PathResource): ResolvedAction[] =>
  [show, ...updates, remove, list?.action, create].filter((one) => one !== undefined)

const isSuccessful = ({ responses }: ResolvedAction): boolean =>
  [...responses.values()].some(({ status }) => status < 300)

function buildResource<List extends PathList>(
  findList: FindList<List>,
  group: readonly ResolvedAction[],
  groups: ReadonlyMap<string, readonly ResolvedAction[]>,
): PathResource<List> | undefined {
  const [first] = group as [ResolvedAction]
  const path = getPath(first)
  if (first.routes[0] === undefined || first.routes[0].pattern.wildcards > 0) return undefined
  const show = group.find((one) => hasVerb(one, 'GET') && findShownType(one) !== undefined)
  const changes = group.filter((one) => hasVerb(one, 'PUT', 'PATCH') && isSuccessful(one))
  const isKeyed = path.slice(path.lastIndexOf('/')).includes(':')
  // An element without a key in its path, such as the account of the client, is one if it is shown and changed.
  if (!isKeyed && (show === undefined || changes.length === 0)) return undefined
  const collection = isKeyed ? findCollection(findList, first, groups) : undefined
  const mediaType =
    (show && findShownType(show)) ?? collection?.list?.mediaType ?? collection?.shown ?? getOwnType(first.endpoint)
  if (mediaType === undefined) return undefined
  const isOwn = (one: ResolvedAction): boolean => (findShownType(one) ?? mediaType) === mediaType
  const names = listCaptures(first, path)
  const inherited = isKeyed ? names.slice(0, listCaptures(first, collection?.path ?? '').length) : names
  const key = names.slice(inherited.length)
  const list = collection?.list?.mediaType === mediaType ? collection.list : undefined
  const create = collection?.create && isOwn(collection.create) ? collection.create : undefined
  return {
    endpoint: (show ?? changes[0] ?? first).endpoint,
    mediaType,
    path,
    inherited,
    key,
    keyAttributes: Object.fromEntries(key.map((name) => [name, findKeyAttribute(mediaType, name)])),
    create: create && withSameNames(create, inherited) ? create : undefined,
    show,
    updates: changes.filter(isOwn),
    remove: isKeyed ? group.find((one) => hasVerb(one, 'DELETE') && isSuccessful(one)) : undefined,
    list: list && withSameNames(list.action, inherited) ? list : undefined,
  }
}

// Calls for elements are made of the params of other calls, by their names.
const withSameNames = (action: ResolvedAction, inherited: readonly string[]): boolean => {
  const names = action.routes[0]?.pattern.names ?? []
  return names.length === inherited.length && names.every((name) => inherited.includes(name))
}

const getOwnType = ({ mediaType }: ResolvedEndpoint): MediaType | undefined =>
  isMediaType(mediaType) ? mediaType : undefined

interface Collection<List extends PathList> {
  readonly path: string
  readonly list: List | undefined
  readonly create: ResolvedAction | undefined
  /** The media type in the response to a creation. */
  readonly shown: MediaType | undefined
}

// A key of several segments follows its list at once, so that the list is several segments above.
function findCollection<List extends PathList>(
  findList: FindList<List>,
  action: ResolvedAction,
  groups: ReadonlyMap<string, readonly ResolvedAction[]>,
): Collection<List> {
  let path = removeLastSegment(getPath(action))
  const nearest = path
  for (;;) {
    const group = groups.get(getGroupKey(action, path)) ?? []
    const lists = group.map(findList)
    const list = lists.find((one) => one?.action.endpoint === action.endpoint) ?? lists.find((one) => one !== undefined)
    const create = group.find((one) => hasVerb(one, 'POST') && isSuccessful(one))
    if (list !== undefined || create !== undefined)
      return { path, list, create, shown: create && findShownType(create) }
    if (!path.slice(path.lastIndexOf('/')).includes(':'))
      return { path: nearest, list: undefined, create: undefined, shown: undefined }
    path = removeLastSegment(path)
  }
}

/** Returns the single value that holds a key: that of its name, or the longest one whose name ends the key's. */
function findKeyAttribute({ attributes }: MediaType, name: string): string {
  if (Object.hasOwn(attributes, name)) return name
  const plain = toPlainName(name)
  const found = Object.entries(attributes)
    .filter(([own, one]) => plain.endsWith(toPlainName(own)) && getScalarKind(one) !== undefined)
    .sort(([a], [b]) => b.length - a.length)
  return found[0]?.[0] ?? name
}

const toPlainName = (name: string): string => name.replaceAll('_', '').toLowerCase()
