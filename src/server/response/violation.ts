// Violations: the ways in which an answer breaks its declaration.

/** One problem of a response, without its values. */
export interface ViolationFinding {
  /** The place that does not fit: the response itself, a header, or a value in the body. */
  readonly part: 'response' | 'headers' | 'body'
  /** Where it is, as a JSON Pointer; for a header its name behind a slash. */
  readonly pointer: string
  /** The rule that is broken, such as `max` or `undeclared`. */
  readonly code: string
  readonly message: string
}

/** Gives what is wrong with the body of a successful response, beyond its declaration; undefined if it fits. */
export type BodyCheck = (body: unknown) => ViolationFinding | undefined

/** A response of an action that breaks its declaration. */
export interface ResponseViolation extends ViolationFinding {
  /** The name of the response, and the status that it would have. */
  readonly response: string
  readonly status: number
  /** Whether the client got a 500 in its place. */
  readonly failed: boolean
}
