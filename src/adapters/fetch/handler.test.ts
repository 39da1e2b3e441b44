// Handles web Requests and Responses, without a socket.
import { describe, expect, it } from 'vitest'
import type { Logger } from '../../server/logger.ts'
import type { BodyFaultError, Handler, RawResponse, Transport } from '../../server/transport.ts'
import { fetchHandler } from './handler.ts'

const text = (body: RawResponse['body'], status = 200, ...headers: string[]): RawResponse => ({
  status,
  headers: ['Content-Type', 'text/plain', ...headers],
  body,
})

function createHandler(
  respond: (transport: Transport) => RawResponse | Promise<RawResponse>,
  logger?: Logger,
): Handler {
  const handle: Handler['handle'] = (transport, send) => {
    const result = respond(transport)
    if (result instanceof Promise) void result.then(send)
    else send(result)
  }
  return logger === undefined ? { handle } : ({ handle, logger } as Handler)
}

const fetchWith = (
  respond: (transport: Transport) => RawResponse | Promise<RawResponse>,
  init?: RequestInit & { duplex?: 'half' },
  url = 'http://a.test/',
): Promise<Response> => fetchHandler(createHandler(respond))(new Request(url, init))

const collectBody = (transport: Transport, limit: number): Promise<RawResponse> =>
  new Promise((resolve) =>
    transport.collect(limit, (body) => resolve(typeof body === 'string' ? text(body, 413) : text(body))),
  )

function toStream(...pieces: string[]): ReadableStream<Uint8Array> {
  const remaining = pieces.map((piece) => new TextEncoder().encode(piece))
  return new ReadableStream({
    pull(controller) {
      const piece = remaining.shift()
      if (piece === undefined) controller.close()
      else controller.enqueue(piece)
    },
  })
}

describe('the request', () => {
  it.each([
    ['http://a.test/x/%2F?y=1&z', '/x/%2F?y=1&z'],
    ['https://u:p@a.test:81/#top', '/'],
    ['http://a.test?q=/', '/?q=/'],
    ['http://[::1]:80/a//b', '/a//b'],
  ])('%s has the path and query %s', async (url, path) => {
    // A Request cannot be constructed from a URL with credentials, but a runtime may pass one.
    const request = new Proxy(new Request('http://a.test/'), {
      get: (target, name) => (name === 'url' ? new URL(url).href : Reflect.get(target, name, target)),
    })
    expect(await (await fetchHandler(createHandler((transport) => text(transport.url)))(request)).text()).toBe(path)
  })

  it('has its headers by lower-case name, without a prototype, once', async () => {
    let received: Transport | undefined
    await fetchWith(
      (transport) => {
        received = transport
        return text('')
      },
      { method: 'PUT', headers: { 'X-Mixed': 'a', __proto__x: 'b' } },
    )
    expect(received?.method).toBe('PUT')
    expect(received?.headers['x-mixed']).toBe('a')
    expect(received?.headers['constructor']).toBeUndefined()
    expect(received?.headers).toBe(received?.headers)
  })

  it('has its headers by lower-case name where an environment keeps them as they were written', async () => {
    const headers = { forEach: (each: (value: string, name: string) => void) => each('a', 'X-Mixed') }
    const request = new Proxy(new Request('http://a.test/'), {
      get: (target, name) => (name === 'headers' ? headers : Reflect.get(target, name, target)),
    })
    const response = await fetchHandler(createHandler((transport) => text(String(transport.headers['x-mixed']))))(
      request,
    )
    expect(await response.text()).toBe('a')
  })

  it('shares its signal', async () => {
    const controller = new AbortController()
    let signal: AbortSignal | undefined
    await fetchWith(
      (transport) => {
        signal = transport.signal
        return text('')
      },
      { signal: controller.signal },
    )
    controller.abort()
    expect(signal?.aborted).toBe(true)
  })
})

describe('the body', () => {
  it('is collected within the limit', async () => {
    const post = (body: BodyInit | null, limit: number): Promise<Response> =>
      fetchWith((transport) => collectBody(transport, limit), { method: 'POST', body, duplex: 'half' })
    expect(await (await post(null, 3)).text()).toBe('')
    expect(await (await post('', 3)).text()).toBe('')
    expect(await (await post('abc', 3)).text()).toBe('abc')
    expect(await (await post(toStream('ab', 'c', 'de'), 5)).text()).toBe('abcde')
    expect((await post('abcd', 3)).status).toBe(413)
    expect((await post(toStream('ab', 'cd'), 3)).status).toBe(413)
  })

  it('is refused by its length without being read', async () => {
    let pulled = false
    const body = new ReadableStream(
      {
        pull() {
          pulled = true
        },
      },
      { highWaterMark: 0 },
    )
    const response = await fetchWith((transport) => collectBody(transport, 10), {
      method: 'POST',
      body,
      duplex: 'half',
      headers: { 'content-length': '11' },
    })
    expect([response.status, await response.text(), pulled]).toEqual([413, 'too-large', false])
  })

  it('that breaks or was read before is reported', async () => {
    const broken = new ReadableStream({ pull: (controller) => controller.error(new Error('gone')) })
    const response = await fetchWith((transport) => collectBody(transport, 10), {
      method: 'POST',
      body: broken,
      duplex: 'half',
    })
    expect(await response.text()).toBe('aborted')
    const twice = await fetchWith(
      async (transport) => {
        await collectBody(transport, 10)
        return collectBody(transport, 10)
      },
      { method: 'POST', body: 'abc' },
    )
    expect(await twice.text()).toBe('aborted')
  })

  it('comes in pieces, and is let go of when nobody wants the rest', async () => {
    let cancelled = false
    const body = new ReadableStream({
      pull: (controller) => controller.enqueue(new Uint8Array(4)),
      cancel() {
        cancelled = true
      },
    })
    const response = await fetchWith(
      async (transport) => {
        try {
          for await (const _ of transport.pieces(10));
          return text('all')
        } catch (error) {
          return text((error as BodyFaultError).fault, 413)
        }
      },
      { method: 'POST', body, duplex: 'half' },
    )
    expect(await response.text()).toBe('too-large')
    expect(cancelled).toBe(true)
  })
})

describe('the response', () => {
  it('has status, headers and body, with every cookie', async () => {
    const response = await fetchWith(() => text('hällo', 201, 'Set-Cookie', 'a=1', 'Set-Cookie', 'b=2', 'X-A', '1'))
    expect(response.status).toBe(201)
    expect(response.headers.getSetCookie()).toEqual(['a=1', 'b=2'])
    expect(response.headers.get('x-a')).toBe('1')
    expect(response.headers.get('content-length')).toBe('6')
    expect(await response.text()).toBe('hällo')
  })

  it('gets no content type that the handler did not give', async () => {
    const response = await fetchWith(() => ({ status: 200, headers: [], body: 'x' }))
    expect(response.headers.get('content-type')).toBeNull()
  })

  it.each([
    ['HEAD', 200, '6'],
    ['GET', 204, null],
    ['GET', 205, '0'],
    ['GET', 304, null],
  ])('to %s with %i has no body', async (method, status, length) => {
    const response = await fetchWith(() => text('hällo', status), { method })
    expect([response.body, response.status, response.headers.get('content-length')]).toEqual([null, status, length])
  })

  it('may be bytes, a stream or an iterable', async () => {
    async function* pieces(): AsyncGenerator<string | Uint8Array> {
      yield 'a'
      yield new Uint8Array([98])
    }
    expect(await (await fetchWith(() => text(new Uint8Array([97, 98])))).text()).toBe('ab')
    expect(await (await fetchWith(() => text(toStream('a', 'b')))).text()).toBe('ab')
    expect(await (await fetchWith(() => text(pieces()))).text()).toBe('ab')
  })

  it('that is streamed ends its source with the client, and at once for HEAD', async () => {
    const ended: string[] = []
    const endless = async function* (): AsyncGenerator<string> {
      try {
        for (;;) yield 'tick'
      } finally {
        ended.push('iterable')
      }
    }
    const reader = (await fetchWith(() => text(endless()))).body?.getReader()
    await reader?.read()
    await reader?.cancel()
    const stream = new ReadableStream<Uint8Array>({ cancel: () => void ended.push('stream') })
    expect((await fetchWith(() => text(stream), { method: 'HEAD' })).body).toBeNull()
    expect(ended).toEqual(['iterable', 'stream'])
  })

  it('that cannot be written is a 500, and a stream that breaks is an error; both are logged', async () => {
    const errors: string[] = []
    const logger: Logger = {
      info() {},
      warn() {},
      error: (fields) => void errors.push(String((fields as { err: Error }).err)),
    }
    const bad = await fetchHandler(createHandler(() => text('secret', 200, 'X-Bad', 'a\r\nb'), logger))(
      new Request('http://a.test/'),
    )
    expect(bad.status).toBe(500)
    expect(bad.headers.get('x-content-type-options')).toBe('nosniff')
    expect(await bad.json()).toMatchObject({ code: 'internal', status: 500 })
    const breaking = async function* (): AsyncGenerator<string> {
      yield 'part'
      throw new Error('source broke')
    }
    const broken = await fetchHandler(createHandler(() => text(breaking()), logger))(new Request('http://a.test/'))
    await expect(broken.text()).rejects.toThrow('source broke')
    expect(errors).toEqual([expect.stringContaining('TypeError'), 'Error: source broke'])
  })
})
