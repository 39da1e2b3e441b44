// Idempotency keys: a request that is sent again has one effect and one answer.
import {
  application,
  controller,
  diffContracts,
  endpoint,
  type Logger,
  need,
  route,
  security,
  t,
  verifier,
} from 'edict'
import { type IdempotencyOptions, type Idempotent, idempotency, idempotent } from 'edict/idempotency'
import { mock } from 'edict/mock'
import { memoryStore, redisStore, type Store, StoreError } from 'edict/stores'
import { describe, expect, it } from 'vitest'
import { type Answered, ask, askFetch, askSocket, mistakesOf, recorder } from '../support/ask.ts'

const Token = security.bearer<string>('Token')
const known = verifier(Token, (token) => token)

async function* pieces(): AsyncGenerator<Uint8Array> {
  for (let i = 0; i < 3; i++) yield crypto.getRandomValues(new Uint8Array(100))
}

interface Made {
  readonly store?: Store
  readonly settings?: Partial<Idempotent>
  readonly options?: IdempotencyOptions
  readonly logger?: Logger
  /** The gate that an order waits for. */
  readonly gate?: () => Promise<void> | void
}

function made({ store = memoryStore(), settings = {}, options, logger = recorder(), gate = () => {} }: Made = {}) {
  let orders = 0
  const policies = [idempotent({ keep: '1h', ...settings })]
  const payload = t.object({ name: t.string(), due: t.dateTime(), size: t.bigint(), tags: t.array(t.string()) })
  const responses = { created: 'text/plain', conflict: true } as const
  const Orders = endpoint('Orders', {
    actionDefaults: { policies, security: [Token, 'none'] },
    actions: {
      create: {
        routing: route.post('/'),
        params: { at: t.string() },
        headers: { 'X-Shop': t.string() },
        payload,
        responses,
      },
      other: { routing: route.post('/other'), payload, responses },
      fail: { routing: route.post('/fail'), responses },
      refuse: { routing: route.post('/refuse'), responses },
      bytes: { routing: route.post('/bytes'), responses: { ok: 'application/octet-stream' } },
      stream: { routing: route.post('/stream'), responses: { ok: 'application/octet-stream' } },
      upload: {
        routing: route.post('/upload'),
        payload: t.object({ picture: t.file({ required: true }) }),
        responses: { created: 'text/plain' },
      },
    },
  })
  const taken = async (): Promise<string> => {
    orders += 1
    const number = orders
    await gate()
    return `order ${number} ${crypto.randomUUID()}`
  }
  const orderly = controller(Orders, {
    create: async (_, { reply }) => reply.created(await taken(), { headers: { 'X-Made': crypto.randomUUID() } }),
    other: async (_, { reply }) => reply.created(await taken()),
    fail: async () => {
      throw new Error(await taken())
    },
    refuse: async (_, { reply }) => reply.conflict(await taken()),
    bytes: (_, { reply }) => reply.ok(crypto.getRandomValues(new Uint8Array(1000))),
    stream: (_, { reply }) => reply.ok(pieces()),
    upload: async (_, { reply }) => reply.created(await taken()),
  })
  const plugins = [idempotency(store, options)]
  const app = application({ controllers: [orderly], plugins, verifiers: [known], logger })
  return { app, orders: () => orders }
}

const keyed = (key: string, body?: unknown, headers = {}) => ({
  headers: { 'idempotency-key': key, ...headers },
  ...(body !== undefined && { body }),
})

const comparable = ({ status, headers, bytes }: Answered): unknown => {
  const {
    date,
    connection,
    'keep-alive': alive,
    'content-length': length,
    'transfer-encoding': coding,
    ...own
  } = headers
  return { status, headers: own, bytes: [...bytes] }
}

describe('an idempotent action', () => {
  it('[IDP-01] gives the recorded response byte for byte, over a socket and through fetch', async () => {
    const { app, orders } = made()
    const body = { name: 'Emma', due: '2027-01-01T00:00:00Z', size: '12345678901234567890', tags: ['a', 'b'] }
    const first = await askSocket(app, 'POST /orders?at=noon', keyed('one', body))
    expect([first.status, first.text]).toEqual([201, expect.stringContaining('order 1 ')])
    const again = [
      await askSocket(app, 'POST /orders?at=noon', keyed('one', body)),
      await askFetch(app, 'POST /orders?at=noon', keyed('one', Object.fromEntries(Object.entries(body).reverse()))),
      await askFetch(app, 'POST /orders?at=noon', keyed('"one"', body)),
    ]
    for (const answer of again) expect(comparable(answer)).toEqual(comparable(first))
    expect(orders()).toBe(1)
    expect((await ask(app, 'POST /orders', keyed('two', body))).text).toContain('order 2 ')
    expect(orders()).toBe(2)
  })

  it('[IDP-01] records bytes, streams and files as they were', async () => {
    const { app } = made()
    for (const path of ['bytes', 'stream']) {
      const first = await askFetch(app, `POST /orders/${path}`, keyed(path))
      expect([first.status, first.bytes.length > 100]).toEqual([200, true])
      expect(comparable(await askSocket(app, `POST /orders/${path}`, keyed(path)))).toEqual(comparable(first))
    }
    const form = (text: string): FormData => {
      const made = new FormData()
      made.append('picture', new File([text], 'p.png', { type: 'image/png' }))
      return made
    }
    expect((await ask(app, 'POST /orders/upload', keyed('file', form('one')))).status).toBe(201)
    expect((await ask(app, 'POST /orders/upload', keyed('file', form('one')))).status).toBe(201)
    expect((await ask(app, 'POST /orders/upload', keyed('file', form('two')))).status).toBe(422)
  })

  it('[IDP-01] refuses another request under the key with 422', async () => {
    const { app, orders } = made()
    await askFetch(app, 'POST /orders?at=noon', keyed('k', { name: 'Emma', tags: ['a', 'b'] }, { 'x-shop': '1' }))
    const others: [string, unknown, object][] = [
      ['POST /orders?at=night', { name: 'Emma', tags: ['a', 'b'] }, { 'x-shop': '1' }],
      ['POST /orders?at=noon', { name: 'Ulysses', tags: ['a', 'b'] }, { 'x-shop': '1' }],
      ['POST /orders?at=noon', { name: 'Emma', tags: ['b', 'a'] }, { 'x-shop': '1' }],
      ['POST /orders?at=noon', { name: 'Emma', tags: ['a,b'] }, { 'x-shop': '1' }],
      ['POST /orders?at=noon', { name: 'Emma', tags: ['a', 'b'] }, { 'x-shop': '2' }],
      ['POST /orders?at=noon', { name: 'Emma', tags: ['a', 'b'] }, {}],
    ]
    for (const [line, body, headers] of others) {
      const answer = await ask(app, line, keyed('k', body, headers))
      expect([answer.status, answer.json.code]).toEqual([422, 'idempotency-key-reused'])
    }
    expect(orders()).toBe(1)
  })

  it('[IDP-01] responds with 409 and Retry-After while the first request is under way', async () => {
    let open = (): void => {}
    const gate = new Promise<void>((resolve) => {
      open = resolve
    })
    const { app, orders } = made({ gate: () => gate })
    const first = askSocket(app, 'POST /orders', keyed('k', { name: 'Emma' }))
    await expect.poll(orders).toBe(1)
    const second = await ask(app, 'POST /orders', keyed('k', { name: 'Emma' }))
    expect([second.status, second.json.code, second.headers['retry-after']]).toEqual([
      409,
      'idempotency-key-in-use',
      '1',
    ])
    expect((await askFetch(app, 'POST /orders', keyed('k', { name: 'Ulysses' }))).status).toBe(422)
    open()
    const done = await first
    expect(comparable(await askFetch(app, 'POST /orders', keyed('k', { name: 'Emma' })))).toEqual(comparable(done))
    expect(orders()).toBe(1)
  })

  it('[IDP-01] knows no key of a request that never reached the action, and wants one only where declared', async () => {
    const { app, orders } = made()
    expect((await askFetch(app, 'POST /orders', keyed('k', { nam: 'Emma' }))).status).toBe(400)
    expect((await askFetch(app, 'POST /orders', keyed('k', { name: 'Emma' }))).status).toBe(201)
    await askFetch(app, 'POST /orders/refuse')
    await askSocket(app, 'POST /orders/refuse')
    expect(orders()).toBe(3)
    const strict = made({ settings: { required: true } }).app
    const missing = await ask(strict, 'POST /orders', { body: { name: 'Emma' } })
    expect([missing.status, missing.json.errors[0].pointer]).toEqual([400, '/Idempotency-Key'])
    expect((await ask(app, 'POST /orders', keyed('x'.repeat(256), {}))).status).toBe(400)
  })

  it('[IDP-01] records failures next to the effect, too: what has happened must not happen twice', async () => {
    const { app, orders } = made()
    for (const path of ['fail', 'refuse']) {
      const first = await askFetch(app, `POST /orders/${path}`, keyed(path))
      const again = await askSocket(app, `POST /orders/${path}`, keyed(path))
      expect([again.status, again.text]).toEqual([first.status, first.text])
    }
    expect(orders()).toBe(2)
  })

  it('[IDP-01] a recorded response carries the id of the request that repeats it', async () => {
    const { app } = made()
    await askFetch(app, 'POST /orders', keyed('k', {}, { 'x-request-id': 'first' }))
    const again = await askFetch(app, 'POST /orders', keyed('k', {}, { 'x-request-id': 'second' }))
    expect(again.headers['x-request-id']).toBe('second')
  })
})

describe('a key', () => {
  it('[IDP-02] belongs to its principal and its action', async () => {
    const { app, orders } = made()
    const as = (token: string) => keyed('k', { name: 'Emma' }, { authorization: `Bearer ${token}` })
    const ada = await askFetch(app, 'POST /orders', as('ada'))
    const alan = await askFetch(app, 'POST /orders', as('alan'))
    const nobody = await askFetch(app, 'POST /orders', keyed('k', { name: 'Emma' }))
    const other = await askFetch(app, 'POST /orders/other', as('ada'))
    expect(new Set([ada, alan, nobody, other].map(({ text }) => text)).size).toBe(4)
    expect((await askSocket(app, 'POST /orders', as('ada'))).text).toBe(ada.text)
    expect(orders()).toBe(4)
  })

  it('[IDP-02] lives as long as declared', async () => {
    const { app, orders } = made({ settings: { keep: '1s' } })
    const first = await askFetch(app, 'POST /orders', keyed('k', {}))
    await expect.poll(async () => (await askFetch(app, 'POST /orders', keyed('k', {}))).text).not.toBe(first.text)
    expect(orders()).toBe(2)
  })

  it('[IDP-02] whose store does not respond is refused with 503 before anything happens', async () => {
    const logger = recorder()
    const silent = redisStore(() => new Promise(() => {}), { timeout: 20 })
    const { app, orders } = made({ store: silent, logger })
    const answer = await ask(app, 'POST /orders', keyed('k', {}))
    expect([answer.status, answer.headers['retry-after'], orders()]).toEqual([503, '1', 0])
    expect(logger.entries[0]?.fields.err.message).toBe('Redis did not respond within 20 ms')
  })

  it('[IDP-02] whose answer cannot be recorded is claimed still, and the log says so', async () => {
    const inner = memoryStore()
    let isDown = false
    const store: Store = {
      ...inner,
      set: (key, value, ttl, expected) => {
        if (isDown) throw new StoreError('The store is down')
        isDown = true
        return inner.set(key, value, ttl, expected)
      },
    }
    const logger = recorder()
    const { app, orders } = made({ store, logger })
    expect((await askFetch(app, 'POST /orders', keyed('k', {}))).status).toBe(201)
    expect(logger.entries).toMatchObject([
      { level: 'warn', message: 'A response was not recorded: the store does not respond' },
    ])
    isDown = false
    expect((await askFetch(app, 'POST /orders', keyed('k', {}))).status).toBe(409)
    expect(orders()).toBe(1)
  })
})

describe('an idempotent action before any request', () => {
  it('[IDP-01] is known to documents, contracts and mocks', async () => {
    const { app } = made()
    const operation = app.openapi().paths['/orders']?.post as any
    expect(operation['x-idempotency']).toEqual({ keep: 3600, required: false })
    expect(operation.parameters.map(({ name }: { name: string }) => name)).toContain('Idempotency-Key')
    expect(Object.keys(operation.responses)).toEqual(expect.arrayContaining(['409', '422', '503']))
    const shorter = made({ settings: { keep: '1m' } }).app
    const changes = diffContracts(app.contract(), shorter.contract()).filter(({ kind }) => kind === 'breaking')
    expect(changes.length).toBeGreaterThan(0)
    expect((await askFetch(mock(app, { auth: 'open' }), 'POST /orders', keyed('k', {}))).status).toBe(201)
  })

  it('[IDP-02] does not boot with settings that make no sense', () => {
    const boot = (settings: object, options?: object, file = {}, application_: object = {}) =>
      mistakesOf(() => {
        const Odd = endpoint('Odd', {
          actions: {
            create: {
              routing: route.post('/'),
              needs: { db: need(() => 1) },
              payload: t.object({ file: t.file(file) }),
              policies: [idempotent(settings as never)],
              responses: { noContent: true },
            },
          },
        })
        const odd = controller(Odd, { create: (_, { reply }) => reply.noContent() })
        application({ controllers: [odd], plugins: [idempotency(memoryStore(), options)], ...application_ })
      }).map(({ setting, problem, remedy }) => `${setting}: ${problem}; ${remedy}`)
    expect(boot({ keep: '24h' })).toEqual([])
    expect(boot({ keep: 0 })[0]).toContain('policies.idempotent.keep: it is 0; give a time such as')
    expect(boot({})[0]).toContain('policies.idempotent.keep: it is missing')
    expect(boot({ keep: '1h', within: 'tx' })[0]).toBe(
      "policies.idempotent.within: the action has no need 'tx'; add it: needs: { tx }",
    )
    expect(boot({ keep: '1h', within: 'db' })[0]).toContain('the store of idempotency has no transactions')
    expect(boot({ keep: '1h' }, undefined, { stream: true })[0]).toContain('a file of the payload is a stream')
    expect(boot({ keep: '1h' }, { lease: '10s' })[0]).toContain(
      'idempotency.lease: it is 10s, and requests may take 30000',
    )
    expect(boot({ keep: '1h' }, {}, {}, { timeout: 0 })[0]).toContain('requests may take any time')
  })
})
