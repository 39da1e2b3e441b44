// Rate limits: declared once, exact in one process and in three, and bounded when their store is not there.
import { application, controller, diffContracts, endpoint, route, security, t, verifier } from 'edict'
import { mock } from 'edict/mock'
import { type CountedBy, forwardedFor, type RateLimitOptions, rateLimit, rateLimits } from 'edict/rate-limit'
import { memoryStore, redisStore, type Store, StoreError } from 'edict/stores'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ask, askFetch, askSocket, mistakesOf, recorder } from '../support/ask.ts'
import { describeWith } from '../support/needs.ts'
import { type Fleet, startFleet } from '../support/stores/fleet.ts'
import { needOf, type OwnServer, ownServer } from '../support/stores/servers.ts'

const Token = security.bearer<{ readonly id: number }>('Token')
const known = verifier(Token, (token) => (/^\d+$/.test(token) ? { id: Number(token) } : undefined))

interface Made {
  readonly store?: Store
  readonly by?: CountedBy
  readonly limit?: number
  readonly options?: RateLimitOptions
}

function made({ store = memoryStore(), by = 'principal', limit = 2, options }: Made = {}, logger = recorder()) {
  const Books = endpoint('Books', {
    actionDefaults: { policies: [rateLimit({ limit, per: '1m', by })], security: [Token, 'none'] },
    actions: {
      index: { routing: route.get('/'), params: { n: t.integer() }, responses: { ok: 'text/plain' } },
      show: {
        routing: route.get('/:id'),
        params: { id: t.integer() },
        responses: { ok: 'text/plain', notFound: true },
      },
      busy: {
        routing: route.get('//busy'),
        policies: [rateLimit({ limit: 1, per: '1h', by }), rateLimit({ name: 'daily', limit: 5, per: '1d', by })],
        responses: { ok: 'text/plain' },
      },
    },
  })
  const books = controller(Books, {
    index: () => 'books',
    show: ({ id }, { reply }) => (id === 1 ? reply.ok('a book') : reply.notFound()),
    busy: () => 'busy',
  })
  return application({ controllers: [books], plugins: [rateLimits(store, options)], verifiers: [known], logger })
}

/** The times in a header may have gone down by a second. */
const timeless = (header: string | undefined): string | undefined => header?.replace(/;t=\d+/g, '')

const as = (id: number, headers = {}) => ({ headers: { authorization: `Bearer ${id}`, ...headers } })

describe('a rate limit', () => {
  it('[RTL-01] lets as many requests in as declared, then responds with 429 and Retry-After, over a socket and through fetch', async () => {
    const app = made({ limit: 4 })
    const first = await askSocket(app, 'GET /books', as(1))
    expect([first.status, timeless(first.headers['ratelimit']), first.headers['ratelimit-policy']]).toEqual([
      200,
      '"default";r=3',
      '"default";q=4;w=60',
    ])
    const second = await askFetch(app, 'GET /books', as(1))
    expect([second.status, timeless(second.headers['ratelimit'])]).toEqual([200, '"default";r=2'])
    await ask(made({ limit: 2, by: () => crypto.randomUUID() }), 'GET /books', as(1))
    await askSocket(app, 'GET /books', as(1))
    await askFetch(app, 'GET /books', as(1))
    for (const over of [await askSocket(app, 'GET /books', as(1)), await askFetch(app, 'GET /books', as(1))]) {
      expect(over.status).toBe(429)
      expect(over.json).toEqual({ type: 'about:blank', title: 'Too many requests', status: 429, code: 'rate-limited' })
      expect(Number(over.headers['retry-after'])).toBeGreaterThan(50)
      expect(over.headers['ratelimit']).toMatch(/^"default";r=0;t=\d+$/)
    }
    expect((await askFetch(app, 'GET /books', as(2))).status).toBe(200)
  })

  it('[RTL-01] counts refused and failed requests, and tells what is left with them', async () => {
    const app = made({ limit: 3 })
    const invalid = await askFetch(app, 'GET /books?n=x', as(1))
    expect([invalid.status, timeless(invalid.headers['ratelimit'])]).toEqual([400, '"default";r=2'])
    const missing = await askSocket(app, 'GET /books/9', as(1))
    expect([missing.status, timeless(missing.headers['ratelimit'])]).toEqual([404, '"default";r=1'])
  })

  it('[RTL-01] one value is one limit for all actions that have it; two limits count apart', async () => {
    const app = made()
    await askFetch(app, 'GET /books', as(1))
    await askFetch(app, 'GET /books/1', as(1))
    expect((await askFetch(app, 'GET /books', as(1))).status).toBe(429)
    const busy = await askFetch(app, 'GET /busy', as(1))
    expect([busy.status, timeless(busy.headers['ratelimit']), busy.headers['ratelimit-policy']]).toEqual([
      200,
      '"default";r=0, "daily";r=4',
      '"default";q=1;w=3600, "daily";q=5;w=86400',
    ])
    expect((await askFetch(app, 'GET /busy', as(1))).status).toBe(429)
  })

  it('[RTL-01] counts by principal, by address, and by what a function says', async () => {
    const address = made({ by: 'address' })
    const answers = [await askSocket(address, 'GET /books'), await askSocket(address, 'GET /books', as(1))]
    expect(answers.map(({ status }) => status)).toEqual([200, 200])
    expect((await askSocket(address, 'GET /books', as(2))).status).toBe(429)
    const tenants = made({ by: ({ headers }) => String(headers['x-tenant']) })
    for (const tenant of ['a', 'a', 'b', 'b'])
      expect((await askFetch(tenants, 'GET /books', as(1, { 'x-tenant': tenant }))).status).toBe(200)
    expect((await askFetch(tenants, 'GET /books', as(1, { 'x-tenant': 'a' }))).status).toBe(429)
    // Clients without credentials are no one principal: their addresses count.
    const mixed = made()
    for (const expected of [200, 200, 429]) expect((await askSocket(mixed, 'GET /books')).status).toBe(expected)
    expect((await askSocket(mixed, 'GET /books', as(3))).status).toBe(200)
  })

  it('[RTL-01] behind proxies counts by the address that they saw, never by one that the client wrote', async () => {
    const app = made({ by: forwardedFor(1), limit: 1 })
    const from = (list: string) => askFetch(app, 'GET /books', { headers: { 'x-forwarded-for': list } })
    expect((await from('10.0.0.1, 203.0.113.7')).status).toBe(200)
    expect((await from('10.9.9.9, 203.0.113.7')).status).toBe(429)
    expect((await from('10.0.0.1, 203.0.113.8')).status).toBe(200)
    expect((await from('2001:db8:1:2::3')).status).toBe(200)
    expect((await from('2001:db8:1:2:ffff::4')).status).toBe(429)
    expect((await from('2001:DB8:1:3::3')).status).toBe(200)
    expect((await from('::ffff:203.0.113.8')).status).toBe(429)
    for (const same of ['203.0.113.8:50001', '203.0.113.8:50002', '[2001:db8:1:3::9]:443', '::FFFF:cb00:7108'])
      expect((await from(`10.0.0.1, ${same}`)).status, same).toBe(429)
    // What is no address does not make a client a new one.
    expect((await from('unknown')).status).toBe(200)
    for (const junk of ['unknown', '_hidden', 'x', '', '1.2.3', '1.2.3.4.5', '203.0.113.8:x'])
      expect((await from(junk)).status, junk).toBe(429)
    expect(() => forwardedFor(0)).toThrow('give a whole number from 1 on')
  })

  it('[RTL-01] begins again when the time has passed', async () => {
    const Short = endpoint('Short', {
      actions: {
        show: {
          routing: route.get('/'),
          policies: [rateLimit({ limit: 1, per: '1s', by: 'address' })],
          responses: { ok: 'text/plain' },
        },
      },
    })
    const app = application({
      controllers: [controller(Short, { show: () => '' })],
      plugins: [rateLimits(memoryStore())],
    })
    expect((await askFetch(app, 'GET /short')).status).toBe(200)
    const over = await askFetch(app, 'GET /short')
    expect([over.status, over.headers['retry-after']]).toEqual([429, '1'])
    await expect.poll(async () => (await askFetch(app, 'GET /short')).status).toBe(200)
  })

  it('[RTL-01] is known to documents, contracts and mocks', async () => {
    const app = made()
    const operation = app.openapi().paths['/books']?.get as any
    expect(operation['x-rate-limit']).toEqual({ limit: 2, seconds: 60, by: 'principal' })
    expect(Object.keys(operation.responses)).toEqual(expect.arrayContaining(['200', '429', '503']))
    expect(Object.keys(operation.responses['429'].headers)).toEqual(expect.arrayContaining(['Retry-After']))
    expect(Object.keys(operation.responses['200'].headers)).toEqual(['RateLimit', 'RateLimit-Policy'])
    const breaking = (a: typeof app, b: typeof app): boolean =>
      diffContracts(a.contract(), b.contract()).some(({ kind }) => kind === 'breaking')
    expect(breaking(made({ limit: 2 }), made({ limit: 1 }))).toBe(true)
    expect(breaking(made({ limit: 2 }), made({ limit: 3 }))).toBe(false)
    const mocked = mock(app, { auth: 'open' })
    for (let i = 0; i < 5; i++) expect((await askFetch(mocked, 'GET /books')).status).toBe(200)
  })

  it('[RTL-01] does not boot with a limit that is none, nor without its plugin', () => {
    const boot = (limit: object, plugins = [rateLimits(memoryStore())]) =>
      mistakesOf(() => {
        const Odd = endpoint('Odd', {
          actions: {
            show: { routing: route.get('/'), policies: [rateLimit(limit as never)], responses: { ok: true } },
          },
        })
        application({ controllers: [controller(Odd, { show: () => ({}) as never })], plugins })
      }).map(({ setting, problem, remedy }) => `${setting}: ${problem}; ${remedy}`)
    const fine = { limit: 1, per: '1m', by: 'address' }
    expect(boot({ ...fine, limit: 0 })).toEqual(['policies.rateLimit.limit: it is 0; give a whole number from 1 on'])
    expect(boot({ ...fine, per: '1.5s' })[0]).toContain(
      "policies.rateLimit.per: it is '1.5s'; give a time such as '30s'",
    )
    expect(boot({ ...fine, per: 500 })[0]).toContain('in whole seconds, from 1 s on')
    expect(boot({ ...fine, by: 'ip' })[0]).toContain("policies.rateLimit.by: it is 'ip'")
    expect(boot({ ...fine, every: 1 })[0]).toContain('there is no such setting')
    expect(boot({ ...fine, by: 'principal' })).toEqual([
      "policies.rateLimit: it counts by principal, and the action has no security; give the action a security scheme, or count by: 'address'",
    ])
    expect(boot(fine, [])[0]).toContain('add rateLimits(store) of edict/rate-limit')
    expect(boot(fine, [rateLimits({} as never)])[0]).toContain('give a store, such as memoryStore()')
    expect(boot(fine, [rateLimits(memoryStore(), { whenDown: 'open' as never })])[0]).toContain("'pass' or 'refused'")
  })
})

const down: readonly (readonly [string, Store['count']])[] = [
  ['rejects', () => Promise.reject(new StoreError('The store is down'))],
  [
    'throws',
    () => {
      throw new StoreError('The store is down')
    },
  ],
]

const brokenStore = (count: Store['count']): Store => ({
  count,
  get: () => undefined,
  set: () => false,
  delete: () => false,
})

describe('a store that does not do its work', () => {
  it.each(down)(
    '[RTL-03] because it %s refuses requests with 503 and Retry-After unless configured otherwise',
    async (_, count) => {
      const logger = recorder()
      const answer = await ask(made({ store: brokenStore(count) }, logger), 'GET /books', as(1))
      expect([answer.status, answer.headers['retry-after'], answer.json.code]).toEqual([503, '1', 'unavailable'])
      expect(logger.entries.map(({ level, fields }) => [level, fields.err.message])).toEqual([
        ['error', 'The store is down'],
        ['error', 'The store is down'],
      ])
    },
  )

  it.each(down)(
    '[RTL-03] because it %s lets requests pass where that is declared, and says so in the log',
    async (_, count) => {
      const logger = recorder()
      const answer = await ask(
        made({ store: brokenStore(count), options: { whenDown: 'pass' } }, logger),
        'GET /books',
        as(1),
      )
      expect([answer.status, answer.headers['ratelimit']]).toEqual([200, undefined])
      expect(logger.entries).toMatchObject([
        { level: 'warn', message: 'A limit was not enforced: its store does not respond' },
        { level: 'warn', fields: { action: 'Books.index', limit: 'default' } },
      ])
    },
  )

  it('[RTL-03] that never responds is given up on after its timeout, either way', async () => {
    const silent = redisStore(() => new Promise(() => {}), { timeout: 20 })
    expect((await askFetch(made({ store: silent }), 'GET /books', as(1))).status).toBe(503)
    expect((await askSocket(made({ store: silent, options: { whenDown: 'pass' } }), 'GET /books')).status).toBe(200)
  })
})

/** Sends requests at once to all processes of a fleet, and counts the statuses. */
async function statuses({ urls }: Fleet, count: number, tenant: string): Promise<Record<number, number>> {
  const all = await Promise.all(
    Array.from({ length: count }, async (_, i) => {
      const answer = await fetch(`${urls[i % urls.length]}/limited`, { headers: { 'x-tenant': tenant } })
      await answer.text()
      return answer.status
    }),
  )
  return Object.fromEntries([...new Set(all)].map((status) => [status, all.filter((one) => one === status).length]))
}

for (const client of ['ioredis', 'node-redis', 'pg'] as const) {
  describeWith(needOf(client), `three processes over one store through ${client}`, () => {
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

    it('[RTL-02] [SCL-04] of 200 simultaneous requests against a limit of 100, exactly 100 pass', async () => {
      for (const tenant of ['a', 'b']) expect(await statuses(fleet, 200, tenant)).toEqual({ 200: 100, 429: 100 })
    })

    it('[RTL-02] [SCL-04] the limit goes on when the server of the store has been restarted', async () => {
      expect(await statuses(fleet, 60, 'c')).toEqual({ 200: 60 })
      await server.restart()
      // Connections find out one by one that they are gone; requests are refused until then, and counted at most once.
      for (const url of fleet.urls)
        await expect
          .poll(async () => (await fetch(`${url}/limited`, { headers: { 'x-tenant': 'd' } })).status)
          .toBe(200)
      const { 200: passed = 0, 429: refused = 0, ...others } = await statuses(fleet, 60, 'c')
      expect([passed <= 40, passed + refused, others]).toEqual([true, 60, {}])
      expect(await statuses(fleet, 10, 'c')).toEqual({ 429: 10 })
    })
  })
}
