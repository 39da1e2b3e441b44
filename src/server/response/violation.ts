// Violations: the ways in which a response violates its declaration.

/** One mistake in a response, without its values. */
export interface ViolationFinding {
  /** The part with the mistake: the response itself, a header, or a value in the body. */
  readonly part: 'response' | 'headers' | 'body'
  /** The JSON Pointer of the value; for a header, its name after a slash. */
  readonly pointer: string
  /** The violated rule, such as `max` or `undeclared`. */
  readonly code: string
  readonly message: string
}

/** Checks the body of a successful response beyond its declaration; returns undefined if it is valid. */
export type BodyCheck = (body: unknown) => ViolationFinding | undefined

/** A response of an action that violates its declaration. */
export interface ResponseViolation extends ViolationFinding {
  /** The name of the response, and the status that it would have. */
  readonly response: string
  readonly status: number
  /** Whether the client received a 500 instead. */
  readonly failed: boolean
}
