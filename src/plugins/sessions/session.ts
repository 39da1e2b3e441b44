// The declaration of sessions: a scheme whose credentials are a cookie, what a session holds, and the policy of actions that begin one.
import { form, type Policy, type PolicyRequest, type PolicySteps, policy, type Value } from '../../extend.ts'
import { type Attribute, type CrossSite, crossSiteRefusal, type SecurityScheme, security } from '../../index.ts'

/** Starts and ends the session of a client, in actions with the policy `writes`. */
export interface SessionControl<P> {
  /**
   * Starts a session with a new id; an earlier one of the client ends. The cookie is sent with a success. Throws for data that
   * does not fit its declaration, or is too large for a cookie.
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

/** Settings of sessions. */
export interface SessionOptions<A extends Attribute> {
  /** The data of a session: an attribute, such as `t.object({ … })`. It becomes the principal of actions. */
  readonly data: A
  /**
   * The name of the cookie. Browsers take one with `__Host-` only over TLS and from the host itself.
   * @default `'__Host-session'`
   */
  readonly cookie?: string
  /**
   * Writes from pages of other sites: `'refused'`, `'allowed'`, or the origins whose pages may.
   * @default `'refused'`
   */
  readonly crossSite?: CrossSite
  /** Describes the scheme in documents. */
  readonly description?: string
}

/** A change of the session by an action: a session with this data, or its end. */
export const SESSION_CHANGE: unique symbol = Symbol('session')

/** A wish of an action: a session with this data, as it is kept, or the end of the present one. */
export type SessionChange = { readonly data: string } | 'end'

/** Makes the text that is kept of a session's data; throws for data that cannot be kept. */
type SerializeData = (data: unknown) => string

/** Makes the work of the policy `writes`. */
export type CreateSessionSteps = (keep: SerializeData) => Required<Pick<PolicySteps, 'admission'>>

/** Declares sessions; P is the type of their data. */
export function session<A extends Attribute>(name: string, options: SessionOptions<A>): SessionScheme<Value<A>> {
  const { cookie = '__Host-session', crossSite = 'refused', description, data } = options
  const scheme = security.apiKey<Value<A>>(name, {
    ...{ in: 'cookie', name: cookie, crossSite },
    ...(description !== undefined && { description }),
  })
  const plugin = `sessions of ${name}`
  const work: CreateSessionSteps = (keep) => ({
    admission(request) {
      // Another site that could log a user in would make them work in a foreign account without knowing.
      const refusal = crossSiteRefusal(request, crossSite)
      if (refusal) return refusal
      request.add('session', createSessionControl(request, keep))
    },
  })
  const writes = policy<{ readonly session: SessionControl<Value<A>> }>({
    ...{ name: 'session', plugin, remedy: 'add the plugin of sessions(scheme, …)' },
    settings: work,
    responses: [
      { status: 403, code: 'cross-site', title: 'Requests from other sites are refused' },
      { status: 503, code: 'unavailable', title: 'The server is currently unavailable', headers: ['Retry-After'] },
    ],
    sends: { 'Set-Cookie': { description: 'The cookie of the session.', schema: { type: 'string' } } },
    responseHeaders: ['Cache-Control', 'no-store'],
    mock: () => work(() => ''),
  })
  const made: SessionScheme<Value<A>> = Object.freeze({
    ...scheme,
    writes,
    '~session': { cookie, data },
    scopes: (...scopes: readonly string[]) => Object.freeze({ ...scheme.scopes(...scopes), scheme: made }),
  })
  return made
}

const createSessionControl = ({ state }: PolicyRequest, keep: SerializeData): SessionControl<unknown> => ({
  start(data) {
    state[SESSION_CHANGE] = { data: keep(data) } satisfies SessionChange
  },
  end() {
    state[SESSION_CHANGE] = 'end' satisfies SessionChange
  },
})

/** The form of a declared session. */
export const SESSION_FORM: form.SettingForm = form.custom(
  'what session(…) returns',
  (value) => typeof value === 'object' && value !== null && '~session' in value,
)
