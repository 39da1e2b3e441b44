// Sessions: who gets one, and who never gets another's.
import { application, controller, diffContracts, endpoint, need, route, t } from 'edict'
import { mock } from 'edict/mock'
import { type SessionsOptions, session, sessions } from 'edict/sessions'
import { memoryStore, redisStore, type Store } from 'edict/stores'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, expectTypeOf, it } from 'vitest'
import { type Answered, ask, askFetch, askSocket, recorder } from '../support/ask.ts'
import { describeWith } from '../support/needs.ts'
import { runs } from '../support/runs.ts'
import { type Fleet, startFleet } from '../support/stores/fleet.ts'
import { needOf, type OwnServer, ownServer } from '../support/stores/servers.ts'

const SECRET = 'a secret of more than thirty-two characters'
const OLD = 'another secret of more than thirty-two characters'

const data = t.object({
  id: t.integer({ required: true }),
  since: t.dateTime({ required: true }),
  scopes: t.array(t.string()),
})

function made(options: SessionsOptions, shape = data, logger = recorder()) {
  const Session = session('Session', { data: shape })
  const Desk = endpoint('Desk', {
    actions: {
      login: {
        routing: route.post('/login'),
        params: { id: t.integer({ required: true }), admin: t.boolean(), fail: t.boolean() },
        policies: [Session.writes],
        responses: { ok: 'text/plain', unauthorized: true },
      },
      show: { routing: route.get('/'), security: Session, responses: { ok: 'text/plain' } },
      write: { routing: route.post('/'), security: Session, responses: { ok: 'text/plain' } },
      admin: { routing: route.get('/admin'), security: Session.scopes('admin'), responses: { ok: 'text/plain' } },
      logout: {
        routing: route.post('/logout'),
        security: Session,
        policies: [Session.writes],
        responses: { noContent: true },
      },
    },
  })
  const desk = controller(Desk, {
    login({ id, admin, fail }, { session: own, reply }) {
      own.start({ id, since: new Date('2027-01-01T00:00:00Z'), ...(admin && { scopes: ['admin'] }) } as never)
      return fail ? reply.unauthorized() : reply.ok('welcome')
    },
    show: (_, { principal }) => `${principal.id} since ${principal.since.getUTCFullYear()}`,
    write: (_, { principal }) => `written by ${principal.id}`,
    admin: (_, { principal }) => `admin ${principal.id}`,
    logout(_, { session: own, reply }) {
      own.end()
      return reply.noContent()
    },
  })
  const kept = sessions(Session, options)
  return application({ controllers: [desk], plugins: [kept.plugin], verifiers: [kept.verifier], logger })
}

type App = ReturnType<typeof made>

const NAME = '__Host-session'
const cookieOf = ({ headers }: Answered): string =>
  /__Host-session=([^;]*)/.exec(headers['set-cookie'] ?? '')?.[1] ?? ''
const having = (value: string, headers = {}) => ({ headers: { cookie: `${NAME}=${value}`, ...headers } })
const login = async (app: App, id = 7, sent = {}): Promise<string> =>
  cookieOf(await askFetch(app, `POST /desk/login?id=${id}`, sent))

async function refused(app: App, value: string): Promise<void> {
  expect((await ask(app, 'GET /desk', having(value))).status).toBe(401)
}

const KEPT: Readonly<Record<string, () => SessionsOptions>> = {
  'by id in a store': () => ({ store: memoryStore() }),
  'in a sealed cookie': () => ({ secrets: [SECRET] }),
  'in a sealed cookie, ended in a store': () => ({ secrets: [SECRET], store: memoryStore() }),
}

describe.each(Object.entries(KEPT))('a session %s', (kind, options) => {
  it('[AUT-02] is typed, HttpOnly, Secure and SameSite, over a socket and through fetch', async () => {
    const app = made(options())
    for (const asked of [askSocket, askFetch]) {
      const answer = await asked(app, 'POST /desk/login?id=7')
      expect([answer.status, answer.headers['cache-control']]).toEqual([200, 'no-store'])
      expect(answer.headers['set-cookie']).toMatch(
        /^__Host-session=[\w-]{43,}; Max-Age=43200; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
      )
      expect((await ask(app, 'GET /desk', having(cookieOf(answer)))).text).toBe('7 since 2027')
    }
    const strict = made({ ...options(), sameSite: 'strict', lifetime: '1h' })
    expect((await askFetch(strict, 'POST /desk/login?id=7')).headers['set-cookie']).toMatch(
      /Max-Age=3600;.*SameSite=Strict$/,
    )
  })

  it('[AUT-02] that another has fixed becomes nobody else’s: logging in begins a new one', async () => {
    const app = made(options())
    const planted = await login(app, 1)
    const own = await login(app, 7, having(planted))
    expect(own).not.toBe(planted)
    expect((await askFetch(app, 'GET /desk', having(own))).text).toBe('7 since 2027')
    if (kind === 'in a sealed cookie')
      expect((await askFetch(app, 'GET /desk', having(planted))).text).toBe('1 since 2027')
    else await refused(app, planted)
    // An id that the attacker made up is not taken either.
    const guess = 'A'.repeat(43)
    expect(await login(app, 7, having(guess))).not.toBe(guess)
    await refused(app, guess)
  })

  it('[AUT-02] that is truncated, lengthened or changed is none', async () => {
    const app = made(options())
    const value = await login(app)
    for (const odd of [value.slice(0, -1), value.slice(1), value.slice(0, 20), `${value}A`, 'x', '%00', `${value}=`])
      await refused(app, odd)
    for (let at = 0; at < value.length; at += 5) {
      const other = value[at] === 'A' ? 'B' : 'A'
      await refused(app, value.slice(0, at) + other + value.slice(at + 1))
    }
    expect((await askFetch(app, 'GET /desk', having(''))).status).toBe(401)
  })

  it('[AUT-02] lasts as long as declared', async () => {
    const app = made({ ...options(), lifetime: '1s' })
    const value = await login(app)
    expect((await askFetch(app, 'GET /desk', having(value))).status).toBe(200)
    await expect.poll(async () => (await askFetch(app, 'GET /desk', having(value))).status).toBe(401)
  })

  it('[AUT-02] has the scopes that its data lists', async () => {
    const app = made(options())
    expect((await ask(app, 'GET /desk/admin', having(await login(app)))).status).toBe(403)
    const admin = cookieOf(await askFetch(app, 'POST /desk/login?id=1&admin=true'))
    expect((await ask(app, 'GET /desk/admin', having(admin))).text).toBe('admin 1')
  })

  it('[AUT-02] begins with a success only, and ends with its cookie', async () => {
    const app = made(options())
    const failed = await askFetch(app, 'POST /desk/login?id=7&fail=true')
    expect([failed.status, failed.headers['set-cookie']]).toEqual([401, undefined])
    const value = await login(app)
    const out = await askSocket(app, 'POST /desk/logout', having(value))
    expect([out.status, out.headers['set-cookie']]).toEqual([
      204,
      '__Host-session=; Max-Age=0; Path=/; HttpOnly; Secure; SameSite=Lax',
    ])
    // A session in a cookie alone cannot be revoked: a copy of the cookie stays valid until it expires.
    if (kind === 'in a sealed cookie') expect((await askFetch(app, 'GET /desk', having(value))).status).toBe(200)
    else await refused(app, value)
  })

  it('[AUT-02] of another application, another scheme or another shape is none', async () => {
    const app = made(options())
    await refused(made({ ...options(), ...(kind !== 'by id in a store' && { secrets: [OLD] }) }), await login(app))
    const kept = options()
    const older = made(kept, t.object({ name: t.string() }) as never)
    const value = await login(made(kept))
    await refused(older, value)
  })
})

describe('a session', () => {
  it('[AUT-02] sealed by an old secret holds until the secret is taken out', async () => {
    const value = await login(made({ secrets: [OLD] }))
    expect((await askFetch(made({ secrets: [SECRET, OLD] }), 'GET /desk', having(value))).status).toBe(200)
    await refused(made({ secrets: [SECRET] }), value)
    const renewed = await login(made({ secrets: [SECRET, OLD] }))
    await refused(made({ secrets: [OLD] }), renewed)
  })

  it('[AUT-02] that was stolen from the store is no cookie', async () => {
    const inner = memoryStore()
    const seen: string[] = []
    const store: Store = {
      ...inner,
      set: (key, value, ttl, expected) => {
        seen.push(key, value)
        return inner.set(key, value, ttl, expected)
      },
    }
    const app = made({ store })
    const value = await login(app)
    expect(seen.join()).not.toContain(value)
    for (const one of seen) await refused(app, encodeURIComponent(one.replace('session:', '')))
  })

  it('[AUT-02] that was stolen ends for everybody when its owner logs out, and is not replayed', async () => {
    const app = made({ secrets: [SECRET], store: memoryStore() })
    const value = await login(app)
    const stolen = having(value, { 'user-agent': 'another' })
    await askFetch(app, 'POST /desk/logout', having(value))
    expect((await ask(app, 'GET /desk', stolen)).status).toBe(401)
    expect((await ask(app, 'POST /desk', stolen)).status).toBe(401)
  })

  it('[AUT-02] sent twice is refused, and one whose store does not respond is a 503', async () => {
    const app = made({ store: memoryStore() })
    const value = await login(app)
    expect((await ask(app, 'GET /desk', having(`${value}; ${NAME}=${value}`))).status).toBe(400)
    const silent = made({ store: redisStore(() => new Promise(() => {}), { timeout: 20 }) })
    const answer = await ask(silent, 'GET /desk', having(value))
    expect([answer.status, answer.headers['retry-after']]).toEqual([503, '1'])
    const out = await ask(silent, 'POST /desk/login?id=7')
    expect([out.status, out.headers['set-cookie']]).toEqual([503, undefined])
  })

  it('[AUT-02] is known to documents and mocks, and settings that cannot work are refused', async () => {
    const app = made({ store: memoryStore() })
    const document = app.openapi() as any
    expect(document.components.securitySchemes.Session).toMatchObject({ type: 'apiKey', in: 'cookie', name: NAME })
    expect(diffContracts(app.contract(), app.contract())).toEqual([])
    expect((await askFetch(mock(app, { auth: 'open' }), 'POST /desk/login?id=7')).status).toBe(200)
    expect(() => made({})).toThrow('sessions: they have no storage')
    expect(() => made({ secrets: ['short'] })).toThrow("sessions: secrets[0] is 'short': give a secret of at least 32")
    expect(() => made({ store: memoryStore(), secure: false })).toThrow("browsers refuse the cookie '__Host-session'")
    expect(() => sessions({} as never, { store: memoryStore() })).toThrow('give what session(…) returns')
    const Typed = session('Typed', { data: t.object({ name: t.string({ required: true }) }) })
    expectTypeOf<(typeof Typed)['~principal']>().toExtend<{ readonly name: string }>()
  })

  it('[AUT-02] too large for a cookie is refused where the action starts it, to the character, before the effect', async () => {
    const Session = session('Session', { data: t.string() })
    const Big = endpoint('Big', {
      actions: {
        login: {
          routing: route.post('/'),
          payload: { data: t.string({ required: true }) },
          policies: [Session.writes],
          responses: { ok: 'text/plain', badRequest: true },
        },
      },
    })
    const kept = sessions(Session, { secrets: [SECRET] })
    let effects = 0
    const big = controller(Big, {
      login(_, { request, session: own, reply }) {
        try {
          own.start(request.payload.data)
        } catch (error) {
          return reply.badRequest((error as Error).message)
        }
        effects++
        return reply.ok('welcome')
      },
    })
    const app = application({
      controllers: [big],
      plugins: [kept.plugin],
      verifiers: [kept.verifier],
      logger: recorder(),
    })
    const piece = fc.constantFrom('x', 'ü', '"', '\\', '\n', '😀')
    let longest = 0
    await fc.assert(
      fc.asyncProperty(piece, fc.integer({ min: 300, max: 3200 }), async (unit, size) => {
        const before = effects
        const answer = await askFetch(app, 'POST /big', { body: { data: unit.repeat(Math.ceil(size / unit.length)) } })
        const cookie = answer.headers['set-cookie'] ?? ''
        longest = Math.max(longest, cookie.length)
        const isStarted = answer.status === 200
        expect([cookie !== '', effects - before]).toEqual([isStarted, isStarted ? 1 : 0])
        expect(cookie.length).toBeLessThanOrEqual(4096)
        if (isStarted) return
        const [, length] =
          /has (\d+) characters, and browsers keep 4096: .*give sessions\(…\) a store/.exec(answer.json.detail) ?? []
        expect(Number(length)).toBeGreaterThan(4096)
      }),
      { numRuns: runs(60, 1000) },
    )
    const status = async (size: number) =>
      (await askFetch(app, 'POST /big', { body: { data: 'x'.repeat(size) } })).status
    const sizes = Array.from({ length: 400 }, (_, i) => 2600 + i)
    const statuses = await Promise.all(sizes.map(status))
    const last = statuses.lastIndexOf(200)
    expect([statuses.slice(0, last).every((one) => one === 200), statuses[last + 1]]).toEqual([true, 400])
    expect(longest).toBeGreaterThan(1000)
  })

  it('[AUT-02] that its store cannot keep takes the effect back, and data that does not fit is refused at once', async () => {
    const Session = session('Session', { data: t.object({ id: t.integer({ required: true }) }) })
    const settled: number[] = []
    const transaction = need(() => 'transaction', { done: (_, { status }) => void settled.push(status) })
    const Desk = endpoint('Desk', {
      actions: {
        login: {
          routing: route.post('/'),
          params: { fit: t.boolean({ required: true }) },
          needs: { transaction },
          policies: [Session.writes],
          responses: { ok: 'text/plain' },
        },
      },
    })
    const inner = memoryStore()
    const down: Store = { ...inner, set: () => Promise.reject(new Error('down')) }
    const kept = sessions(Session, { store: down })
    const logger = recorder()
    const desk = controller(Desk, {
      login({ fit }, { session: own }) {
        own.start((fit ? { id: 1 } : { id: 'x' }) as never)
        return 'welcome'
      },
    })
    const app = application({ controllers: [desk], plugins: [kept.plugin], verifiers: [kept.verifier], logger })
    expect((await askFetch(app, 'POST /desk?fit=true')).status).toBe(503)
    expect((await askFetch(app, 'POST /desk?fit=false')).status).toBe(500)
    expect(settled).toEqual([503, 500])
    expect(logger.entries.at(-1)?.fields.err.message).toContain('session.start: the data does not fit its declaration')
  })
})

for (const client of ['ioredis', 'pg'] as const) {
  describeWith(needOf(client), `sessions of three processes over one store through ${client}`, () => {
    let server: OwnServer
    let fleet: Fleet
    beforeAll(async () => {
      server = await ownServer(client)
      fleet = await startFleet(client, server.url)
    })
    afterAll(async () => {
      await fleet?.close()
      await server?.stop()
    })

    it('[AUT-02] [SCL-04] hold in all of them, also when the store restarts, and end in all of them', async () => {
      const { headers } = await fetch(`${fleet.urls[0]}/desk/7`, { method: 'POST' })
      const cookie = headers.getSetCookie()[0]?.split(';')[0] as string
      const shown = async (url: string): Promise<string> => (await fetch(`${url}/desk`, { headers: { cookie } })).text()
      for (const url of fleet.urls) expect(await shown(url)).toBe('7')
      await server.restart()
      for (const url of fleet.urls) await expect.poll(() => shown(url)).toBe('7')
      expect((await fetch(`${fleet.urls[1]}/desk`, { method: 'DELETE', headers: { cookie } })).status).toBe(204)
      for (const url of fleet.urls) expect((await fetch(`${url}/desk`, { headers: { cookie } })).status).toBe(401)
    })
  })
}
