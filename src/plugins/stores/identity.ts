// Identifies principals in the keys of stores: rate limits, idempotency keys and so on belong to one principal.
import { readProperty } from '../../extend.ts'

/** Returns a string that identifies a principal. */
export type Identify = (principal: unknown) => string | undefined

/** Returns the principal itself if it is a string or a number, or else its `id` or `sub`. */
export function identityOf(principal: unknown): string | undefined {
  const candidates = [principal, readProperty(principal, 'id'), readProperty(principal, 'sub')]
  const identity = candidates.find((one) => ['string', 'number', 'bigint'].includes(typeof one))
  return identity === undefined ? undefined : String(identity)
}
