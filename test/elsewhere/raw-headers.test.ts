// The header lines of answers as each adapter writes them, compared without any joining: a line that was joined or lost on the
// way shows here, where tests of equal answers would have joined it themselves.
import { request as plainRequest } from 'node:http'
import { type Application, application, endpoint, route, t } from 'edict'
import { type LambdaEvent, type LambdaHead, lambdaHandler, lambdaStreamHandler } from 'edict/lambda'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type RunningServer, serve } from '../../src/adapters/node/index.ts'
import { recorder } from '../support/ask.ts'
import { runs } from '../support/runs.ts'
import { cert, key } from '../support/serving/certificate.ts'
import { session } from '../support/serving/streams.ts'

type Line = readonly [name: string, value: string]

const Things = endpoint('Things', {
  actions: {
    whole: {
      routing: route.get('/whole'),
      headers: { 'X-Set': t.string({ required: true }) },
      responses: { ok: 'text/plain' },
    },
    stream: {
      routing: route.get('/stream'),
      headers: { 'X-Set': t.string({ required: true }) },
      responses: { ok: 'text/plain' },
    },
    seen: { routing: route.get('/seen'), responses: { ok: t.any() } },
  },
})

async function* pieces(): AsyncGenerator<string> {
  yield 'a'
  yield 'b'
}

const headersOf = (sent: string): Record<string, string | string[]> => JSON.parse(decodeURIComponent(sent))

const app: Application = application({
  logger: recorder(),
  controllers: [
    Things.implement({
      whole: (_, { request, reply }) => reply.ok('ab', { headers: headersOf(request.headers['X-Set']) }),
      stream: (_, { request, reply }) => reply.ok(pieces(), { headers: headersOf(request.headers['X-Set']) }),
      seen: (_, { request, reply }) => reply.ok({ ...request.env.headers }),
    }),
  ],
})

let plain: RunningServer
let secure: RunningServer
let client: Awaited<ReturnType<typeof session>>
beforeAll(async () => {
  const options = { port: 0, host: '127.0.0.1', signals: false, fatal: false } as const
  plain = await serve(app, options)
  secure = await serve(app, { ...options, tls: { key, cert } })
  client = await session(secure.port)
})
afterAll(async () => {
  client?.destroy()
  await Promise.all([plain?.close(), secure?.close()])
})

const CONNECTION = new Set(['date', 'connection', 'keep-alive', 'content-length', 'transfer-encoding'])
const own = (lines: readonly Line[]): Line[] =>
  lines.map(([name, value]) => [name.toLowerCase(), value] as const).filter(([name]) => !CONNECTION.has(name))
const paired = (raw: readonly string[]): Line[] =>
  raw.flatMap((name, i) => (i % 2 === 0 ? [[name, raw[i + 1] as string] as const] : []))

type Asking = (method: string, path: string, sent: Record<string, string>) => Promise<Line[]>

const byHttp: Asking = (method, path, headers) =>
  new Promise((resolve, reject) => {
    const call = plainRequest({ host: '127.0.0.1', port: plain.port, method, path, headers }, (response) => {
      response.resume()
      response.on('end', () => resolve(own(paired(response.rawHeaders))))
    })
    call.on('error', reject)
    call.end()
  })

const byHttp2: Asking = (method, path, headers) =>
  new Promise((resolve, reject) => {
    const stream = client.request({ ':method': method, ':path': path, ...headers }, { endStream: true })
    let lines: Line[] = []
    // Node names the raw lines of a head in the third argument, which its types do not have.
    stream.on('response', ((_: unknown, __: unknown, raw: readonly string[]) => {
      lines = own(paired(raw).filter(([name]) => !name.startsWith(':')))
    }) as never)
    stream.on('error', reject)
    stream.on('close', () => resolve(lines))
    stream.resume()
  })

const byFetch: Asking = async (method, path, headers) => {
  const response = await app.fetch(new Request(`http://127.0.0.1${path}`, { method, headers }))
  await response.text()
  return own([...response.headers])
}

const eventOf = (method: string, path: string, headers: Record<string, string>): LambdaEvent => {
  const { cookie, ...rest } = headers
  return {
    ...{ version: '2.0', rawPath: path, rawQueryString: '', headers: rest, isBase64Encoded: false },
    ...(cookie !== undefined && { cookies: cookie.split('; ') }),
    requestContext: { http: { method, path, sourceIp: '203.0.113.7' } },
  } as LambdaEvent
}
const context = { getRemainingTimeInMillis: () => 10_000 }
const linesOf = ({ headers, cookies = [] }: LambdaHead): Line[] => [
  ...own(Object.entries(headers)),
  ...cookies.map((cookie) => ['set-cookie', cookie] as const),
]

const byLambda: Asking = async (method, path, headers) =>
  linesOf(await lambdaHandler(app)(eventOf(method, path, headers), context))

const byLambdaStream: Asking = async (method, path, headers) => {
  let head: LambdaHead | undefined
  const out = { write: () => true, end() {}, once() {}, destroy() {} }
  Reflect.set(globalThis, 'awslambda', {
    streamifyResponse: (handler: (...given: unknown[]) => unknown) => (event: unknown, given: unknown) =>
      handler(event, out, given),
    HttpResponseStream: {
      from: (to: unknown, given: LambdaHead) => {
        head = given
        return to
      },
    },
  })
  try {
    await lambdaStreamHandler(app)(eventOf(method, path, headers), context)
  } finally {
    Reflect.deleteProperty(globalThis, 'awslambda')
  }
  return linesOf(head as LambdaHead)
}

const adapters: readonly (readonly [string, Asking, joins: boolean])[] = [
  ['node:http', byHttp, false],
  ['node:http2', byHttp2, false],
  ['fetch', byFetch, true],
  ['AWS Lambda', byLambda, true],
  ['AWS Lambda, streamed', byLambdaStream, true],
]

// Signs that look like ends of a cookie or of a list: a value that was joined could not be taken apart again.
const cookie = fc
  .tuple(fc.constantFrom('a', 'b', 'c'), fc.constantFrom('1', '1, 2', 'x; Expires=Wed, 21 Oct 2026 07:28:00 GMT', ''))
  .map(([name, value]) => `${name}=${value}`)
const others = fc.record(
  {
    Vary: fc.uniqueArray(fc.constantFrom('A', 'B', 'C'), { minLength: 1, maxLength: 3 }),
    Link: fc.array(fc.constantFrom('</a>; rel="next"', '</b>; rel="x, y"'), { minLength: 1, maxLength: 2 }),
    'Server-Timing': fc.constantFrom('a;dur=1', 'a;dur=1, b'),
    'X-One': fc.constantFrom('one', 'two words, and more'),
  },
  { requiredKeys: [] },
)

describe.each(adapters)('the header lines of %s', (_, asking, joins) => {
  it('have every cookie in a line of its own, in order, and lose nothing of the others', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(cookie, { maxLength: 4 }),
        others,
        fc.constantFrom('whole', 'stream'),
        fc.constantFrom('GET', 'HEAD'),
        async (cookies, more, form, method) => {
          const headers = { ...(cookies.length > 0 && { 'Set-Cookie': cookies }), ...more }
          const sent = { 'x-set': encodeURIComponent(JSON.stringify(headers)) }
          const lines = await asking(method, `/things/${form}`, sent)
          const of = (wanted: string): string[] => lines.flatMap(([name, value]) => (name === wanted ? [value] : []))
          expect(of('set-cookie')).toEqual(cookies)
          for (const [name, value] of Object.entries(more)) {
            const all = [value].flat()
            expect(of(name.toLowerCase())).toEqual(joins ? [all.join(', ')] : all)
          }
          const known = new Set(['set-cookie', ...Object.keys(more).map((name) => name.toLowerCase())])
          const rest = lines.filter(([name]) => !known.has(name))
          expect(rest).toEqual([
            ['content-type', 'text/plain; charset=utf-8'],
            ['x-content-type-options', 'nosniff'],
          ])
        },
      ),
      { numRuns: runs(40, 2000) },
    )
  })
})

describe('the header lines of requests', () => {
  it.each(['a=1', 'a=1; b=2', 'a=1; b=x,y; c='])('have the cookies as they were sent: %s', async (sent) => {
    const seen = async (body: Promise<string>): Promise<unknown> => JSON.parse(await body).cookie
    const { body } = await lambdaHandler(app)(eventOf('GET', '/things/seen', { cookie: sent }), context)
    const viaFetch = await app.fetch(new Request('http://a.test/things/seen', { headers: { cookie: sent } }))
    const viaHttp = await fetch(`${plain.url}/things/seen`, { headers: { cookie: sent } })
    expect(await Promise.all([seen(Promise.resolve(body)), seen(viaFetch.text()), seen(viaHttp.text())])).toEqual([
      sent,
      sent,
      sent,
    ])
    // HTTP/2 may have a line for each (RFC 9113, section 8.2.3): they are joined before anything reads them.
    const stream = client.request({ ':path': '/things/seen', cookie: sent.split('; ') }, { endStream: true })
    const chunks: Buffer[] = []
    stream.on('data', (chunk: Buffer) => chunks.push(chunk))
    await new Promise((resolve) => stream.on('close', resolve))
    expect(JSON.parse(Buffer.concat(chunks).toString()).cookie).toBe(sent)
  })
})
