// The codes that security answers with.
import { type Codes, defineCodes } from '../../extend.ts'

/** Failures of requests whose credentials do not suffice. */
export const failures = {
  /**
   * Credentials were sent more than once: a header twice, a key in the query or a cookie with two values.
   * @see docs/guide/security.md
   */
  'repeated-credentials': { status: 400, title: 'Credentials were sent more than once' },
  /**
   * The security of the action does not know the sender; `WWW-Authenticate` says how to tell.
   * @see docs/guide/security.md
   */
  unauthorized: { status: 401, title: 'Authentication is required' },
  /**
   * A page of another site has made the request with the cookie of its visitor.
   * @see docs/guide/security.md
   */
  'cross-site': { status: 403, title: 'Requests from other sites are refused' },
  /** The security of the action knows the sender, who is not allowed to do this. */
  forbidden: { status: 403, title: 'You are not allowed to do this' },
} as const

/** The codes of security. */
export const codes: Codes<never, keyof typeof failures> = defineCodes('security', { failures })
