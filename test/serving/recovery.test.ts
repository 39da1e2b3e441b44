// First attempts that fail: whatever is done once is tried again by the next who needs it, and done once then.
import { application, controller, endpoint, need, type Plugin, route, security } from 'edict'
import { idempotency, idempotent } from 'edict/idempotency'
import { jwt } from 'edict/jwt'
import { type LambdaEvent, lambdaHandler } from 'edict/lambda'
import { memoryStore, postgresStore, type Store, StoreError } from 'edict/stores'
import { beforeAll, describe, expect, it } from 'vitest'
import { serve } from '../../src/adapters/node/index.ts'
import { askFetch, recorder } from '../support/ask.ts'
import { type Keys, makeKeys, signed } from '../support/credentials/issuer.ts'

const Things = endpoint('Things', {
  actions: { show: { routing: route.get('/'), responses: { ok: 'text/plain' } } },
})

/** An application with three plugins, the second of which fails to start as often as it is told. */
function made(failures: number, fails: () => unknown) {
  const events: string[] = []
  let left = failures
  const plugin = (name: string, start: () => unknown): Plugin => ({
    name,
    start: () => {
      events.push(`start ${name}`)
      return start() as undefined
    },
    close: () => void events.push(`close ${name}`),
  })
  const plugins = [plugin('a', () => {}), plugin('b', () => (left-- > 0 ? fails() : undefined)), plugin('c', () => {})]
  const controllers = [Things.implement({ show: () => 'here' })]
  return { app: application({ controllers, plugins, logger: recorder() }), events }
}

const rejects = () => Promise.reject(new Error('not yet'))
const throws = () => {
  throw new Error('not yet')
}

describe.each([
  ['rejects', rejects],
  ['throws', throws],
])('a start that %s', (_, fails) => {
  it('is tried again when it is requested again, goes on where it failed, and is done once then', async () => {
    const { app, events } = made(2, fails)
    await expect(app.start?.()).rejects.toThrow('not yet')
    const again = await Promise.allSettled([app.start?.(), app.start?.()])
    expect(again.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
    await app.start?.()
    await app.start?.()
    expect(events).toEqual(['start a', 'start b', 'start b', 'start b', 'start c'])
    await app.close?.()
    expect(events.slice(5)).toEqual(['close c', 'close b', 'close a'])
  })

  it('closes what has started, where nobody tries again', async () => {
    const { app, events } = made(1, fails)
    await expect(app.start?.()).rejects.toThrow('not yet')
    await app.close?.()
    expect(events).toEqual(['start a', 'start b', 'close a'])
  })

  it('is an error of the first event of AWS Lambda, and none of the next', async () => {
    const { app, events } = made(2, fails)
    const handler = lambdaHandler(app)
    const context = { getRemainingTimeInMillis: () => 10_000 }
    const event = {
      ...{ version: '2.0', rawPath: '/things', rawQueryString: '', headers: {}, isBase64Encoded: false },
      requestContext: { http: { method: 'GET', path: '/things', sourceIp: '203.0.113.7' } },
    } as LambdaEvent
    await expect(handler(event, context)).rejects.toThrow('not yet')
    const both = await Promise.allSettled([handler(event, context), handler(event, context)])
    expect(both.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
    const answers = await Promise.all([handler(event, context), handler(event, context)])
    expect(answers.map(({ statusCode, body }) => [statusCode, body])).toEqual([
      [200, 'here'],
      [200, 'here'],
    ])
    expect(events.filter((one) => one === 'start c')).toHaveLength(1)
  })

  it('lets serve fail, and the next serve of the application begin', async () => {
    const { app } = made(1, fails)
    const options = { port: 0, host: '127.0.0.1', signals: false, fatal: false } as const
    await expect(serve(app, options)).rejects.toThrow('not yet')
    const { app: other, events } = made(1, fails)
    await expect(other.start?.()).rejects.toThrow('not yet')
    const server = await serve(other, options)
    expect(await (await fetch(`${server.url}/things`)).text()).toBe('here')
    await server.close()
    expect(events.slice(-3)).toEqual(['close c', 'close b', 'close a'])
  })
})

describe('keys of an issuer', () => {
  const ISSUER = 'https://issuer.example'
  const AUDIENCE = 'https://api.example'
  const DISCOVERY = `${ISSUER}/.well-known/openid-configuration`
  let keys: Keys
  let token: string
  beforeAll(async () => {
    keys = await makeKeys('one')
    token = await signed(keys, { iss: ISSUER, aud: AUDIENCE, sub: 'ada' })
  })

  const json = (value: unknown) => Response.json(value)
  const well = (url: string) =>
    url === DISCOVERY
      ? json({ issuer: ISSUER, jwks_uri: `${ISSUER}/keys` })
      : json({ keys: [keys.open].map(({ kid, alg, use, ...rest }) => ({ ...rest, kid, alg, use })) })

  const faults: readonly (readonly [string, string, () => Response | Promise<Response>])[] = [
    ['no connection', DISCOVERY, () => Promise.reject(new TypeError('fetch failed'))],
    ['a thrown error', DISCOVERY, throws],
    ['503', DISCOVERY, () => new Response('', { status: 503 })],
    [
      'a redirection',
      DISCOVERY,
      () => new Response('', { status: 302, headers: { location: 'https://evil.example' } }),
    ],
    ['no JSON', DISCOVERY, () => new Response('<html>')],
    ['another issuer', DISCOVERY, () => json({ issuer: 'https://evil.example', jwks_uri: `${ISSUER}/keys` })],
    ['no address of keys', DISCOVERY, () => json({ issuer: ISSUER })],
    ['keys without TLS', DISCOVERY, () => json({ issuer: ISSUER, jwks_uri: 'http://issuer.example/keys' })],
    ['no connection', `${ISSUER}/keys`, () => Promise.reject(new TypeError('fetch failed'))],
    ['500', `${ISSUER}/keys`, () => new Response('', { status: 500 })],
    ['no JSON', `${ISSUER}/keys`, () => new Response('<html>')],
    ['no keys', `${ISSUER}/keys`, () => json({})],
  ]

  it.each(faults)('[AUT-01] that fail with %s at %s are read by the next request', async (_, where, fault) => {
    const Token = security.bearer<string>('Token')
    const Doors = endpoint('Doors', {
      actions: { show: { routing: route.get('/'), security: Token, responses: { ok: 'text/plain' } } },
    })
    let failing = true
    const asked: string[] = []
    const fetched = async (url: string): Promise<Response> => {
      asked.push(url)
      return failing && url === where ? fault() : well(url)
    }
    const verified = jwt(Token, { issuer: ISSUER, audience: AUDIENCE, principal: ({ sub }) => sub, fetch: fetched })
    const app = application({
      controllers: [Doors.implement({ show: (_, { principal }) => principal })],
      verifiers: [verified],
      logger: recorder(),
    })
    const ask = () => askFetch(app, 'GET /doors', { headers: { authorization: `Bearer ${token}` } })
    for (const { status } of await Promise.all([ask(), ask()])) expect(status).toBe(503)
    expect((await ask()).status).toBe(503)
    failing = false
    const answers = await Promise.all([ask(), ask(), ask()])
    expect(answers.map(({ text }) => text)).toEqual(['ada', 'ada', 'ada'])
    const before = asked.length
    expect((await ask()).text).toBe('ada')
    expect(asked.length).toBe(before)
  })
})

describe('the table of a store in PostgreSQL', () => {
  it('is made by the next request where the first one failed, and once then', async () => {
    const texts: string[] = []
    let broken = true
    const client = {
      async query(text: string) {
        texts.push(text)
        if (broken) throw Object.assign(new Error('the database is starting up'), { code: '57P03' })
        return { rows: [] }
      },
    }
    const store = postgresStore(client as never)
    await expect(Promise.resolve(store.get('a'))).rejects.toThrow()
    broken = false
    texts.length = 0
    await store.get('a')
    await store.get('a')
    const creates = texts.filter((text) => /create/i.test(text))
    expect([creates.length > 0, new Set(creates).size === creates.length, texts.length]).toEqual([
      true,
      true,
      creates.length + 2,
    ])
  })
})

describe.each([
  ['rejects', () => Promise.reject(new StoreError('not yet'))],
  [
    'throws',
    () => {
      throw new StoreError('not yet')
    },
  ],
] as const)('the first use of a store that %s, for a key in the transaction of its effect', (_, fails) => {
  it('[IDP-02] is 503 before anything happens; the next request uses it again, and later ones do not', async () => {
    const inner = memoryStore()
    const asked: string[] = []
    let isDown = true
    const store: Store = {
      ...inner,
      get(key) {
        asked.push(key)
        return isDown ? fails() : inner.get(key)
      },
      within: () => ({
        lock: async () => true,
        get: async (key) => inner.get(key),
        add: async (key, value, ttl) => inner.set(key, value, ttl, null),
      }),
    }
    const Orders = endpoint('Orders', {
      actions: {
        create: {
          routing: route.post('/'),
          needs: { db: need<string>(() => 'a transaction') },
          policies: [idempotent({ keep: '1h', within: 'db' })],
          responses: { created: 'text/plain' },
        },
      },
    })
    let effects = 0
    const orders = controller(Orders, { create: (_, { reply }) => reply.created(`order ${++effects}`) })
    const app = application({ controllers: [orders], plugins: [idempotency(store)], logger: recorder() })
    const ask = (key: string) => askFetch(app, 'POST /orders', { headers: { 'idempotency-key': key } })
    for (const { status } of [...(await Promise.all([ask('a'), ask('b')])), await ask('a')]) expect(status).toBe(503)
    expect(effects).toBe(0)
    isDown = false
    asked.length = 0
    for (const key of ['a', 'a', 'b']) expect((await ask(key)).status).toBe(201)
    expect([effects, asked]).toEqual([2, ['first use']])
  })
})
