// The options that every attribute takes, whatever its kind.

/** Options that every attribute takes. */
export interface Options<T> {
  /** The attribute must be sent (in a request) or present (in a response). */
  readonly required?: boolean
  /** Fills an absent attribute of a request; a function is called for each request. */
  readonly default?: T | null | (() => T | null)
  /** Null is a value of this attribute. */
  readonly nullable?: boolean
  /** Text for the documentation; markdown and HTML are rendered there. */
  readonly description?: string
  /** A value for the documentation and for generated examples. */
  readonly example?: T | null
}

/** Options as the run time sees them, whatever the attribute's type. */
export type AnyOptions = Options<unknown>
