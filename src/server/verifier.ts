// Verifiers: what an application brings for the schemes that its actions name.
import type { SecurityScheme } from '../design/security.ts'

/** Returned by a verifier for a client that is known but must not do this: the answer is 403. */
export const forbidden: unique symbol = Symbol('edict.forbidden')

/** What a verifier finds: whom it knows, undefined for credentials that do not hold, or `forbidden`. */
export type Verdict<P> = P | undefined | typeof forbidden

/** What a verifier is told besides the credentials. */
export interface Asked {
  /** The scopes that the action asks for. */
  readonly scopes: readonly string[]
  /** The path and the query of the request. */
  readonly url: string
  /** The headers of the request as they came. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
  /** The endpoint and the action, as `Endpoint.action`. */
  readonly action: string
}

/** A scheme and the function that verifies its credentials. */
export interface Verifier {
  readonly scheme: SecurityScheme
  readonly check: (credentials: never, asked: Asked) => unknown
}

/** Gives a scheme the function that verifies its credentials. */
export function verifier<P, C>(
  scheme: SecurityScheme<P, C>,
  check: (credentials: C, asked: Asked) => Verdict<P> | Promise<Verdict<P>>,
): Verifier {
  return Object.freeze({ scheme, check: check as Verifier['check'] })
}
