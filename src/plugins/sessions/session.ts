// Declares sessions: a scheme with a cookie, the data of a session, and the policy of actions that start or end one.
import { form, type Policy, type PolicyRequest, type PolicySteps, policy, type Value } from '../../extend.ts'
import { type Attribute, type CrossSite, crossSiteRefusal, type SecurityScheme, security } from '../../index.ts'

/** Starts and ends the session of a client, in actions with the policy `writes`. */
export interface SessionControl<P> {
  /**
   * Starts a session with a new id; an earlier one of the client ends. The cookie is sent with a successful response.
   * Throws for data that does not match its declaration, or is too large for a cookie.
   */
  start(data: P): void
  /** Ends the session, and removes the cookie. */
  end(): void
}

/** Sessions as actions use them: a security scheme, and the policy of actions that start and end sessions. */
export interface SessionScheme<P> extends SecurityScheme<P, string> {
  /** Adds `session` to the context of an action: `session.start(data)` and `session.end()`. */
  readonly writes: Policy<{ readonly session: SessionControl<P> }>
  readonly '~session': { readonly cookie: string; readonly data: Attribute }
}

/** The options of `session`. */
export interface SessionOptions<A extends Attribute> {
  /** The data of a session: an attribute, such as `t.object({ … })`. It becomes the principal of actions. */
  readonly data: A
  /**
   * The name of the cookie. Browsers accept a name with `__Host-` only over TLS and from the host itself.
   * @default `'__Host-session'`
   */
  readonly cookie?: string
  /**
   * The rule for writes from pages of other sites: `'refused'`, `'allowed'`, or the origins whose pages may write.
   * @default `'refused'`
   */
  readonly crossSite?: CrossSite
  /** The description of the scheme in documents. */
  readonly description?: string
}

/** The key of the session change in the state of a request. */
export const SESSION_CHANGE: unique symbol = Symbol('session')

/** A change of the session by an action: a new session with this serialized data, or its end. */
export type SessionChange = { readonly data: string } | 'end'

/** Serializes the data of a session; throws for data that cannot be stored. */
type SerializeData = (data: unknown) => string

/** Creates the steps of the policy `writes`. */
export type CreateSessionSteps = (keep: SerializeData) => Required<Pick<PolicySteps, 'admission'>>

/** Declares sessions; the type of `data` is that of the principal. */
export function session<A extends Attribute>(name: string, options: SessionOptions<A>): SessionScheme<Value<A>> {
  const { cookie = '__Host-session', crossSite = 'refused', description, data } = options
  const scheme = security.apiKey<Value<A>>(name, {
    ...{ in: 'cookie', name: cookie, crossSite },
    ...(description !== undefined && { description }),
  })
  const plugin = `sessions of ${name}`
  const createSteps: CreateSessionSteps = (serialize) => ({
    admission(request) {
      // Prevents login CSRF: another site must not log a user in to a foreign account.
      const refusal = crossSiteRefusal(request, crossSite)
      if (refusal) return refusal
      request.add('session', createSessionControl(request, serialize))
    },
  })
  const writes = policy<{ readonly session: SessionControl<Value<A>> }>({
    ...{ name: 'session', plugin, remedy: 'add the plugin of sessions(scheme, …)' },
    settings: createSteps,
    responses: [
      { status: 403, code: 'cross-site', title: 'Requests from other sites are refused' },
      { status: 503, code: 'unavailable', title: 'The server is currently unavailable', headers: ['Retry-After'] },
    ],
    documentedHeaders: { 'Set-Cookie': { description: 'The cookie of the session.', schema: { type: 'string' } } },
    responseHeaders: ['Cache-Control', 'no-store'],
    mock: () => createSteps(() => ''),
  })
  const sessionScheme: SessionScheme<Value<A>> = Object.freeze({
    ...scheme,
    writes,
    '~session': { cookie, data },
    scopes: (...scopes: readonly string[]) => Object.freeze({ ...scheme.scopes(...scopes), scheme: sessionScheme }),
  })
  return sessionScheme
}

const createSessionControl = ({ state }: PolicyRequest, serialize: SerializeData): SessionControl<unknown> => ({
  start(data) {
    state[SESSION_CHANGE] = { data: serialize(data) } satisfies SessionChange
  },
  end() {
    state[SESSION_CHANGE] = 'end' satisfies SessionChange
  },
})

/** The form of the argument `scheme`. */
export const SESSION_FORM: form.SettingForm = form.custom(
  'what session(…) returns',
  (value) => typeof value === 'object' && value !== null && '~session' in value,
)
