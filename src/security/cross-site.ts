// Requests that pages of other sites send with the cookies of their visitors, recognised by headers of browsers.
import { type PolicyRequest, type PolicyResult, problem } from '../extend.ts'
import { codes } from './codes.ts'

/** The rule for writes from pages of other sites: refused, allowed, or allowed from these origins. */
export type CrossSite = 'refused' | 'allowed' | readonly string[]

const SAFE_METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'QUERY', 'OPTIONS', 'TRACE'])

/** Returns the problem document for a write from a page of another site; undefined for every other request. */
export function crossSiteRefusal(request: PolicyRequest, rule: CrossSite): PolicyResult {
  if (rule === 'allowed' || SAFE_METHODS.has(request.method) || isOwnOrigin(request, rule === 'refused' ? [] : rule)) return undefined
  return problem(codes.failures['cross-site'])
}

// The Sec-Fetch-Site header decides if it is there. Browsers without it send the origin, which is ours if it has our host.
// Clients that send neither are no browsers, and have no cookies but their own.
function isOwnOrigin({ headers }: PolicyRequest, trusted: readonly string[]): boolean {
  const { origin, host, 'sec-fetch-site': site } = headers
  if (typeof origin === 'string' && trusted.includes(origin)) return true
  if (site !== undefined) return site === 'same-origin' || site === 'none'
  if (origin === undefined) return true
  return typeof origin === 'string' && URL.canParse(origin) && new URL(origin).host === host
}
