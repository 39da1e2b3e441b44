// HTTP/2 by ALPN: the same responses as HTTP/1.1, each stream with its own limits, and an end without a lost request.
import type { ClientHttp2Session } from 'node:http2'
import { afterEach, describe, expect, it } from 'vitest'
import { cert, key } from '../../../../test/support/serving/certificate.ts'
import { on, told } from '../../../../test/support/serving/harness.ts'
import { handler, served, text } from '../../../../test/support/serving/servers.ts'
import { answerOf, askOn, FrameWire, frame, frames, head, session } from '../../../../test/support/serving/streams.ts'
import type { Handler, RawResponse, SendOutcome } from '../../../server/transport.ts'
import type { ServeOptions } from '../serve-options.ts'

const clients: ClientHttp2Session[] = []

afterEach(() => {
  for (const client of clients.splice(0)) client.destroy()
})

const secure = (app: Handler, options: ServeOptions = {}) => on(app, { tls: { key, cert }, ...options })

async function open(port: number): Promise<ClientHttp2Session> {
  const client = await session(port)
  clients.push(client)
  return client
}

const echo = handler((transport, send) => {
  transport.collect(1_000_000, (body) => send(typeof body === 'string' ? text(body, 400) : text(body)))
})

describe('a request', () => {
  it('has the authority as its host, and no pseudo-headers', async () => {
    const { port } = await secure(
      handler(({ method, url, headers, address }) => text(JSON.stringify({ method, url, headers, address }))),
    )
    const client = await open(port)
    const head = { ':path': '/a%2Fb?c=%20d', 'x-one': 'two', cookie: 'a=1; b=2' }
    expect(JSON.parse((await askOn(client, head)).body)).toEqual({
      method: 'GET',
      url: '/a%2Fb?c=%20d',
      headers: { host: `127.0.0.1:${port}`, 'x-one': 'two', cookie: 'a=1; b=2' },
      address: '127.0.0.1',
    })
  })

  it('brings its body whole, with or without a length, large or empty', async () => {
    const { port } = await secure(echo)
    const client = await open(port)
    for (const body of ['', 'short', 'x'.repeat(300_000)]) {
      expect(await askOn(client, { ':method': 'POST' }, body)).toMatchObject({ status: 200, body })
      const length = { 'content-length': Buffer.byteLength(body) }
      expect(await askOn(client, { ':method': 'POST', ...length }, body)).toMatchObject({ status: 200, body })
    }
  })

  it('is told to continue when its body is wanted, and answered at once when it is not', async () => {
    const { port } = await secure(handler(() => text('no', 413)))
    const wanted = await secure(echo)
    const stream = (await open(wanted.port)).request({ ':method': 'POST', expect: '100-continue' })
    stream.once('continue', () => stream.end('body'))
    expect(await answerOf(stream)).toMatchObject({ status: 200, body: 'body' })
    const refused = (await open(port)).request({ ':method': 'POST', expect: '100-continue' })
    expect(await answerOf(refused)).toMatchObject({ status: 413, code: 0 })
    const unknown = await askOn(await open(port), { ':method': 'POST', expect: 'the-impossible' })
    expect(unknown).toMatchObject({ status: 417 })
  })

  it('with a head that HTTP/1.1 would refuse is refused alike', async () => {
    const { port } = await secure(echo, { maxHeaderSize: 2000 })
    const client = await open(port)
    const large = await askOn(client, { 'x-large': 'x'.repeat(3000) })
    expect([large.status, JSON.parse(large.body).code]).toEqual([431, 'headers-too-large'])
    const hosts = await askOn(client, { ':authority': 'a.test', host: 'b.test' })
    expect([hosts.status, JSON.parse(hosts.body).code]).toEqual([400, 'malformed-request'])
    expect((await askOn(client, { 'x-huge': 'x'.repeat(9000) })).status).toBe(0)
    expect((await askOn(client, {})).status).toBe(200)
  })

  it('too large for its action is refused without reading it, and the connection goes on', async () => {
    const { port } = await secure(
      handler((transport, send) => {
        transport.collect(10, (body) => send(typeof body === 'string' ? text(body, 413) : text(body)))
      }),
    )
    const client = await open(port)
    for (const head of [{}, { 'content-length': 5_000_000 }]) {
      const stream = client.request({ ':method': 'POST', ...head })
      stream.write('x'.repeat(1000))
      expect(await answerOf(stream)).toMatchObject({ status: 413, body: 'too-large', code: 0 })
    }
    expect(await askOn(client, { ':method': 'POST' }, 'small')).toMatchObject({ body: 'small' })
  })
})

describe('a response', () => {
  it('has none of the headers that speak of connections, and all values of the others', async () => {
    const { port } = await secure(
      handler(() => ({
        status: 200,
        headers: [
          'Connection',
          'close',
          'Keep-Alive',
          'x',
          'Transfer-Encoding',
          'chunked',
          'Upgrade',
          'h3',
          'X-A',
          '1',
        ],
        body: 'x',
      })),
    )
    const { headers, body } = await askOn(await open(port), {})
    expect(body).toBe('x')
    expect(Object.keys(headers).sort()).toEqual(['content-length', 'date', 'x-a'])
    const cookies = await secure(
      handler(() => text('', 200, 'Set-Cookie', 'a=1', 'Set-Cookie', 'b=2', 'Vary', 'a', 'Vary', 'b')),
    )
    const both = await askOn(await open(cookies.port), {})
    expect(both.headers).toMatchObject({ 'set-cookie': ['a=1', 'b=2'], vary: 'a, b', 'content-length': '0' })
  })

  it('to HEAD, and with 204 or 304, has no body', async () => {
    const { port } = await secure(handler(({ url }) => text('body', Number(url.slice(1)))))
    const client = await open(port)
    expect(await askOn(client, { ':method': 'HEAD', ':path': '/200' })).toMatchObject({
      body: '',
      headers: { 'content-length': '4' },
    })
    for (const status of [204, 304]) {
      const { headers, body } = await askOn(client, { ':path': `/${status}` })
      expect([body, headers['content-length']]).toEqual(['', undefined])
    }
  })

  it('larger than any window arrives whole', async () => {
    const bytes = Buffer.from(Array.from({ length: 3_000_000 }, (_, i) => i % 251))
    const { port } = await secure(handler(({ url }) => text(url === '/text' ? 'ü'.repeat(500_000) : bytes)))
    const client = await open(port)
    expect((await askOn(client, { ':path': '/bytes' })).bytes.equals(bytes)).toBe(true)
    const long = await askOn(client, { ':path': '/text' })
    expect(long.body).toBe('ü'.repeat(500_000))
    expect(long.headers['content-length']).toBe('1000000')
  })

  it('that cannot be written becomes a 500, and one that breaks off resets its stream alone', async () => {
    async function* broken(): AsyncGenerator<string> {
      yield 'part'
      throw new Error('no more')
    }
    const port = await secure(
      handler(({ url }) => {
        if (url === '/header') return text('x', 200, 'X-Bad', 'a\nb')
        return url === '/status' ? text('x', 100) : text(url === '/broken' ? broken() : 'fine')
      }),
    )
    const client = await open(port.port)
    for (const path of ['/header', '/status']) {
      const { status, body } = await askOn(client, { ':path': path })
      expect([status, JSON.parse(body).code]).toEqual([500, 'internal'])
    }
    expect(await askOn(client, { ':path': '/broken' })).toMatchObject({ status: 200, body: 'part', code: 2 })
    expect((await askOn(client, { ':path': '/fine' })).body).toBe('fine')
    expect(port.errors.map(({ message }) => message)).toEqual(Array(3).fill('A response could not be sent'))
  })

  it('that breaks off never looks complete: no frame ends its stream, and a reset does', async () => {
    async function* broken(pieces: number, waits: boolean): AsyncGenerator<string> {
      for (let n = 0; n < pieces; n++) {
        if (waits) await new Promise((resolve) => setTimeout(resolve, 1))
        yield 'x'.repeat(1000)
      }
      throw new Error('no more')
    }
    const { port } = await secure(
      handler(({ url }) => text(broken(Number(url[1]), url.endsWith('waits')), 200, 'Content-Length', '9000')),
    )
    const paths = [0, 1, 2, 5].flatMap((pieces) => [`/${pieces}`, `/${pieces}-waits`])
    const wire = await FrameWire.open(port)
    for (const [i, path] of paths.entries()) {
      const stream = 2 * i + 1
      wire.send(frame(frames.HEADERS, frames.END_STREAM | frames.END_HEADERS, stream, head(path)))
      const own = () => wire.frames.filter((one) => one.stream === stream)
      await expect.poll(() => own().map(({ type }) => type)).toContain(frames.RST_STREAM)
      const ending = own().filter(
        ({ type, flags }) => (type === frames.DATA || type === frames.HEADERS) && (flags & frames.END_STREAM) !== 0,
      )
      expect([path, ending.length]).toEqual([path, 0])
    }
    wire.close()
  })

  it('tells the end of the response once, and the client that went', async () => {
    const outcomes: SendOutcome[] = []
    const closed = told()
    const held = told<(response: RawResponse) => void>()
    const port = await secure(
      handler(({ url, signal }, send) => {
        const done = (_: number, outcome: SendOutcome): void => void outcomes.push(outcome)
        if (url !== '/held') return { ...text('x'), done }
        signal.addEventListener('abort', () => closed.tell())
        held.tell((response) => send({ ...response, done }))
      }),
    )
    const client = await open(port.port)
    await askOn(client, { ':path': '/' })
    const stream = client.request({ ':path': '/held' })
    const ended = answerOf(stream)
    const reply = await held.promise
    stream.close(8)
    await Promise.all([closed.promise, ended])
    reply(text('late'))
    await expect.poll(() => outcomes).toEqual(['sent', 'aborted'])
  })
})

describe('limits', () => {
  it('of requests in progress hold over streams of one connection and of several', async () => {
    const held: (() => void)[] = []
    const { port } = await secure(
      handler(({ url }, send) => (url === '/held' ? void held.push(() => send(text('held'))) : text(url))),
      { maxRequests: 2 },
    )
    const [a, b] = [await open(port), await open(port)]
    const waiting = [askOn(a, { ':path': '/held' }), askOn(b, { ':path': '/held' })]
    await expect.poll(() => held.length).toBe(2)
    const refused = await askOn(a, { ':path': '/1' })
    expect([refused.status, refused.headers['retry-after']]).toEqual([503, '1'])
    for (const respond of held) respond()
    expect((await Promise.all(waiting)).map(({ body }) => body)).toEqual(['held', 'held'])
    expect((await askOn(a, { ':path': '/2' })).status).toBe(200)
  })

  it('of streams are told to the client, and counted for those that it resets', async () => {
    const held: (() => void)[] = []
    const { port } = await secure(
      handler(({ url }, send) => (url === '/held' ? void held.push(() => send(text('held'))) : text(url))),
      { maxPipelined: 3 },
    )
    const client = await open(port)
    await expect.poll(() => client.remoteSettings.maxConcurrentStreams).toBe(3)
    for (let n = 0; n < 3; n++) {
      const stream = client.request({ ':path': '/held' })
      stream.on('error', () => {})
      await expect.poll(() => held.length).toBe(n + 1)
      stream.close(8)
      await new Promise((resolve) => stream.once('close', resolve))
    }
    // Running work counts, even if no client waits for it.
    expect((await askOn(client, { ':path': '/1' })).status).toBe(503)
    for (const respond of held) respond()
    expect((await askOn(client, { ':path': '/2' })).status).toBe(200)
  })

  it('of time hold for bodies that do not come, for each stream by itself', async () => {
    const { port } = await secure(echo, { timeouts: { headers: 100, request: 300 } })
    const client = await open(port)
    const late = client.request({ ':method': 'POST' })
    late.write('part')
    expect(await answerOf(late)).toMatchObject({ status: 400, body: 'timeout' })
    expect(await askOn(client, { ':method': 'POST' }, 'whole')).toMatchObject({ body: 'whole' })
  })

  it('of time end a stream whose client takes nothing, and no other', async () => {
    const outcome = told<SendOutcome>()
    const { port } = await secure(
      handler(({ url }) =>
        url === '/large' ? { ...text('x'.repeat(2_000_000)), done: (_, result) => outcome.tell(result) } : text(url),
      ),
      { timeouts: { response: 200 } },
    )
    const client = await open(port)
    const unread = client.request({ ':path': '/large' })
    unread.on('error', () => {}).pause()
    expect(await outcome.promise).toBe('aborted')
    expect((await askOn(client, { ':path': '/1' })).body).toBe('/1')
  })

  it('of time end connections that never ask, and idle ones', async () => {
    const { port } = await secure(echo, { timeouts: { headers: 200, keepAlive: 400 } })
    const [silent, idle] = [await open(port), await open(port)]
    await askOn(idle, { ':method': 'POST' }, 'x')
    const closed = (client: ClientHttp2Session) =>
      new Promise<string>((resolve) => client.once('close', () => resolve('closed')))
    expect(await Promise.all([closed(silent), closed(idle)])).toEqual(['closed', 'closed'])
  })
})

describe('closing', () => {
  it('tells clients to leave, answers what is under way, and loses nothing that was sent before', async () => {
    const held = told<() => void>()
    const port = await served(
      handler(({ url }, send) => (url === '/held' ? held.tell(() => send(text('held'))) : text(url))),
      { tls: { key, cert } },
    )
    const [client, idle] = [await open(port.port), await open(port.port)]
    const goaways: number[] = []
    for (const one of [client, idle]) one.on('goaway', (code: number) => goaways.push(code))
    const waiting = askOn(client, { ':path': '/held' })
    const respond = await held.promise
    const closing = port.close()
    await expect.poll(() => goaways.length).toBeGreaterThanOrEqual(2)
    respond()
    expect((await waiting).body).toBe('held')
    await closing
    expect(new Set(goaways)).toEqual(new Set([0]))
  })
})

it('clients that do not choose HTTP/2 speak HTTP/1.1, and servers may choose for them', async () => {
  const { port } = await secure(echo, { tls: { key, cert, http2: false } })
  await expect(session(port)).rejects.toThrow()
})

it('a certificate is replaced without a restart', async () => {
  const { serve } = await import('../serve.ts')
  const server = await serve(echo, { port: 0, host: '127.0.0.1', signals: false, fatal: false, tls: { key, cert } })
  expect(server.url).toBe(`https://127.0.0.1:${server.port}`)
  server.setSecureContext({ key, cert })
  expect((await askOn(await open(server.port), { ':method': 'POST' }, 'x')).body).toBe('x')
  await server.close()
})
