// The settings of the policy `rateLimit`, resolved. Front ends have `limit-settings.browser.ts` in its place.
import { form, type Policy, type PolicyRequest, reportFlaws } from '../../extend.ts'

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

/** Resolves a declaration, and stores its mistakes for boot. */
export function resolveLimit(declaration: RateLimit): ResolvedLimit & Pick<Policy, 'check'> {
  const { value, flaws } = form.accept<RateLimit>(declaration, FIELDS)
  const { name = 'default', limit = 1, by = 'address' } = value as Partial<RateLimit>
  const check: Policy['check'] = (_, report) => reportFlaws('policies.rateLimit', flaws, report)
  return { name, limit, by, seconds: form.toMilliseconds(value.per) / 1000, check }
}
