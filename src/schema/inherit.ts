// Attributes that a payload or a param takes over from a media type by their name, and the structures that hold some.
import { freezeSettings } from '../util/setting-form.ts'
import type { Attribute, Options, Presence } from './attribute.ts'
import type { AllowedDefault, OptionalFlag } from './attribute-options.ts'
import type { Requirement } from './requirements.ts'
import type { StringFormat } from './scalars/text-format.ts'

/** An attribute that takes its type and options from the media type's attribute of the same name. */
export interface Inherit<out O = {}> {
  readonly '~inherit': O
}

/** Null and presence according to options that replace inherited ones. */
export interface Replaced<out R extends OptionalFlag = OptionalFlag, out N extends OptionalFlag = OptionalFlag, out D = unknown> {
  readonly required: R
  readonly nullable: N
  readonly default: D
}

/**
 * Options that replace inherited ones: those of all kinds, because the compiler does not know the inherited kind. A package
 * that adds a kind adds the options of that kind here.
 */
export interface InheritOptions<R extends OptionalFlag = OptionalFlag, N extends OptionalFlag = OptionalFlag, D = unknown>
  extends Options<unknown, R, N, D> {
  /** The least value or size. */
  readonly min?: number | bigint | string
  /** The greatest value or size. */
  readonly max?: number | bigint | string
  /** The values allowed. */
  readonly values?: readonly (string | number | bigint)[]
  /** Of a text: a RegExp that it must match. */
  readonly pattern?: RegExp
  /** Of a text: its form. */
  readonly format?: StringFormat
  /** Of a text: lets the character U+0000 through. */
  readonly allowNul?: boolean
  /** Of a decimal number: its digits. */
  readonly precision?: number
  /** Of a decimal number: its digits behind the point. */
  readonly scale?: number
  /** Of a file: the content types allowed. */
  readonly types?: readonly string[]
  /** Of a file: hands it over before it has arrived. */
  readonly stream?: boolean
  /** Of a list: separates the elements in one text. */
  readonly delimiter?: ',' | ' ' | '|'
  /** Of a structure: rules between its attributes. */
  readonly requires?: readonly Requirement[]
}

/** The value `inherit`: an attribute by its name, and a function that replaces some of its options. */
export interface Inheriting extends Inherit {
  <R extends OptionalFlag = undefined, N extends OptionalFlag = undefined, D extends AllowedDefault<unknown, R> = undefined>(
    options: InheritOptions<R, N, D>,
  ): Inherit<Replaced<R, N, D>>
}

/** Declares an attribute of a payload or a param by name only; called with options, it replaces some of the inherited ones. */
export const inherit: Inheriting = Object.assign((options: object) => Object.freeze({ '~inherit': freezeSettings(options) }), {
  '~inherit': Object.freeze({}),
}) as never

/** Returns whether a value is an inheriting attribute. */
export const isInherit = (value: unknown): value is Inherit =>
  (typeof value === 'object' || typeof value === 'function') && value !== null && '~inherit' in value

/** Attributes by name, own or inherited. */
export interface InheritingAttributes {
  readonly [name: string]: Attribute | Inherit | Heir
}

/**
 * A structure with inherited attributes, or a list of such. It becomes an attribute where a payload or a param holds it;
 * to the compiler it is none before. X is its attributes, or its element; N and P are what its options say of null and presence.
 */
export interface Heir<out X = unknown, out N extends OptionalFlag = OptionalFlag, out P extends Presence = Presence> {
  readonly '~heir': X
  readonly '~nullable': N
  readonly '~presence': P
}
