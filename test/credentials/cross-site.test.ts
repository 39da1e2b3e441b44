// Writes that pages of other sites make with the cookies of their visitors: by form, by multipart and by fetch.
import { application, type CrossSite, controller, endpoint, route, security, t, verifier } from 'edict'
import { session, sessions } from 'edict/sessions'
import { memoryStore } from 'edict/stores'
import { describe, expect, it } from 'vitest'
import { ask, askFetch, askSocket, mistakesOf, urlOf } from '../support/ask.ts'

function made(crossSite?: CrossSite) {
  const Cookie = security.apiKey<string>('Cookie', { in: 'cookie', name: 'sid', ...(crossSite && { crossSite }) })
  const Token = security.bearer<string>('Token')
  const responses = { ok: 'text/plain' } as const
  const payload = t.object({ amount: t.integer({ required: true }) })
  const consumes = ['application/json', 'application/x-www-form-urlencoded', 'multipart/form-data']
  const Bank = endpoint('Bank', {
    actionDefaults: { security: [Cookie, Token] },
    actions: {
      show: { routing: route.get('/'), responses },
      pay: { routing: route.post('/'), payload, consumes, responses },
      change: { routing: route.patch('/'), payload, responses },
      close: { routing: route.delete('/'), responses },
      maybe: { routing: route.post('/maybe'), security: [Cookie, 'none'], responses },
    },
  })
  const bank = controller(Bank, {
    show: (_, { principal }) => principal,
    pay: (_, { principal, request }) => `${principal} pays ${request.payload?.amount}`,
    change: (_, { principal }) => principal,
    close: (_, { principal }) => principal,
    maybe: (_, { principal }) => principal ?? 'nobody',
  })
  const verifiers = [verifier(Cookie, (value) => value), verifier(Token, (value) => value)]
  return application({ controllers: [bank], verifiers })
}

const form = (): FormData => {
  const body = new FormData()
  body.append('amount', '100')
  return body
}
const bodies = { form: new URLSearchParams({ amount: '100' }), multipart: form(), fetch: { amount: 100 } }
const cookie = { cookie: 'sid=ada' }
const foreign: Readonly<Record<string, object>> = {
  'what browsers say now': { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' },
  'another host of the same site': { 'sec-fetch-site': 'same-site', origin: 'https://blog.bank.example' },
  'the origin alone, of older browsers': { origin: 'https://evil.example', host: 'bank.example' },
  'an origin that is hidden': { origin: 'null', host: 'bank.example' },
  'an origin that looks like ours': { origin: 'https://bank.example.evil.example', host: 'bank.example' },
  'our host on another port': { origin: 'https://bank.example:8443', host: 'bank.example' },
  'a page without an origin': { 'sec-fetch-site': 'cross-site' },
}

describe('a write with a cookie', () => {
  for (const [by, body] of Object.entries(bodies))
    it(`[AUT-02] from another site by ${by} is refused, over a socket and through fetch`, async () => {
      for (const headers of Object.values(foreign)) {
        const answer = await ask(made(), 'POST /bank', { headers: { ...cookie, ...headers }, body })
        expect([answer.status, answer.json.code]).toEqual([403, 'cross-site'])
      }
    })

  it('[AUT-02] of every unsafe verb is refused, and never taken for one of nobody', async () => {
    const headers = { ...cookie, 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' }
    for (const line of ['PATCH /bank', 'DELETE /bank', 'POST /bank/maybe'])
      expect((await ask(made(), line, { headers })).status).toBe(403)
  })

  it('[AUT-02] from our own pages, and of clients that are no browsers, is taken', async () => {
    const app = made()
    for (const headers of [
      { 'sec-fetch-site': 'same-origin', origin: 'https://bank.example' },
      { 'sec-fetch-site': 'none' },
      {},
    ])
      expect((await ask(app, 'POST /bank', { headers: { ...cookie, ...headers }, body: { amount: 1 } })).text).toBe(
        'ada pays 1',
      )
    const { origin, host } = new URL(await urlOf(app))
    const own = await askSocket(app, 'POST /bank', { headers: { ...cookie, origin, host }, body: { amount: 1 } })
    expect(own.status).toBe(200)
  })

  it('[AUT-02] does not concern reads, nor credentials that no browser sends by itself', async () => {
    const headers = { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' }
    expect((await ask(made(), 'GET /bank', { headers: { ...cookie, ...headers } })).text).toBe('ada')
    const token = { authorization: 'Bearer ada', ...headers }
    expect((await ask(made(), 'POST /bank', { headers: token, body: { amount: 1 } })).status).toBe(200)
  })

  it('[AUT-02] from origins that are trusted is taken, and from all where that is declared', async () => {
    const from = (origin: string) => ({
      headers: { ...cookie, 'sec-fetch-site': 'cross-site', origin },
      body: { amount: 1 },
    })
    const shop = made(['https://shop.example'])
    expect((await ask(shop, 'POST /bank', from('https://shop.example'))).status).toBe(200)
    expect((await ask(shop, 'POST /bank', from('https://evil.example'))).status).toBe(403)
    expect((await ask(made('allowed'), 'POST /bank', from('https://evil.example'))).status).toBe(200)
    expect(mistakesOf(() => made(['https://shop.example/path']))[0]).toMatchObject({
      remedy: expect.stringContaining('an origin'),
    })
  })

  it('[AUT-02] nobody is logged in by another site', async () => {
    const Session = session('Session', { data: t.string() })
    const Desk = endpoint('Desk', {
      actions: { login: { routing: route.post('/'), policies: [Session.writes], responses: { ok: 'text/plain' } } },
    })
    const desk = controller(Desk, {
      login(_, { session: own }) {
        own.start('mallory')
        return ''
      },
    })
    const kept = sessions(Session, { store: memoryStore() })
    const app = application({ controllers: [desk], plugins: [kept.plugin], verifiers: [kept.verifier] })
    const headers = { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' }
    const answer = await ask(app, 'POST /desk', { headers })
    expect([answer.status, answer.headers['set-cookie']]).toEqual([403, undefined])
    expect((await askFetch(app, 'POST /desk')).headers['set-cookie']).toContain('__Host-session=')
  })
})
