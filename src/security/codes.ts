// The codes of the failures of security.
import { type Codes, defineCodes } from '../extend.ts'

/** Failures of requests without sufficient credentials. */
export const failures = {
  /**
   * Credentials were sent more than once: a header twice, a key in the query or a cookie with two values.
   * @see docs/guide/security.md
   */
  'repeated-credentials': { status: 400, title: 'Credentials were sent more than once' },
  /**
   * The action requires authentication; `WWW-Authenticate` names the scheme.
   * @see docs/guide/security.md
   */
  unauthorized: { status: 401, title: 'Authentication is required' },
  /**
   * A page of another site sent the request with the cookie of its visitor.
   * @see docs/guide/security.md
   */
  'cross-site': { status: 403, title: 'Requests from other sites are refused' },
  /** The client is authenticated but lacks permission. */
  forbidden: { status: 403, title: 'You are not allowed to do this' },
} as const

/** The codes of security. */
export const codes: Codes<never, keyof typeof failures> = defineCodes('security', { failures })
