// Remembers the elements that responses show, in lists and Location headers, so that later calls use existing elements.
import { hasParamMapping } from '../../design/declare/endpoint.ts'
import type { MediaType } from '../../design/declare/media-type.ts'
import type { AnyDefinition } from '../../design/definition.ts'
import { getMediaType } from '../../design/fields/selection.ts'
import type { ResolvedAction, ResolvedEndpoint } from '../../design/resolve/resolved.ts'
import { getInheritedNames, getOwnCaptures } from '../../mock/entity-registry.ts'
import { findBodyElements, findListing } from '../../mock/roles.ts'
import type { TableEntry } from '../../routing/route-table.ts'
import { getListReader, type JsonElement } from '../lists/list-reader.ts'
import { TEST_ORIGIN } from '../session/test-call.ts'
import type { TestExchange } from '../session/test-session.ts'
import type { Draw } from '../values/draw.ts'

/** The path params that identify an element, and its other known values. */
export type KnownElement = Readonly<Record<string, unknown>>

/** The maximum number of elements remembered per endpoint. */
const MAX_ELEMENTS = 60

/** The known elements of an application. */
export class KnownElements {
  readonly #byEndpoint = new Map<string, Map<string, KnownElement>>()
  /** The elements that each client has seen. */
  readonly #seenBy = new Map<string | undefined, WeakSet<KnownElement>>()
  readonly #table: readonly TableEntry[]

  constructor(table: readonly TableEntry[]) {
    this.#table = table
  }

  /** Adds the elements that a response shows. */
  learn({ call, response: answer }: TestExchange): void {
    if (answer.status >= 300 || call.action.endpoint === undefined) return
    const location = answer.headers.get('Location')
    const located = location === null ? undefined : this.locate(location)
    if (located !== undefined) this.#add(located.endpoint, located.element, call.principal)
    const { endpoint } = call.action
    for (const element of listShownElements(call.action, answer.body))
      this.#add(endpoint, this.#toKnownElement(call, element), call.principal)
  }

  /** Removes an element that was deleted. */
  forget(endpoint: ResolvedEndpoint, element: KnownElement): void {
    this.#byEndpoint.get(getEndpointKey(endpoint))?.delete(getElementKey(endpoint, element))
  }

  /** Returns the element that a URL addresses. */
  locate(address: string): { readonly endpoint: ResolvedEndpoint; readonly element: KnownElement } | undefined {
    const path = stripVersion(new URL(address, TEST_ORIGIN).pathname, this.#table)
    for (const { pattern, route, action } of this.#table) {
      const found = route.verb === 'GET' ? pattern.match(path) : null
      if (found !== null && Object.keys(found).length > 0) return { endpoint: action.endpoint, element: { ...found } }
    }
    return undefined
  }

  /** Returns the known elements of an endpoint that have values for all given names. */
  list(endpoint: ResolvedEndpoint, names: readonly string[]): KnownElement[] {
    const known = [...(this.#byEndpoint.get(getEndpointKey(endpoint))?.values() ?? [])]
    return known.filter((element) => names.every((name) => element[name] !== undefined && element[name] !== null))
  }

  /** Draws values for the captures of an action: those of one element, or of a parent when the action concerns no element. */
  drawParams(
    action: ResolvedAction,
    names: readonly string[],
    draw: Draw,
    principal: string | undefined,
  ): KnownElement | undefined {
    const { endpoint } = action
    const inherited = getInheritedNames(endpoint)
    const isOwn = names.some((name) => !inherited.includes(name))
    // Lists with elements test more than empty ones.
    const siblings = isOwn || inherited.length === 0 || draw.chance(50) ? [] : this.list(endpoint, inherited)
    const pickElement = (all: readonly KnownElement[]): KnownElement | undefined =>
      draw.pick(this.#preferSeen(all, draw, principal))
    const element = isOwn
      ? pickElement(this.list(endpoint, names))
      : (pickElement(siblings) ?? this.#drawParent(endpoint, pickElement))
    return (
      element && Object.fromEntries(names.flatMap((name) => (element[name] == null ? [] : [[name, element[name]]])))
    )
  }

  // Elements that the client can see test more than others.
  #preferSeen(all: readonly KnownElement[], draw: Draw, principal: string | undefined): readonly KnownElement[] {
    const seen = draw.chance(75) ? this.#seenBy.get(principal) : undefined
    const own = seen === undefined ? [] : all.filter((element) => seen.has(element))
    return own.length > 0 ? own : all
  }

  #drawParent(
    endpoint: ResolvedEndpoint,
    pick: (all: readonly KnownElement[]) => KnownElement | undefined,
  ): KnownElement | undefined {
    const { parent } = endpoint.definition.spec
    if (parent === undefined) return {}
    const above = ((hasParamMapping(parent) ? parent.endpoint : parent) as AnyDefinition).resolve()
    const parentNames = above.canonical?.route.pattern.names ?? []
    const parentElement = pick(this.list(above, parentNames))
    return (
      parentElement &&
      Object.fromEntries(getInheritedNames(endpoint).map((name, i) => [name, parentElement[parentNames[i] ?? '']]))
    )
  }

  #toKnownElement({ action, params }: TestExchange['call'], element: JsonElement): KnownElement {
    const { endpoint } = action
    const singles = Object.entries(element).filter(([, value]) => typeof value !== 'object')
    const inherited = getInheritedNames(endpoint).map((name) => [name, params[name]])
    // A path may name the id of an element after the resource, such as `book_id`.
    const own = `${endpoint.singular}_id`
    const named = element['id'] !== undefined && getOwnCaptures(endpoint).includes(own) ? { [own]: element['id'] } : {}
    return { ...named, ...Object.fromEntries(singles), ...Object.fromEntries(inherited) }
  }

  #add(endpoint: ResolvedEndpoint, element: KnownElement, principal: string | undefined): void {
    const key = getEndpointKey(endpoint)
    const known = this.#byEndpoint.get(key) ?? new Map<string, KnownElement>()
    this.#byEndpoint.set(key, known)
    const elementKey = getElementKey(endpoint, element)
    const previous = known.get(elementKey)
    const merged = { ...previous, ...element }
    known.set(elementKey, merged)
    for (const seen of this.#seenBy.values()) if (previous !== undefined && seen.has(previous)) seen.add(merged)
    const own = this.#seenBy.get(principal) ?? new WeakSet()
    this.#seenBy.set(principal, own.add(merged))
    if (known.size > MAX_ELEMENTS) known.delete(known.keys().next().value as string)
  }
}

// Two versions of an endpoint show the same elements, but may identify them differently.
const getEndpointKey = ({ name, version }: ResolvedEndpoint): string => `${name} ${version ?? ''}`

const getElementKey = (endpoint: ResolvedEndpoint, element: KnownElement): string => {
  const names = [...getInheritedNames(endpoint), ...getOwnCaptures(endpoint)]
  return JSON.stringify((names.length === 0 ? Object.keys(element) : names).map((name) => String(element[name])))
}

/** Returns the elements of the endpoint's media type in a body. */
function listShownElements(action: ResolvedAction, body: unknown): JsonElement[] {
  const own = action.endpoint.mediaType
  if (own === undefined) return []
  const listing = findListing(action)
  const shown = [...action.responses.values()]
    .filter(({ status }) => status < 300)
    .flatMap(({ bodies }) => bodies.map((form) => findBodyElements(form)?.mediaType))
  if (listing !== undefined) shown.push(getMediaType(listing.of as MediaType))
  const all: readonly unknown[] = getListReader(action).readElements(body) ?? [body]
  const isElement = (one: unknown): one is JsonElement => typeof one === 'object' && one !== null && !Array.isArray(one)
  return shown.includes(own as MediaType) ? all.filter(isElement) : []
}

function stripVersion(path: string, table: readonly TableEntry[]): string {
  const versions = new Set(table.flatMap(({ version }) => version ?? []))
  for (const version of versions) {
    const segment = `/v${encodeURIComponent(version)}/`
    if (path.includes(segment)) return path.replace(segment, '/')
  }
  return path
}
