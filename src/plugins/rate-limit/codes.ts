// The codes of the failures of rate limits.
import { type Codes, defineCodes } from '../../extend.ts'

/** Failures of requests beyond a limit. */
export const failures = {
  /**
   * The client has sent more requests than the action allows; `Retry-After` states when to retry.
   * @see docs/guide/rate-limits.md
   */
  'rate-limited': { status: 429, title: 'Too many requests' },
} as const

/** The codes of rate limits. */
export const codes: Codes<never, keyof typeof failures> = defineCodes('rate-limit', { failures })
