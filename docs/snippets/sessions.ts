// The snippets of docs/guide/sessions.md.
import type { Shown } from '../../scripts/snippets.ts'
import { answers, ask } from './support/http.ts'

// #region declare
import { application, endpoint, route, t } from 'edict'
import { session, sessions } from 'edict/sessions'
import { memoryStore } from 'edict/stores'

// A security scheme; what a session holds is the principal of its actions.
const Session = session('Session', { data: t.object({ name: t.string({ required: true }), since: t.dateTime() }) })

const Desk = endpoint('Desk', {
  actions: {
    login: {
      routing: route.post('/login'),
      payload: t.object({ name: t.string({ required: true }), password: t.string({ required: true }) }),
      policies: [Session.writes], // adds `session` to the context
      responses: { noContent: true, unauthorized: true },
    },
    show: { routing: route.get('/'), security: Session, responses: { ok: 'text/plain' } },
    logout: {
      routing: route.post('/logout'),
      security: Session,
      policies: [Session.writes],
      responses: { noContent: true },
    },
  },
})

const desk = Desk.implement({
  login(_, { request, session, reply }) {
    const { name, password } = request.payload ?? {}
    if (name === undefined || password !== 'sesame') return reply.unauthorized()
    session.start({ name, since: new Date() })
    return reply.noContent()
  },
  show: (_, { principal }) => `The desk of ${principal.name}`,
  logout(_, { session, reply }) {
    session.end()
    return reply.noContent()
  },
})

const kept = sessions(Session, { store: memoryStore(), lifetime: '8h' })

export const app = application({ controllers: [desk], plugins: [kept.plugin], verifiers: [kept.verifier] })
// #endregion

// #region sealed
/** Sessions in their cookies: no store, the new secret in front of the old one. */
export const sealed = (secrets: readonly string[]) => sessions(Session, { secrets })
// #endregion

// #region trusted
import { security } from 'edict'

/** Sessions that pages of the shop may use from their own origin, together with CORS. */
export const Shared = session('Shared', { data: t.string(), crossSite: ['https://shop.example'] })

/** Any other scheme with a cookie refuses the writes of other sites in the same way. */
export const Legacy = security.apiKey<string>('Legacy', { in: 'cookie', name: 'sid', crossSite: 'refused' })
// #endregion

const sent = { body: { name: 'Ada', password: 'sesame' } }

async function cookie(): Promise<string> {
  return (await ask(app, 'POST /desk/login', sent)).headers.getSetCookie()[0] ?? ''
}

/** The answers that the page shows. */
export const shown: Shown = {
  cookie: async () => (await cookie()).replace(/=[\w-]{43}/, '=rTk…'),
  async answers() {
    const value = (await cookie()).split(';')[0] as string
    const told = [await answers(app, ['GET /desk'])]
    const lines: [string, object][] = [
      ['GET /desk', {}],
      ['POST /desk/logout', { 'Sec-Fetch-Site': 'cross-site' }],
      ['POST /desk/logout', { 'Sec-Fetch-Site': 'same-origin' }],
      ['GET /desk', {}],
    ]
    for (const [line, headers] of lines)
      told.push(await answers(app, [[line, { headers: { Cookie: value, ...headers } }]]))
    return told.join('\n').replaceAll(/=[\w-]{43}/g, '=rTk…')
  },
}
