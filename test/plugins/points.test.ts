// Plugins at the points of a request: arrival, answer and end, for whatever is answered, over a socket and through fetch.
import { connect } from 'node:net'
import { describe, expect, it } from 'vitest'
import {
  type Application,
  type ApplicationOptions,
  application,
  endpoint,
  type Plugin,
  Responses,
  route,
  security,
  t,
  verifier,
} from '../../src/index.ts'
import { type Asked, ask, askFetch, askSocket, mistakesOf, urlOf } from '../support/ask.ts'

const Token = security.bearer<{ name: string }>('Token')

const Books = endpoint('Books', {
  actions: {
    index: { routing: route.get('/'), responses: { ok: 'text/plain', accepted: 'text/plain' } },
    show: {
      routing: route.get('/:id'),
      params: { id: t.integer() },
      responses: { ok: 'text/plain', notFound: true },
    },
    create: {
      routing: route.post('/'),
      payload: { title: t.string({ required: true }) },
      responses: { noContent: true },
    },
    secret: { routing: route.get('//secret'), security: Token, responses: { ok: 'text/plain' } },
    slow: { routing: route.get('//slow'), responses: { ok: 'text/plain' } },
    broken: { routing: route.get('//broken'), responses: { ok: 'text/plain' } },
    stream: { routing: route.get('//stream'), responses: { ok: 'text/plain' } },
    torn: { routing: route.get('//torn'), responses: { ok: 'text/plain' } },
  },
})

const books = Books.implement({
  index: (_, { reply }) => reply.ok('all'),
  show: ({ id }, { reply }) => (id === 7 ? reply.ok('seven') : reply.notFound()),
  create: (_, { reply }) => reply.noContent(),
  secret: (_, { principal }) => principal.name,
  slow: () => new Promise<string>(() => {}),
  broken: () => {
    throw new Error('broken')
  },
  stream: (_, { reply }) => reply.ok(pieces('one', 'two')),
  torn: (_, { reply }) => reply.ok(pieces('one', new Error('torn'))),
})

async function* pieces(...all: readonly (string | Error)[]): AsyncGenerator<string> {
  for (const one of all) {
    if (one instanceof Error) throw one
    yield one
  }
}

const problemsOf = (boot: () => unknown): string[] => mistakesOf(boot).map(({ problem }) => problem)

interface Lines {
  readonly lines: { readonly fields: Record<string, unknown>; readonly message: string }[]
}

function made(plugins: readonly Plugin[], options: Partial<ApplicationOptions> = {}): Application & Lines {
  const lines: Lines['lines'] = []
  const error = (fields: object, message: string): void => void lines.push({ fields: { ...fields }, message })
  const app = application({
    controllers: [books],
    plugins,
    timeout: 50,
    limits: { body: 100 },
    verifiers: [verifier(Token, (token) => (token === 'ada' ? { name: 'Ada' } : undefined))],
    logger: { info() {}, warn() {}, error },
    ...options,
  })
  return Object.assign({}, app, { lines })
}

interface Seen {
  readonly point: string
  readonly route: string | undefined
  readonly action: string | undefined
  readonly status?: number
  readonly outcome?: string
}

/** A plugin that notes what it sees, and marks every answer. */
function recorder(): Plugin & { readonly seen: Seen[] } {
  const seen: Seen[] = []
  return {
    name: 'recorder',
    seen,
    arrival: ({ route, action }) => void seen.push({ point: 'arrival', route, action }),
    response(response, { route, action }) {
      seen.push({ point: 'response', route, action, status: response.status })
      response.set('X-Seen', 'yes')
    },
    end({ route, action }, { status, outcome, duration }) {
      expect(duration).toBeGreaterThan(0)
      seen.push({ point: 'end', route, action, status, outcome })
    },
  }
}

const until = async (holds: () => boolean): Promise<void> => {
  while (!holds()) await new Promise((resolve) => setTimeout(resolve, 1))
}

/** The route and the action that a request reaches; nothing where it misses. */
type Reached = { readonly route: string | undefined; readonly action: string | undefined }

const MISSED: Reached = { route: undefined, action: undefined }

const CASES: readonly [line: string, status: number, reached: Reached, asked?: Asked][] = [
  ['GET /books', 200, { route: '/books', action: 'Books.index' }],
  ['HEAD /books', 200, { route: '/books', action: 'Books.index' }],
  ['GET /books/7', 200, { route: '/books/:id', action: 'Books.show' }],
  ['GET /books/8', 404, { route: '/books/:id', action: 'Books.show' }],
  ['GET /books/x', 400, { route: '/books/:id', action: 'Books.show' }],
  ['POST /books', 204, { route: '/books', action: 'Books.create' }, { body: { title: 'Dune' } }],
  ['POST /books', 400, { route: '/books', action: 'Books.create' }, { body: {} }],
  ['POST /books', 413, { route: '/books', action: 'Books.create' }, { body: { title: 'x'.repeat(200) } }],
  [
    'POST /books',
    415,
    { route: '/books', action: 'Books.create' },
    { body: 'x', headers: { 'content-type': 'image/png' } },
  ],
  ['GET /secret', 401, { route: '/secret', action: 'Books.secret' }],
  ['GET /secret', 200, { route: '/secret', action: 'Books.secret' }, { headers: { authorization: 'Bearer ada' } }],
  ['GET /slow', 503, { route: '/slow', action: 'Books.slow' }],
  ['GET /broken', 500, { route: '/broken', action: 'Books.broken' }],
  ['GET /stream', 200, { route: '/stream', action: 'Books.stream' }],
  ['GET /nowhere', 404, MISSED],
  ['GET /%ff', 400, MISSED],
  ['PUT /books', 405, MISSED],
  ['OPTIONS /books', 204, MISSED],
]

describe('[EXT-01] a plugin sees every request and every response once', () => {
  it.each(CASES)('%s: %i', async (line, status, { route, action }, asked) => {
    for (const send of [askSocket, askFetch]) {
      const plugin = recorder()
      const answer = await send(made([plugin]), line, asked)
      expect(answer.status).toBe(status)
      expect(answer.headers['x-seen']).toBe('yes')
      await until(() => plugin.seen.length === 3)
      expect(plugin.seen).toEqual([
        { point: 'arrival', route: undefined, action: undefined },
        { point: 'response', route, action, status },
        { point: 'end', route, action, status, outcome: 'sent' },
      ])
    }
  })

  it.each([
    ['a header that is too long', `GET / HTTP/1.1\r\nHost: a\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`, 431],
    ['a first line that is none', 'nonsense\r\n\r\n', 400],
    ['two hosts', 'GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n', 400],
    ['an expectation', 'GET / HTTP/1.1\r\nHost: a\r\nExpect: wonders\r\n\r\n', 417],
  ])('what the server sends by itself: %s', async (_, text, status) => {
    const plugin = recorder()
    const received = await raw(made([plugin]), text)
    expect(received).toMatch(new RegExp(`^HTTP/1.1 ${status} `))
    expect(received).toMatch(/\r\nX-Seen: yes\r\n/i)
    await until(() => plugin.seen.some(({ point }) => point === 'end'))
    expect(plugin.seen).toEqual([
      { point: 'response', route: undefined, action: undefined, status },
      { point: 'end', route: undefined, action: undefined, status, outcome: 'sent' },
    ])
  })

  it('a response that breaks off has failed, and one whose client leaves is aborted', async () => {
    const plugin = recorder()
    const app = made([plugin])
    await expect(askSocket(app, 'GET /torn')).rejects.toThrow()
    await until(() => plugin.seen.length === 3)
    expect(plugin.seen[2]).toMatchObject({ status: 200, outcome: 'failed' })
    const waiting = made([plugin], { timeout: 0 })
    const { port } = new URL(await urlOf(waiting))
    const socket = connect(Number(port), '127.0.0.1')
    socket.write('GET /slow HTTP/1.1\r\nHost: a\r\n\r\n')
    await until(() => plugin.seen.length === 4)
    socket.destroy()
    // Nothing was answered, and nothing ends as long as the action goes on.
    expect(plugin.seen[3]).toMatchObject({ point: 'arrival' })
  })
})

function raw(app: Application, text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    urlOf(app).then((url) => {
      const socket = connect(Number(new URL(url).port), '127.0.0.1')
      let received = ''
      socket.on('data', (chunk) => {
        received += chunk.toString('latin1')
      })
      socket.on('close', () => resolve(received))
      socket.on('error', reject)
      socket.write(text)
    }, reject)
  })
}

describe('[EXT-02] a plugin responds before routing, and changes any response', () => {
  it('a response of arrival is sent, and passes the response hooks like any other', async () => {
    const plugin = recorder()
    const closed: Plugin = {
      name: 'maintenance',
      arrival: ({ url }) =>
        url === '/books'
          ? new Responses.ServiceUnavailable({ body: 'Closed until noon', headers: { 'Retry-After': '60' } })
          : undefined,
    }
    const app = made([closed, plugin])
    const answer = await ask(app, 'GET /books')
    expect(answer.json).toMatchObject({ status: 503, detail: 'Closed until noon', code: 'service-unavailable' })
    expect(answer.headers).toMatchObject({
      'retry-after': '60',
      'x-seen': 'yes',
      'content-type': 'application/problem+json',
    })
    expect(plugin.seen[0]).toMatchObject({ point: 'response', route: undefined, status: 503 })
    expect(await ask(app, 'GET /books/7')).toMatchObject({ status: 200, text: 'seven' })
  })

  it('a promise of a response, and a structure as JSON, where the documents have no path', async () => {
    const plugin: Plugin = { name: 'json', arrival: async () => new Responses.Ok({ body: { a: 1 } }) }
    const answer = await ask(made([plugin]), 'GET /anything')
    expect([answer.status, answer.json, answer.headers['content-type']]).toEqual([200, { a: 1 }, 'application/json'])
  })

  it('status, headers and body can be replaced, and lists that responses share stay as they are', async () => {
    const plugin: Plugin = {
      name: 'replace',
      async response(response, { url }) {
        if (url !== '/books') return
        await Promise.resolve()
        response.status = 202
        response.body = new TextEncoder().encode('other')
        response.delete('x-content-type-options')
        response.append('Vary', 'Origin, Accept')
        response.append('Vary', 'origin')
        expect(response.get('vary')).toBe('Origin, Accept')
        expect([...response].map(([name]) => name)).toEqual(['Content-Type', 'Vary', 'Vary'])
      },
    }
    const app = made([plugin])
    const answer = await ask(app, 'GET /books')
    expect([answer.status, answer.text]).toEqual([202, 'other'])
    expect(answer.headers).not.toHaveProperty('x-content-type-options')
    expect((await ask(app, 'GET /nowhere')).headers['x-content-type-options']).toBe('nosniff')
    expect((await ask(app, 'GET /books')).headers['content-length']).toBe('5')
  })

  it('a stream before its first byte: the failure that takes its place is seen as well', async () => {
    const plugin = recorder()
    const Torn = endpoint('Torn', { actions: { show: { routing: route.get('/'), responses: { ok: 'text/plain' } } } })
    const torn = Torn.implement({ show: (_, { reply }) => reply.ok(pieces(new Error('no first piece'))) })
    const app = made([plugin], { controllers: [torn] })
    await expect(askSocket(app, 'GET /torn')).rejects.toThrow()
    await until(() => plugin.seen.length === 3)
    expect(plugin.seen.at(-1)).toMatchObject({ outcome: 'failed' })
  })
})

describe('[EXT-06] a plugin lives with its application', () => {
  it('starts before the first request, in order, and closes after the last in reverse order', async () => {
    const told: string[] = []
    const one = (name: string): Plugin => ({
      name,
      start: async ({ title }) => void told.push(`start ${name} of ${title}`),
      close: () => void told.push(`close ${name}`),
    })
    const app = made([one('a'), one('b')], { title: 'Shop' })
    await app.start()
    await app.start()
    expect(told).toEqual(['start a of Shop', 'start b of Shop'])
    await app.close()
    await app.close()
    expect(told.slice(2)).toEqual(['close b', 'close a'])
  })

  it('an application whose plugin cannot start is not served; those that have started are closed', async () => {
    const told: string[] = []
    const app = made([
      { name: 'a', close: () => void told.push('a closed') },
      { name: 'b', start: () => Promise.reject(new Error('no database')), close: () => void told.push('b closed') },
    ])
    await expect(urlOf(app)).rejects.toThrow('no database')
    await app.close()
    expect(told).toEqual(['a closed'])
  })
})

describe('[EXT-07] the order of plugins', () => {
  const marking = (name: string, more: Partial<Plugin> = {}): Plugin => ({
    name,
    response: (response) => response.append('X-Order', name),
    ...more,
  })
  const order = async (...plugins: Plugin[]): Promise<string | undefined> =>
    (await askFetch(made(plugins), 'GET /books')).headers['x-order']

  it('is that of their registration, except for before and after', async () => {
    expect(await order(marking('a'), marking('b'), marking('c'))).toBe('a, b, c')
    expect(await order(marking('a', { after: ['c'] }), marking('b'), marking('c'))).toBe('c, a, b')
    expect(await order(marking('a'), marking('b'), marking('c', { before: ['a', 'unknown'] }))).toBe('c, a, b')
  })

  it('two that must each come first are refused, with both names', () => {
    const found = problemsOf(() => made([marking('a', { after: ['b'] }), marking('b', { after: ['a'] })]))
    expect(found.join()).toMatch(/'a' and 'b' must each run before the other/)
  })

  it('one that needs another is refused without it', () => {
    expect(problemsOf(() => made([marking('a', { requires: ['b'] })])).join()).toMatch(
      /'a' needs 'b', which is not registered/,
    )
  })
})

describe('[EXT-10] a plugin that throws', () => {
  const thrower = (point: 'arrival' | 'response', how: () => unknown): Plugin => ({ name: 'thrower', [point]: how })

  it.each([
    [
      'arrival',
      () => {
        throw new Error('oh')
      },
    ],
    ['arrival', () => Promise.reject(new Error('oh'))],
    ['arrival', () => new Promise(() => {})],
    [
      'response',
      () => {
        throw new Error('oh')
      },
    ],
    ['response', () => Promise.reject(new Error('oh'))],
    ['response', () => new Promise(() => {})],
  ] as const)('at %s is a 500 for that request, named in the log, and others see the 500', async (point, how) => {
    const plugin = recorder()
    for (const plugins of [
      [thrower(point, how), plugin],
      [plugin, thrower(point, how)],
    ]) {
      const app = made(plugins)
      for (const line of ['GET /books', 'GET /nowhere']) {
        const answer = await ask(app, line)
        expect(answer.status).toBe(500)
        expect(answer.headers['x-seen']).toBe('yes')
        expect(answer.json).toMatchObject({ code: 'internal' })
      }
      expect(app.lines).toHaveLength(4)
      for (const { fields, message } of app.lines) {
        expect(message).toBe('A plugin failed')
        expect(fields).toMatchObject({ plugin: 'thrower', hook: point, err: expect.any(Error) })
      }
    }
  })

  it('at the end is in the log, and the other plugins are told', async () => {
    const plugin = recorder()
    const thrower: Plugin = {
      name: 'thrower',
      end() {
        throw new Error('oh')
      },
    }
    const app = made([thrower, plugin])
    expect((await askSocket(app, 'GET /books')).status).toBe(200)
    await until(() => plugin.seen.length === 3)
    expect(app.lines).toEqual([
      { message: 'A plugin failed', fields: expect.objectContaining({ plugin: 'thrower', hook: 'end' }) },
    ])
  })
})

it('the id of a request is the same for plugins and its action', async () => {
  const ids: string[] = []
  const Ids = endpoint('Ids', { actions: { show: { routing: route.get('/'), responses: { ok: 'text/plain' } } } })
  const controller = Ids.implement({ show: (_, { request }) => request.id })
  const early: Plugin = { name: 'early', arrival: ({ id }) => void ids.push(id), end: ({ id }) => void ids.push(id) }
  const late: Plugin = { name: 'late', response: (_, { id }) => void ids.push(id) }
  for (const plugins of [[early, late], [late]]) {
    const { text } = await askFetch(made(plugins, { controllers: [controller] }), 'GET /ids')
    expect(new Set([...ids, text]).size).toBe(1)
    ids.length = 0
  }
})
