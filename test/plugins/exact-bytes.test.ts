// The exact bytes of a body: verifiers and policies check signatures over them, wherever the application is served, and
// the action gets the same body that it would get without them.
import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { deflateSync, gzipSync } from 'node:zlib'
import { application, endpoint, type Plugin, route, security, t, verifier } from 'edict'
import { policy } from 'edict/extend'
import { type LambdaContext, lambdaHandler } from 'edict/lambda'
import { fastifyPlugin, listener, serve } from 'edict/node'
import express from 'express'
import fc from 'fast-check'
import fastify from 'fastify'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ask, askFetch, recorder, urlOf } from '../support/ask.ts'
import { runs } from '../support/runs.ts'
import { cert, key } from '../support/serving/certificate.ts'
import { askOn, session } from '../support/serving/streams.ts'
import { Wire } from '../support/serving/wire.ts'

const SECRET = 'whsec_7'
const LIMIT = 2000

/** Signs what RFC 9421 calls the components of a message, each on its line, and the bytes of the body. */
const sign = (method: string, target: string, type: string, body: Uint8Array): string =>
  createHmac('sha256', SECRET).update(`${method}\n${target}\n${type}\n`).update(body).digest('hex')

const Signature = security.apiKey<{ readonly bytes: number }>('Signature', { in: 'header', name: 'X-Signature' })

const verifySignature = verifier(Signature, async (sent, { method, target, headers, body }) => {
  const bytes = await body()
  const expected = Buffer.from(sign(method, target, String(headers['content-type'] ?? ''), bytes))
  const given = Buffer.from(sent)
  return given.length === expected.length && timingSafeEqual(given, expected) ? { bytes: bytes.length } : undefined
})

const ok = { ok: t.any() } as const
const structure = { title: t.string({ required: true }), count: t.integer() }
const consumes = ['application/json', 'application/x-www-form-urlencoded', 'multipart/form-data']
const shapes = {
  structure: { routing: route.post('/structure'), payload: structure, consumes, responses: ok },
  text: { routing: route.post('/text'), payload: t.string(), responses: ok },
  file: { routing: route.put('/file'), payload: t.file(), responses: ok },
  stream: { routing: route.put('/stream'), payload: t.file({ stream: true }), responses: ok },
  nothing: { routing: route.post('/nothing'), responses: ok },
  query: { routing: route.query('/query'), params: structure, responses: ok },
} as const

const Plain = endpoint('Plain', { actions: shapes })
const Signed = endpoint('Signed', { actionDefaults: { security: Signature }, actions: shapes })

interface FileLike {
  readonly type: string
  bytes(): Promise<Uint8Array>
}

const digest = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')
const describeFile = async (file: FileLike | undefined) =>
  file === undefined ? 'none' : { type: file.type, digest: digest(await file.bytes()) }

const plain = Plain.implement({
  structure: (_, { request, reply }) => reply.ok({ ...request.payload }),
  text: (_, { request, reply }) => reply.ok(request.payload ?? 'none'),
  file: async (_, { request, reply }) => reply.ok(await describeFile(request.payload)),
  stream: async (_, { request, reply }) => reply.ok(await describeFile(request.payload)),
  nothing: (_, { reply }) => reply.ok('nothing'),
  query: (params, { reply }) => reply.ok({ ...params }),
})
const signed = Signed.implement({
  structure: (_, { request, reply }) => reply.ok({ ...request.payload }),
  text: (_, { request, reply }) => reply.ok(request.payload ?? 'none'),
  file: async (_, { request, reply }) => reply.ok(await describeFile(request.payload)),
  stream: async (_, { request, reply }) => reply.ok(await describeFile(request.payload)),
  nothing: (_, { reply }) => reply.ok('nothing'),
  query: (params, { reply }) => reply.ok({ ...params }),
})

const app = application({
  basePath: '/api',
  limits: { body: LIMIT },
  controllers: [plain, signed],
  verifiers: [verifySignature],
  logger: recorder(),
})

interface Sent {
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array | undefined
}
interface Got {
  readonly status: number
  readonly body: string
}
type Way = (request: Sent) => Promise<Got>

const bodies = fc.oneof(
  fc.record({ title: fc.string(), count: fc.option(fc.integer(), { nil: undefined }) }).map((one) => ({
    type: 'application/json',
    bytes: Buffer.from(JSON.stringify(one)),
  })),
  fc.string().map((title) => ({
    type: 'application/x-www-form-urlencoded',
    bytes: Buffer.from(new URLSearchParams({ title }).toString()),
  })),
  fc.uint8Array({ maxLength: 60 }).map((bytes) => ({
    type: 'multipart/form-data; boundary=b',
    bytes: Buffer.concat([
      Buffer.from('--b\r\nContent-Disposition: form-data; name="title"\r\n\r\n'),
      bytes,
      Buffer.from('\r\n--b--\r\n'),
    ]),
  })),
  fc.string().map((text) => ({ type: 'text/plain', bytes: Buffer.from(text) })),
  fc.uint8Array({ maxLength: 200 }).map((bytes) => ({ type: 'image/png', bytes: Buffer.from(bytes) })),
  fc.constantFrom(LIMIT - 1, LIMIT, LIMIT + 1, 3 * LIMIT).map((size) => ({
    type: 'application/json',
    bytes: Buffer.from(`{"title":"${'x'.repeat(size - 12)}"}`),
  })),
  fc.constant({ type: 'application/json', bytes: Buffer.from('{"title":') }),
)
const codings = fc.constantFrom<[string | undefined, (bytes: Buffer) => Buffer]>(
  [undefined, (bytes) => bytes],
  ['gzip', (bytes) => gzipSync(bytes)],
  ['deflate', (bytes) => deflateSync(bytes)],
  ['gzip', (bytes) => bytes],
  ['br', (bytes) => bytes],
)
const requests: fc.Arbitrary<Sent> = fc
  .tuple(
    fc.constantFrom(...Object.values(shapes)),
    fc.constantFrom('', '?a=1', '?title=%20b'),
    fc.option(fc.tuple(bodies, codings), { nil: undefined, freq: 6 }),
  )
  .map(([{ routing }, query, sent]) => {
    const { verb: method, path } = routing
    if (sent === undefined) return { method, path: `${path}${query}`, headers: {}, body: undefined }
    const [{ type, bytes }, [coding, encode]] = sent
    const headers = { 'content-type': type, ...(coding !== undefined && { 'content-encoding': coding }) }
    return { method, path: `${path}${query}`, headers, body: encode(bytes) }
  })

const at = (prefix: string, request: Sent, headers: Record<string, string> = {}): Sent => ({
  ...request,
  path: `/api/${prefix}${request.path}`,
  headers: { ...request.headers, ...headers },
})
const signatureOf = ({ method, path, headers, body }: Sent): string =>
  sign(method, path, headers['content-type'] ?? '', body ?? new Uint8Array())

/** Names the endpoint alike in the responses of both. */
const withoutName = ({ status, body }: Got): unknown => ({
  status,
  body: body.replaceAll('/signed/', '/plain/').replace(/"requestId":"[^"]*"/, ''),
})

const closers: (() => unknown)[] = []
afterAll(() => Promise.all(closers.map((close) => close())))

const lambdaContext: LambdaContext = { getRemainingTimeInMillis: () => 10_000 }

/** Every way to serve the application. */
const ways: Record<string, () => Promise<Way> | Way> = {
  'a socket': () => overSocket(() => urlOf(app)),
  'a socket, in chunks': () => overSocket(() => urlOf(app), true),
  fetch: () => async (request) => {
    const { status, text } = await askFetch(app, `${request.method} ${request.path}`, withBody(request))
    return { status, body: text }
  },
  'HTTP/2': async () => {
    const server = await serve(app, { port: 0, host: '127.0.0.1', signals: false, fatal: false, tls: { key, cert } })
    const client = await session(server.port)
    closers.push(
      () => client.destroy(),
      () => server.close(),
    )
    return async ({ method, path, headers, body }) => {
      const { status, body: text } = await askOn(client, { ...headers, ':method': method, ':path': path }, body)
      return { status, body: text }
    }
  },
  Lambda: () => {
    const handler = lambdaHandler(app)
    return async ({ method, path, headers, body }) => {
      const [rawPath = '', rawQueryString = ''] = path.split('?')
      const { statusCode, body: text } = await handler(
        {
          version: '2.0',
          rawPath,
          rawQueryString,
          headers: { host: 'a.test', ...headers },
          ...(body !== undefined && { body: Buffer.from(body).toString('base64') }),
          isBase64Encoded: body !== undefined,
          requestContext: { stage: '$default', http: { method, path: rawPath, sourceIp: '203.0.113.7' } },
        },
        lambdaContext,
      )
      return { status: statusCode, body: text }
    }
  },
  'Express, below its prefix': async () => {
    const host = express().use('/api', listener(app))
    const server = createServer(host)
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    closers.push(() => server.close())
    return overSocket(async () => `http://127.0.0.1:${(server.address() as AddressInfo).port}`)
  },
  Fastify: async () => {
    const host = fastify()
    await host.register(fastifyPlugin(app))
    const url = await host.listen({ port: 0, host: '127.0.0.1' })
    closers.push(() => host.close())
    return overSocket(async () => url)
  },
}

const withBody = ({ headers, body }: Sent) => ({ headers, ...(body !== undefined && { body }) })

const overSocket =
  (getUrl: () => Promise<string>, isChunked = false): Way =>
  async ({ method, path, headers, body }) => {
    const wire = await Wire.open(Number(new URL(await getUrl()).port))
    const framing = isChunked ? 'Transfer-Encoding: chunked' : `Content-Length: ${body?.length ?? 0}`
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
    const head = [`${method} ${path} HTTP/1.1`, 'Host: a.test', ...lines, ...(body === undefined ? [] : [framing])]
    const write = isChunked ? toChunks : (bytes: Uint8Array) => [bytes]
    const chunks = body === undefined ? [] : write(body)
    wire.socket.write(Buffer.concat([Buffer.from(`${head.join('\r\n')}\r\nConnection: close\r\n\r\n`), ...chunks]))
    await wire.closed
    const [responseHead = '', ...rest] = wire.text.split('\r\n\r\n')
    const text = Buffer.from(rest.join('\r\n\r\n'), 'latin1').toString()
    const isChunkedResponse = /transfer-encoding: chunked/i.test(responseHead)
    return {
      status: Number(responseHead.slice(9, 12)),
      body: isChunkedResponse ? text.replace(/^[0-9a-f]+\r\n|\r\n0?(\r\n)*$/g, '') : text,
    }
  }

function toChunks(body: Uint8Array): Buffer[] {
  const half = Math.ceil(body.length / 2)
  const parts = [body.subarray(0, half), body.subarray(half)].filter(({ length }) => length > 0)
  return [
    ...parts.flatMap((part) => [
      Buffer.from(`${part.length.toString(16)}\r\n`),
      Buffer.from(part),
      Buffer.from('\r\n'),
    ]),
    Buffer.from('0\r\n\r\n'),
  ]
}

describe.each(Object.entries(ways))('over %s', (_, open) => {
  let way: Way
  beforeAll(async () => {
    way = await open()
  })

  it('a signed request gets the response of one that need not be signed', async () => {
    await fc.assert(
      fc.asyncProperty(requests, async (request) => {
        const signedRequest = at('signed', request)
        const headers = { 'x-signature': signatureOf(signedRequest) }
        const [first, second] = [await way(at('plain', request)), await way(at('signed', request, headers))]
        // Before its type is known, a body above the limit is refused for its size.
        if ((request.body?.length ?? 0) > LIMIT) expect(second.status).toBe(413)
        // How much of a stream is decompressed before its params are checked depends on how it arrives.
        else if (request.path.startsWith('/stream') && second.status === 413) expect([400, 413]).toContain(first.status)
        else expect(withoutName(second)).toEqual(withoutName(first))
      }),
      { numRuns: runs(60, 3000) },
    )
  })

  it('a request that differs from what was signed is refused, whatever differs', async () => {
    await fc.assert(
      fc.asyncProperty(requests, fc.nat(), fc.constantFrom('body', 'target', 'type'), async (request, n, changed) => {
        const signedRequest = at('signed', request)
        const body = Buffer.from(request.body ?? [])
        if (body.length > LIMIT - 1 || (changed === 'body' && body.length === 0)) return
        // Fastify itself refuses a QUERY without content, and a type without one.
        if (request.body === undefined && (request.method === 'QUERY' || changed === 'type')) return
        const headers: Record<string, string> = { 'x-signature': signatureOf(signedRequest) }
        if (changed === 'body') body[n % body.length] = ((body[n % body.length] as number) + 1 + (n % 255)) % 256
        if (changed === 'type') headers['content-type'] = `${request.headers['content-type'] ?? ''};a=${n}`
        const path =
          changed === 'target'
            ? `${signedRequest.path}${request.path.includes('?') ? '&' : '?'}z=${n}`
            : signedRequest.path
        const sent = { ...at('signed', request, headers), path, body: request.body && body }
        expect((await way(sent)).status).toBe(401)
      }),
      { numRuns: runs(40, 3000) },
    )
  })
})

/** A policy whose plugin does something with the request in a step. */
const probe = (readsSecrets = false) => policy({ name: 'probe', plugin: 'probe', readsSecrets })
type ProbeSteps = ReturnType<NonNullable<Plugin['enforce']>>

function probed(
  steps: ProbeSteps,
  payload = t.file({ stream: true }) as ReturnType<typeof t.any>,
  readsSecrets = false,
) {
  const Probed = endpoint('Probed', {
    actions: { put: { routing: route.put('/'), payload, policies: [probe(readsSecrets)], responses: ok } },
  })
  const logger = recorder()
  const made = application({
    logger,
    limits: { body: LIMIT },
    plugins: [{ name: 'probe', enforce: () => steps }],
    controllers: [
      Probed.implement({
        put: async (_, { request, reply }) => {
          const received = request.payload as FileLike | string | undefined
          return reply.ok(typeof received === 'object' ? await describeFile(received) : (received ?? 'none'))
        },
      }),
    ],
  })
  return { made, logger }
}

const image = { headers: { 'content-type': 'image/png' }, body: Buffer.from('picture') }

describe('a policy', () => {
  it('may ask several times, and changes nothing by changing its bytes', async () => {
    const seen: string[] = []
    const { made } = probed({
      async admission(request) {
        for (const bytes of await Promise.all([request.body(), request.body()])) {
          seen.push(Buffer.from(bytes).toString())
          bytes.fill(0)
        }
        seen.push(Buffer.from(await request.body()).toString())
      },
    })
    expect((await ask(made, 'PUT /probed', image)).json).toEqual({ type: 'image/png', digest: digest(image.body) })
    expect(seen).toEqual(Array.from({ length: 6 }, () => 'picture'))
  })

  it('need not wait: the body is decoded when it has arrived', async () => {
    let asked: Promise<Uint8Array> | undefined
    const { made } = probed({
      admission(request) {
        asked = request.body()
      },
    })
    expect((await ask(made, 'PUT /probed', image)).json).toMatchObject({ digest: digest(image.body) })
    expect(Buffer.from((await asked) ?? []).toString()).toBe('picture')
  })

  it('gets the fault of a body that is too large, and may respond to it', async () => {
    const { made } = probed({
      async admission(request) {
        await request.body().catch((error: Error) => request.warn({ err: error }, 'too large'))
      },
    })
    const large = { ...image, body: Buffer.alloc(LIMIT + 1) }
    expect(await ask(made, 'PUT /probed', large)).toMatchObject({ status: 413, json: { code: 'payload-too-large' } })
    const { made: strict, logger } = probed({ admission: async (request) => void (await request.body()) })
    const refused = await ask(strict, 'PUT /probed', large)
    expect(refused.json).toMatchObject({
      status: 413,
      code: 'payload-too-large',
      detail: expect.stringMatching(/2000/),
    })
    expect(logger.entries).toEqual([])
  })

  it('that asks after the body was decoded is told when to ask', async () => {
    const { made, logger } = probed({ before: async (request) => void (await request.body()) })
    const { status, json } = await ask(made, 'PUT /probed', image)
    expect([status, json.detail]).toEqual([500, expect.stringContaining('Ask for its bytes before, in admission.')])
    expect(logger.entries[0]?.fields.err.message).toContain('Probed.put: the body has been decoded.')
  })

  it('does not see secrets of a payload in its bytes, unless it reads secrets', async () => {
    const seen: string[] = []
    const steps: ProbeSteps = {
      async admission(request) {
        seen.push(Buffer.from(await request.body()).toString())
      },
    }
    const sent = { body: 'hunter2', headers: { 'content-type': 'text/plain' } }
    const secret = t.string({ secret: true }) as unknown as ReturnType<typeof t.any>
    const refused = await ask(probed(steps, secret).made, 'PUT /probed', sent)
    expect([refused.status, refused.json.detail]).toEqual([500, expect.stringContaining('Set readsSecrets: true')])
    expect(seen).toEqual([])
    expect((await ask(probed(steps, secret, true).made, 'PUT /probed', sent)).status).toBe(200)
    expect(seen).toEqual(['hunter2', 'hunter2'])
  })

  it('that does not ask leaves a stream a stream', async () => {
    const asked: string[] = []
    const { made } = probed({ admission: () => undefined })
    const response = await new Promise<{ status: number }>((resolve) =>
      made.handle(
        {
          method: 'PUT',
          url: '/probed',
          headers: { 'content-type': 'image/png' },
          raw: undefined,
          signal: new AbortController().signal,
          collect: () => asked.push('collect'),
          async *pieces() {
            asked.push('pieces')
            yield Buffer.from('picture')
          },
        },
        resolve,
      ),
    )
    expect([response.status, asked]).toEqual([200, ['pieces']])
  })
})

describe('a client', () => {
  it('without credentials is not asked for its body', async () => {
    const wire = await Wire.open(Number(new URL(await urlOf(app)).port))
    wire.socket.write('PUT /api/signed/file HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 7\r\n\r\n')
    await wire.closed
    expect(wire.text).toMatch(/^HTTP\/1\.1 401 /)
  })

  it.each([
    ['a verifier that reads the body', async (body: () => Promise<unknown>) => body()],
    ['a verifier that is asynchronous', async () => undefined],
  ])('has the time of the server for its body, not that of the action: %s', async (_, wait) => {
    const made = application({
      timeout: 50,
      logger: recorder(),
      controllers: [signed],
      verifiers: [
        verifier(Signature, async (_sent, { body }) => {
          await wait(body)
          return { bytes: 0 }
        }),
      ],
    })
    const wire = await Wire.open(Number(new URL(await urlOf(made)).port))
    wire.socket.write('POST /signed/text HTTP/1.1\r\nHost: a\r\nX-Signature: x\r\nContent-Type: text/plain\r\n')
    wire.socket.write('Connection: close\r\nContent-Length: 7\r\n\r\npic')
    await new Promise((resolve) => setTimeout(resolve, 200))
    wire.socket.write('ture')
    await wire.closed
    expect(wire.text).toMatch(/^HTTP\/1\.1 200 [\s\S]*"picture"$/)
  })
})
