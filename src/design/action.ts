// Actions: what an endpoint declares about each of them, and the stanzas that defaults share with actions.
import type { AnyOptions, Attribute, Attributes } from '../schema/attribute.ts'
import type { MediaType } from './media-type.ts'
import type { ResponsesSpec } from './response.ts'
import type { Routing } from './route.ts'
import type { SecuritySpec } from './security.ts'

/** A payload attribute that takes its type and options from the media type's attribute of the same name. */
export interface Inherit<out O = {}> {
  readonly '~inherit': O
}

/** Declares a payload attribute by name only; called with options, it replaces some of the inherited ones. */
export const inherit: Inherit & (<const O extends AnyOptions>(options: O) => Inherit<O>) = Object.assign(
  <const O extends AnyOptions>(options: O): Inherit<O> => Object.freeze({ '~inherit': Object.freeze({ ...options }) }),
  { '~inherit': Object.freeze({}) },
)

/** Tells an inheriting payload attribute from other values. */
export const isInherit = (value: unknown): value is Inherit<AnyOptions> =>
  (typeof value === 'object' || typeof value === 'function') && value !== null && '~inherit' in value

/** Payload attributes by name, own or inherited. */
export interface PayloadAttributes {
  readonly [name: string]: Attribute | Inherit<AnyOptions>
}

/** A payload whose attributes inherit from another media type than the endpoint's. */
export interface PayloadReference<
  out M extends MediaType = MediaType,
  out X extends PayloadAttributes = PayloadAttributes,
> {
  readonly '~reference': M
  readonly attributes: X
}

/** Declares a payload whose attributes inherit from the given media type. */
export function payloadOf<M extends MediaType, const X extends PayloadAttributes>(
  reference: M,
  attributes: X & {
    readonly [K in keyof X]: X[K] extends Inherit
      ? K extends keyof M['attributes']
        ? unknown
        : Inherit<'not an attribute of the reference'>
      : unknown
  },
): PayloadReference<M, X> {
  return Object.freeze({ '~reference': reference, attributes })
}

/** Tells a payload with an explicit reference from other values. */
export const isPayloadReference = (value: unknown): value is PayloadReference =>
  typeof value === 'object' && value !== null && '~reference' in value

/** What a payload stanza takes: attributes, attributes of another reference, or one attribute that is the whole body. */
export type PayloadSpec = PayloadAttributes | PayloadReference | Attribute

/** The stanzas that an action and an endpoint's action defaults have in common. */
export interface Stanzas {
  readonly params?: Attributes
  readonly payload?: PayloadSpec
  readonly headers?: Attributes
  readonly responses?: ResponsesSpec
  /** Who may call: clients that one of these schemes knows. An action's own setting replaces that of the defaults. */
  readonly security?: SecuritySpec
}

/** Limits and exceptions of one action's input. */
interface ActionInput {
  /** Names of query parameters and payload attributes to ignore instead of refusing; `*` stands for any run of characters. */
  readonly ignore?: readonly string[]
  /** The largest body in bytes. */
  readonly bodyLimit?: number
  /** Media types of bodies to accept, when fewer than the payload could be read from. */
  readonly consumes?: readonly string[]
}

/** The declaration of one action. */
export interface ActionSpec extends Stanzas, ActionInput {
  readonly description?: string
  readonly routing: Routing
  readonly nodoc?: boolean
}
