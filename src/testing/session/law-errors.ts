// The errors that laws throw: a violation, and a case that proves nothing.

/** Returns whether an error is a violation of a law. */
export const isLawViolation = (error: unknown): error is LawViolation =>
  error instanceof Error && error.name === 'Broken'

/** Returns whether an error skips a case. */
export const isSkipCase = (error: unknown): boolean => error instanceof Error && error.name === 'Void'

/** Thrown when a law is violated. */
export class LawViolation extends Error {
  override readonly name = 'Broken'
  /** The kind of violation: a smaller case must fail with the same kind. */
  readonly kind: string

  constructor(kind: string, message: string) {
    super(message)
    this.kind = kind
  }
}

/** Thrown when a case proves nothing: its request cannot be built, or is refused for an unrelated reason. */
export class SkipCase extends Error {
  override readonly name = 'Void'
}

/** Throws a LawViolation unless the condition holds. */
export function assertLaw(holds: boolean, kind: string, message: () => string): asserts holds {
  if (!holds) throw new LawViolation(kind, message())
}
