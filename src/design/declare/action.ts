// The declaration of actions, and the settings that defaults share with actions.
import type { Attribute, Attributes } from '../../schema/attribute.ts'
import type { Deprecation } from '../../schema/attribute-options.ts'
import type { InheritingAttributes, InheritingStructure } from '../../schema/inherit.ts'
import type { Requirement } from '../../schema/requirements.ts'
import type { ExternalDocs } from '../metadata.ts'
import type { ResponsesSpec } from './action-response.ts'
import type { HeirMistakes } from './inherited-attributes.ts'
import type { MediaType } from './media-type.ts'
import type { Needs } from './need.ts'
import type { Policy, SecuritySpec } from './policy.ts'
import type { Routing } from './route.ts'

/** A payload whose attributes inherit from a media type other than the endpoint's. */
export interface PayloadReference<
  out M extends MediaType = MediaType,
  out X extends InheritingAttributes = InheritingAttributes,
> {
  readonly '~reference': M
  readonly attributes: X
}

/** Declares a payload whose attributes inherit from the given media type. */
export function payloadOf<M extends MediaType, const X extends InheritingAttributes>(
  reference: M,
  attributes: X & HeirMistakes<X, M['attributes'], 'not an attribute of the reference'>,
): PayloadReference<M, X> {
  return Object.freeze({ '~reference': reference, attributes })
}

export const isPayloadReference = (value: unknown): value is PayloadReference =>
  typeof value === 'object' && value !== null && '~reference' in value

/**
 * The values of `payload`: attributes, attributes that inherit from another media type, or one attribute as the
 * complete body.
 */
export type PayloadSpec = InheritingAttributes | PayloadReference | Attribute | InheritingStructure

/** The rules between the inputs of an action. */
export interface InputRules {
  /** Rules between params; those of an action are added to those of the defaults. */
  readonly params?: readonly Requirement[]
  /** Rules between the attributes of the payload; those of an action are added to those of the defaults. */
  readonly payload?: readonly Requirement[]
}

/** The settings that an action shares with its endpoint's `actionDefaults`. */
export interface ActionSettings {
  /**
   * The attributes from the path and the query, declared or inherited from the media type.
   * @see docs/guide/inputs.md#params
   */
  readonly params?: InheritingAttributes
  /**
   * The attributes of the body, or one attribute as the complete body.
   * @see docs/guide/payloads.md
   */
  readonly payload?: PayloadSpec
  /**
   * The content types of the body, such as those of forms; the setting of an action replaces that of the defaults.
   * @default JSON for structures and values, `multipart/form-data` with a file
   * @see docs/guide/payloads.md#content-types
   */
  readonly consumes?: readonly string[]
  /**
   * Rules between params, and between the attributes of the payload: how many of them a client sends.
   * @default none
   * @see docs/guide/constraints.md
   */
  readonly requires?: InputRules
  /**
   * Headers to validate and pass to the action; others are ignored.
   * @see docs/guide/inputs.md#headers
   */
  readonly headers?: Attributes
  /**
   * Every response that the action may return; at least one, here or in the defaults.
   * @see docs/guide/responses.md
   */
  readonly responses?: ResponsesSpec
  /**
   * The schemes that authenticate clients. The setting of an action replaces that of the defaults.
   * @see docs/guide/security.md
   */
  readonly security?: SecuritySpec
  /**
   * Policies such as rate limits; a policy of an action replaces the one with the same name in the defaults.
   * @default none
   * @see docs/guide/policies.md
   */
  readonly policies?: readonly Policy[]
  /**
   * Values that the action's context contains under these names; those of an action are added to those of the defaults.
   * @default none
   * @see docs/guide/policies.md
   */
  readonly needs?: Needs
}

/** The limits and exceptions of one action's input. */
interface ActionInput {
  /**
   * Names of query parameters and payload attributes to ignore instead of rejecting; `*` matches any characters.
   * @default none
   */
  readonly ignore?: readonly string[]
  /**
   * The maximum size of the body in bytes, after decompression.
   * @default `limits.body` of the application
   */
  readonly bodyLimit?: number
}

/** The declaration of one action. */
export interface ActionSpec extends ActionSettings, ActionInput {
  /**
   * The title of the action in documents, a few words such as `'List books'`.
   * @default the first sentence of the description, or the name
   */
  readonly summary?: string
  /** Describes the action in documents; markdown. */
  readonly description?: string
  /**
   * One route or several.
   * @see docs/guide/routing.md
   */
  readonly routing: Routing
  /**
   * Leaves the action out of documents and of the documentation browser.
   * @default `false`
   */
  readonly nodoc?: boolean
  /**
   * Marks the action as deprecated: true, or the details.
   * @default that of the endpoint
   * @see docs/guide/deprecation.md
   */
  readonly deprecated?: boolean | Deprecation
  /**
   * The operation id in documents, such as `'listBooks'`; generated clients name their functions after it.
   * @default the endpoint and the action: `Books.index`
   */
  readonly operationId?: string
  /**
   * The groups of the action in documents.
   * @default those of the endpoint
   */
  readonly tags?: readonly string[]
  /** A page with more documentation. */
  readonly externalDocs?: ExternalDocs
}
