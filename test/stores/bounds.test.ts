// Bounds of what is kept and counted, to the millisecond and to the request: by a clock that the tests turn.
import { application, endpoint, route, security, t, verifier } from 'edict'
import { idempotency, idempotent } from 'edict/idempotency'
import { rateLimit, rateLimits } from 'edict/rate-limit'
import { session, sessions } from 'edict/sessions'
import { memoryStore, type Store, StoreError } from 'edict/stores'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { askFetch, recorder } from '../support/ask.ts'

const OK = { ok: 'text/plain' } as const
const clock = { now: 0 }
const store = (more = {}): Store => memoryStore({ now: () => clock.now, ...more })
afterEach(() => {
  clock.now = 0
  vi.useRealTimers()
})

describe('a limit', () => {
  const Token = security.bearer<string>('Token')

  /** Two actions of one endpoint, and one of another, each with its own policies. */
  function made(policies: readonly (readonly ReturnType<typeof rateLimit>[])[], kept = store()) {
    const [one = [], two = [], three = []] = policies
    const Books = endpoint('Books', {
      actions: {
        one: { routing: route.get('/one'), security: [Token, 'none'], policies: one, responses: OK },
        two: { routing: route.get('/two'), security: [Token, 'none'], policies: two, responses: OK },
      },
    })
    const Films = endpoint('Films', {
      actions: { one: { routing: route.get('/one'), security: [Token, 'none'], policies: three, responses: OK } },
    })
    return application({
      controllers: [Books.implement({ one: () => '', two: () => '' }), Films.implement({ one: () => '' })],
      plugins: [rateLimits(kept)],
      verifiers: [verifier(Token, (token) => token)],
      logger: recorder(),
    })
  }
  const statusOf = async (app: ReturnType<typeof made>, path: string): Promise<number> =>
    (await askFetch(app, `GET ${path}`)).status
  const PATHS = ['/books/one', '/books/two', '/films/one']
  const same = (limit = 1) => rateLimit({ limit, per: '1m', by: 'address' })

  it('[RTL-01] that only equals that of another action counts for itself; one and the same counts for all', async () => {
    const apart = made([[same()], [same()], [same()]])
    for (const path of PATHS) expect([path, await statusOf(apart, path)]).toEqual([path, 200])
    for (const path of PATHS) expect([path, await statusOf(apart, path)]).toEqual([path, 429])
    const shared = same(2)
    const together = made([[shared], [shared], [shared]])
    for (const [i, path] of PATHS.entries()) expect(await statusOf(together, path)).toBe(i < 2 ? 200 : 429)
    const mixed = made([[shared], [same(2)], [shared]])
    expect(await statusOf(mixed, '/books/one')).toBe(200)
    expect(await statusOf(mixed, '/films/one')).toBe(200)
    expect(await statusOf(mixed, '/books/one')).toBe(429)
    expect(await statusOf(mixed, '/books/two')).toBe(200)
  })

  it('[RTL-01] of another name counts apart within one action', async () => {
    const named = (name: string, limit: number) => rateLimit({ name, limit, per: '1m', by: 'address' })
    const app = made([[named('a', 1), named('b', 2)], [named('a', 2)]])
    const left = async (path: string) =>
      (await askFetch(app, `GET ${path}`)).headers['ratelimit']?.replaceAll(/;t=\d+/g, '')
    expect(await left('/books/one')).toBe('"a";r=0, "b";r=1')
    expect(await left('/books/two')).toBe('"a";r=1')
  })

  it('[RTL-01] lets exactly its number in, and begins again exactly when its window ends', async () => {
    const app = made([[rateLimit({ limit: 3, per: '10s', by: 'address' })]])
    const ask = async () => {
      const { status, headers } = await askFetch(app, 'GET /books/one')
      return [status, headers['ratelimit'], headers['retry-after']]
    }
    expect(await ask()).toEqual([200, '"default";r=2;t=10', undefined])
    clock.now = 1
    expect(await ask()).toEqual([200, '"default";r=1;t=10', undefined])
    clock.now = 1000
    expect(await ask()).toEqual([200, '"default";r=0;t=9', undefined])
    expect(await ask()).toEqual([429, '"default";r=0;t=9', '9'])
    clock.now = 1001
    expect(await ask()).toEqual([429, '"default";r=0;t=9', '9'])
    clock.now = 9001
    expect(await ask()).toEqual([429, '"default";r=0;t=1', '1'])
    clock.now = 9999
    expect(await ask()).toEqual([429, '"default";r=0;t=1', '1'])
    clock.now = 10_000
    expect(await ask()).toEqual([200, '"default";r=2;t=10', undefined])
  })

  it('[RTL-01] counts principals, addresses and keys apart, even where their texts are equal', async () => {
    const counted: string[] = []
    const inner = store()
    const spy: Store = {
      ...inner,
      count(key, ttl) {
        counted.push(key)
        return inner.count(key, ttl)
      },
    }
    const limit = (by: 'principal' | 'address' | (() => string)) => rateLimit({ limit: 1, per: '1m', by })
    const app = made([[limit('principal')], [limit('address')], [limit(() => 'ada')]], spy)
    for (const path of PATHS) await askFetch(app, `GET ${path}`, { headers: { authorization: 'Bearer ada' } })
    expect(counted.map((key) => key.replace(/^limit:[^:]*:default:1:60:/, ''))).toEqual([
      'principal:ada',
      'address:',
      'key:ada',
    ])
    expect(new Set(counted).size).toBe(3)
  })
})

describe('the memory store', () => {
  it('counts until the very end of the time, and from one then', () => {
    const kept = store()
    expect(kept.count('a', 100)).toEqual({ count: 1, left: 100 })
    clock.now = 99
    expect(kept.count('a', 100)).toEqual({ count: 2, left: 1 })
    clock.now = 100
    expect(kept.count('a', 100)).toEqual({ count: 1, left: 100 })
  })

  it('keeps a value until the very end of its time', () => {
    const kept = store()
    void kept.set('a', '1', 100)
    clock.now = 99
    expect([kept.get('a'), kept.set('a', '2', 100, null)]).toEqual(['1', false])
    clock.now = 100
    expect([kept.get('a'), kept.set('a', '2', 100, '1'), kept.delete('a')]).toEqual([undefined, false, false])
    expect(kept.set('a', '2', 100, null)).toBe(true)
  })

  it('takes as many values and characters as it is given, and no more', () => {
    const two = store({ values: 2 })
    expect([two.set('a', '1', 10), two.set('b', '2', 10)]).toEqual([true, true])
    expect(() => two.set('c', '3', 10)).toThrow(StoreError)
    clock.now = 9
    expect(() => two.set('c', '3', 10)).toThrow(StoreError)
    clock.now = 10
    expect([two.set('c', '3', 10), two.set('d', '4', 10)]).toEqual([true, true])
    expect(() => two.set('e', '5', 10)).toThrow(StoreError)
    const ten = store({ characters: 10 })
    expect(ten.set('k', 'x'.repeat(9), 10)).toBe(true)
    expect(() => ten.set('k', 'x'.repeat(10), 10)).toThrow(StoreError)
    expect(() => ten.set('l', '', 10)).toThrow(StoreError)
    expect(ten.delete('k')).toBe(true)
    expect(ten.set('l', 'x'.repeat(9), 10)).toBe(true)
  })

  it('sweeps again whenever something may have ended', () => {
    const kept = store({ values: 1 })
    for (const at of [0, 10, 20, 30]) {
      clock.now = at
      expect(kept.set(`k${at}`, '', 10)).toBe(true)
      clock.now = at + 9
      expect(() => kept.set('x', '', 10)).toThrow(StoreError)
    }
  })

  it('makes room of a tenth of its counters, those that ended first', () => {
    const kept = store({ counters: 20 })
    for (let i = 0; i < 20; i++) void kept.count(`k${i}`, 1000)
    void kept.count('new', 1000)
    const counts = Array.from({ length: 20 }, (_, i) => i)
      .reverse()
      .map((i) => [i, (kept.count(`k${i}`, 1000) as { count: number }).count])
    // Two were forgotten for the new one; they begin again, in the room that is left.
    expect(counts.filter(([, count]) => count === 1).map(([i]) => i)).toEqual([1, 0])
    const other = store({ counters: 2 })
    void other.count('lasting', 1000)
    void other.count('ended', 10)
    clock.now = 10
    void other.count('new', 1000)
    expect(other.count('lasting', 1000)).toMatchObject({ count: 2 })
  })
})

describe('an idempotency key', () => {
  function made() {
    let count = 0
    let begun = (): void => {}
    const isBegun = new Promise<void>((resolve) => {
      begun = resolve
    })
    const Orders = endpoint('Orders', {
      actions: {
        create: { routing: route.post('/'), policies: [idempotent({ keep: '10s' })], responses: OK },
        stuck: { routing: route.post('/stuck'), policies: [idempotent({ keep: '10s' })], responses: OK },
      },
    })
    const kept = store()
    const app = application({
      controllers: [
        Orders.implement({
          create: () => `order ${++count}`,
          stuck: () => {
            begun()
            return ++count === 1 ? new Promise<string>(() => {}) : `order ${count}`
          },
        }),
      ],
      plugins: [idempotency(kept, { lease: '6s' })],
      timeout: 5000,
      logger: recorder(),
    })
    return { app, isBegun }
  }
  const key = { headers: { 'idempotency-key': '"one"' } }

  it('[IDP-02] gives the recorded response until its time is over, and then the action runs again', async () => {
    const { app } = made()
    const ask = async () => (await askFetch(app, 'POST /orders', key)).text
    expect(await ask()).toBe('order 1')
    clock.now = 9999
    expect(await ask()).toBe('order 1')
    clock.now = 10_000
    expect(await ask()).toBe('order 2')
  })

  it('[IDP-02] of a request that never responds is free again when its lease ends', async () => {
    const { app, isBegun } = made()
    void askFetch(app, 'POST /orders/stuck', key)
    await isBegun
    expect((await askFetch(app, 'POST /orders/stuck', key)).status).toBe(409)
    clock.now = 5999
    expect((await askFetch(app, 'POST /orders/stuck', key)).status).toBe(409)
    clock.now = 6000
    expect((await askFetch(app, 'POST /orders/stuck', key)).text).toBe('order 2')
  })
})

describe('a session', () => {
  const SECRET = 'a secret of more than thirty-two characters'
  const Session = session('Session', { data: t.object({ text: t.string() }) })
  function made(options: object) {
    const kept = sessions(Session, { lifetime: '10s', ...options })
    const Desk = endpoint('Desk', {
      actions: {
        login: {
          routing: route.post('/'),
          params: { size: t.integer({ default: 0 }) },
          policies: [Session.writes],
          responses: OK,
        },
        show: { routing: route.get('/'), security: Session, responses: OK },
        logout: { routing: route.post('/logout'), security: Session, policies: [Session.writes], responses: OK },
      },
    })
    const desk = Desk.implement({
      login: ({ size }, { session: own }) => {
        own.start({ text: 'x'.repeat(size) })
        return ''
      },
      show: () => 'in',
      logout: (_, { session: own }) => {
        own.end()
        return ''
      },
    })
    return application({
      controllers: [desk],
      plugins: [kept.plugin],
      verifiers: [kept.verifier],
      logger: recorder(),
    })
  }
  const setCookie = async (app: ReturnType<typeof made>, size = 0) =>
    (await askFetch(app, `POST /desk?size=${size}`)).headers['set-cookie'] ?? ''
  const START = Date.parse('2030-01-01T00:00:00Z')
  const moveTo = (ms: number): void => {
    clock.now = ms
    vi.setSystemTime(START + ms)
  }

  it.each([
    ['in a store', () => ({ store: store() })],
    ['in a cookie', () => ({ secrets: [SECRET] })],
  ])('[AUT-02] %s lasts as long as declared, to the millisecond', async (_, options) => {
    vi.useFakeTimers({ toFake: ['Date'] })
    moveTo(0)
    const app = made(options())
    const text = await setCookie(app)
    expect(text).toContain('Max-Age=10;')
    const [cookie = ''] = text.split(';')
    const statusAt = async (ms: number) => {
      moveTo(ms)
      return (await askFetch(app, 'GET /desk', { headers: { cookie } })).status
    }
    expect([await statusAt(9999), await statusAt(10_000)]).toEqual([200, 401])
  })

  it('[AUT-02] in a cookie that was ended stays ended until the cookie itself has', async () => {
    vi.useFakeTimers({ toFake: ['Date'] })
    moveTo(0)
    const app = made({ store: store(), secrets: [SECRET] })
    const [cookie = ''] = (await setCookie(app)).split(';')
    const ask = (line: string) => askFetch(app, line, { headers: { cookie } })
    expect((await ask('GET /desk')).status).toBe(200)
    moveTo(1)
    expect((await ask('POST /desk/logout')).status).toBe(200)
    for (const at of [1, 5000, 9999, 10_000]) {
      moveTo(at)
      expect([at, (await ask('GET /desk')).status]).toEqual([at, 401])
    }
  })

  it('[AUT-02] in a cookie has at most 4096 characters, name and attributes included', async () => {
    const app = made({ secrets: [SECRET] })
    const lengths = new Map<number, number>()
    for (let size = 2800; size < 3100; size++) lengths.set(size, (await setCookie(app, size)).length)
    const sent = [...lengths.values()].filter((length) => length > 0)
    // Three characters of data are four of the cookie, so that the bound itself may be met or not.
    expect(Math.max(...sent)).toBeGreaterThan(4096 - 3)
    expect(Math.max(...sent)).toBeLessThanOrEqual(4096)
    expect([...lengths.values()].at(-1)).toBe(0)
  })
})
