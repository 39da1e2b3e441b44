// The declaration of a limit: the number of requests, the window, and who counts together.
import {
  type ResponseHeader,
  form,
  type Late,
  type Policy,
  type PolicyRequest,
  type PolicyResponse,
  policy,
  reportFlaws,
} from '../../extend.ts'
import { codes } from './codes.ts'

/** The requests that count together. */
export type CountedBy = 'principal' | 'address' | ((request: PolicyRequest) => string | undefined)

/** A limit, as it is declared. */
export interface RateLimit {
  /** The most requests in the window. */
  readonly limit: number
  /** The window, in whole seconds: `'30s'`, `'1m'`, `'1h'`. It begins with the first request. */
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

/** A limit with all that is known of it before a request. */
export interface ResolvedLimit {
  readonly name: string
  readonly limit: number
  readonly seconds: number
  readonly by: CountedBy
}

/** Settles a declaration, on servers; clients need nothing of it. */
export const limitResolver: Late<(given: RateLimit) => ResolvedLimit & Pick<Policy, 'check'>> = {}

/** Settles a declaration, and keeps its mistakes for boot. */
export function resolveLimit(given: RateLimit): ResolvedLimit & Pick<Policy, 'check'> {
  const { value, flaws } = form.accept<RateLimit>(given, FIELDS)
  const { name = 'default', limit = 1, by = 'address' } = value as Partial<RateLimit>
  const check: Policy['check'] = (_, report) => reportFlaws('policies.rateLimit', flaws, report)
  return { name, limit, by, seconds: form.toMilliseconds(value.per) / 1000, check }
}

/** A limit as the header RateLimit-Policy has it. */
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
 * Limits how often an action is called. Actions that have one and the same value count together. The plugin `rateLimits`
 * enforces it.
 */
export function rateLimit(given: RateLimit): Policy {
  const settled = limitResolver.value?.(given) ?? { name: 'default', limit: given.limit, by: given.by, seconds: 0 }
  const { name, limit, by, seconds, ...checked } = settled
  const by_ = typeof by === 'function' ? 'key' : by
  return policy({
    name: name === 'default' ? 'rate-limit' : `rate-limit-${name}`,
    plugin: 'rate-limit',
    // The application counts by what it chooses.
    readsSecrets: true,
    remedy: "add rateLimits(store) of edict/rate-limit to the application's plugins",
    settings: { name, limit, seconds, by } satisfies ResolvedLimit,
    responses: RESPONSES,
    sends: RESPONSE_HEADERS,
    // A part of the prepared head, which has one header of each name: further limits add theirs to the answer.
    ...(name === 'default' && { responseHeaders: ['RateLimit-Policy', formatPolicy({ name, limit, seconds })] }),
    ...checked,
    document: () => ({ [name === 'default' ? 'x-rate-limit' : `x-rate-limit-${name}`]: { limit, seconds, by: by_ } }),
    terms: { limit: { most: limit }, seconds: { means: seconds }, by: { means: by_ } },
  })
}
