// Sessions at run time: the verifier reads them, the plugin begins and ends them and writes their cookies.
import {
  Dumping,
  form,
  INVALID,
  Loading,
  type OutgoingResponse,
  type Plugin,
  type PolicyRequest,
  type PolicySteps,
  property,
  Refusal,
} from '../../extend.ts'
import { forbidden, type Verifier, verifier } from '../../index.ts'
import { isStore, type Store } from '../stores/index.ts'
import { inCookie, inStore, type Keeping } from './keeping.ts'
import { SESSION, type SessionScheme, WANTED, type Wanted } from './session.ts'

/** The storage and lifetime of sessions; needs `store` or `secrets`. */
export interface SessionsOptions {
  /**
   * Stores sessions by a random id. With `secrets` it remembers only sessions that ended early.
   * @default none: sessions are in their cookies
   */
  readonly store?: Store
  /**
   * Secrets of at least 32 characters: the first encrypts cookies, all decrypt. To rotate, put the new one first.
   * @default none: sessions are in the store
   */
  readonly secrets?: readonly string[]
  /**
   * How long a session lasts from its start.
   * @default `'12h'`
   */
  readonly lifetime?: form.Duration
  /**
   * Which requests of other sites carry the cookie: none with `'strict'`, links with `'lax'`, all with `'none'`.
   * @default `'lax'`
   */
  readonly sameSite?: 'strict' | 'lax' | 'none'
  /**
   * Whether browsers send the cookie over TLS only; `false` is for tests, and for names without `__Host-`.
   * @default `true`
   */
  readonly secure?: boolean
}

const SECRET = form.tested(
  'a secret of at least 32 characters',
  (value) => typeof value === 'string' && value.length >= 32,
)
const FIELDS: form.Fields<SessionsOptions> = {
  store: form.tested('a store, such as memoryStore()', isStore),
  secrets: form.list(SECRET),
  lifetime: form.duration(1000, true),
  sameSite: form.choice('strict', 'lax', 'none'),
  secure: form.flag,
}

/** The two parts of sessions, for `verifiers` and `plugins` of an application. */
export interface Sessions {
  readonly verifier: Verifier
  readonly plugin: Plugin
}

/** The longest cookie that browsers keep, its name and attributes included. */
const MOST = 4096

/** Stores the sessions of a scheme; throws a TypeError for invalid settings. */
export function sessions<P>(scheme: SessionScheme<P>, options: SessionsOptions): Sessions {
  const settings = form.settled('sessions', options, FIELDS)
  refuse(scheme, settings)
  const { data } = scheme['~session']
  const keeping = guarded(keepingOf(scheme, settings))
  return Object.freeze({
    verifier: verifier(scheme, async (value, { scopes }) => {
      const found = loaded(data, await keeping.find(value)) as P | undefined
      return found === undefined || grants(found, scopes) ? found : forbidden
    }),
    plugin: {
      name: `sessions of ${scheme.name}`,
      enforce: (policy): PolicySteps => ({
        ...(policy.settings as PolicySteps),
        answer: writer(scheme, settings, keeping),
      }),
    } satisfies Plugin,
  })
}

const lengthOf = ({ lifetime = '12h' }: SessionsOptions): number => form.milliseconds(lifetime)

function keepingOf({ name, '~session': { cookie } }: SessionScheme<unknown>, settings: SessionsOptions): Keeping {
  const { store, secrets = [] } = settings
  if (secrets.length === 0) return inStore(store as Store, lengthOf(settings))
  return inCookie(secrets, `${name} in ${cookie}`, lengthOf(settings), store)
}

/** Makes the last step of an action that begins or ends a session. */
function writer(
  { '~session': { cookie, data } }: SessionScheme<unknown>,
  settings: SessionsOptions,
  keeping: Keeping,
): (response: OutgoingResponse, request: PolicyRequest) => Promise<void> {
  const { secure = true, sameSite = 'lax' } = settings
  const flags = `Path=/; HttpOnly${secure ? '; Secure' : ''}; SameSite=${SITES[sameSite]}`
  const set = (response: OutgoingResponse, value: string, seconds: number): void => {
    const text = `${cookie}=${value}; Max-Age=${seconds}; ${flags}`
    if (text.length > MOST)
      throw new RangeError(`A session of ${text.length} characters is no cookie; keep it in a store`)
    response.append('Set-Cookie', text)
  }
  return async (response, request) => {
    const wanted = request.state[WANTED] as Wanted | undefined
    if (wanted === undefined || response.status >= 400) return
    // An earlier session of the request ends here: its id never becomes that of another client.
    for (const value of cookiesOf(request, cookie)) await keeping.end(value)
    if (wanted === 'end') return set(response, '', 0)
    set(response, await keeping.begin(dumped(data, wanted.data)), lengthOf(settings) / 1000)
  }
}

const SITES = { strict: 'Strict', lax: 'Lax', none: 'None' } as const

function refuse(scheme: unknown, { store, secrets = [], secure = true, sameSite }: SessionsOptions): void {
  const [flaw] = SESSION.check(scheme)
  if (flaw !== undefined) throw new TypeError(`sessions: the scheme: ${flaw.problem}: ${flaw.remedy}`)
  if (store === undefined && secrets.length === 0)
    throw new TypeError('sessions: they have no storage: give a store, or secrets for cookies')
  const { cookie } = (scheme as SessionScheme<unknown>)['~session']
  if (secure || !(cookie.startsWith('__') || sameSite === 'none')) return
  const remedy = 'leave secure out, or choose another name and SameSite'
  throw new TypeError(`sessions: browsers refuse the cookie '${cookie}' without Secure: ${remedy}`)
}

/** Failures of a store are no failures of the request. */
function guarded(keeping: Keeping): Keeping {
  const safe = async <T>(work: Promise<T>): Promise<T> =>
    work.catch((cause: unknown) => {
      throw new Refusal({ code: 'unavailable', headers: { 'Retry-After': '1' } }, { cause })
    })
  return {
    begin: (data) => safe(keeping.begin(data)),
    find: (value) => safe(keeping.find(value)),
    end: (value) => safe(keeping.end(value)),
  }
}

// A session has the scopes that its data lists.
function grants(data: unknown, wanted: readonly string[]): boolean {
  const given = property(data, 'scopes')
  return wanted.every((one) => Array.isArray(given) && given.includes(one))
}

type Data = SessionScheme<unknown>['~session']['data']

function dumped(attribute: Data, value: unknown): string {
  const dumping = new Dumping(true)
  const data = attribute.core.dumper(value, dumping)
  const issue = dumping.issues?.[0]
  if (data === INVALID || issue !== undefined)
    throw new TypeError(
      `The data of a session does not fit its declaration: ${issue?.pointer ?? ''} ${issue?.message ?? ''}`,
    )
  return JSON.stringify(data)
}

// A session from before a change of its declaration is none.
function loaded(attribute: Data, text: string | undefined): unknown {
  if (text === undefined) return undefined
  const loading = new Loading(false)
  const value = attribute.core.loader(JSON.parse(text), loading)
  return value === INVALID || loading.issues !== null ? undefined : value
}

function cookiesOf({ headers }: PolicyRequest, name: string): string[] {
  const sent = headers['cookie']
  return (typeof sent === 'string' ? sent : '').split(';').flatMap((pair) => {
    const at = pair.indexOf('=')
    return at > 0 && pair.slice(0, at).trim() === name ? [pair.slice(at + 1).trim()] : []
  })
}
