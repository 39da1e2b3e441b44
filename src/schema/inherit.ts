// Attributes that a payload or a param takes over from a media type by their name, and the structures that hold some.
import { isStructure } from '../util/form.ts'
import type { AnyOptions, Attribute } from './attribute.ts'

/** An attribute that takes its type and options from the media type's attribute of the same name. */
export interface Inherit<out O = {}> {
  readonly '~inherit': O
}

/** Declares an attribute of a payload or a param by name only; called with options, it replaces some of the inherited ones. */
export const inherit: Inherit & (<const O extends AnyOptions>(options: O) => Inherit<O>) = Object.assign(
  <const O extends AnyOptions>(options: O): Inherit<O> =>
    Object.freeze({ '~inherit': isStructure(options) ? Object.freeze({ ...options }) : options }),
  { '~inherit': Object.freeze({}) },
)

/** Tells an inheriting attribute from other values. */
export const isInherit = (value: unknown): value is Inherit<AnyOptions> =>
  (typeof value === 'object' || typeof value === 'function') && value !== null && '~inherit' in value

/** Attributes by name, own or inherited. */
export interface InheritingAttributes {
  readonly [name: string]: Attribute | Inherit<AnyOptions> | Heir
}

/**
 * A structure with inherited attributes, or a list of such. It becomes an attribute where a payload or a param holds it;
 * to the compiler it is none before. X is its attributes, or its element; O its options.
 */
export interface Heir<out X = unknown, out O = unknown> {
  readonly '~heir': X
  readonly '~options': O
}
