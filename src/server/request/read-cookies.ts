// Reads the cookies of a request (RFC 6265, 5.4).
import type { PolicyRequest } from '../../design/declare/policy.ts'

/** Returns all values of the cookies of a name: more than one is ambiguous. */
export function readCookies({ headers }: Pick<PolicyRequest, 'headers'>, name: string): string[] {
  const header = headers['cookie']
  return (typeof header === 'string' ? header : '').split(';').flatMap((pair) => {
    const equals = pair.indexOf('=')
    return equals > 0 && pair.slice(0, equals).trim() === name ? [pair.slice(equals + 1).trim()] : []
  })
}
