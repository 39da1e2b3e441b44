// Endpoint definitions: the actions of one resource type, declared once and used everywhere else.
import type { Deprecation } from '../../schema/attribute-options.ts'
import type { ExternalDocs } from '../metadata.ts'
import type { ActionSettings, ActionSpec } from './action.ts'
import type { MediaType } from './media-type.ts'

/** The declaration of an endpoint. */
export interface EndpointSpec {
  /**
   * The title of the endpoint in documents, such as `'Book lists'`.
   * @default the name
   */
  readonly summary?: string
  /** Describes the endpoint in documents; markdown. */
  readonly description?: string
  /**
   * The path prefix of every route.
   * @default the name in snake case: `BookLists` has `/book_lists`
   * @see docs/guide/routing.md
   */
  readonly prefix?: string
  /**
   * The media type of the resource, or the identifier of one.
   * @see docs/guide/media-types.md
   */
  readonly mediaType?: MediaType<object> | string
  /**
   * The version that requests must carry to reach the endpoint.
   * @see docs/guide/versions.md
   */
  readonly version?: string
  /**
   * The endpoint whose canonical path is the beginning of every route.
   * @see docs/guide/routing.md
   */
  readonly parent?: Parent
  /**
   * The action whose first route is the path of the resource itself.
   * @default `show`
   * @see docs/guide/routing.md
   */
  readonly canonicalPath?: string
  /** The singular of the name, if removing the English plural ending does not produce it. */
  readonly singular?: string
  /** The `params`, `payload`, `consumes`, `headers`, `responses` and `security` that apply to every action. */
  readonly actionDefaults?: ActionSettings & { readonly routing?: never }
  /**
   * Leaves the endpoint out of documents and of the documentation browser.
   * @default `false`
   */
  readonly nodoc?: boolean
  /**
   * Marks the endpoint, or this version of it, as deprecated; an action may override it.
   * @default `false`
   * @see docs/guide/deprecation.md
   */
  readonly deprecated?: boolean | Deprecation
  /**
   * The groups of its actions in documents.
   * @default its name
   */
  readonly tags?: readonly string[]
  /** A page with more documentation. */
  readonly externalDocs?: ExternalDocs
  /** The actions by name; at least one. */
  readonly actions: { readonly [name: string]: ActionSpec }
}

/**
 * An endpoint, or one with new names for its parameters. It is one type and not a union: any other argument then lacks
 * a property, and the compiler reports that before it prints its type.
 */
export interface Parent {
  /** True for an endpoint, false for one with new parameter names. */
  readonly '~endpoint': boolean
}

/** The members that every endpoint has. */
export interface AnyEndpoint extends Parent {
  readonly '~endpoint': true
  readonly name: string
  readonly spec: EndpointSpec
}

/** A parent with new names for its parameters. */
export interface ChildOf<out E extends AnyEndpoint = AnyEndpoint, out M extends ParamNames = ParamNames>
  extends Parent {
  readonly '~endpoint': false
  readonly '~child': true
  readonly endpoint: E
  readonly mapping: M
}

/** The parent's parameter names and their names in the child. */
export interface ParamNames {
  readonly [parent: string]: string
}

/** Returns the media type of an endpoint; its attributes are checked with the other mistakes of a declaration. */
export const getEndpointMediaType = ({ mediaType }: EndpointSpec): MediaType | string | undefined =>
  mediaType as MediaType | string | undefined

/** Returns the endpoint of a parent, with or without new parameter names. */
export const getParentEndpoint = (parent: Parent): AnyEndpoint =>
  hasParamMapping(parent) ? parent.endpoint : (parent as AnyEndpoint)

export const isEndpoint = (value: unknown): value is AnyEndpoint =>
  typeof value === 'object' && value !== null && '~endpoint' in value && value['~endpoint'] === true

/** Returns whether a value is a parent with new parameter names. */
export const hasParamMapping = (value: unknown): value is ChildOf =>
  typeof value === 'object' && value !== null && '~child' in value
