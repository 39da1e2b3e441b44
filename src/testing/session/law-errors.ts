// The error of a law that does not hold.

/** Returns whether a law did not hold. */
export const isLawViolation = (error: unknown): error is LawViolation => error instanceof Error && error.name === 'Broken'

/** Returns whether a case said nothing. */
export const isSkipCase = (error: unknown): boolean => error instanceof Error && error.name === 'Void'

/** Thrown where a law does not hold for a case. */
export class LawViolation extends Error {
  override readonly name = 'Broken'
  /** In which way: a smaller case has to be broken in the same one. */
  readonly kind: string

  constructor(kind: string, message: string) {
    super(message)
    this.kind = kind
  }
}

/** Thrown where a case says nothing: a request of it cannot be made, or was refused for a reason of its own. */
export class SkipCase extends Error {
  override readonly name = 'Void'
}

/** Insists on something. */
export function assertLaw(holds: boolean, kind: string, message: () => string): asserts holds {
  if (!holds) throw new LawViolation(kind, message())
}
