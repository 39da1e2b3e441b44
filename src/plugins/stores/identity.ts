// Principals as parts of keys: limits, idempotency keys and the like belong to one of them.
import { property } from '../../extend.ts'

/** The text that stands for a principal. */
export type Identify = (principal: unknown) => string | undefined

/** The principal itself where it is a text or a number, or else its `id` or its `sub`. */
export function identityOf(principal: unknown): string | undefined {
  const found = [principal, property(principal, 'id'), property(principal, 'sub')]
  const known = found.find((one) => ['string', 'number', 'bigint'].includes(typeof one))
  return known === undefined ? undefined : String(known)
}
