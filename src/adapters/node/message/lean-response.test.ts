// The server of `serve` writes the same bytes as plain node:http, although it bypasses it for most responses.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { handler, type Port, served } from '../../../../test/support/serving/servers.ts'
import { Wire } from '../../../../test/support/serving/wire.ts'
import type { RawResponse } from '../../../server/transport.ts'
import { LeanResponse } from './lean-response.ts'

const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))
const PLAIN = ['Content-Type', 'text/plain; charset=utf-8']
const big = 'abcdefgh'.repeat(100_000)

/** The responses of both servers, by path; the writer adds the length of a body. */
const responses: Record<string, RawResponse> = {
  '/text': { status: 200, headers: PLAIN, body: 'hello' },
  '/late': { status: 200, headers: PLAIN, body: 'late' },
  '/unicode': { status: 200, headers: PLAIN, body: 'grüße ☃ 🚲' },
  '/latin': { status: 200, headers: PLAIN, body: 'été' },
  '/bytes': { status: 200, headers: PLAIN, body: new Uint8Array([0, 1, 200, 255]) },
  '/empty': { status: 200, headers: PLAIN, body: '' },
  '/none': { status: 204, headers: ['X-A', 'b'], body: null },
  '/unchanged': { status: 304, headers: ['ETag', '"a"'], body: null },
  '/missing': { status: 404, headers: Object.freeze(['Content-Type', 'application/problem+json']), body: '{}' },
  '/created': { status: 201, headers: ['Location', '/a', 'Set-Cookie', 'a=1', 'Set-Cookie', 'b=2'], body: 'made' },
  '/odd': { status: 299, headers: PLAIN, body: 'odd' },
  '/dated': { status: 200, headers: [...PLAIN, 'Date', 'Thu, 01 Jan 2026 00:00:00 GMT'], body: 'dated' },
  '/closing': { status: 200, headers: [...PLAIN, 'Connection', 'close'], body: 'last' },
  '/big': { status: 200, headers: PLAIN, body: big },
}

function write(request: IncomingMessage, response: ServerResponse, { status, headers, body }: RawResponse): void {
  const bare = status === 204 || status === 304
  const length = bare ? [] : ['Content-Length', String(body === null ? 0 : Buffer.byteLength(body as string))]
  response.writeHead(status, [...headers, ...length])
  response.end(request.method === 'HEAD' || body === null ? undefined : (body as string))
}

const getResponse = (url: string | undefined): RawResponse =>
  responses[url ?? ''] ?? (responses['/missing'] as RawResponse)
const received = (bytes: number): RawResponse => ({ status: 200, headers: PLAIN, body: `received ${bytes}` })

let plain: { port: number; close(): Promise<void> }
let edictPort: Port

beforeAll(async () => {
  const server = createServer({ keepAliveTimeout: 65_000, requireHostHeader: false }, (request, response) => {
    if (request.url === '/echo') {
      let bytes = 0
      request.on('data', (chunk: Buffer) => {
        bytes += chunk.length
      })
      request.on('end', () => write(request, response, received(bytes)))
    } else if (request.url === '/late') setTimeout(write, 20, request, response, getResponse('/late'))
    else write(request, response, getResponse(request.url))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const close = async (): Promise<void> => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
  plain = { port: (server.address() as AddressInfo).port, close }
  edictPort = await served(
    handler((transport, send) => {
      const { url } = transport
      if (url === '/echo')
        return transport.collect(1024 * 1024, (body) => send(received(typeof body === 'string' ? -1 : body.length)))
      if (url === '/late') return void setTimeout(send, 20, getResponse('/late'))
      return getResponse(url)
    }),
  )
})

afterAll(async () => {
  await plain.close()
  await edictPort.close()
})

/** Sends a script of texts and pauses to a server; returns the output and whether the connection has ended. */
async function play(port: number, script: readonly (string | number)[], done: string | undefined): Promise<object> {
  const wire = await Wire.open(port, { halfOpen: true })
  let ended = false
  void wire.closed.then(() => {
    ended = true
  })
  wire.socket.on('end', () => {
    ended = true
  })
  for (const step of script) {
    if (typeof step === 'number') await sleep(step)
    else if (step === 'END') wire.socket.end()
    else wire.send(step)
  }
  if (done !== undefined) await wire.until((text) => text.endsWith(done))
  await silence(wire)
  wire.close()
  return { text: wire.text.replaceAll(/\r\nDate: (?!Thu, 01 Jan 2026).*\r\n/g, '\r\nDate: now\r\n'), ended }
}

/** Waits until nothing has arrived for a while; on a busy machine the first byte may take longer. */
async function silence(wire: Wire): Promise<void> {
  for (let [quiet, turns, length] = [0, 0, 0]; quiet < 4 || (length === 0 && turns < 20); turns++) {
    await sleep(30)
    quiet = wire.text.length === length ? quiet + 1 : 0
    length = wire.text.length
  }
}

const get = (path: string, ...headers: string[]): string =>
  [`GET ${path} HTTP/1.1`, 'Host: a', ...headers, '', ''].join('\r\n')
const post = (path: string, body: string, ...headers: string[]): string =>
  [`POST ${path} HTTP/1.1`, 'Host: a', `Content-Length: ${body.length}`, ...headers, '', body].join('\r\n')
const chunked = 'POST /echo HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n'

const scripts: Record<string, { script: readonly (string | number)[]; done?: string }> = {
  ...Object.fromEntries(Object.keys(responses).map((path) => [`GET ${path}`, { script: [get(path)] }])),
  ...Object.fromEntries(
    Object.keys(responses).map((path) => [
      `HEAD ${path}`,
      { script: [get(path).replace('GET', 'HEAD'), 30, get('/text')] },
    ]),
  ),
  'a whole long answer': { script: [get('/big')], done: 'abcdefgh' },
  'one request after the other': { script: [get('/text'), 30, get('/unicode'), 30, get('/none'), 30, get('/text')] },
  'pipelined requests': { script: [get('/text') + get('/unicode') + get('/missing')] },
  'pipelined behind a late answer': {
    script: [get('/late') + get('/text') + get('/late') + get('/none') + get('/text')],
  },
  'pipelined with bodies': { script: [post('/echo', 'abc') + get('/text') + post('/echo', 'defg') + get('/late')] },
  'pipelined behind a long answer': { script: [get('/big') + get('/text')], done: 'hello' },
  'the last of pipelined requests closes': { script: [get('/text') + get('/text', 'Connection: close')] },
  'Connection: close': { script: [get('/text', 'Connection: close')] },
  'Connection: keep-alive': { script: [get('/text', 'Connection: keep-alive')] },
  'HTTP/1.0': { script: ['GET /text HTTP/1.0\r\n\r\n'] },
  'HTTP/1.0 with keep-alive': { script: ['GET /text HTTP/1.0\r\nConnection: keep-alive\r\n\r\n'] },
  'HTTP/1.0 with a body': { script: ['POST /echo HTTP/1.0\r\nContent-Length: 3\r\n\r\nabc'] },
  'a body in one piece': { script: [post('/echo', 'abc')] },
  'a body in many pieces': {
    script: [post('/echo', 'abcdef').slice(0, -5), 20, 'bc', 20, 'de', 20, 'f', 30, get('/text')],
  },
  'a body in chunks': { script: [`${chunked}3\r\nabc\r\n0\r\n\r\n`, 30, get('/text')] },
  'chunks one by one, with a trailer': { script: [chunked, 20, '3\r\nab', 20, 'c\r\n', 20, '0\r\nX-T: 1\r\n\r\n'] },
  'a body that nobody reads': { script: [post('/text', 'abc'), 30, get('/unicode')] },
  'a late body that nobody reads': { script: [post('/text', 'abc').slice(0, -3), 30, 'abc', 30, get('/unicode')] },
  'a body behind which the client ends': { script: [post('/echo', 'abc'), 'END'] },
  'a client that ends its side at once': { script: [get('/late'), 'END'] },
  'Expect: 100-continue': {
    script: [post('/echo', 'abc', 'Expect: 100-continue').slice(0, -3), 40, 'abc', 30, get('/text')],
  },
  OPTIONS: { script: [get('/text').replace('GET', 'OPTIONS')] },
}

describe.concurrent('on the wire, as plain node:http', () => {
  it.each(Object.keys(scripts))('%s', { timeout: 20_000 }, async (name) => {
    const { script, done } = scripts[name] as (typeof scripts)[string]
    const [expected, actual] = await Promise.all([play(plain.port, script, done), play(edictPort.port, script, done)])
    expect(actual).toEqual(expected)
    expect(edictPort.errors).toEqual([])
  })
})

describe('a lean response', () => {
  it('is seen by those who listen to it as any other', async () => {
    const received: unknown[] = []
    const server = await served(
      handler((transport) => {
        const response = (transport as unknown as { response: ServerResponse }).response
        expect(response).toBeInstanceOf(LeanResponse)
        response.on('finish', () => received.push('finish', response.statusCode, response.writableFinished))
        response.on('close', () => received.push('close', response.headersSent, response.writableEnded))
        return { status: 202, headers: PLAIN, body: 'taken' }
      }),
    )
    const wire = await Wire.open(server.port)
    wire.send(get('/'))
    expect((await wire.answer()).body).toBe('taken')
    await expect.poll(() => received).toEqual(['finish', 202, true, 'close', true, true])
    wire.close()
    await server.close()
  })

  it('waits for a client that does not read', async () => {
    const server = await served(handler(() => ({ status: 200, headers: PLAIN, body: big })))
    const wire = await Wire.open(server.port)
    wire.socket.pause()
    for (let i = 0; i < 12; i++) wire.send(get('/'))
    await sleep(200)
    wire.socket.resume()
    await wire.until((text) => text.length > 12 * big.length)
    expect(wire.text.split('HTTP/1.1 200 OK\r\n')).toHaveLength(13)
    expect(wire.text.endsWith(big)).toBe(true)
    wire.close()
    await server.close()
  })

  it('is not written to a client that has gone, and costs nobody anything', async () => {
    let state = 'waiting'
    const server = await served(
      handler((transport, send) => {
        if (transport.url !== '/gone') return { status: 200, headers: PLAIN, body: 'here' }
        transport.signal.addEventListener('abort', () => {
          send({ status: 200, headers: PLAIN, body: 'nobody' })
          state = 'answered'
        })
        state = 'begun'
      }),
    )
    const disconnected = await Wire.open(server.port)
    disconnected.send(get('/gone'))
    await expect.poll(() => state).toBe('begun')
    disconnected.socket.resetAndDestroy()
    await expect.poll(() => state).toBe('answered')
    const wire = await Wire.open(server.port)
    wire.send(get('/'))
    expect((await wire.answer()).body).toBe('here')
    expect(server.errors).toEqual([])
    wire.close()
    await server.close()
  })
})
