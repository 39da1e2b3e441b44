// The plugin: answers preflights from declarations, and lets pages of allowed origins read every answer.
import {
  form,
  type IncomingRequest,
  isThenable,
  type OutgoingResponse,
  type Plugin,
  Refusal,
  type ResolvedAction,
  reportFlaws,
} from '../../extend.ts'
import { ActionResponse } from '../../index.ts'
import { exposed, listed, readable, sendable } from './declared.ts'
import { checkOrigins, decide, isOrigin, ORIGINS, type Origins, originCheck } from './origins.ts'

/** Options of the plugin `cors`. */
export interface CorsOptions {
  /** Origins whose pages may read responses: texts and patterns of whole origins, a function, or `'*'` for all. */
  readonly origins: Origins
  /**
   * Whether pages may send cookies and other credentials of the browser; not with `'*'`.
   * @default `false`
   */
  readonly credentials?: boolean
  /**
   * Seconds for which browsers may cache a preflight.
   * @default 600
   */
  readonly maxAge?: number
  /**
   * Names of headers that pages may send beside the declared ones.
   * @default none
   */
  readonly headers?: readonly string[]
  /**
   * Names of headers that pages may read beside the declared ones.
   * @default none
   */
  readonly expose?: readonly string[]
}

const NAME = form.tested(
  'the name of a header',
  (value) => typeof value === 'string' && /^[\w!#$%&'*+.^`|~-]+$/.test(value),
)

const FIELDS: form.Fields<CorsOptions> = {
  origins: form.required(ORIGINS),
  credentials: form.flag,
  maxAge: form.whole(0),
  headers: form.list(NAME),
  expose: form.list(NAME),
}

/** Headers that requests and answers may have whatever their action declares. */
const SENT = ['X-Request-Id']
const ALWAYS = ['Allow', 'Retry-After', 'X-Request-Id']

const VARY = ['Access-Control-Request-Method', 'Access-Control-Request-Headers']

/** Lets pages of other origins call the API; methods and headers follow from the declarations. */
export function cors(options: CorsOptions): Plugin {
  const { value, flaws } = form.accept(options, FIELDS)
  const { origins = [] as Origins, credentials = false, maxAge = 600 } = value
  const isAllowed = originCheck(origins)
  const open = origins === '*'
  const known = exposedBy([...ALWAYS, ...(value.expose ?? [])])
  return Object.freeze({
    name: 'cors',
    ...(!open && { answerHeaders: ['Vary', 'Origin'] }),
    checkOptions(report) {
      reportFlaws('cors', flaws, report)
      if (flaws.length > 0) return
      checkOrigins(origins, report)
      if (open && credentials)
        report('cors.credentials', "browsers refuse credentials with origins: '*'", 'name the origins')
    },
    arrival(request) {
      const { origin, 'access-control-request-method': method } = request.headers
      if (origin === undefined) return
      if (!isOrigin(origin)) throw Refusal.ofHeaders([MALFORMED])
      if (request.method !== 'OPTIONS' || typeof method !== 'string') return
      request.state[DECIDED] = decide(isAllowed, origin, request)
      return judged(request.state[DECIDED] as boolean | Promise<boolean>, (yes) =>
        yes ? preflight(request, method, { maxAge, headers: value.headers ?? [] }) : undefined,
      )
    },
    answer(response, request) {
      const { origin } = request.headers
      // Of a request that could not be read, the origin may be unknown.
      if (origin === undefined) return open && request.method === '' ? allow(response, '*', false) : undefined
      if (!isOrigin(origin)) return
      const decided = request.method === 'OPTIONS' ? request.state[DECIDED] : undefined
      return judged((decided as boolean | undefined) ?? decide(isAllowed, origin, request), (allowed) => {
        if (!allowed) return
        allow(response, open ? '*' : origin, credentials)
        response.set('Access-Control-Expose-Headers', known(request.declaration))
      })
    },
  } satisfies Plugin)
}

function allow(response: OutgoingResponse, origin: string, credentials: boolean): void {
  response.set('Access-Control-Allow-Origin', origin)
  if (credentials) response.set('Access-Control-Allow-Credentials', 'true')
}

const MALFORMED = {
  pointer: '/Origin',
  code: 'format',
  detail: { expected: 'one origin, such as https://shop.example', kind: 'origin' },
} as const

/** Where the decision about a preflight is kept for its answer. */
const DECIDED = Symbol('cors')

function judged<R>(allowed: boolean | Promise<boolean>, then: (allowed: boolean) => R): R | Promise<R> {
  return isThenable(allowed) ? (allowed as Promise<boolean>).then(then) : then(allowed as boolean)
}

/** The headers of an action's answers that pages may read, computed once for each action. */
function exposedBy(always: readonly string[]): (action: ResolvedAction | undefined) => string {
  const made = new WeakMap<ResolvedAction, string>()
  const unrouted = exposed(always)
  return (action) => {
    if (action === undefined) return unrouted
    const list = made.get(action) ?? exposed([...always, ...readable(action)])
    made.set(action, list)
    return list
  }
}

/** The answer to a preflight: what the actions of the path take; `answer` adds who may ask. */
function preflight(
  request: IncomingRequest,
  method: string,
  { maxAge, headers }: { readonly maxAge: number; readonly headers: readonly string[] },
): ActionResponse {
  const reachable = request.reachable(method)
  const verbs = new Set(reachable.map(([verb]) => verb))
  if (verbs.has('GET')) verbs.add('HEAD')
  const allow = [...verbs, 'OPTIONS'].join(', ')
  // Where there is no action, nothing can happen: the page is to see the 404.
  if (verbs.size === 0 && TOKEN.test(method)) verbs.add(method)
  const asked = reachable.filter(([verb]) => verb === method)
  const names = [...SENT, ...asked.flatMap(([, action]) => sendable(action)), ...headers]
  const sent = reachable.length > 0 ? '' : String(request.headers['access-control-request-headers'] ?? '')
  return new ActionResponse('noContent', 204, {
    headers: {
      Allow: allow,
      'Access-Control-Allow-Methods': [...verbs].join(', '),
      'Access-Control-Allow-Headers': listed([...names, ...sent.split(/[\s,]+/).filter((name) => TOKEN.test(name))]),
      'Access-Control-Max-Age': String(maxAge),
      Vary: VARY,
    },
  })
}

const TOKEN = /^[\w!#$%&'*+.^`|~-]+$/
