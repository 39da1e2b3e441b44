// The codes of the failures of idempotency.
import { type Codes, defineCodes } from '../../extend.ts'

/** Failures of requests with an idempotency key. */
export const failures = {
  /**
   * A request with the same key is in progress; send the same request again after `Retry-After`.
   * @see docs/guide/idempotency.md
   */
  'idempotency-key-in-use': { status: 409, title: 'A request with this key is under way' },
  /**
   * The key was sent before with another request; every request needs its own key.
   * @see docs/guide/idempotency.md
   */
  'idempotency-key-reused': { status: 422, title: 'The key was used for another request' },
  /**
   * The request with this key was executed, but its response was too long to be recorded, or was interrupted; read the
   * current state.
   * @see docs/guide/idempotency.md
   */
  'idempotency-response-not-recorded': { status: 409, title: 'The response to this key was not recorded' },
} as const

/** The codes of idempotency. */
export const codes: Codes<never, keyof typeof failures> = defineCodes('idempotency', { failures })
