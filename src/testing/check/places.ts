// Places: which elements there are, as lists and locations of answers tell, so that later calls lead somewhere.
import { isChildOf } from '../../design/declare/endpoint.ts'
import type { MediaType } from '../../design/declare/media-type.ts'
import type { AnyDefinition } from '../../design/definition.ts'
import { mediaTypeOf } from '../../design/fields/selection.ts'
import type { ResolvedAction, ResolvedEndpoint } from '../../design/resolve/resolved.ts'
import { inheritedNames, ownCaptures } from '../../mock/registry.ts'
import { elementsOf, listingOf } from '../../mock/roles.ts'
import type { TableEntry } from '../../routing/table.ts'
import { type Element, readingOf } from '../lists/reading.ts'
import type { Draw } from '../values/draw.ts'
import { ORIGIN } from './call.ts'
import type { Exchange } from './session.ts'

/** Values of params that lead to an element, and what else is known of it. */
export type Place = Readonly<Record<string, unknown>>

/** How many places of an endpoint are remembered. */
const MOST = 60

/** The known elements of an application. */
export class Places {
  readonly #all = new Map<string, Map<string, Place>>()
  /** The places that each client has seen. */
  readonly #seen = new Map<string | undefined, WeakSet<Place>>()
  readonly #table: readonly TableEntry[]

  constructor(table: readonly TableEntry[]) {
    this.#table = table
  }

  /** Learns of the elements that an answer shows. */
  learn({ call, answer }: Exchange): void {
    if (answer.status >= 300 || call.action.endpoint === undefined) return
    const location = answer.headers.get('Location')
    const located = location === null ? undefined : this.placeAt(location)
    if (located !== undefined) this.#add(located.endpoint, located.place, call.principal)
    const { endpoint } = call.action
    for (const element of shownElements(call.action, answer.body))
      this.#add(endpoint, this.#placeOf(call, element), call.principal)
  }

  /** Forgets an element that is no more. */
  forget(endpoint: ResolvedEndpoint, place: Place): void {
    this.#all.get(keyOf(endpoint))?.delete(textOf(endpoint, place))
  }

  /** The element that an address leads to. */
  placeAt(address: string): { readonly endpoint: ResolvedEndpoint; readonly place: Place } | undefined {
    const path = versionless(new URL(address, ORIGIN).pathname, this.#table)
    for (const { pattern, route, action } of this.#table) {
      const found = route.verb === 'GET' ? pattern.match(path) : null
      if (found !== null && Object.keys(found).length > 0) return { endpoint: action.endpoint, place: { ...found } }
    }
    return undefined
  }

  /** The places of an endpoint that have some names. */
  of(endpoint: ResolvedEndpoint, names: readonly string[]): Place[] {
    const known = [...(this.#all.get(keyOf(endpoint))?.values() ?? [])]
    return known.filter((place) => names.every((name) => place[name] !== undefined && place[name] !== null))
  }

  /** Values for captures of an action: those of one element, or of a parent where the action is about no element. */
  bind(action: ResolvedAction, names: readonly string[], draw: Draw, principal: string | undefined): Place | undefined {
    const { endpoint } = action
    const inherited = inheritedNames(endpoint)
    const isOwn = names.some((name) => !inherited.includes(name))
    // Lists with elements say more than empty ones.
    const siblings = isOwn || inherited.length === 0 || draw.percent(50) ? [] : this.of(endpoint, inherited)
    const pick = (all: readonly Place[]): Place | undefined => draw.pick(this.#seenOf(all, draw, principal))
    const place = isOwn ? pick(this.of(endpoint, names)) : (pick(siblings) ?? this.#parentOf(endpoint, pick))
    return place && Object.fromEntries(names.flatMap((name) => (place[name] == null ? [] : [[name, place[name]]])))
  }

  // Elements that a client sees say more than those that it does not.
  #seenOf(all: readonly Place[], draw: Draw, principal: string | undefined): readonly Place[] {
    const seen = draw.percent(75) ? this.#seen.get(principal) : undefined
    const own = seen === undefined ? [] : all.filter((place) => seen.has(place))
    return own.length > 0 ? own : all
  }

  #parentOf(endpoint: ResolvedEndpoint, pick: (all: readonly Place[]) => Place | undefined): Place | undefined {
    const { parent } = endpoint.definition.spec
    if (parent === undefined) return {}
    const above = ((isChildOf(parent) ? parent.endpoint : parent) as AnyDefinition).resolve()
    const theirs = above.canonical?.route.pattern.names ?? []
    const place = pick(this.of(above, theirs))
    return place && Object.fromEntries(inheritedNames(endpoint).map((name, i) => [name, place[theirs[i] ?? '']]))
  }

  #placeOf({ action, params }: Exchange['call'], element: Element): Place {
    const { endpoint } = action
    const singles = Object.entries(element).filter(([, value]) => typeof value !== 'object')
    const inherited = inheritedNames(endpoint).map((name) => [name, params[name]])
    // A path may name the id of its element by the name of the element.
    const own = `${endpoint.singular}_id`
    const named = element['id'] !== undefined && ownCaptures(endpoint).includes(own) ? { [own]: element['id'] } : {}
    return { ...named, ...Object.fromEntries(singles), ...Object.fromEntries(inherited) }
  }

  #add(endpoint: ResolvedEndpoint, place: Place, principal: string | undefined): void {
    const key = keyOf(endpoint)
    const known = this.#all.get(key) ?? new Map<string, Place>()
    this.#all.set(key, known)
    const text = textOf(endpoint, place)
    const before = known.get(text)
    const now = { ...before, ...place }
    known.set(text, now)
    for (const seen of this.#seen.values()) if (before !== undefined && seen.has(before)) seen.add(now)
    const own = this.#seen.get(principal) ?? new WeakSet()
    this.#seen.set(principal, own.add(now))
    if (known.size > MOST) known.delete(known.keys().next().value as string)
  }
}

// Two versions of an endpoint show the same elements, but may name them differently.
const keyOf = ({ name, version }: ResolvedEndpoint): string => `${name} ${version ?? ''}`

const textOf = (endpoint: ResolvedEndpoint, place: Place): string => {
  const names = [...inheritedNames(endpoint), ...ownCaptures(endpoint)]
  return JSON.stringify((names.length === 0 ? Object.keys(place) : names).map((name) => String(place[name])))
}

/** The elements of the endpoint's own media type that a body shows. */
function shownElements(action: ResolvedAction, body: unknown): Element[] {
  const own = action.endpoint.mediaType
  if (own === undefined) return []
  const listing = listingOf(action)
  const shown = [...action.responses.values()]
    .filter(({ status }) => status < 300)
    .flatMap(({ bodies }) => bodies.map((form) => elementsOf(form)?.mediaType))
  if (listing !== undefined) shown.push(mediaTypeOf(listing.of as MediaType))
  const all: readonly unknown[] = readingOf(action).elements(body) ?? [body]
  const isElement = (one: unknown): one is Element => typeof one === 'object' && one !== null && !Array.isArray(one)
  return shown.includes(own as MediaType) ? all.filter(isElement) : []
}

function versionless(path: string, table: readonly TableEntry[]): string {
  const versions = new Set(table.flatMap(({ version }) => version ?? []))
  for (const version of versions) {
    const step = `/v${encodeURIComponent(version)}/`
    if (path.includes(step)) return path.replace(step, '/')
  }
  return path
}
