// The policy `rateLimit`: the number of requests, the window, and the requests that count together.
import {
  form,
  type Late,
  type Policy,
  type PolicyRequest,
  type PolicyResponse,
  policy,
  type ResponseHeader,
  reportFlaws,
} from '../../extend.ts'
import { codes } from './codes.ts'

/** The requests that count together. */
export type CountedBy = 'principal' | 'address' | ((request: PolicyRequest) => string | undefined)

/** The declaration of a limit. */
export interface RateLimit {
  /** The maximum number of requests in the window. */
  readonly limit: number
  /** The window, in whole seconds: `'30s'`, `'1m'`, `'1h'`. It starts with the first request. */
  readonly per: form.Duration
  /** The requests that count together: of one `'principal'`, of one `'address'`, or with the same result of a function. */
  readonly by: CountedBy
  /**
   * The name in the headers `RateLimit` and `RateLimit-Policy`; an action has one limit of each name.
   * @default `'default'`
   */
  readonly name?: string
}

const NAME_PATTERN = /^[a-z][a-z0-9-]*$/
const FIELDS: form.Fields<RateLimit> = {
  limit: form.required(form.integerFrom(1)),
  per: form.required(form.duration(1000, true)),
  by: form.required(form.either(form.choice('principal', 'address'), form.callable)),
  name: form.custom(
    'a name of lower-case letters, digits and -',
    (value) => typeof value === 'string' && NAME_PATTERN.test(value),
  ),
}

/** A resolved limit. */
export interface ResolvedLimit {
  readonly name: string
  readonly limit: number
  readonly seconds: number
  readonly by: CountedBy
}

/** Resolves a declaration on servers; clients do not need it. */
export const limitResolver: Late<(declaration: RateLimit) => ResolvedLimit & Pick<Policy, 'check'>> = {}

/** Resolves a declaration, and stores its mistakes for boot. */
export function resolveLimit(declaration: RateLimit): ResolvedLimit & Pick<Policy, 'check'> {
  const { value, flaws } = form.accept<RateLimit>(declaration, FIELDS)
  const { name = 'default', limit = 1, by = 'address' } = value as Partial<RateLimit>
  const check: Policy['check'] = (_, report) => reportFlaws('policies.rateLimit', flaws, report)
  return { name, limit, by, seconds: form.toMilliseconds(value.per) / 1000, check }
}

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
  const resolved = limitResolver.value?.(declaration) ?? {
    name: 'default',
    limit: declaration.limit,
    by: declaration.by,
    seconds: 0,
  }
  const { name, limit, by, seconds, ...checked } = resolved
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
