// The codes of the failures of conditional requests.
import { type Codes, defineCodes } from '../../extend.ts'

/** Failures of requests whose conditions fail or are missing. */
export const failures = {
  /**
   * The resource does not match a condition of the request, such as `If-Match`; read it again.
   * @see docs/guide/conditional.md
   */
  'precondition-failed': { status: 412, title: 'A condition of the request does not hold' },
  /**
   * The action requires a condition: send `If-Match`, `If-Unmodified-Since`, or `If-None-Match: *` to create only.
   * @see docs/guide/conditional.md
   */
  'precondition-required': { status: 428, title: 'The request must have a condition' },
} as const

/** The codes of conditional requests. */
export const codes: Codes<never, keyof typeof failures> = defineCodes('conditional', { failures })
