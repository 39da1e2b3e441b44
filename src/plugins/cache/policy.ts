// The policy `cacheControl`: the `Cache-Control` header of successful responses, built at boot.
import { type form, type Policy, type PolicyTarget, policy, type Report } from '../../extend.ts'

/** The directives of `Cache-Control`; durations are in seconds. */
export interface CacheOptions {
  /**
   * Whether shared caches may store the response.
   * @default `'private'` if the action requires credentials; otherwise caches decide by their rules
   */
  readonly visibility?: 'public' | 'private'
  /** The time for which the response is fresh. */
  readonly maxAge?: number
  /** The time for which the response is fresh in a shared cache. */
  readonly sharedMaxAge?: number
  /** The time for which a stale response may be used while it is revalidated. */
  readonly staleWhileRevalidate?: number
  /** The time for which a stale response may be used if the server fails. */
  readonly staleIfError?: number
  /**
   * Whether caches must revalidate before each use; see [conditional requests](conditional.md).
   * @default `false`
   */
  readonly noCache?: boolean
  /**
   * Whether caches must not store the response.
   * @default `false`
   */
  readonly noStore?: boolean
  /**
   * Whether intermediaries must not change the body, for example compress it.
   * @default `false`
   */
  readonly noTransform?: boolean
  /**
   * Whether a stale response must not be used without revalidation.
   * @default `false`
   */
  readonly mustRevalidate?: boolean
  /**
   * Whether the response never changes while it is fresh.
   * @default `false`
   */
  readonly immutable?: boolean
}

const createFields = ({ choice, integerFrom, flag }: typeof form): form.Fields<CacheOptions> => ({
  visibility: choice('public', 'private'),
  maxAge: integerFrom(0),
  sharedMaxAge: integerFrom(0),
  staleWhileRevalidate: integerFrom(0),
  staleIfError: integerFrom(0),
  noCache: flag,
  noStore: flag,
  noTransform: flag,
  mustRevalidate: flag,
  immutable: flag,
})

/** The directives, in the order of the header. */
const DIRECTIVES: readonly (readonly [option: keyof CacheOptions, directive: string])[] = [
  ['noStore', 'no-store'],
  ['noCache', 'no-cache'],
  ['maxAge', 'max-age'],
  ['sharedMaxAge', 's-maxage'],
  ['staleWhileRevalidate', 'stale-while-revalidate'],
  ['staleIfError', 'stale-if-error'],
  ['mustRevalidate', 'must-revalidate'],
  ['immutable', 'immutable'],
  ['noTransform', 'no-transform'],
]

/** Sets `Cache-Control` of successful GET, HEAD and QUERY responses; `'no-store'` is short for `{ noStore: true }`. */
export function cacheControl(options: CacheOptions | 'no-store'): Policy {
  const settings = options === 'no-store' ? { noStore: true } : options
  const check: Policy['check'] = (_, report, forms) => {
    const { value, flaws } = forms.accept<CacheOptions>(settings, createFields(forms))
    for (const { at, problem, remedy } of flaws) report(POINTER + at, problem, remedy)
    if (flaws.length === 0) checkCombination(value, report)
  }
  const base = { name: 'cache-control', check }
  // Boot reports options of a wrong type.
  return policy({ ...base, inAction: (target) => policy({ ...base, ...buildPolicyParts({ ...settings }, target) }) })
}

const POINTER = 'policies.cache-control'

function checkCombination(options: CacheOptions, report: Report): void {
  const named = Object.entries(options).filter(([, value]) => value !== undefined && value !== false)
  if (named.length === 0) report(POINTER, 'it has no directive', 'give maxAge, noCache or noStore')
  const conflicting = named.filter(([name]) => name !== 'noStore' && name !== 'visibility' && name !== 'noTransform')
  if (options.noStore === true && conflicting.length > 0)
    report(
      POINTER,
      `noStore leaves nothing for ${conflicting.map(([name]) => name).join(', ')} to mean`,
      'keep one of them',
    )
  if (options.visibility === 'private' && options.sharedMaxAge !== undefined)
    report(POINTER, 'sharedMaxAge is for shared caches, and the response is private', 'use maxAge')
}

function buildPolicyParts(options: CacheOptions, target: PolicyTarget): Pick<Policy, 'successHeaders' | 'terms'> {
  if (!target.verbs.some((verb) => verb === 'GET' || verb === 'HEAD' || verb === 'QUERY' || verb === 'ANY')) return {}
  const visibility = options.visibility ?? (isPersonal(target) && options.noStore !== true ? 'private' : undefined)
  const directives = DIRECTIVES.flatMap(([option, directive]) => {
    const value = options[option]
    if (value === undefined || value === false) return []
    return [value === true ? directive : `${directive}=${value}`]
  })
  const text = [...(visibility === undefined ? [] : [visibility]), ...directives].join(', ')
  return text === '' ? {} : { successHeaders: ['Cache-Control', text], terms: { caches: { info: text } } }
}

// A policy that sets `Cache-Control` on every response indicates that responses differ by client, as security does.
const isPersonal = ({ policies, headers }: PolicyTarget): boolean =>
  [...policies.values()].some(({ responseHeaders = [] }) => responseHeaders.includes('Cache-Control')) ||
  headers.some((name) => /^(?:authorization|cookie)$/i.test(name))
