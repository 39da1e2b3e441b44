// Lists the declared headers of an action: those that clients may send, and those that pages may read.

import type { ResolvedAction } from '../../extend.ts'
import { attributeRules } from '../../extend.ts'

/** Lists the headers that requests to an action may carry, in addition to those that browsers always allow. */
export function listRequestHeaders(action: ResolvedAction): readonly string[] {
  const { headers, payload, policies, endpoint, routes } = action
  const hasBody = payload !== undefined || routes.some(({ params }) => params === 'body')
  return [
    ...(hasBody ? ['Content-Type'] : []),
    ...(endpoint.version === undefined ? [] : ['X-Api-Version']),
    ...Object.keys(headers),
    ...[...policies.values()].flatMap(({ readsHeaders = [] }) => readsHeaders),
    // Cookies are the browser's own.
  ].filter((name) => name.toLowerCase() !== 'cookie')
}

/** Lists the headers that responses of an action may have. */
export function listResponseHeaders(action: ResolvedAction): readonly string[] {
  const responses = [...action.responses.values()]
  const policies = [...action.policies.values()]
  return [
    ...responses.flatMap(({ headers }) => headers.map(([name]) => name)),
    ...(responses.some(({ status, location }) => location !== undefined || hasLocation(status)) ? ['Location'] : []),
    ...(action.routes.some(({ verb }) => verb === 'QUERY') ? ['Accept-Query'] : []),
    ...Object.values(action.params).flatMap(({ core }) => Object.keys(attributeRules.getResponseHeaders({ core }))),
    ...policies.flatMap(({ documentedHeaders: sends = {} }) => Object.keys(sends)),
    ...policies.flatMap(({ responseHeaders = [] }) => responseHeaders.filter((_, i) => i % 2 === 0)),
    ...policies.flatMap(({ responses: declared = [] }) => declared.flatMap(({ headers = [] }) => headers)),
  ]
}

const hasLocation = (status: number): boolean => status === 201 || status === 202 || (status >= 300 && status < 400)

/** Response headers that pages may always read (Fetch, section 4.6.2), and `Vary`, which only concerns caches. */
const SAFELISTED_HEADERS = new Set([
  ...['cache-control', 'content-language', 'content-length', 'content-type', 'expires', 'last-modified', 'pragma'],
  'vary',
])

/** Joins header names, without duplicates regardless of case. */
export function joinHeaderNames(names: readonly string[]): string {
  const known = new Map(names.map((name) => [name.toLowerCase(), name]))
  return [...known.values()].join(', ')
}

/** Joins header names without those that pages may always read. */
export const joinExposedNames = (names: readonly string[]): string =>
  joinHeaderNames(names.filter((name) => !SAFELISTED_HEADERS.has(name.toLowerCase())))
