// Events of AWS Lambda: answers through them are those of app.fetch, and everything that only Lambda has.
import type {
  APIGatewayProxyEventV2,
  APIGatewayProxyStructuredResultV2,
  Context,
  LambdaFunctionURLEvent,
} from 'aws-lambda'
import { application, endpoint, route, t } from 'edict'
import {
  type LambdaContext,
  type LambdaEvent,
  type LambdaHead,
  type LambdaResult,
  type LambdaStream,
  lambdaHandler,
  lambdaStreamHandler,
} from 'edict/lambda'
import fc from 'fast-check'
import { afterEach, describe, expect, expectTypeOf, it } from 'vitest'
import { recorder } from '../support/ask.ts'
import {
  type AnyRequest,
  anyApplication,
  anyRequest,
  byFetch,
  type Comparable,
  comparable,
} from '../support/requests.ts'
import { runs } from '../support/runs.ts'

const context: LambdaContext = { getRemainingTimeInMillis: () => 10_000 }

/** An event as a function URL gives it. */
function eventOf({ method, path, headers, body }: AnyRequest, basePath = '', stage = '$default'): LambdaEvent {
  const [rawPath = '', rawQueryString = ''] = `${basePath}${path}`.split(/\?(.*)/s, 2)
  const { cookie, ...rest } = headers
  const base64 = body !== undefined && typeof body !== 'string'
  return {
    version: '2.0',
    rawPath: rawPath || '/',
    rawQueryString,
    ...(cookie !== undefined && { cookies: cookie.split('; ') }),
    headers: { host: 'a.test', ...rest },
    ...(body !== undefined && { body: base64 ? Buffer.from(body).toString('base64') : (body as string) }),
    isBase64Encoded: base64,
    requestContext: { stage, http: { method, path: rawPath || '/', sourceIp: '203.0.113.7' } },
  }
}

function comparableOf({ statusCode, headers, cookies, body, isBase64Encoded }: LambdaResult): Comparable {
  const fields = Object.entries({ ...headers, ...(cookies !== undefined && { 'set-cookie': cookies }) })
  return comparable(statusCode, fields, Buffer.from(body, isBase64Encoded ? 'base64' : 'utf8'))
}

it('a function answers as app.fetch does', async () => {
  const app = anyApplication('/api')
  const handler = lambdaHandler(app)
  await fc.assert(
    fc.asyncProperty(anyRequest, async (request) => {
      expect(comparableOf(await handler(eventOf(request, '/api'), context))).toEqual(await byFetch(app, request))
    }),
    { numRuns: runs(100, 5000) },
  )
})

it('the types of events, contexts and results are those that AWS publishes', () => {
  expectTypeOf<LambdaFunctionURLEvent>().toExtend<LambdaEvent>()
  expectTypeOf<APIGatewayProxyEventV2>().toExtend<LambdaEvent>()
  expectTypeOf<Context>().toExtend<LambdaContext>()
  expectTypeOf<LambdaResult>().toExtend<APIGatewayProxyStructuredResultV2>()
})

const Things = endpoint('Things', {
  actions: {
    show: {
      routing: route.get('/*'),
      params: { splat: t.array(t.string()), q: t.string() },
      responses: { ok: t.any() },
    },
    bytes: { routing: route.get('//other/bytes'), responses: { ok: 'application/octet-stream' } },
    wait: { routing: route.get('//other/wait'), responses: { ok: 'text/plain' } },
    slow: { routing: route.get('//other/slow'), responses: { ok: 'text/plain' } },
    broken: { routing: route.get('//other/broken'), responses: { ok: 'text/plain' } },
    create: { routing: route.post('/'), payload: t.any({ required: true }), responses: { ok: t.any() } },
  },
})

async function* slow(): AsyncGenerator<string> {
  yield 'one '
  await new Promise(() => {})
}
async function* broken(): AsyncGenerator<string> {
  yield 'one '
  throw new Error('no more')
}

function made(options: { basePath?: string; starts?: () => unknown } = {}) {
  const logger = recorder()
  const { basePath = '', starts } = options
  const app = application({
    basePath,
    logger,
    controllers: [
      Things.implement({
        show: ({ splat, q }, { request, reply }) =>
          reply.ok({ splat, q, url: request.url, headers: request.env.headers }),
        bytes: (_, { reply }) => reply.ok(new Uint8Array([0, 255, 128])),
        wait: (_, { request, reply }) =>
          new Promise((resolve) => {
            request.signal.addEventListener('abort', () => resolve(reply.ok('late')))
          }),
        slow: (_, { reply }) => reply.ok(slow()),
        broken: (_, { reply }) => reply.ok(broken()),
        create: (_, { request, reply }) => reply.ok(request.payload),
      }),
    ],
    ...(starts !== undefined && { plugins: [{ name: 'starting', start: () => void starts() }] }),
  })
  return { app, logger }
}

const get = (path: string): AnyRequest => ({ method: 'GET', path, headers: {} })

describe('an event', () => {
  it('keeps percent signs of path and query, and joins cookies', async () => {
    const handler = lambdaHandler(made().app)
    const event = eventOf({ method: 'GET', path: '/things/a%2Fb/c%20d?q=%25+x', headers: { cookie: 'a=1; b=2' } })
    const { body } = await handler(event, context)
    expect(JSON.parse(body)).toMatchObject({
      splat: ['a/b/c d'],
      url: '/things/a%2Fb/c%20d?q=%25+x',
      q: '% x',
      headers: { cookie: 'a=1; b=2' },
    })
  })

  it('has its stage in the path, for an application that has it in its base path or that hides it', async () => {
    const { app, logger } = made()
    const staged = eventOf(get('/things/x'), '/prod', 'prod')
    expect((await lambdaHandler(made({ basePath: '/prod' }).app)(staged, context)).statusCode).toBe(200)
    expect((await lambdaHandler(app, { stripStage: true })(staged, context)).statusCode).toBe(200)
    expect(logger.entries).toEqual([])
    const handler = lambdaHandler(app)
    for (let n = 0; n < 2; n++) expect((await handler(staged, context)).statusCode).toBe(404)
    const warnings = logger.entries.filter(({ level }) => level === 'warn')
    expect(warnings.map(({ message }) => message)).toEqual([expect.stringContaining("basePath: '/prod'")])
  })

  it('in another format is refused with the remedy', async () => {
    const handler = lambdaHandler(made().app)
    await expect(handler({ version: '1.0', httpMethod: 'GET', path: '/' } as never, context)).rejects.toThrow(
      'format 2.0',
    )
    expect(() => lambdaHandler(made().app, { margin: -1 })).toThrow('margin')
  })

  it('has a body in base64 or as text, within the limit', async () => {
    const handler = lambdaHandler(made().app)
    const post = (body: string | Uint8Array): AnyRequest => ({
      method: 'POST',
      path: '/things',
      headers: { 'content-type': 'application/json' },
      body,
    })
    for (const body of ['{"a":"ü"}', Buffer.from('{"a":"ü"}')]) {
      expect((await handler(eventOf(post(body)), context)).body).toBe('{"a":"ü"}')
    }
    const large = Buffer.from(JSON.stringify('x'.repeat(2_000_000)))
    expect((await handler(eventOf(post(large)), context)).statusCode).toBe(413)
  })
})

describe('a function', () => {
  it('starts the application once for a container', async () => {
    let count = 0
    const { app } = made({ starts: () => count++ })
    const handler = lambdaHandler(app)
    const events = Array.from({ length: 3 }, () => handler(eventOf(get('/things/x')), context))
    expect((await Promise.all(events)).map(({ statusCode }) => statusCode)).toEqual([200, 200, 200])
    expect(count).toBe(1)
  })

  it('gives bytes in base64, and a failure instead of a body that breaks off', async () => {
    const { app, logger } = made()
    const handler = lambdaHandler(app)
    expect(await handler(eventOf(get('/other/bytes')), context)).toMatchObject({ body: 'AP+A', isBase64Encoded: true })
    const { statusCode, body, headers } = await handler(eventOf(get('/other/broken')), context)
    expect([statusCode, JSON.parse(body).code]).toEqual([500, 'internal'])
    const safe = { 'content-type': 'application/problem+json', 'x-content-type-options': 'nosniff' }
    expect(headers).toMatchObject(safe)
    expect(logger.entries.map(({ message }) => message)).toEqual(['A response could not be sent'])
  })

  it.each(['/other/wait', '/other/slow'])('answers before its time is up: %s', async (path) => {
    const handler = lambdaHandler(made().app, { margin: 100 })
    const { statusCode, body } = await handler(eventOf(get(path)), { getRemainingTimeInMillis: () => 200 })
    expect([statusCode, JSON.parse(body).code]).toEqual([503, 'deadline-exceeded'])
  })
})

describe('a function that streams', () => {
  afterEach(() => {
    Reflect.deleteProperty(globalThis, 'awslambda')
  })

  /** The runtime of Lambda, as far as a handler sees it; it keeps what was written. */
  function runtime() {
    const written: { head?: LambdaHead; chunks: (string | Uint8Array)[]; ended: boolean; broken: boolean } = {
      chunks: [],
      ended: false,
      broken: false,
    }
    const stream: LambdaStream = {
      write: (chunk) => {
        written.chunks.push(chunk)
        return true
      },
      end: () => {
        written.ended = true
      },
      once: () => {},
      destroy: () => {
        written.broken = true
      },
    }
    Reflect.set(globalThis, 'awslambda', {
      streamifyResponse:
        (handler: (event: LambdaEvent, stream: LambdaStream, context: LambdaContext) => Promise<void>) =>
        (event: LambdaEvent, given: LambdaContext) =>
          handler(event, stream, given),
      HttpResponseStream: {
        from: (to: LambdaStream, head: LambdaHead) => {
          written.head = head
          return to
        },
      },
    })
    return written
  }

  it('writes head and pieces, and ends', async () => {
    const app = anyApplication('')
    for (const path of ['/things/stream/3', '/things/bytes/10', '/things/cookies', '/books/99']) {
      const written = runtime()
      await lambdaStreamHandler(app)(eventOf(get(path)), context)
      const { statusCode = 0, headers = {}, cookies } = written.head ?? {}
      const bytes = Buffer.concat(written.chunks.map((chunk) => Buffer.from(chunk as Uint8Array)))
      const fields = Object.entries({ ...headers, ...(cookies !== undefined && { 'set-cookie': cookies }) })
      expect(comparable(statusCode, fields, bytes)).toEqual(await byFetch(app, get(path)))
      expect(written.ended).toBe(true)
    }
  })

  it('breaks off what breaks off, and what takes too long', async () => {
    for (const path of ['/other/broken', '/other/slow']) {
      const written = runtime()
      await lambdaStreamHandler(made().app, { margin: 0 })(eventOf(get(path)), { getRemainingTimeInMillis: () => 150 })
      expect([written.chunks, written.ended, written.broken]).toEqual([['one '], false, true])
    }
  })

  it('says that it needs the runtime', () => {
    expect(() => lambdaStreamHandler(made().app)).toThrow('no global awslambda')
  })
})
