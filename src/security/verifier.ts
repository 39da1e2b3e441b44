// Verifiers: the functions of an application that verify credentials.
import { form } from '../extend.ts'
import { isScheme, type SecurityScheme } from './types.ts'

/** Returned by a verifier for an authenticated client without permission: the response is 403. */
export const forbidden: unique symbol = Symbol('edict.forbidden')

/**
 * The result of a verifier: the principal, undefined for invalid credentials, or `forbidden`. Null, false, NaN, '' and
 * functions count as invalid credentials.
 */
export type Verdict<P> = P | undefined | typeof forbidden

/** The second argument of a verifier, after the credentials. */
export interface VerifierContext {
  /** The scopes that the action requires. */
  readonly scopes: readonly string[]
  /** The method of the request. */
  readonly method: string
  /** The path and the query of the request. */
  readonly url: string
  /** The target exactly as sent, for signatures: mostly the path and query; a proxy may send a whole URL. */
  readonly target: string
  /** The scheme, `http` or `https`, that the client or the nearest proxy used, if the server knows it. */
  readonly scheme: string | undefined
  /** The headers of the request, unparsed. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
  /** Returns whether a header was sent more than once, as far as the server knows. */
  readonly repeats: (name: string) => boolean
  /**
   * Reads the exact bytes of the body as sent, before a content coding is removed; empty without a body. The whole body
   * is then in memory, even if the action takes it as a stream.
   */
  readonly body: () => Promise<Uint8Array<ArrayBuffer>>
  /** The endpoint and the action, as `Endpoint.action`. */
  readonly action: string
  /** States when the credentials expire: an open stream of events verifies them again at that time. */
  readonly expiresAt: (time: Date) => void
}

/** A scheme and the function that verifies its credentials. */
export interface Verifier {
  readonly scheme: SecurityScheme
  readonly check: (credentials: never, context: VerifierContext) => unknown
}

/** Creates the verifier of a scheme. */
export function verifier<P, C>(
  scheme: SecurityScheme<P, C>,
  check: (credentials: C, context: VerifierContext) => Verdict<P> | Promise<Verdict<P>>,
): Verifier {
  return Object.freeze({ scheme, check: check as Verifier['check'] })
}

const VERIFIER_FORM: form.SettingForm = form.object<Verifier>({
  scheme: form.required(form.custom('a scheme of security.bearer(…) and the like', isScheme)),
  check: form.required(form.callable),
})

/** Lists the mistakes in a verifier. */
export const findVerifierFlaws = (value: unknown): readonly form.Flaw[] => VERIFIER_FORM.check(value)

/** Returns whether a value is a verifier. */
export const isVerifier = (value: unknown): value is Verifier => findVerifierFlaws(value).length === 0
