// The options that every attribute takes, whatever its kind, and the forms of all options.
import { anything, type Fields, flag, text } from '../util/form.ts'

/** Options that every attribute takes. */
export interface Options<T> {
  /**
   * The attribute must be sent in a request, and be there in a response.
   * @default `false`
   */
  readonly required?: boolean
  /** Fills an absent attribute of a request: a value, or a function that is called for each request. */
  readonly default?: T | null | (() => T | null)
  /**
   * Null is a value of the attribute; without it a sent null is refused.
   * @default `false`
   */
  readonly nullable?: boolean
  /** What the attribute is, in documents; markdown. */
  readonly description?: string
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
