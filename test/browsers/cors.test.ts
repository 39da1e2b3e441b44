// Cross-origin requests: preflights and headers follow from the declarations, in every answer, and a browser agrees.
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { policy, problem } from '../../src/extend.ts'
import {
  application,
  collectionOf,
  controller,
  endpoint,
  type Logger,
  mediaType,
  type Plugin,
  route,
  security,
  t,
  verifier,
} from '../../src/index.ts'
import { type CorsOptions, cors } from '../../src/plugins/cors/index.ts'
import { OrderingParams, PaginationParams, paginate, pagination } from '../../src/plugins/pagination/index.ts'
import { ask, askFetch, mistakesOf, recorder, urlOf } from '../support/ask.ts'
import { launchBrowser } from '../support/browser.ts'
import { describeWith } from '../support/needs.ts'
import { Wire } from '../support/serving/wire.ts'

const Book = mediaType('Book', {
  identifier: 'application/vnd.book+json',
  attributes: { id: t.integer(), title: t.string() },
})
const Card = security.bearer<{ name: string }>('Card')
// The plugin decides which origins may ask.
const Session = security.apiKey<{ name: string }>('Session', { in: 'cookie', name: 'session', crossSite: 'allowed' })

const busy = policy({
  name: 'busy',
  plugin: 'busy',
  responses: [{ status: 429, code: 'busy', title: 'Too many requests', headers: ['Retry-After', 'RateLimit'] }],
})
const busyPlugin: Plugin = {
  name: 'busy',
  enforce: () => ({
    admission: () =>
      problem({
        status: 429,
        code: 'busy',
        title: 'Too many requests',
        headers: { 'Retry-After': '9', RateLimit: 'r=0' },
      }),
  }),
}

const Books = endpoint('Books', {
  mediaType: Book,
  actions: {
    index: {
      routing: route.get('/'),
      params: { pagination: PaginationParams.for(Book), order: OrderingParams.for(Book) },
      responses: { ok: collectionOf(Book) },
    },
    create: {
      routing: route.post('/'),
      payload: { title: t.string({ required: true, max: 20 }) },
      headers: { 'X-Shelf': t.string() },
      responses: { created: true },
    },
    show: { routing: route.get('/:id'), params: { id: t.integer() }, responses: { ok: Book, notFound: true } },
    change: {
      routing: route.patch('/:id'),
      params: { id: t.integer() },
      payload: { title: t.string() },
      security: [Card, Session],
      responses: { ok: { mediaType: Book, headers: { 'X-Revision': true } }, unprocessableContent: true },
    },
    limited: { routing: route.get('/limited'), policies: [busy], responses: { ok: 'text/plain' } },
    fail: { routing: route.get('/fail'), responses: { ok: 'text/plain' } },
    any: { routing: route.any('/any'), responses: { ok: 'text/plain' } },
    options: { routing: route.options('/own'), responses: { ok: 'text/plain' } },
  },
})

const Old = endpoint('Old', {
  version: '1',
  actions: { tell: { routing: route.put('/'), payload: { at: t.string() }, responses: { ok: 'text/plain' } } },
})

const all = [1, 2, 3].map((id) => ({ id, title: `Book ${id}` }))

const library = (options: CorsOptions, logger: Logger = recorder()) =>
  application({
    controllers: [
      controller(Books, {
        index: (_, { request, reply }) => reply.ok(paginate(request, all)),
        create: (_, { reply }) => reply.created(undefined, { location: '/books/4' }),
        show: ({ id }, { reply }) => {
          const book = all[id - 1]
          return book === undefined ? reply.notFound(`There is no book ${id}.`) : reply.ok(book)
        },
        change: ({ id }, { request, reply, principal }) => {
          if (request.payload.title === '') return reply.unprocessableContent('A title is not empty.')
          return reply.ok(
            { id, title: `${request.payload.title} by ${principal.name}` },
            { headers: { 'X-Revision': '7' } },
          )
        },
        limited: () => 'never',
        fail: () => {
          throw new Error('broken')
        },
        any: () => 'any',
        options: () => 'mine',
      }),
      controller(Old, { tell: () => 'told' }),
    ],
    verifiers: [
      verifier(Card, (token) => (token === 'ada' ? { name: 'Ada' } : undefined)),
      verifier(Session, (token) => (token === 'ada' ? { name: 'Ada' } : undefined)),
    ],
    plugins: [pagination(), busyPlugin, cors(options)],
    limits: { body: 200 },
    logger,
  })

const shop = 'https://shop.example'
const app = library({ origins: [shop, /^https:\/\/[a-z]+\.shop\.example$/], credentials: true })

const preflight = (path: string, method: string, origin = shop, headers = {}) =>
  ask(app, `OPTIONS ${path}`, { headers: { origin, 'access-control-request-method': method, ...headers } })

const words = (list: string | undefined): string[] => (list ?? '').split(', ').sort()

describe('preflights', () => {
  it('[COR-01] has the verbs of the path and the headers that the asked action declares', async () => {
    const { status, headers } = await preflight('/books/', 'POST')
    expect(status).toBe(204)
    expect(words(headers['access-control-allow-methods'])).toEqual(['GET', 'HEAD', 'POST'])
    expect(words(headers['access-control-allow-headers'])).toEqual(['Content-Type', 'X-Request-Id', 'X-Shelf'])
    expect(headers).toMatchObject({
      'access-control-allow-origin': shop,
      'access-control-allow-credentials': 'true',
      'access-control-max-age': '600',
    })
    const varies = ['Access-Control-Request-Headers', 'Access-Control-Request-Method', 'Origin']
    expect(words(headers['vary'])).toEqual(expect.arrayContaining(varies))
  })

  it('[COR-01] allows the header of the credentials that the action requests, and never a list that nobody declared', async () => {
    const { headers } = await preflight('/books/1', 'PATCH')
    expect(words(headers['access-control-allow-headers'])).toEqual(['Authorization', 'Content-Type', 'X-Request-Id'])
    const reading = await preflight('/books/1', 'GET')
    expect(words(reading.headers['access-control-allow-headers'])).toEqual(['X-Request-Id'])
  })

  const withHeader = (name: string) => ({ [name]: t.string() })
  const Verbs = endpoint('Verbs', {
    actions: {
      get: { routing: route.get('/both'), headers: withHeader('X-Get'), responses: { noContent: {} } },
      any: { routing: route.any('/both'), headers: withHeader('X-Any'), responses: { noContent: {} } },
      only: { routing: route.get('/got'), headers: withHeader('X-Get'), responses: { noContent: {} } },
      exact: { routing: route.any('/exact'), headers: withHeader('X-Any'), responses: { noContent: {} } },
      loose: {
        routing: route.get('/:name'),
        params: { name: t.string() },
        headers: withHeader('X-Get'),
        responses: { noContent: {} },
      },
    },
  })
  const none = (_: unknown, { reply }: { reply: { noContent(): never } }) => reply.noContent()
  const verbs = application({
    plugins: [cors({ origins: [shop] })],
    controllers: [controller(Verbs, { get: none, any: none, only: none, exact: none, loose: none } as never)],
  })

  it.each([
    ['/verbs/both', 'GET', 'X-Get'],
    ['/verbs/both', 'HEAD', 'X-Any'],
    ['/verbs/both', 'PUT', 'X-Any'],
    ['/verbs/got', 'HEAD', 'X-Get'],
    ['/verbs/exact', 'GET', 'X-Get'],
    ['/verbs/exact', 'HEAD', 'X-Any'],
    ['/verbs/other', 'HEAD', 'X-Get'],
  ])('[COR-01] [RTE-03] of %s for %s allows the header of the action that serves it', async (path, method, header) => {
    const asking = { origin: shop, 'access-control-request-method': method }
    const { headers } = await ask(verbs, `OPTIONS ${path}`, { headers: asking })
    expect(words(headers['access-control-allow-methods'])).toContain(method)
    const own = words(headers['access-control-allow-headers']).filter((name) => /^X-(?:Get|Any)$/.test(name))
    expect(own).toEqual([header])
  })

  it('[COR-01] is served for a route of any verb, for one of a version that a header names, and for an own OPTIONS', async () => {
    const any = await preflight('/books/any', 'PROPFIND')
    expect(words(any.headers['access-control-allow-methods'])).toContain('PROPFIND')
    const old = await preflight('/old', 'PUT')
    expect(words(old.headers['access-control-allow-methods'])).toEqual(['PUT'])
    expect(words(old.headers['access-control-allow-headers'])).toEqual([
      'Content-Type',
      'X-Api-Version',
      'X-Request-Id',
    ])
    const own = await preflight('/books/own', 'GET')
    expect(own).toMatchObject({ status: 204, text: '' })
  })

  it('[COR-01] lets the page see the 404 of a path that has no route', async () => {
    const { status, headers } = await preflight('/nowhere', 'PUT', shop, {
      'access-control-request-headers': 'x-a, x-b',
    })
    expect(status).toBe(204)
    expect(headers['access-control-allow-methods']).toBe('PUT')
    expect(words(headers['access-control-allow-headers'])).toEqual(['X-Request-Id', 'x-a', 'x-b'])
  })
})

describe('answers', () => {
  const from = { origin: shop }
  const cases: [what: string, line: string, sent: object, status: number][] = [
    ['a list', 'GET /books?pagination=items=1,total_count=true', {}, 200],
    ['HEAD', 'HEAD /books/1', {}, 200],
    ['a declared 404', 'GET /books/9', {}, 404],
    ['an unknown path', 'GET /nowhere', {}, 404],
    ['a 405', 'DELETE /books', {}, 405],
    ['plain OPTIONS', 'OPTIONS /books', {}, 204],
    ['a 400', 'GET /books/x', {}, 400],
    ['a 401', 'PATCH /books/1', { body: {} }, 401],
    ['a 413', 'POST /books', { body: { title: 'x'.repeat(300) } }, 413],
    ['a 415', 'POST /books', { body: 'x', headers: { ...from, 'content-type': 'text/plain' } }, 415],
    ['a 429', 'GET /books/limited', {}, 429],
    ['a 500', 'GET /books/fail', {}, 500],
  ]

  it.each(cases)('[COR-02] %s has the headers of its origin', async (_, line, sent, status) => {
    const answer = await ask(app, line, { headers: from, ...sent })
    expect(answer.status).toBe(status)
    expect(answer.headers).toMatchObject({
      'access-control-allow-origin': shop,
      'access-control-allow-credentials': 'true',
    })
    expect(words(answer.headers['vary'])).toContain('Origin')
  })

  it('[COR-02] a refusal of the server itself has them too', async () => {
    const { port } = new URL(await urlOf(app))
    const { connect } = await import('node:net')
    const text = await new Promise<string>((resolve, reject) => {
      let received = ''
      const socket = connect(Number(port), '127.0.0.1')
      socket.on('data', (data) => (received += data.toString()))
      socket.on('close', () => resolve(received))
      socket.on('error', reject)
      socket.write(`GET /books HTTP/1.1\r\nHost: a\r\nOrigin: ${shop}\r\nExpect: nonsense\r\nConnection: close\r\n\r\n`)
    })
    expect(text).toMatch(/^HTTP\/1.1 417/)
    expect(text.toLowerCase()).toContain(`access-control-allow-origin: ${shop}`)
  })

  it.each<[what: string, before: string, after: string]>([
    ['a little too large', '', `X-Large: ${'x'.repeat(17_000)}`],
    ['a little too large, with the origin behind', `X-Large: ${'x'.repeat(17_000)}`, ''],
    ['far too large', '', `X-Large: ${'x'.repeat(50_000)}`],
  ])('[COR-02] so has the 431 of a head that is %s', async (_, before, after) => {
    for (const [asked, origin] of [
      [app, shop],
      [library({ origins: '*' }), '*'],
    ] as const) {
      const wire = await Wire.open(Number(new URL(await urlOf(asked)).port))
      const lines = ['GET /books HTTP/1.1', 'Host: a', before, `Origin: ${shop}`, after].filter((line) => line !== '')
      wire.socket.write(`${lines.join('\r\n')}\r\n\r\n`)
      await wire.closed
      expect(wire.text).toMatch(/^HTTP\/1.1 431/)
      expect(wire.text.toLowerCase()).toContain(`access-control-allow-origin: ${origin}`)
    }
  })

  it('[COR-02] a request that cannot be read is told to every page where all may read, and to none otherwise', async () => {
    for (const [asked, origin] of [
      [library({ origins: '*' }), 'access-control-allow-origin: *'],
      [app, undefined],
    ] as const) {
      const wire = await Wire.open(Number(new URL(await urlOf(asked)).port))
      wire.socket.write('nonsense\r\n\r\n')
      await wire.closed
      expect(wire.text).toMatch(/^HTTP\/1.1 400/)
      expect(/access-control-allow-origin: .*/.exec(wire.text.toLowerCase())?.[0].trim()).toBe(origin)
      expect((await askFetch(asked, 'GET /books/1')).headers).not.toHaveProperty('access-control-allow-origin')
    }
  })

  it('[COR-02] exposes the headers that the action and its policies declare', async () => {
    const exposed = async (line: string, sent = {}) =>
      words((await ask(app, line, { headers: from, ...sent })).headers['access-control-expose-headers'])
    expect(await exposed('GET /books')).toEqual(['Allow', 'Link', 'Retry-After', 'Total-Count', 'X-Request-Id'])
    expect(await exposed('POST /books', { body: { title: 'Emma' } })).toContain('Location')
    expect(await exposed('PATCH /books/1', { body: {} })).toEqual(
      expect.arrayContaining(['WWW-Authenticate', 'X-Revision']),
    )
    expect(await exposed('GET /books/limited')).toEqual(expect.arrayContaining(['RateLimit', 'Retry-After']))
  })

  /** The headers that pages may read of an action, and those that they may send to it. */
  async function told(action: object, line = 'GET /made', plugins: readonly Plugin[] = []) {
    const Made = endpoint('Made', {
      actions: { show: { routing: route.get('/'), responses: { ok: true }, ...action } },
    })
    const show = () => undefined
    const made = application({
      controllers: [Made.implement({ show: show as never })],
      plugins: [...plugins, cors({ origins: [shop] })],
      logger: recorder(),
    })
    const [method = '', path = ''] = line.split(' ')
    const asked = { origin: shop, 'access-control-request-method': method }
    const before = await askFetch(made, `OPTIONS ${path}`, { headers: asked })
    const { headers } = await askFetch(made, line, { headers: from, ...(method === 'QUERY' && { body: {} }) })
    return {
      reads: words(headers['access-control-expose-headers']),
      sends: words(before.headers['access-control-allow-headers']),
    }
  }
  const always = ['Allow', 'Retry-After', 'X-Request-Id']

  it.each([
    ['ok', false],
    ['created', true],
    ['accepted', true],
    ['noContent', false],
    ['multipleChoices', true],
    ['movedPermanently', true],
    ['seeOther', true],
    ['notModified', true],
    ['permanentRedirect', true],
    ['badRequest', false],
    ['conflict', false],
  ])('[COR-02] of an action that returns %s, Location is exposed: %j', async (name, has) => {
    const { reads } = await told({ responses: { ok: true, [name]: true } })
    expect(reads).toEqual(has ? ['Allow', 'Location', 'Retry-After', 'X-Request-Id'] : always)
  })

  it('[COR-02] exposes what browsers hide, and nothing else', async () => {
    const hidden = ['Content-Encoding', 'ETag', 'X-Cache-Control', 'Expires-At', 'Age']
    const open = ['Cache-Control', 'Content-Language', 'Expires', 'Last-Modified', 'PRAGMA', 'Vary']
    const declared = Object.fromEntries([...hidden, ...open].map((name) => [name, t.string()]))
    const { reads } = await told({ responses: { ok: { mediaType: 'text/plain', headers: declared } } })
    expect(reads).toEqual([...always, ...hidden].sort())
  })

  it('[COR-02] names the headers that policies add, not their values, and Accept-Query for QUERY only', async () => {
    const said = policy({
      name: 'said',
      responseHeaders: ['X-Said', 'always', 'Vary', 'X-Other'],
      documentedHeaders: { 'X-Sent': { description: 'Sent.', schema: {} } },
    })
    const read = (policies: readonly unknown[], line?: string) =>
      told({ policies, ...(line && { routing: route.query('/') }) }, line).then(({ reads }) => reads)
    expect(await read([said])).toEqual([...always, 'X-Said', 'X-Sent'].sort())
    const open = ['Content-Type', 'Content-Length', 'content-language', 'Expires', 'Last-Modified', 'Pragma']
    const sends = Object.fromEntries(open.map((name) => [name, { description: name, schema: {} }]))
    expect(await read([policy({ name: 'open', documentedHeaders: sends })])).toEqual(always)
    expect(await read([], 'QUERY /made')).toEqual(['Accept-Query', ...always])
  })

  it('[COR-01] a page may send Content-Type where there is a body, and never Cookie', async () => {
    const headers = { Cookie: t.string(), cookie2: t.string(), 'X-Own': t.string() }
    expect((await told({ headers })).sends).toEqual(['X-Own', 'X-Request-Id', 'cookie2'])
    expect((await told({ routing: route.query('/') }, 'QUERY /made')).sends).toEqual(['Content-Type', 'X-Request-Id'])
    expect((await told({ routing: route.put('/') }, 'PUT /made')).sends).toEqual(['X-Request-Id'])
  })

  it('[COR-02] has * without credentials and then differs for nobody', async () => {
    const open = library({ origins: '*', expose: ['Server-Timing'], headers: ['X-Trace'], maxAge: 5 })
    const answer = await ask(open, 'GET /books/1', { headers: from })
    expect(answer.headers['access-control-allow-origin']).toBe('*')
    expect(answer.headers['access-control-expose-headers']).toContain('Server-Timing')
    expect(answer.headers).not.toHaveProperty('access-control-allow-credentials')
    expect(answer.headers['vary']).toBe('X-Api-Version')
    const asked = await ask(open, 'OPTIONS /books/1', { headers: { ...from, 'access-control-request-method': 'GET' } })
    expect(asked.headers['access-control-allow-headers']).toContain('X-Trace')
    expect(asked.headers['access-control-max-age']).toBe('5')
  })
})

describe('origins', () => {
  const without = ({ status, headers, text }: Awaited<ReturnType<typeof ask>>) => {
    const { date: _, ...rest } = headers
    return { status, text, headers: rest }
  }

  it('[COR-03] lets in what a pattern fits as a whole', async () => {
    const { headers } = await ask(app, 'GET /books/1', { headers: { origin: 'https://eu.shop.example' } })
    expect(headers['access-control-allow-origin']).toBe('https://eu.shop.example')
  })

  it.each(['https://evil.example', 'https://eu.shop.example.evil.example', 'null', 'http://shop.example'])(
    '[COR-03] gives %s no CORS header and otherwise the same response',
    async (origin) => {
      for (const line of [
        'GET /books/1',
        'GET /books/9',
        'GET /nowhere',
        'DELETE /books',
        'OPTIONS /books',
        'GET /books/fail',
      ]) {
        const answer = await ask(app, line, { headers: { origin } })
        const plain = await ask(app, line)
        const anonymous = (text: string): string => text.replace(/"requestId":"[^"]*"/, '')
        expect({ ...without(answer), text: anonymous(answer.text) }).toEqual({
          ...without(plain),
          text: anonymous(plain.text),
        })
        expect(Object.keys(answer.headers).filter((name) => name.startsWith('access-control'))).toEqual([])
      }
      const asked = await preflight('/books/own', 'GET', origin)
      expect(asked).toMatchObject({ status: 200, text: 'mine' })
      expect(asked.headers).not.toHaveProperty('access-control-allow-methods')
    },
  )

  it('[COR-03] asks a function, which may take its time, once for each request', async () => {
    const seen: string[] = []
    const decided = library({
      origins: async (origin, request) => {
        seen.push(`${request.method} ${origin}`)
        return origin.endsWith('.example')
      },
    })
    const { headers } = await ask(decided, 'OPTIONS /books', {
      headers: { origin: shop, 'access-control-request-method': 'GET' },
    })
    expect(headers['access-control-allow-origin']).toBe(shop)
    const other = await ask(decided, 'GET /books', { headers: { origin: 'https://evil.test' } })
    expect(other.headers).not.toHaveProperty('access-control-allow-origin')
    expect(seen).toEqual([`OPTIONS ${shop}`, `OPTIONS ${shop}`, 'GET https://evil.test', 'GET https://evil.test'])
  })

  it.each<[what: string, given: () => unknown]>([
    ['a text', () => 'no'],
    ['an origin', () => shop],
    ['a number', () => 1],
    ['an object', () => ({})],
    ['nothing', () => undefined],
    ['a promise of a text', async () => 'yes'],
    ['a promise of a promise', () => [Promise.resolve(true)]],
    ['a failure', () => JSON.parse('{')],
    ['a failed promise', async () => JSON.parse('{')],
  ])(
    '[COR-03] a function that gives %s instead of true lets nobody in, and a warning tells of it',
    async (_, given) => {
      const warned: string[] = []
      const logger = { ...recorder(), warn: (__: object, message: string) => void warned.push(message) }
      const odd = library({ origins: given as never }, logger)
      const answer = await ask(odd, 'POST /books', { headers: { origin: shop }, body: { title: 'Emma' } })
      expect([answer.status, answer.headers['access-control-allow-origin']]).toEqual([201, undefined])
      const asked = { origin: shop, 'access-control-request-method': 'POST' }
      const { headers } = await ask(odd, 'OPTIONS /books', { headers: asked })
      expect(Object.keys(headers).filter((name) => name.startsWith('access-control'))).toEqual([])
      expect(warned[0]).toContain('the origin is refused')
    },
  )

  it.each([`${shop}, ${shop}`, `${shop} ${shop}`, 'shop.example', `${shop}/path`, ''])(
    '[COR-03] an Origin of %j is a 400',
    async (origin) => {
      for (const origins of [[shop, /.*/], '*', () => true] as const) {
        const answer = await ask(library({ origins }), 'GET /books/1', { headers: { origin } })
        expect(answer.status).toBe(400)
        expect(answer.json.errors).toMatchObject([{ in: 'headers', pointer: '/Origin' }])
        expect(answer.headers).not.toHaveProperty('access-control-allow-origin')
      }
    },
  )

  it.each([
    [{ origins: '*', credentials: true }, /browsers refuse credentials/],
    [{ origins: [] }, /names no origin/],
    [{ origins: ['https://shop.example/'] }, /not an origin/],
    [{ origins: ['https://*.shop.example'] }, /not an origin/],
    [{ origins: [/^(https?):\/\/\1$/] }, /linear time/],
    [{ origins: 'https://shop.example' }, /origins/],
    [{ origins: ['https://shop.example'], maxAge: -1 }, /maxAge/],
    [{ origins: ['https://shop.example'], headers: ['a b'] }, /headers/],
    [{}, /origins/],
  ])('[COR-03] refuses %j at boot', (options, expected) => {
    const [mistake] = mistakesOf(() => library(options as CorsOptions))
    expect(`${mistake?.setting} ${mistake?.problem}`).toMatch(expected)
  })
})

const { browser, need } = await launchBrowser()

describeWith(need, 'a page of another origin', () => {
  let pages: Server
  let page: Awaited<ReturnType<NonNullable<typeof browser>['newPage']>>
  let api: string

  beforeAll(async () => {
    pages = createServer((_, response) => response.setHeader('Content-Type', 'text/html').end('<title>shop</title>'))
    await new Promise<void>((resolve) => pages.listen(0, '127.0.0.1', resolve))
    const origin = `http://127.0.0.1:${(pages.address() as AddressInfo).port}`
    api = await urlOf(library({ origins: [origin], credentials: true }))
    const context = await (browser as NonNullable<typeof browser>).newContext()
    await context.addCookies([{ name: 'session', value: 'ada', url: api }])
    page = await context.newPage()
    await page.goto(origin)
  })

  afterAll(async () => {
    await browser?.close()
    pages.close()
  })

  const call = (path: string, init: object, header = 'content-type') =>
    page.evaluate(
      async ([url, options, name]) => {
        const answer = await fetch(url as string, options as RequestInit)
        return { status: answer.status, header: answer.headers.get(name as string), text: await answer.text() }
      },
      [`${api}${path}`, init, header] as const,
    )

  it('[COR-02] reads a list with its Link', async () => {
    const answer = await call('/books?pagination=items=1', {}, 'Link')
    expect(answer.status).toBe(200)
    expect(answer.header).toContain('rel="next"')
  })

  it('[COR-01] sends a PATCH with credentials, which is preflighted', async () => {
    const headers = { 'Content-Type': 'application/json' }
    const init = { method: 'PATCH', credentials: 'include', headers, body: '{"title":"Emma"}' }
    expect(await call('/books/1', init, 'X-Revision')).toMatchObject({ status: 200, header: '7' })
    const refused = await call('/books/1', { ...init, body: '{"title":""}' })
    expect(refused).toMatchObject({ status: 422, header: 'application/problem+json' })
    await expect(call('/books/1', { ...init, headers: { ...headers, 'X-Undeclared': '1' } })).rejects.toThrow('fetch')
  })

  it('[COR-02] sees a 404 and a 429 as such', async () => {
    expect(await call('/books/9', {})).toMatchObject({ status: 404 })
    const json = { 'Content-Type': 'application/json' }
    expect(await call('/nowhere', { method: 'PUT', headers: json, body: '{}' })).toMatchObject({ status: 404 })
    expect(await call('/books/limited', {}, 'Retry-After')).toMatchObject({ status: 429, header: '9' })
  })
})
