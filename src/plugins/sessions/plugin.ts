// Sessions at run time: the verifier reads them; the plugin starts and ends them and sets their cookies.
import {
  attributeRules,
  Dumping,
  form,
  INVALID,
  Loading,
  type OutgoingResponse,
  type Plugin,
  type PolicyRequest,
  type PolicySteps,
  Refusal,
  readCookies,
  readProperty,
} from '../../extend.ts'
import { forbidden, type Verifier, verifier } from '../../index.ts'
import { isStore, type Store } from '../stores/index.ts'
import {
  type CreateSessionSteps,
  SESSION_CHANGE,
  SESSION_FORM,
  type SessionChange,
  type SessionScheme,
} from './session.ts'
import { createCookieStorage, createStoreStorage, type SessionStorage } from './session-storage.ts'

/** The storage and lifetime of sessions; requires `store` or `secrets`. */
export interface SessionsOptions {
  /**
   * Stores sessions by a random id. With `secrets` it stores only sessions that were ended early.
   * @default none: sessions are in their cookies
   */
  readonly store?: Store
  /**
   * Secrets of at least 32 characters: the first encrypts cookies, all decrypt. To rotate, put the new one first.
   * @default none: sessions are in the store
   */
  readonly secrets?: readonly string[]
  /**
   * The lifetime of a session, from its start.
   * @default `'12h'`
   */
  readonly lifetime?: form.Duration
  /**
   * The SameSite rule of the cookie: with `'strict'` no requests from other sites carry it, with `'lax'` links do,
   * with `'none'` all do.
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

/** The longest cookie that browsers accept, including its name and attributes. */
const MAX_COOKIE_LENGTH = 4096

/** Creates the verifier and the plugin for the sessions of a scheme. Throws a TypeError for invalid options. */
export function sessions<P>(scheme: SessionScheme<P>, options: SessionsOptions): Sessions {
  const settings = form.validateSettings('sessions', options, FIELDS)
  refuseInvalidSettings(scheme, settings)
  const { data } = scheme['~session']
  const storage = guardStorage(createStorage(scheme, settings))
  return Object.freeze({
    verifier: verifier(scheme, async (value, { scopes }) => {
      const found = loadData(data, await storage.find(value)) as P | undefined
      return found === undefined || hasScopes(found, scopes) ? found : forbidden
    }),
    plugin: {
      name: `sessions of ${scheme.name}`,
      enforce(policy): PolicySteps {
        const cookie = createCookieWriter(scheme, settings)
        return {
          ...(policy.settings as CreateSessionSteps)((sessionData) => {
            const text = dumpData(data, sessionData)
            refuseLongCookie(scheme.name, cookie.measureCookie(storage.measureValue(text)))
            return text
          }),
          // Runs while the needs of the action are open, so that a failing store rolls back the effect.
          settle: createSessionStep(scheme, settings, storage, cookie),
        }
      },
    } satisfies Plugin,
  })
}

const getLifetime = ({ lifetime = '12h' }: SessionsOptions): number => form.toMilliseconds(lifetime)

function createStorage(
  { name, '~session': { cookie } }: SessionScheme<unknown>,
  settings: SessionsOptions,
): SessionStorage {
  const { store, secrets = [] } = settings
  if (secrets.length === 0) return createStoreStorage(store as Store, getLifetime(settings))
  return createCookieStorage(secrets, `${name} in ${cookie}`, getLifetime(settings), store)
}

/** Formats the cookies of sessions. */
interface CookieWriter {
  /** Formats a cookie with a value and a lifetime in seconds. */
  formatCookie(value: string, seconds: number): string
  /** Returns the length of a cookie from that of its value; `MAX_COOKIE_LENGTH` is the limit. */
  measureCookie(length: number): number
}

function createCookieWriter(
  { '~session': { cookie } }: SessionScheme<unknown>,
  settings: SessionsOptions,
): CookieWriter {
  const { secure = true, sameSite = 'lax' } = settings
  const flags = `Path=/; HttpOnly${secure ? '; Secure' : ''}; SameSite=${SAME_SITE_VALUES[sameSite]}`
  const formatCookie = (value: string, seconds: number): string => `${cookie}=${value}; Max-Age=${seconds}; ${flags}`
  const baseLength = formatCookie('', getLifetime(settings) / 1000).length
  return { formatCookie, measureCookie: (length) => baseLength + length }
}

/** Creates the step of an action that starts or ends a session. */
function createSessionStep(
  { '~session': { cookie } }: SessionScheme<unknown>,
  settings: SessionsOptions,
  storage: SessionStorage,
  { formatCookie }: CookieWriter,
): (response: OutgoingResponse, request: PolicyRequest) => void | Promise<void> {
  const write = async (response: OutgoingResponse, request: PolicyRequest, change: SessionChange): Promise<void> => {
    // Ends an earlier session of the request, so that its id is never used for another client (session fixation).
    for (const value of readCookies(request, cookie)) await storage.end(value)
    const value = change === 'end' ? '' : await storage.start(change.data)
    response.append('Set-Cookie', formatCookie(value, change === 'end' ? 0 : getLifetime(settings) / 1000))
  }
  return (response, request) => {
    const change = request.state[SESSION_CHANGE] as SessionChange | undefined
    return change === undefined || response.status >= 400 ? undefined : write(response, request, change)
  }
}

const SAME_SITE_VALUES = { strict: 'Strict', lax: 'Lax', none: 'None' } as const

function refuseInvalidSettings(
  scheme: unknown,
  { store, secrets = [], secure = true, sameSite }: SessionsOptions,
): void {
  const [flaw] = SESSION_FORM.check(scheme)
  if (flaw !== undefined) throw new TypeError(`sessions: the scheme: ${flaw.problem}: ${flaw.remedy}`)
  if (store === undefined && secrets.length === 0)
    throw new TypeError('sessions: they have no storage: give a store, or secrets for cookies')
  const { cookie } = (scheme as SessionScheme<unknown>)['~session']
  if (secure || !(cookie.startsWith('__') || sameSite === 'none')) return
  const remedy = 'leave secure out, or choose another name and SameSite'
  throw new TypeError(`sessions: browsers refuse the cookie '${cookie}' without Secure: ${remedy}`)
}

/** Wraps a storage so that its failures are reported as 503, not as errors of the request. */
function guardStorage(storage: SessionStorage): SessionStorage {
  const withRefusal = async <T>(work: Promise<T>): Promise<T> =>
    work.catch((cause: unknown) => {
      throw new Refusal({ code: 'unavailable', headers: { 'Retry-After': '1' } }, { cause })
    })
  return {
    measureValue: (data) => storage.measureValue(data),
    start: (data) => withRefusal(storage.start(data)),
    find: (value) => withRefusal(storage.find(value)),
    end: (value) => withRefusal(storage.end(value)),
  }
}

// The scopes of a session are in its data.
function hasScopes(data: unknown, required: readonly string[]): boolean {
  const granted = readProperty(data, 'scopes')
  return required.every((one) => Array.isArray(granted) && granted.includes(one))
}

// Checked in `start`, before the effect of the action is committed, because browsers would drop the cookie.
function refuseLongCookie(name: string, length: number): void {
  if (length <= MAX_COOKIE_LENGTH) return
  const remedy = `keep less in it, or give sessions(…) a store instead of secrets`
  throw new RangeError(
    `session.start: the cookie of ${name} has ${length} characters, and browsers keep ${MAX_COOKIE_LENGTH}: ${remedy}`,
  )
}

type SessionData = SessionScheme<unknown>['~session']['data']

function dumpData(attribute: SessionData, value: unknown): string {
  const dumping = new Dumping('checked')
  const data = attributeRules.getDumper(attribute)(value, dumping)
  const issue = dumping.issues?.[0]
  if (data === INVALID || issue !== undefined)
    throw new TypeError(
      `session.start: the data does not fit its declaration: ${issue?.pointer ?? ''} ${issue?.message ?? ''}`,
    )
  return JSON.stringify(data)
}

// Sessions that do not match the current declaration are ignored.
function loadData(attribute: SessionData, text: string | undefined): unknown {
  if (text === undefined) return undefined
  const loading = new Loading('json')
  const value = attributeRules.getLoader(attribute)(JSON.parse(text), loading)
  return value === INVALID || loading.issues !== null ? undefined : value
}
