// Attributes that a payload or a param inherits by name from a media type, and the structures that contain such
// attributes.
import { freezeSettings } from '../util/setting-form.ts'
import type { Attribute, Options, Presence } from './attribute.ts'
import type { AllowedDefault, BooleanOption } from './attribute-options.ts'
import type { Requirement } from './requirements.ts'
import type { StringFormat } from './scalars/text-format.ts'

/** An attribute that takes its type and options from the media type's attribute of the same name. */
export interface Inherit<out O = {}> {
  readonly '~inherit': O
}

/** The presence and nullability set by options that replace inherited ones. */
export interface Replaced<
  out R extends BooleanOption = BooleanOption,
  out N extends BooleanOption = BooleanOption,
  out D = unknown,
> {
  readonly required: R
  readonly nullable: N
  readonly default: D
}

/**
 * Options that replace inherited ones. They are those of all kinds, because the compiler does not know the inherited
 * kind. A package that adds a kind adds the options of that kind here.
 */
export interface InheritOptions<
  R extends BooleanOption = BooleanOption,
  N extends BooleanOption = BooleanOption,
  D = unknown,
> extends Options<unknown, R, N, D> {
  /** The minimum value or size. */
  readonly min?: number | bigint | string
  /** The maximum value or size. */
  readonly max?: number | bigint | string
  /** The allowed values. */
  readonly values?: readonly (string | number | bigint)[]
  /** For strings: the RegExp that the value must match. */
  readonly pattern?: RegExp
  /** For strings: the format. */
  readonly format?: StringFormat
  /** For strings: accepts the character U+0000. */
  readonly allowNul?: boolean
  /** For decimals: the number of digits. */
  readonly precision?: number
  /** For decimals: the number of digits after the decimal point. */
  readonly scale?: number
  /** For files: the allowed content types. */
  readonly types?: readonly string[]
  /** For files: passes the file to the controller before it has arrived. */
  readonly stream?: boolean
  /** For arrays: the separator of the elements in one text. */
  readonly delimiter?: ',' | '%2C' | ' ' | '|'
  /** For objects: rules between the attributes. */
  readonly requires?: readonly Requirement[]
}

/** The type of `inherit`: an inherited attribute, and a function that replaces some of its options. */
export interface Inheriting extends Inherit {
  <
    R extends BooleanOption = undefined,
    N extends BooleanOption = undefined,
    D extends AllowedDefault<unknown, R> = undefined,
  >(
    options: InheritOptions<R, N, D>,
  ): Inherit<Replaced<R, N, D>>
}

/**
 * Declares an attribute of a payload or a param by name only. Called with options, it replaces some of the inherited
 * ones.
 */
export const inherit: Inheriting = Object.assign(
  (options: object) => Object.freeze({ '~inherit': freezeSettings(options) }),
  {
    '~inherit': Object.freeze({}),
  },
) as never

export const isInherit = (value: unknown): value is Inherit =>
  (typeof value === 'object' || typeof value === 'function') && value !== null && '~inherit' in value

/** Attributes by name, declared or inherited. */
export interface InheritingAttributes {
  readonly [name: string]: Attribute | Inherit | InheritingStructure
}

/**
 * A structure with inherited attributes, or a list of them. It becomes an attribute when a payload or a param contains
 * it; before that, the compiler does not treat it as one. X is its attributes or its element; N and P are its
 * nullability and presence.
 */
export interface InheritingStructure<
  out X = unknown,
  out N extends BooleanOption = BooleanOption,
  out P extends Presence = Presence,
> {
  readonly '~heir': X
  readonly '~nullable': N
  readonly '~presence': P
}
