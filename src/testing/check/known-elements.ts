// Places: which elements there are, as lists and locations of answers tell, so that later calls lead somewhere.
import { hasParamMapping } from '../../design/declare/endpoint.ts'
import type { MediaType } from '../../design/declare/media-type.ts'
import type { AnyDefinition } from '../../design/definition.ts'
import { mediaTypeOf } from '../../design/fields/selection.ts'
import type { ResolvedAction, ResolvedEndpoint } from '../../design/resolve/resolved.ts'
import { getInheritedNames, getOwnCaptures } from '../../mock/entity-registry.ts'
import { findBodyElements, findListing } from '../../mock/roles.ts'
import type { TableEntry } from '../../routing/route-table.ts'
import { type JsonElement, getListReader } from '../lists/list-reader.ts'
import type { Draw } from '../values/draw.ts'
import { TEST_ORIGIN } from '../session/test-call.ts'
import type { TestExchange } from '../session/test-session.ts'

/** Values of params that lead to an element, and what else is known of it. */
export type KnownElement = Readonly<Record<string, unknown>>

/** How many places of an endpoint are remembered. */
const MAX_ELEMENTS = 60

/** The known elements of an application. */
export class KnownElements {
  readonly #byEndpoint = new Map<string, Map<string, KnownElement>>()
  /** The places that each client has seen. */
  readonly #seenBy = new Map<string | undefined, WeakSet<KnownElement>>()
  readonly #table: readonly TableEntry[]

  constructor(table: readonly TableEntry[]) {
    this.#table = table
  }

  /** Learns of the elements that an answer shows. */
  learn({ call, answer }: TestExchange): void {
    if (answer.status >= 300 || call.action.endpoint === undefined) return
    const location = answer.headers.get('Location')
    const located = location === null ? undefined : this.locate(location)
    if (located !== undefined) this.#add(located.endpoint, located.place, call.principal)
    const { endpoint } = call.action
    for (const element of listShownElements(call.action, answer.body))
      this.#add(endpoint, this.#toKnownElement(call, element), call.principal)
  }

  /** Forgets an element that is no more. */
  forget(endpoint: ResolvedEndpoint, place: KnownElement): void {
    this.#byEndpoint.get(getEndpointKey(endpoint))?.delete(getElementKey(endpoint, place))
  }

  /** The element that an address leads to. */
  locate(address: string): { readonly endpoint: ResolvedEndpoint; readonly place: KnownElement } | undefined {
    const path = stripVersion(new URL(address, TEST_ORIGIN).pathname, this.#table)
    for (const { pattern, route, action } of this.#table) {
      const found = route.verb === 'GET' ? pattern.match(path) : null
      if (found !== null && Object.keys(found).length > 0) return { endpoint: action.endpoint, place: { ...found } }
    }
    return undefined
  }

  /** The places of an endpoint that have some names. */
  list(endpoint: ResolvedEndpoint, names: readonly string[]): KnownElement[] {
    const known = [...(this.#byEndpoint.get(getEndpointKey(endpoint))?.values() ?? [])]
    return known.filter((place) => names.every((name) => place[name] !== undefined && place[name] !== null))
  }

  /** Values for captures of an action: those of one element, or of a parent where the action is about no element. */
  drawParams(action: ResolvedAction, names: readonly string[], draw: Draw, principal: string | undefined): KnownElement | undefined {
    const { endpoint } = action
    const inherited = getInheritedNames(endpoint)
    const isOwn = names.some((name) => !inherited.includes(name))
    // Lists with elements say more than empty ones.
    const siblings = isOwn || inherited.length === 0 || draw.chance(50) ? [] : this.list(endpoint, inherited)
    const pick = (all: readonly KnownElement[]): KnownElement | undefined => draw.pick(this.#preferSeen(all, draw, principal))
    const place = isOwn ? pick(this.list(endpoint, names)) : (pick(siblings) ?? this.#drawParent(endpoint, pick))
    return place && Object.fromEntries(names.flatMap((name) => (place[name] == null ? [] : [[name, place[name]]])))
  }

  // Elements that a client sees say more than those that it does not.
  #preferSeen(all: readonly KnownElement[], draw: Draw, principal: string | undefined): readonly KnownElement[] {
    const seen = draw.chance(75) ? this.#seenBy.get(principal) : undefined
    const own = seen === undefined ? [] : all.filter((place) => seen.has(place))
    return own.length > 0 ? own : all
  }

  #drawParent(endpoint: ResolvedEndpoint, pick: (all: readonly KnownElement[]) => KnownElement | undefined): KnownElement | undefined {
    const { parent } = endpoint.definition.spec
    if (parent === undefined) return {}
    const above = ((hasParamMapping(parent) ? parent.endpoint : parent) as AnyDefinition).resolve()
    const theirs = above.canonical?.route.pattern.names ?? []
    const place = pick(this.list(above, theirs))
    return place && Object.fromEntries(getInheritedNames(endpoint).map((name, i) => [name, place[theirs[i] ?? '']]))
  }

  #toKnownElement({ action, params }: TestExchange['call'], element: JsonElement): KnownElement {
    const { endpoint } = action
    const singles = Object.entries(element).filter(([, value]) => typeof value !== 'object')
    const inherited = getInheritedNames(endpoint).map((name) => [name, params[name]])
    // A path may name the id of its element by the name of the element.
    const own = `${endpoint.singular}_id`
    const named = element['id'] !== undefined && getOwnCaptures(endpoint).includes(own) ? { [own]: element['id'] } : {}
    return { ...named, ...Object.fromEntries(singles), ...Object.fromEntries(inherited) }
  }

  #add(endpoint: ResolvedEndpoint, place: KnownElement, principal: string | undefined): void {
    const key = getEndpointKey(endpoint)
    const known = this.#byEndpoint.get(key) ?? new Map<string, KnownElement>()
    this.#byEndpoint.set(key, known)
    const text = getElementKey(endpoint, place)
    const before = known.get(text)
    const now = { ...before, ...place }
    known.set(text, now)
    for (const seen of this.#seenBy.values()) if (before !== undefined && seen.has(before)) seen.add(now)
    const own = this.#seenBy.get(principal) ?? new WeakSet()
    this.#seenBy.set(principal, own.add(now))
    if (known.size > MAX_ELEMENTS) known.delete(known.keys().next().value as string)
  }
}

// Two versions of an endpoint show the same elements, but may name them differently.
const getEndpointKey = ({ name, version }: ResolvedEndpoint): string => `${name} ${version ?? ''}`

const getElementKey = (endpoint: ResolvedEndpoint, place: KnownElement): string => {
  const names = [...getInheritedNames(endpoint), ...getOwnCaptures(endpoint)]
  return JSON.stringify((names.length === 0 ? Object.keys(place) : names).map((name) => String(place[name])))
}

/** The elements of the endpoint's own media type that a body shows. */
function listShownElements(action: ResolvedAction, body: unknown): JsonElement[] {
  const own = action.endpoint.mediaType
  if (own === undefined) return []
  const listing = findListing(action)
  const shown = [...action.responses.values()]
    .filter(({ status }) => status < 300)
    .flatMap(({ bodies }) => bodies.map((form) => findBodyElements(form)?.mediaType))
  if (listing !== undefined) shown.push(mediaTypeOf(listing.of as MediaType))
  const all: readonly unknown[] = getListReader(action).readElements(body) ?? [body]
  const isElement = (one: unknown): one is JsonElement => typeof one === 'object' && one !== null && !Array.isArray(one)
  return shown.includes(own as MediaType) ? all.filter(isElement) : []
}

function stripVersion(path: string, table: readonly TableEntry[]): string {
  const versions = new Set(table.flatMap(({ version }) => version ?? []))
  for (const version of versions) {
    const step = `/v${encodeURIComponent(version)}/`
    if (path.includes(step)) return path.replace(step, '/')
  }
  return path
}
