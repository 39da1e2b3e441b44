// Remembers the elements that responses show, in lists, in other elements and in Location headers, so that later calls use
// existing ones.
import type { MediaType } from '../../design/declare/media-type.ts'
import type { ResolvedAction } from '../../design/resolve/resolved.ts'
import { getPath, type ResourceIndex } from '../../mock/resource-index.ts'
import type { TableEntry } from '../../routing/route-table.ts'
import type { CheckedList } from '../lists/checked-list.ts'
import { TEST_ORIGIN } from '../session/test-call.ts'
import type { TestExchange } from '../session/test-session.ts'
import type { Draw } from '../values/draw.ts'
import { type CheckedResource, getKeyParams, type KnownElement } from './checked-resource.ts'
import { iterateShownElements } from './shown-elements.ts'

/** The maximum number of elements remembered per resource. */
const MAX_ELEMENTS = 60

/** The known elements of an application. */
export class KnownElements {
  readonly #byResource = new Map<CheckedResource, Map<string, KnownElement>>()
  /** The elements of media types, for paths whose elements no list shows. */
  readonly #byMediaType = new Map<MediaType, Map<string, KnownElement>>()
  /** The elements that each client has seen. */
  readonly #seenBy = new Map<string | undefined, WeakSet<KnownElement>>()
  readonly #table: readonly TableEntry[]
  readonly #index: ResourceIndex<CheckedList>

  constructor(table: readonly TableEntry[], index: ResourceIndex<CheckedList>) {
    this.#table = table
    this.#index = index
  }

  /** Adds the elements that a response shows. */
  learn({ call, response: answer }: TestExchange): void {
    if (answer.status >= 300 || call.method !== undefined) return
    const location = answer.headers.get('Location')
    const located = location === null ? undefined : this.locate(location)
    if (located !== undefined) this.#add(located.resource, located.element, call.principal)
    for (const { mediaType, element } of iterateShownElements(call.action, answer.body)) {
      const singles = Object.fromEntries(Object.entries(element).filter(([, value]) => typeof value !== 'object'))
      this.#addValues(mediaType, singles)
      for (const resource of this.#index.resources) {
        const inherited = resource.mediaType === mediaType ? findInheritedParams(resource, call) : undefined
        if (inherited === undefined) continue
        const known = { ...singles, ...getKeyParams(resource, singles), ...inherited }
        this.#add(resource, known, call.principal)
      }
    }
  }

  /** Removes an element that was deleted. */
  forget(resource: CheckedResource, element: KnownElement): void {
    this.#byResource.get(resource)?.delete(getElementKey(resource, element))
  }

  /** Returns the element that a URL addresses. */
  locate(address: string): { readonly resource: CheckedResource; readonly element: KnownElement } | undefined {
    const path = stripVersion(new URL(address, TEST_ORIGIN).pathname, this.#table)
    for (const { pattern, route, action } of this.#table) {
      const found = route.verb === 'GET' || route.verb === 'DELETE' ? pattern.match(path) : null
      const resource = found === null ? undefined : this.#index.get(action)
      if (found === null || resource === undefined || Object.keys(found).length === 0) continue
      if (resource.key.every((name) => found[name] !== undefined)) return { resource, element: { ...found } }
    }
    return undefined
  }

  /** Returns the known elements of a resource that have values for all of its params. */
  list(resource: CheckedResource): KnownElement[] {
    const known = [...(this.#byResource.get(resource)?.values() ?? [])]
    const names = [...resource.inherited, ...resource.key]
    const own = known.filter((element) => hasValues(element, names))
    if (own.length > 0 || resource.inherited.length > 0) return own
    return this.#listByValues(resource)
  }

  // Elements of another media type in a body, such as the author of an article, may name known ones, too.
  #listByValues({ key, keyAttributes }: CheckedResource): KnownElement[] {
    for (const known of this.#byMediaType.values()) {
      const found = [...known.values()].filter((element) =>
        hasValues(
          element,
          key.map((name) => keyAttributes[name] ?? name),
        ),
      )
      if (found.length > 0)
        return found.map((element) =>
          Object.fromEntries(key.map((name) => [name, element[keyAttributes[name] ?? name]])),
        )
    }
    return []
  }

  /** Draws values for the captures of an action: those of one element, or of a parent when the action concerns no element. */
  drawParams(
    action: ResolvedAction,
    names: readonly string[],
    draw: Draw,
    principal: string | undefined,
  ): KnownElement | undefined {
    const own = this.#index.get(action)
    const isListing = own !== undefined && (own.list?.action === action || own.create === action)
    // Lists with elements test more than empty ones.
    const siblings = isListing && own.inherited.length > 0 && !draw.chance(50) ? this.list(own) : []
    const sibling = draw.pick(this.#preferSeen(siblings, draw, principal))
    if (sibling !== undefined && own !== undefined)
      return Object.fromEntries(own.inherited.map((name) => [name, sibling[name]]))
    for (const resource of this.#index.listAlong(action)) {
      const element = draw.pick(this.#preferSeen(this.list(resource), draw, principal))
      if (element === undefined) continue
      // A path below an element may name its captures in another way.
      const values = [...resource.inherited, ...resource.key].map((name) => element[name])
      return Object.fromEntries(names.slice(0, values.length).map((name, i) => [name, values[i]]))
    }
    return undefined
  }

  // Elements that the client can see test more than others.
  #preferSeen(all: readonly KnownElement[], draw: Draw, principal: string | undefined): readonly KnownElement[] {
    const seen = draw.chance(75) ? this.#seenBy.get(principal) : undefined
    const own = seen === undefined ? [] : all.filter((element) => seen.has(element))
    return own.length > 0 ? own : all
  }

  #addValues(mediaType: MediaType, element: KnownElement): void {
    const known = this.#byMediaType.get(mediaType) ?? new Map<string, KnownElement>()
    this.#byMediaType.set(mediaType, known)
    known.set(JSON.stringify(Object.values(element).map(String)), element)
    if (known.size > MAX_ELEMENTS) known.delete(known.keys().next().value as string)
  }

  #add(resource: CheckedResource, element: KnownElement, principal: string | undefined): void {
    const known = this.#byResource.get(resource) ?? new Map<string, KnownElement>()
    this.#byResource.set(resource, known)
    const elementKey = getElementKey(resource, element)
    const previous = known.get(elementKey)
    const merged = { ...previous, ...element }
    known.set(elementKey, merged)
    for (const seen of this.#seenBy.values()) if (previous !== undefined && seen.has(previous)) seen.add(merged)
    const own = this.#seenBy.get(principal) ?? new WeakSet()
    this.#seenBy.set(principal, own.add(merged))
    if (known.size > MAX_ELEMENTS) known.delete(known.keys().next().value as string)
  }
}

const hasValues = (element: KnownElement, names: readonly string[]): boolean =>
  names.every((name) => element[name] !== undefined && element[name] !== null)

const getElementKey = ({ inherited, key }: CheckedResource, element: KnownElement): string =>
  JSON.stringify([...inherited, ...key].map((name) => String(element[name])))

/** Returns the params of an element's parent if the path of a call names it; undefined if it does not. */
function findInheritedParams(
  { inherited, path, endpoint }: CheckedResource,
  { action, params }: TestExchange['call'],
): KnownElement | undefined {
  if (inherited.length === 0) return endpoint.version === action.endpoint.version ? {} : undefined
  if (endpoint.version !== action.endpoint.version) return undefined
  const above = path.split('/')
  const end = findLastCapture(above, inherited.length)
  const isShared = getPath(action).split('/').slice(0, end).join('/') === above.slice(0, end).join('/')
  const names = action.routes[0]?.pattern.names ?? []
  return isShared ? Object.fromEntries(inherited.map((name, i) => [name, params[names[i] as string]])) : undefined
}

/** Returns the number of segments up to the one with the last of some captures. */
function findLastCapture(segments: readonly string[], count: number): number {
  const ends = segments.map(
    (_, i) =>
      segments
        .slice(0, i + 1)
        .join('/')
        .split(':').length - 1,
  )
  return 1 + ends.findIndex((seen) => seen >= count)
}

function stripVersion(path: string, table: readonly TableEntry[]): string {
  const versions = new Set(table.flatMap(({ version }) => version ?? []))
  for (const version of versions) {
    const segment = `/v${encodeURIComponent(version)}/`
    if (path.includes(segment)) return path.replace(segment, '/')
  }
  return path
}
