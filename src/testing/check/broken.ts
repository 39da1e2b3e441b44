// The error of a law that does not hold.

/** Returns whether a law did not hold. */
export const isBroken = (error: unknown): error is Broken => error instanceof Error && error.name === 'Broken'

/** Returns whether a case said nothing. */
export const isVoid = (error: unknown): boolean => error instanceof Error && error.name === 'Void'

/** Thrown where a law does not hold for a case. */
export class Broken extends Error {
  override readonly name = 'Broken'
  /** In which way: a smaller case has to be broken in the same one. */
  readonly kind: string

  constructor(kind: string, message: string) {
    super(message)
    this.kind = kind
  }
}

/** Thrown where a case says nothing: a request of it cannot be made, or was refused for a reason of its own. */
export class Void extends Error {
  override readonly name = 'Void'
}

/** Insists on something. */
export function insist(holds: boolean, kind: string, message: () => string): asserts holds {
  if (!holds) throw new Broken(kind, message())
}
