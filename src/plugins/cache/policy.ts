// The policy `cacheControl`: the header Cache-Control of an action's successes, known at boot and part of their prepared heads.
import { type form, type Policy, type PolicyTarget, policy, type Report } from '../../extend.ts'

/** The directives of `Cache-Control` for an answer; times are in seconds. */
export interface CacheOptions {
  /**
   * Whether shared caches may store the response.
   * @default `'private'` where the action asks for credentials; else caches decide by their rules
   */
  readonly visibility?: 'public' | 'private'
  /** How long the response stays fresh. */
  readonly maxAge?: number
  /** How long it stays fresh in a shared cache. */
  readonly sharedMaxAge?: number
  /** How long a stale response may be used while it is revalidated. */
  readonly staleWhileRevalidate?: number
  /** How long a stale response may be used if the server fails. */
  readonly staleIfError?: number
  /**
   * Whether caches ask before each use; see [conditional requests](conditional.md).
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

const createFields = ({ choice, integerFrom: whole, flag }: typeof form): form.Fields<CacheOptions> => ({
  visibility: choice('public', 'private'),
  maxAge: whole(0),
  sharedMaxAge: whole(0),
  staleWhileRevalidate: whole(0),
  staleIfError: whole(0),
  noCache: flag,
  noStore: flag,
  noTransform: flag,
  mustRevalidate: flag,
  immutable: flag,
})

/** The directives, in the order in which they are written. */
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
  const given = options === 'no-store' ? { noStore: true } : options
  const check: Policy['check'] = (_, report, forms) => {
    const { value, flaws } = forms.accept<CacheOptions>(given, createFields(forms))
    for (const { at, problem, remedy } of flaws) report(POINTER + at, problem, remedy)
    if (flaws.length === 0) checkCombination(value, report)
  }
  const base = { name: 'cache-control', check }
  // Boot reports options of a wrong type.
  return policy({ ...base, inAction: (place) => policy({ ...base, ...buildPolicyParts({ ...given }, place) }) })
}

const POINTER = 'policies.cache-control'

function checkCombination(given: CacheOptions, report: Report): void {
  const named = Object.entries(given).filter(([, value]) => value !== undefined && value !== false)
  if (named.length === 0) report(POINTER, 'it has no directive', 'give maxAge, noCache or noStore')
  const kept = named.filter(([name]) => name !== 'noStore' && name !== 'visibility' && name !== 'noTransform')
  if (given.noStore === true && kept.length > 0)
    report(POINTER, `noStore leaves nothing for ${kept.map(([name]) => name).join(', ')} to mean`, 'keep one of them')
  if (given.visibility === 'private' && given.sharedMaxAge !== undefined)
    report(POINTER, 'sharedMaxAge is for shared caches, and the response is private', 'use maxAge')
}

function buildPolicyParts(given: CacheOptions, place: PolicyTarget): Pick<Policy, 'successHeaders' | 'terms'> {
  if (!place.verbs.some((verb) => verb === 'GET' || verb === 'HEAD' || verb === 'QUERY' || verb === 'ANY')) return {}
  const visibility = given.visibility ?? (isPersonal(place) && given.noStore !== true ? 'private' : undefined)
  const directives = DIRECTIVES.flatMap(([option, directive]) => {
    const value = given[option]
    if (value === undefined || value === false) return []
    return [value === true ? directive : `${directive}=${value}`]
  })
  const text = [...(visibility === undefined ? [] : [visibility]), ...directives].join(', ')
  return text === '' ? {} : { successHeaders: ['Cache-Control', text], terms: { caches: { tells: text } } }
}

// A policy that says something to caches says that answers differ from client to client, as security does.
const isPersonal = ({ policies, headers }: PolicyTarget): boolean =>
  [...policies.values()].some(({ responseHeaders: answerHeaders = [] }) => answerHeaders.includes('Cache-Control')) ||
  headers.some((name) => /^(?:authorization|cookie)$/i.test(name))
