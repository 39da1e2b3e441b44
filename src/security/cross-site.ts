// Rejects writes that pages of other sites send with the cookies of their visitors (CSRF), recognized by browser headers.
import { type PolicyRequest, type PolicyResult, problem } from '../extend.ts'
import { codes } from './codes.ts'

/** The rule for writes from pages of other sites: rejected, allowed, or allowed from these origins. */
export type CrossSite = 'refused' | 'allowed' | readonly string[]

const SAFE_METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'QUERY', 'OPTIONS', 'TRACE'])

/** Returns the problem document for a write from a page of another site; undefined for every other request. */
export function crossSiteRefusal(request: PolicyRequest, rule: CrossSite): PolicyResult {
  if (rule === 'allowed' || SAFE_METHODS.has(request.method) || isOwnOrigin(request, rule === 'refused' ? [] : rule))
    return undefined
  return problem(codes.failures['cross-site'])
}

// `Sec-Fetch-Site` decides if present. Browsers without it send `Origin`, which must have our host. Clients that send
// neither are not browsers, and have only their own cookies.
function isOwnOrigin({ headers }: PolicyRequest, trusted: readonly string[]): boolean {
  const { origin, host, 'sec-fetch-site': site } = headers
  if (typeof origin === 'string' && trusted.includes(origin)) return true
  if (site !== undefined) return site === 'same-origin' || site === 'none'
  if (origin === undefined) return true
  return typeof origin === 'string' && URL.canParse(origin) && new URL(origin).host === host
}
