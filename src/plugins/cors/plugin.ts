// The plugin `cors`: responds to preflights from declarations, and allows pages of some origins to read responses.
import {
  form,
  type IncomingRequest,
  isThenable,
  memoize,
  type Plugin,
  Refusal,
  type ResolvedAction,
  reportFlaws,
} from '../../extend.ts'
import { ActionResponse } from '../../index.ts'
import { joinExposedNames, joinHeaderNames, listRequestHeaders, listResponseHeaders } from './declared-headers.ts'
import { checkOrigins, createOriginCheck, decideOrigin, isOrigin, ORIGINS_FORM, type Origins } from './origins.ts'

/** The options of `cors`. */
export interface CorsOptions {
  /** Origins whose pages may read responses: strings and patterns of complete origins, a function, or `'*'` for all. */
  readonly origins: Origins
  /**
   * Whether pages may send cookies and other credentials of the browser; not with `'*'`.
   * @default `false`
   */
  readonly credentials?: boolean
  /**
   * The time in seconds for which browsers may cache a preflight.
   * @default 600
   */
  readonly maxAge?: number
  /**
   * Names of headers that pages may send in addition to the declared ones.
   * @default none
   */
  readonly headers?: readonly string[]
  /**
   * Names of headers that pages may read in addition to the declared ones.
   * @default none
   */
  readonly expose?: readonly string[]
}

const HEADER_NAME = form.custom(
  'the name of a header',
  (value) => typeof value === 'string' && /^[\w!#$%&'*+.^`|~-]+$/.test(value),
)

const FIELDS: form.Fields<CorsOptions> = {
  origins: form.required(ORIGINS_FORM),
  credentials: form.flag,
  maxAge: form.integerFrom(0),
  headers: form.list(HEADER_NAME),
  expose: form.list(HEADER_NAME),
}

/** Headers that requests and responses may have regardless of declarations. */
const ALWAYS_ALLOWED = ['X-Request-Id']
const ALWAYS_EXPOSED = ['Allow', 'Retry-After', 'X-Request-Id']

const PREFLIGHT_VARY = ['Access-Control-Request-Method', 'Access-Control-Request-Headers']

/** Lets pages of other origins call the API; methods and headers follow from the declarations. */
export function cors(options: CorsOptions): Plugin {
  const { value, flaws } = form.accept(options, FIELDS)
  const { origins = [] as Origins, credentials = false, maxAge = 600 } = value
  const isAllowed = createOriginCheck(origins)
  const allowsAll = origins === '*'
  const getExposedHeaders = createExposedHeaders([...ALWAYS_EXPOSED, ...(value.expose ?? [])])
  return Object.freeze({
    name: 'cors',
    ...(!allowsAll && { responseHeaders: ['Vary', 'Origin'] }),
    checkOptions(report) {
      reportFlaws('cors', flaws, report)
      if (flaws.length > 0) return
      checkOrigins(origins, report)
      if (allowsAll && credentials)
        report('cors.credentials', "browsers refuse credentials with origins: '*'", 'name the origins')
    },
    arrival(request) {
      const { origin, 'access-control-request-method': method } = request.headers
      if (origin === undefined) return
      if (!isOrigin(origin)) throw Refusal.ofHeaders([MALFORMED_ORIGIN])
      if (request.method !== 'OPTIONS' || typeof method !== 'string') return
      request.state[DECISION] = decideOrigin(isAllowed, origin, request)
      return applyDecision(request.state[DECISION] as boolean | Promise<boolean>, (allowed) =>
        allowed ? createPreflight(request, method, { maxAge, headers: value.headers ?? [] }) : undefined,
      )
    },
    response(response, request) {
      const { origin } = request.headers
      // The origin of an unreadable request may be unknown.
      if (origin === undefined)
        return allowsAll && request.method === '' ? response.set('Access-Control-Allow-Origin', '*') : undefined
      if (!isOrigin(origin)) return
      const decided = request.method === 'OPTIONS' ? request.state[DECISION] : undefined
      return applyDecision((decided as boolean | undefined) ?? decideOrigin(isAllowed, origin, request), (allowed) => {
        if (!allowed) return
        response.set('Access-Control-Allow-Origin', allowsAll ? '*' : origin)
        if (credentials) response.set('Access-Control-Allow-Credentials', 'true')
        response.set('Access-Control-Expose-Headers', getExposedHeaders(request.declaration))
      })
    },
  } satisfies Plugin)
}

const MALFORMED_ORIGIN = {
  pointer: '/Origin',
  code: 'format',
  detail: { expected: 'one origin, such as https://shop.example', kind: 'origin' },
} as const

/** The key of the decision about a preflight in the state of its request. */
const DECISION = Symbol('cors')

function applyDecision<R>(allowed: boolean | Promise<boolean>, then: (allowed: boolean) => R): R | Promise<R> {
  return isThenable(allowed) ? (allowed as Promise<boolean>).then(then) : then(allowed as boolean)
}

/** Creates the function that lists the readable response headers of an action, computed once for each. */
function createExposedHeaders(always: readonly string[]): (action: ResolvedAction | undefined) => string {
  const unrouted = joinExposedNames(always)
  const listExposed = memoize((action: ResolvedAction) => joinExposedNames([...always, ...listResponseHeaders(action)]))
  return (action) => (action === undefined ? unrouted : listExposed(action))
}

/** Creates the response to a preflight from the actions of the path. The `response` hook adds the allowed origin. */
function createPreflight(
  request: IncomingRequest,
  method: string,
  { maxAge, headers }: { readonly maxAge: number; readonly headers: readonly string[] },
): ActionResponse {
  const reachable = request.reachable(method)
  const verbs = new Set(reachable.map(([verb]) => verb))
  if (verbs.has('GET')) verbs.add('HEAD')
  const allow = [...verbs, 'OPTIONS'].join(', ')
  // Without an action the method is allowed, so that the page sees the 404.
  if (verbs.size === 0 && TOKEN_PATTERN.test(method)) verbs.add(method)
  const requested = reachable.filter(([verb]) => verb === method)
  const names = [...ALWAYS_ALLOWED, ...requested.flatMap(([, action]) => listRequestHeaders(action)), ...headers]
  const requestedHeaders = reachable.length > 0 ? '' : String(request.headers['access-control-request-headers'] ?? '')
  return new ActionResponse('noContent', 204, {
    headers: {
      Allow: allow,
      'Access-Control-Allow-Methods': [...verbs].join(', '),
      'Access-Control-Allow-Headers': joinHeaderNames([
        ...names,
        ...requestedHeaders.split(/[\s,]+/).filter((name) => TOKEN_PATTERN.test(name)),
      ]),
      'Access-Control-Max-Age': String(maxAge),
      Vary: PREFLIGHT_VARY,
    },
  })
}

const TOKEN_PATTERN = /^[\w!#$%&'*+.^`|~-]+$/
