// Mounted in Express, Fastify and Hono, an application answers as it does by itself, below its prefix, behind the middlewares
// of its host; what it does not know is the host's, by choice.
import { createServer, request as httpRequest } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'
import { getRequestListener } from '@hono/node-server'
import { application, endpoint, route, t } from 'edict'
import { fastifyPlugin, listener } from 'edict/node'
import express from 'express'
import fc from 'fast-check'
import fastify from 'fastify'
import { Hono } from 'hono'
import { afterEach, describe, expect, it } from 'vitest'
import { handled } from '../support/ask.ts'
import { anyApplication, anyRequest, byFetch, bySocket } from '../support/requests.ts'
import { runs } from '../support/runs.ts'
import { told } from '../support/serving/harness.ts'

type App = ReturnType<typeof anyApplication>
type Host = (app: App, fallthrough: boolean) => Promise<{ url: string; close: () => unknown }>

const open: (() => unknown)[] = []

afterEach(async () => {
  await Promise.all(open.splice(0).map((close) => close()))
})

async function listening(handle: Parameters<typeof createServer>[1]): Promise<{ url: string; close: () => unknown }> {
  const server = createServer(handle)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const close = (): void => {
    server.closeAllConnections()
    server.close()
  }
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close }
}

const bare = () => express().disable('x-powered-by')

const hosts: [name: string, host: Host][] = [
  [
    'Express, below its prefix',
    (app, fallthrough) => {
      const host = bare()
      host.use((_, response, next) => {
        response.setHeader('X-Host', 'seen')
        next()
      })
      host.use('/api', listener(app, { fallthrough }))
      host.use((request, response) => void response.status(404).send(`host: ${request.path}`))
      return listening(host)
    },
  ],
  [
    'Express, anywhere',
    (app, fallthrough) => {
      const host = bare()
      host.use((_, response, next) => {
        response.setHeader('X-Host', 'seen')
        next()
      })
      host.use(listener(app, { fallthrough }))
      host.use((request, response) => void response.status(404).send(`host: ${request.path}`))
      return listening(host)
    },
  ],
  [
    'Fastify',
    async (app, fallthrough) => {
      const host = fastify()
      host.addHook('onRequest', async (_, reply) => void reply.header('X-Host', 'seen'))
      host.setNotFoundHandler((request, reply) => reply.status(404).send(`host: ${request.url.split('?', 1)[0]}`))
      await host.register(fastifyPlugin(app, { fallthrough }))
      return { url: await host.listen({ port: 0, host: '127.0.0.1' }), close: () => host.close() }
    },
  ],
  [
    'Fastify, with its prefix',
    async (app, fallthrough) => {
      const host = fastify()
      host.addHook('onRequest', async (_, reply) => void reply.header('X-Host', 'seen'))
      host.setNotFoundHandler((request, reply) => reply.status(404).send(`host: ${request.url.split('?', 1)[0]}`))
      await host.register(fastifyPlugin(app, { fallthrough }), { prefix: '/api' })
      return { url: await host.listen({ port: 0, host: '127.0.0.1' }), close: () => host.close() }
    },
  ],
  [
    'Hono',
    async (app, fallthrough) => {
      const host = new Hono()
      host.use(async (context, next) => {
        await next()
        context.header('X-Host', 'seen')
      })
      const answer = (request: Request) => app.fetch(request)
      if (fallthrough)
        host.use('/api/*', (context, next) => (app.knows(context.req.url) ? answer(context.req.raw) : next()))
      else host.all('/api/*', (context) => answer(context.req.raw))
      host.notFound((context) => context.text(`host: ${context.req.path}`, 404))
      const listen = getRequestListener(host.fetch)
      return listening((request, response) => void listen(request, response))
    },
  ],
]

async function start(host: Host, app: App, fallthrough = false): Promise<string> {
  const { url, close } = await host(app, fallthrough)
  open.push(close)
  return url
}

describe.each(hosts)('%s', (_, host) => {
  it('gives the responses of app.fetch, links, locations and documents included', async () => {
    const app = anyApplication('/api')
    const url = await start(host, app)
    await fc.assert(
      fc.asyncProperty(anyRequest, async (request) => {
        const { headers, ...rest } = await bySocket(url, '/api', request)
        const { 'x-host': seen, ...own } = headers
        expect(seen).toBe('seen')
        expect({ ...rest, headers: own }).toEqual(await byFetch(app, request))
      }),
      { numRuns: runs(40, 2000) },
    )
    const created = await bySocket(url, '/api', {
      method: 'POST',
      path: '/books',
      headers: { 'content-type': 'application/json' },
      body: '{"title":"x"}',
    })
    expect(created.headers['location']).toBe('/api/books/7')
    const page = await bySocket(url, '/api', { method: 'GET', path: '/books?pagination=items%3D3', headers: {} })
    expect(page.headers['link']).toContain('</api/books?')
  })

  it('answers a prefix that a client spells otherwise as the application does by itself, and never with a 500', async () => {
    const app = anyApplication('/api')
    const [own, passing] = [await start(host, app), await start(host, app, true)]
    const prefixes = [
      '/API',
      '/Api',
      '/aPi',
      '/%61pi',
      '/%41PI',
      '/api/',
      '/api//',
      '//api',
      '/api%2F',
      '/API/%20',
      '/ap%69',
    ]
    for (const prefix of [...prefixes, '/%C3%A4pi', '/%zzapi', '/API%'])
      for (const path of ['/books/1', '/books', '', '/', '/nothing']) {
        const target = `${prefix}${path}`
        const alone = (await handled(app, 'GET', target)).status
        for (const url of [own, passing]) {
          const { status } = await bySocket(url, '', { method: 'GET', path: target, headers: {} })
          // A host that does not know the path, or cannot read it, answers for itself.
          expect([alone, 404, 400], `GET ${target}`).toContain(status)
        }
      }
  })

  it('leaves paths that the application does not know to the host, by choice', async () => {
    const app = anyApplication('/api')
    const [own, passing] = [await start(host, app), await start(host, app, true)]
    const ask = (url: string, method: string, path: string) => bySocket(url, '/api', { method, path, headers: {} })
    expect((await ask(own, 'GET', '/nothing')).headers['content-type']).toBe('application/problem+json')
    expect(await ask(passing, 'GET', '/nothing?a=1')).toMatchObject({ status: 404, body: 'host: /api/nothing' })
    expect((await ask(passing, 'PUT', '/books')).status).toBe(405)
    expect((await ask(passing, 'OPTIONS', '/books')).status).toBe(204)
    expect((await ask(passing, 'GET', '/books/99')).headers['content-type']).toBe('application/problem+json')
  })

  it('takes large uploads, and tells the application of a client that goes', async () => {
    const gone = told()
    const begun = told()
    const Jobs = endpoint('Jobs', {
      actions: {
        upload: {
          routing: route.put('/'),
          payload: t.file({ required: true, stream: true }),
          bodyLimit: 8_000_000,
          responses: { ok: 'text/plain' },
        },
        wait: { routing: route.get('/wait'), responses: { ok: 'text/plain' } },
      },
    })
    const jobs = Jobs.implement({
      async upload(_, { request }) {
        let size = 0
        for await (const piece of request.payload) size += piece.length
        return String(size)
      },
      wait: (__, { request }) =>
        new Promise((resolve) => {
          request.signal.addEventListener('abort', () => {
            gone.tell()
            resolve('late')
          })
          begun.tell()
        }),
    })
    const url = await start(host, application({ basePath: '/api', controllers: [jobs] }))
    const upload = {
      method: 'PUT',
      path: '/jobs',
      headers: { 'content-type': 'image/png' },
      body: Buffer.alloc(4_000_000),
    }
    expect(await bySocket(url, '/api', upload)).toMatchObject({ status: 200, body: '4000000' })
    const call = httpRequest(`${url}/api/jobs/wait`)
    call.on('error', () => {}).end()
    await begun.promise
    call.destroy()
    await gone.promise
  })
})

const post = (body: string | Uint8Array, more: Record<string, string> = {}) => ({
  method: 'POST',
  path: '/books',
  headers: { 'content-type': 'application/json', ...more },
  body,
})

describe('a body that was read before', () => {
  it('by express.json() is refused with what to do', async () => {
    const host = express()
    host.use(express.json(), listener(anyApplication('/api')))
    const { url, close } = await listening(host)
    open.push(close)
    const { status, body } = await bySocket(url, '/api', post('{"title":"x"}'))
    expect(status).toBe(500)
    expect(JSON.parse(body).detail).toContain('Mount the application before body parsers such as express.json()')
    expect((await bySocket(url, '/api', { method: 'GET', path: '/books/1', headers: {} })).status).toBe(200)
  })

  it.each<[string, express.RequestHandler]>([
    ['express.raw()', express.raw({ type: '*/*' })],
    ['express.text()', express.text({ type: '*/*' })],
    [
      'express.json() that keeps the bytes',
      express.json({ verify: (request, _, bytes) => void Reflect.set(request, 'rawBody', bytes) }),
    ],
  ])('by %s is taken as it was sent, also when it was compressed', async (_, parser) => {
    const app = anyApplication('/api')
    const host = bare()
    host.use(parser, listener(app))
    const { url, close } = await listening(host)
    open.push(close)
    for (const body of ['{"title":"ü","size":12345678901234567890}', '{"title":1}']) {
      const expected = await byFetch(app, post(body))
      expect(await bySocket(url, '/api', post(body))).toEqual(expected)
      expect(await bySocket(url, '/api', post(gzipSync(body), { 'content-encoding': 'gzip' }))).toEqual(expected)
    }
  })

  it('by Hono is refused with what to do', async () => {
    const app = anyApplication('/api')
    const host = new Hono()
    host.use(async (context, next) => {
      await context.req.text()
      await next()
    })
    host.all('/api/*', (context) => app.fetch(context.req.raw))
    const answer = await host.request('/api/books', {
      method: 'POST',
      body: '{"title":"x"}',
      headers: { 'content-type': 'application/json' },
    })
    expect(answer.status).toBe(500)
    expect(((await answer.json()) as { detail: string }).detail).toContain('Mount the application before body parsers')
  })
})

describe('a location that the application does not know of', () => {
  it('is refused by Express with what to give', async () => {
    const failure = told<Error>()
    const host = express()
    host.use('/elsewhere', listener(anyApplication('/api')))
    const failed: express.ErrorRequestHandler = (error, _, response, __) => {
      failure.tell(error)
      response.status(500).end()
    }
    host.use(failed)
    const { url, close } = await listening(host)
    open.push(close)
    await bySocket(url, '/elsewhere', { method: 'GET', path: '/books', headers: {} })
    expect((await failure.promise).message).toContain("give application({ basePath: '/elsewhere' })")
  })

  it('is refused by Fastify at registration', async () => {
    const host = fastify()
    open.push(() => host.close())
    await expect(
      (async () => host.register(fastifyPlugin(anyApplication('/api')), { prefix: '/elsewhere' }))(),
    ).rejects.toThrow("give application({ basePath: '/elsewhere' })")
  })
})

it('headers that the host has set and that accumulate stay next to those of the application', async () => {
  const Things = endpoint('Things', { actions: { show: { routing: route.get('/'), responses: { ok: 'text/plain' } } } })
  const own = { Vary: 'A', Link: '</own>; rel="own"', 'Set-Cookie': 'own=1', 'Server-Timing': 'own' }
  const hosted = { Vary: 'B', Link: '</host>; rel="host"', 'Set-Cookie': 'host=1', 'Server-Timing': 'host' }
  const app = application({
    basePath: '/api',
    controllers: [Things.implement({ show: (_, { reply }) => reply.ok('a', { headers: own }) })],
  })
  const site = bare()
  site.use((_, response, next) => {
    for (const [name, value] of Object.entries(hosted)) response.setHeader(name, value)
    next()
  }, listener(app))
  const { url, close } = await listening(site)
  open.push(close)
  const service = fastify()
  service.addHook('onRequest', async (_, reply) => {
    reply.raw.setHeader('Vary', 'C')
    for (const [name, value] of Object.entries(hosted)) reply.header(name, value)
  })
  await service.register(fastifyPlugin(app))
  open.push(() => service.close())
  for (const at of [url, await service.listen({ port: 0, host: '127.0.0.1' })]) {
    const { headers } = await bySocket(at, '/api', { method: 'GET', path: '/things', headers: {} })
    for (const [name, value] of [...Object.entries(own), ...Object.entries(hosted)])
      expect(headers[name.toLowerCase()], `${name} at ${at}`).toContain(value)
    if (at !== url) expect(headers['vary']).toContain('C')
  }
})

it('a host that has set a status and the length of another body gets the whole answer of the application', async () => {
  const Things = endpoint('Things', {
    actions: {
      text: { routing: route.get('/text'), responses: { ok: 'text/plain' } },
      stream: { routing: route.get('/stream'), responses: { ok: 'text/plain' } },
      none: { routing: route.get('/none'), responses: { noContent: true } },
    },
  })
  const app = application({
    controllers: [
      Things.implement({
        text: () => 'whole',
        stream: (_, { reply }) => reply.ok(new Blob(['who', 'le']).stream()),
        none: (_, { reply }) => reply.noContent(),
      }),
    ],
  })
  for (const length of ['2', '999']) {
    // Koa sets the status before its handlers.
    const { url, close } = await listening((request, response) => {
      response.statusCode = 404
      response.setHeader('Content-Length', length)
      listener(app)(request, response)
    })
    open.push(close)
    const sent = async (method: string, path: string) => {
      const { status, body } = await bySocket(url, '', { method, path: `/things/${path}`, headers: {} })
      return [path, status, String(body)]
    }
    for (const path of ['text', 'stream']) expect(await sent('GET', path)).toEqual([path, 200, 'whole'])
    expect(await sent('GET', 'none')).toEqual(['none', 204, ''])
    expect(await sent('HEAD', 'stream')).toEqual(['stream', 200, ''])
  }
})

it('headers that the host has set stay, beside cookies and variations of the application', async () => {
  const host = express()
  host.use(
    (_, response, next) => {
      response.setHeader('Set-Cookie', 'host=1')
      response.setHeader('Vary', 'Origin')
      response.setHeader('Content-Type', 'text/plain')
      next()
    },
    listener(anyApplication('/api')),
  )
  const { url, close } = await listening(host)
  open.push(close)
  const { headers } = await bySocket(url, '/api', { method: 'GET', path: '/things/cookies', headers: {} })
  expect(headers).toMatchObject({
    'set-cookie': 'host=1, a=1, b=2; Path=/',
    vary: 'Origin, A, B',
    'content-type': 'application/json',
  })
})

it('Fastify’s inject asks a mounted application, too', async () => {
  const host = fastify()
  await host.register(fastifyPlugin(anyApplication('/api')))
  const answer = await host.inject({ method: 'POST', url: '/api/books', payload: { title: 'x' } })
  expect([answer.statusCode, answer.headers['location']]).toEqual([201, '/api/books/7'])
  await host.close()
})
