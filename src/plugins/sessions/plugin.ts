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
  readProperty,
  Refusal,
} from '../../extend.ts'
import { forbidden, type Verifier, verifier } from '../../index.ts'
import { isStore, type Store } from '../stores/index.ts'
import { createCookieStorage, createStoreStorage, type SessionStorage } from './session-storage.ts'
import { SESSION_FORM, type SessionScheme, type CreateSessionSteps, SESSION_CHANGE, type SessionChange } from './session.ts'

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

const SECRET_FORM = form.custom(
  'a secret of at least 32 characters',
  (value) => typeof value === 'string' && value.length >= 32,
)
const FIELDS: form.Fields<SessionsOptions> = {
  store: form.custom('a store, such as memoryStore()', isStore),
  secrets: form.list(SECRET_FORM),
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
const MAX_COOKIE_LENGTH = 4096

/** Stores the sessions of a scheme; throws a TypeError for invalid settings. */
export function sessions<P>(scheme: SessionScheme<P>, options: SessionsOptions): Sessions {
  const settings = form.validateSettings('sessions', options, FIELDS)
  refuseInvalidSettings(scheme, settings)
  const { data } = scheme['~session']
  const keeping = guardStorage(createStorage(scheme, settings))
  return Object.freeze({
    verifier: verifier(scheme, async (value, { scopes }) => {
      const found = loadData(data, await keeping.find(value)) as P | undefined
      return found === undefined || hasScopes(found, scopes) ? found : forbidden
    }),
    plugin: {
      name: `sessions of ${scheme.name}`,
      enforce(policy): PolicySteps {
        const cookie = createCookieWriter(scheme, settings)
        return {
          ...(policy.settings as CreateSessionSteps)((given) => {
            const text = dumpData(data, given)
            refuseLongCookie(scheme.name, cookie.measureCookie(keeping.measureValue(text)))
            return text
          }),
          // While the needs of the action are open: a store that fails now takes the effect back.
          settle: createSessionStep(scheme, settings, keeping, cookie),
        }
      },
    } satisfies Plugin,
  })
}

const getLifetime = ({ lifetime = '12h' }: SessionsOptions): number => form.toMilliseconds(lifetime)

function createStorage({ name, '~session': { cookie } }: SessionScheme<unknown>, settings: SessionsOptions): SessionStorage {
  const { store, secrets = [] } = settings
  if (secrets.length === 0) return createStoreStorage(store as Store, getLifetime(settings))
  return createCookieStorage(secrets, `${name} in ${cookie}`, getLifetime(settings), store)
}

/** Writes the cookies of sessions. */
interface CookieWriter {
  /** The text of a cookie with a value, which browsers keep for some seconds. */
  formatCookie(value: string, seconds: number): string
  /** The length of a cookie whose value has a length; more than `MOST` is too much. */
  measureCookie(length: number): number
}

function createCookieWriter({ '~session': { cookie } }: SessionScheme<unknown>, settings: SessionsOptions): CookieWriter {
  const { secure = true, sameSite = 'lax' } = settings
  const flags = `Path=/; HttpOnly${secure ? '; Secure' : ''}; SameSite=${SAME_SITE_VALUES[sameSite]}`
  const text = (value: string, seconds: number): string => `${cookie}=${value}; Max-Age=${seconds}; ${flags}`
  const around = text('', getLifetime(settings) / 1000).length
  return { formatCookie: text, measureCookie: (length) => around + length }
}

/** Makes the step of an action that begins or ends a session. */
function createSessionStep(
  { '~session': { cookie } }: SessionScheme<unknown>,
  settings: SessionsOptions,
  keeping: SessionStorage,
  { formatCookie: text }: CookieWriter,
): (response: OutgoingResponse, request: PolicyRequest) => void | Promise<void> {
  const write = async (response: OutgoingResponse, request: PolicyRequest, wanted: SessionChange): Promise<void> => {
    // An earlier session of the request ends here: its id never becomes that of another client.
    for (const value of readCookies(request, cookie)) await keeping.end(value)
    const value = wanted === 'end' ? '' : await keeping.begin(wanted.data)
    response.append('Set-Cookie', text(value, wanted === 'end' ? 0 : getLifetime(settings) / 1000))
  }
  return (response, request) => {
    const wanted = request.state[SESSION_CHANGE] as SessionChange | undefined
    return wanted === undefined || response.status >= 400 ? undefined : write(response, request, wanted)
  }
}

const SAME_SITE_VALUES = { strict: 'Strict', lax: 'Lax', none: 'None' } as const

function refuseInvalidSettings(scheme: unknown, { store, secrets = [], secure = true, sameSite }: SessionsOptions): void {
  const [flaw] = SESSION_FORM.check(scheme)
  if (flaw !== undefined) throw new TypeError(`sessions: the scheme: ${flaw.problem}: ${flaw.remedy}`)
  if (store === undefined && secrets.length === 0)
    throw new TypeError('sessions: they have no storage: give a store, or secrets for cookies')
  const { cookie } = (scheme as SessionScheme<unknown>)['~session']
  if (secure || !(cookie.startsWith('__') || sameSite === 'none')) return
  const remedy = 'leave secure out, or choose another name and SameSite'
  throw new TypeError(`sessions: browsers refuse the cookie '${cookie}' without Secure: ${remedy}`)
}

/** Failures of a store are no failures of the request. */
function guardStorage(keeping: SessionStorage): SessionStorage {
  const safe = async <T>(work: Promise<T>): Promise<T> =>
    work.catch((cause: unknown) => {
      throw new Refusal({ code: 'unavailable', headers: { 'Retry-After': '1' } }, { cause })
    })
  return {
    measureValue: (data) => keeping.measureValue(data),
    begin: (data) => safe(keeping.begin(data)),
    find: (value) => safe(keeping.find(value)),
    end: (value) => safe(keeping.end(value)),
  }
}

// A session has the scopes that its data lists.
function hasScopes(data: unknown, wanted: readonly string[]): boolean {
  const given = readProperty(data, 'scopes')
  return wanted.every((one) => Array.isArray(given) && given.includes(one))
}

// Known when the action calls `start`, which is before its effect is settled: browsers would drop the cookie.
function refuseLongCookie(name: string, length: number): void {
  if (length <= MAX_COOKIE_LENGTH) return
  const remedy = `keep less in it, or give sessions(…) a store in place of secrets`
  throw new RangeError(
    `session.start: the cookie of ${name} has ${length} characters, and browsers keep ${MAX_COOKIE_LENGTH}: ${remedy}`,
  )
}

type SessionData = SessionScheme<unknown>['~session']['data']

function dumpData(attribute: SessionData, value: unknown): string {
  const dumping = new Dumping(true)
  const data = attribute.core.dumper(value, dumping)
  const issue = dumping.issues?.[0]
  if (data === INVALID || issue !== undefined)
    throw new TypeError(
      `session.start: the data does not fit its declaration: ${issue?.pointer ?? ''} ${issue?.message ?? ''}`,
    )
  return JSON.stringify(data)
}

// A session from before a change of its declaration is none.
function loadData(attribute: SessionData, text: string | undefined): unknown {
  if (text === undefined) return undefined
  const loading = new Loading(false)
  const value = attribute.core.loader(JSON.parse(text), loading)
  return value === INVALID || loading.issues !== null ? undefined : value
}

function readCookies({ headers }: PolicyRequest, name: string): string[] {
  const sent = headers['cookie']
  return (typeof sent === 'string' ? sent : '').split(';').flatMap((pair) => {
    const at = pair.indexOf('=')
    return at > 0 && pair.slice(0, at).trim() === name ? [pair.slice(at + 1).trim()] : []
  })
}
