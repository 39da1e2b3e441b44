// The options that every attribute takes, whatever its kind, and the forms of all options.
import { anything, type Fields, flag, text } from '../util/form.ts'

/** True, false, or nothing said. */
export type Said = boolean | undefined

/** A default: a value, or a function that is called for each request. */
export type Initial<T> = T | null | (() => T | null)

/** Options that do not depend on the value of an attribute; R and N are what `required` and `nullable` say. */
export interface SharedOptions<out R extends Said, out N extends Said> {
  /**
   * The attribute must be sent in a request, and be there in a response.
   * @default `false`
   */
  readonly required?: R
  /**
   * Null is a value of the attribute; without it a sent null is refused.
   * @default `false`
   */
  readonly nullable?: N
  /** What the attribute is, in documents; markdown. */
  readonly description?: string
}

/** Options that every attribute takes: T is its value, D the default that they give. */
export interface Options<out T, out R extends Said = Said, out N extends Said = Said, out D = Initial<T> | undefined>
  extends SharedOptions<R, N> {
  /** Fills an absent attribute of a request: a value, or a function that is called for each request. */
  readonly default?: D
  /** A value for documents and for generated examples. */
  readonly example?: T | null
}

/** Options as the run time sees them, whatever the attribute's type. */
export type AnyOptions = Options<unknown>

/** The forms of the options that every attribute takes. */
export const sharedOptions: Fields<AnyOptions> = {
  required: flag,
  default: anything,
  nullable: flag,
  description: text,
  example: anything,
}

/** The forms of the options that a kind adds to those: an option without its form does not compile. */
export type OwnOptions<O> = Fields<Omit<O, keyof AnyOptions>>
