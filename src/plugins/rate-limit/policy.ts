// The policy `rateLimit`: the number of requests, the window, and the requests that count together.
import { type Policy, type PolicyResponse, policy, type ResponseHeader } from '../../extend.ts'
import { codes } from './codes.ts'
import { type RateLimit, type ResolvedLimit, resolveLimit } from './limit-settings.ts'

/** Formats a limit for the `RateLimit-Policy` header. */
export const formatPolicy = ({ name, limit, seconds }: Omit<ResolvedLimit, 'by'>): string =>
  `"${name}";q=${limit};w=${seconds}`

const RESPONSE_HEADERS: Readonly<Record<string, ResponseHeader>> = {
  RateLimit: {
    description: 'The remaining requests, and the seconds until the limit resets.',
    schema: { type: 'string', examples: ['"default";r=99;t=60'] },
  },
  'RateLimit-Policy': {
    description: 'The limits: requests per window in seconds.',
    schema: { type: 'string', examples: ['"default";q=100;w=60'] },
  },
}

const RESPONSES: readonly PolicyResponse[] = [
  { ...codes.failures['rate-limited'], headers: ['Retry-After'] },
  { status: 503, code: 'unavailable', title: 'The server is currently unavailable', headers: ['Retry-After'] },
]

/**
 * Limits the number of calls of an action. Actions that share one policy value count together. The plugin `rateLimits`
 * enforces it.
 */
export function rateLimit(declaration: RateLimit): Policy {
  const { name, limit, by, seconds, ...checked } = resolveLimit(declaration)
  const countedBy = typeof by === 'function' ? 'key' : by
  return policy({
    name: name === 'default' ? 'rate-limit' : `rate-limit-${name}`,
    plugin: 'rate-limit',
    // A function may count by any part of the request.
    readsSecrets: true,
    remedy: "add rateLimits(store) of edict/rate-limit to the application's plugins",
    settings: { name, limit, seconds, by } satisfies ResolvedLimit,
    responses: RESPONSES,
    documentedHeaders: RESPONSE_HEADERS,
    // Prepared headers have one value for each name, so further limits append theirs to the response.
    ...(name === 'default' && { responseHeaders: ['RateLimit-Policy', formatPolicy({ name, limit, seconds })] }),
    ...checked,
    document: () => ({
      [name === 'default' ? 'x-rate-limit' : `x-rate-limit-${name}`]: { limit, seconds, by: countedBy },
    }),
    terms: { limit: { most: limit }, seconds: { means: seconds }, by: { means: countedBy } },
  })
}
