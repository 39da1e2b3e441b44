// Endpoint definitions: the actions of one resource type, declared once and read by everything else.
import type { ActionSpec, Stanzas } from './action.ts'
import type { MediaType } from './media-type.ts'

/** Everything an endpoint declares. */
export interface EndpointSpec {
  readonly description?: string
  /** Put in front of every route; by default the endpoint's name in snake case. */
  readonly prefix?: string
  /** The resource's media type, or the identifier of one. */
  readonly mediaType?: MediaType | string
  /** Requests reach the endpoint only when they carry this version. */
  readonly version?: string
  /** The endpoint whose canonical path comes first in every route. */
  readonly parent?: AnyEndpoint | ChildOf
  /** The action whose first route is the canonical path; by default `show`. */
  readonly canonicalPath?: string
  /** The singular of the name, where the rules for English plurals do not give it. */
  readonly singular?: string
  readonly actionDefaults?: Stanzas & { readonly routing?: never }
  /** Leaves the endpoint out of the documentation. */
  readonly nodoc?: boolean
  readonly actions: { readonly [name: string]: ActionSpec }
}

/** What every endpoint has, whatever it declares. */
export interface AnyEndpoint {
  readonly '~endpoint': true
  readonly name: string
  readonly spec: EndpointSpec
}

/** A parent together with new names for its parameters. */
export interface ChildOf<out E extends AnyEndpoint = AnyEndpoint, out M extends Mapping = Mapping> {
  readonly '~child': true
  readonly endpoint: E
  readonly mapping: M
}

/** Parent parameter names and the names they get in the child. */
export interface Mapping {
  readonly [parent: string]: string
}

/** Makes an endpoint the child of another, with names of its own for the parent's parameters. */
export function childOf<E extends AnyEndpoint, const M extends Mapping>(parent: E, mapping: M): ChildOf<E, M> {
  return Object.freeze({ '~child': true, endpoint: parent, mapping: Object.freeze({ ...mapping }) })
}

/** Tells an endpoint from other values. */
export const isEndpoint = (value: unknown): value is AnyEndpoint =>
  typeof value === 'object' && value !== null && '~endpoint' in value

/** Tells a parent with a mapping from other values. */
export const isChildOf = (value: unknown): value is ChildOf =>
  typeof value === 'object' && value !== null && '~child' in value
