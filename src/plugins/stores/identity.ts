// Principals as parts of keys: limits, idempotency keys and the like belong to one of them.
import { readProperty } from '../../extend.ts'

/** Returns the text that identifies a principal. */
export type Identify = (principal: unknown) => string | undefined

/** Returns the principal itself if it is a text or a number, else its `id` or `sub`. */
export function identityOf(principal: unknown): string | undefined {
  const found = [principal, readProperty(principal, 'id'), readProperty(principal, 'sub')]
  const known = found.find((one) => ['string', 'number', 'bigint'].includes(typeof one))
  return known === undefined ? undefined : String(known)
}
