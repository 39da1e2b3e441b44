// The options that every attribute takes, whatever its kind.

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
