// Servers that `serve` starts: bodies on demand, responses to malformed requests, and timeouts.
import type { IncomingMessage } from 'node:http'
import { Socket } from 'node:net'
import { describe, expect, it } from 'vitest'
import { host, on, open, sleep, told } from '../../../test/support/serving/harness.ts'
import { handler, text } from '../../../test/support/serving/servers.ts'
import type { Send } from '../../server/transport.ts'

const echo = handler((transport, send) => {
  if (transport.url === '/unread') return text('unread', 415)
  transport.collect(1000, (body) => send(typeof body === 'string' ? text(body, 400) : text(body)))
})

describe('Expect: 100-continue', () => {
  const head = (path: string, length: number): string =>
    `POST ${path} HTTP/1.1\r\n${host}\r\nExpect: 100-continue\r\nContent-Length: ${length}\r\n\r\n`

  it('is granted when the body is wanted, not before', async () => {
    const started = told<() => void>()
    const port = await on(
      handler((transport, send) => started.tell(() => transport.collect(10, (body) => send(text(body as Uint8Array))))),
    )
    const wire = await open(port)
    wire.send(head('/', 3))
    const read = await started.promise
    await sleep(30)
    expect(wire.text).toBe('')
    read()
    await wire.until((received) => received !== '')
    expect(wire.text).toBe('HTTP/1.1 100 Continue\r\n\r\n')
    wire.send('abc')
    expect(await wire.answer()).toMatchObject({ status: 200, body: 'abc', headers: { connection: 'keep-alive' } })
  })

  it('is granted to readers of pieces as well', async () => {
    const wire = await open(await on(handler((transport) => text(transport.pieces(10)))))
    wire.send(head('/', 3))
    await wire.until((received) => received.includes('100 Continue'))
    wire.send('abc')
    expect((await wire.answer()).body).toBe('abc')
  })

  it.each([
    ['too large a body', '/', 1001, 400],
    ['a body that nobody reads', '/unread', 3, 415],
  ])('is refused with the response for %s', async (_, path, length, status) => {
    const wire = await open(await on(echo))
    wire.send(head(path, length))
    expect(await wire.answer()).toMatchObject({ status, headers: { connection: 'close' } })
    expect(await wire.closed).toBe('end')
    expect(wire.text).not.toContain('100 Continue')
  })

  it.each([
    ['of another kind', 'the-impossible'],
    ['of two kinds', '100-continue, 200-ok'],
    ['of a kind that is nearly right', '100-continues'],
    ['of nothing', ''],
    ['sent twice, once of another kind', '100-continue\r\nExpect: x'],
  ])('%s is refused with a problem document, and what follows is not executed', async (_, expected) => {
    const executed: string[] = []
    const port = await on(
      handler(({ url }) => {
        executed.push(url)
        return text('executed')
      }),
    )
    for (const length of [0, 3, 2_000_000]) {
      const wire = await open(port, true)
      const lines = [host, `Expect: ${expected}`, `Content-Length: ${length}`]
      wire.send(`POST /outer HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\nGET /inner HTTP/1.1\r\n${host}\r\n\r\n`)
      const { status, headers, body } = await wire.answer()
      expect([status, headers['connection']]).toEqual([417, 'close'])
      expect(headers['content-type']).toBe('application/problem+json')
      expect(JSON.parse(body)).toMatchObject({ status: 417, code: 'unknown-expectation' })
      wire.socket.end()
      expect(await wire.closed).toBe('end')
      expect(wire.text).not.toContain('executed')
    }
    expect(executed).toEqual([])
  })

  it('of HTTP/1.0 is passed over, whatever it is', async () => {
    const wire = await open(await on(echo))
    wire.send(`POST / HTTP/1.0\r\n${host}\r\nExpect: x\r\nContent-Length: 3\r\n\r\nabc`)
    expect(await wire.answer()).toMatchObject({ status: 200, body: 'abc' })
  })

  it('does not take the response from a client that sends without waiting', async () => {
    const wire = await open(await on(echo), true)
    wire.send(`${head('/', 500_000)}${'x'.repeat(500_000)}`)
    expect(await wire.answer()).toMatchObject({ status: 400, body: 'too-large' })
    expect(await wire.until(() => false)).not.toContain('100 Continue')
    wire.socket.end()
    expect(await wire.closed).toBe('end')
  })
})

describe('what is not a request', () => {
  it.each([
    ['garbage', 'GARBAGE\r\n\r\n', 400, 'malformed-request'],
    ['a broken header', `GET / HTTP/1.1\r\n${host}\r\nA B: c\r\n\r\n`, 400, 'malformed-request'],
    ['no host', 'GET / HTTP/1.1\r\n\r\n', 400, 'malformed-request'],
    ['a request without a version', 'GET /\r\n\r\n', 400, 'malformed-request'],
    ['a version that is not spoken', `GET / HTTP/2.0\r\n${host}\r\n\r\n`, 400, 'malformed-request'],
    [
      'a coding of nothing',
      `POST / HTTP/1.1\r\n${host}\r\nTransfer-Encoding:\r\nContent-Length: 1\r\n\r\nx`,
      400,
      'malformed-request',
    ],
    [
      'two lengths',
      `POST / HTTP/1.1\r\n${host}\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n`,
      400,
      'malformed-request',
    ],
    [
      'length and chunks',
      `POST / HTTP/1.1\r\n${host}\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
      400,
      'malformed-request',
    ],
    ['huge headers', `GET / HTTP/1.1\r\n${host}\r\nA: ${'a'.repeat(40_000)}\r\n\r\n`, 431, 'headers-too-large'],
  ])('gets a problem: %s', async (_, sent, status, code) => {
    const port = await on(echo)
    const wire = await open(port)
    const { headers, body, ...rest } = await wire.send(sent).answer()
    expect(rest.status).toBe(status)
    expect(headers).toMatchObject({ connection: 'close', 'content-type': 'application/problem+json' })
    expect(JSON.parse(body)).toMatchObject({ type: 'about:blank', status, code })
    expect(await wire.closed).toBe('end')
    expect(port.errors).toEqual([])
  })

  it('leaves broken chunks to the request whose body they are, and closes behind its response', async () => {
    const wire = await open(await on(echo))
    const chunked = `POST / HTTP/1.1\r\n${host}\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\n`
    const { status, headers, body } = await wire.send(chunked).answer()
    expect([status, headers['connection'], body]).toEqual([400, 'close', 'malformed'])
    expect(await wire.closed).toBe('end')
  })

  it('does not disturb the response that is under way', async () => {
    const request = `GET / HTTP/1.1\r\n${host}\r\n\r\n`
    const garbage = 'GARBAGE\r\n\r\n'
    const started = told<{ raw: unknown; send: Send }>()
    const port = await on(handler(({ raw }, send) => started.tell({ raw, send })))
    const wire = await open(port)
    wire.send(request)
    const { raw, send } = await started.promise
    wire.send(garbage)
    // The response comes when the garbage has arrived.
    const { socket } = raw as IncomingMessage
    while (!socket.destroyed && socket.bytesRead < request.length + garbage.length) await sleep(5)
    send(text('late'))
    await wire.closed
    expect(wire.text).not.toContain('400')
  })

  it('behind a request that closes neither costs its response nor gets one', async () => {
    const port = await on(handler((_, send) => void setTimeout(() => send(text('last')), 30)))
    const request = (more: string): string => `GET / HTTP/1.1\r\n${host}\r\n${more}\r\n`
    for (const following of [request(''), 'GARBAGE\r\n\r\n']) {
      const wire = await open(port)
      wire.send(request('Connection: close\r\n') + following)
      expect(await wire.closed).toBe('end')
      expect(await wire.answers(2)).toMatchObject([{ status: 200, body: 'last' }])
    }
  })

  it('gets its problem also behind a body that nobody read and that has come to its end', async () => {
    const wire = await open(await on(echo))
    wire.send(`POST /unread HTTP/1.1\r\n${host}\r\nContent-Length: 5\r\n\r\n`)
    await wire.answer()
    wire.send('hello')
    await sleep(20)
    wire.send(`GET / HTTP/1.1\r\n${host}\r\nA: ${'a'.repeat(40_000)}\r\n\r\n`)
    await wire.closed
    expect(await wire.answers(2)).toMatchObject([{ status: 415 }, { status: 431 }])
  })

  it('behind a body that nobody read is not answered a second time', async () => {
    const wire = await open(await on(echo))
    wire.send(`POST /unread HTTP/1.1\r\n${host}\r\nTransfer-Encoding: chunked\r\n\r\n`)
    await wire.answer()
    wire.send('xyz\r\n')
    await wire.closed
    expect(await wire.answers(2)).toHaveLength(1)
  })
})

describe('timeouts', () => {
  const timeouts = { headers: 200, request: 400 }

  it('respond with 408 to headers that do not come', async () => {
    const wire = await open(await on(echo, { timeouts }))
    wire.send(`GET / HTTP/1.1\r\n${host}\r\n`)
    const { status, body } = await wire.answer()
    expect(status).toBe(408)
    expect(JSON.parse(body)).toMatchObject({ code: 'timeout', status: 408 })
    expect(await wire.closed).toBe('end')
  })

  it('close a connection on which nothing was ever sent without a word', async () => {
    const wire = await open(await on(echo, { timeouts }))
    expect(await wire.closed).toBe('end')
    expect(wire.text).toBe('')
  })

  it('tell the reader of a body that does not come, so that the application answers', async () => {
    const wire = await open(await on(echo, { timeouts }))
    wire.send(`POST / HTTP/1.1\r\n${host}\r\nContent-Length: 10\r\n\r\nabc`)
    expect(await wire.answer()).toMatchObject({ status: 400, body: 'timeout', headers: { connection: 'close' } })
    expect(await wire.closed).toBe('end')
  })

  it('tell the reader of pieces too', async () => {
    const port = await on(
      handler((transport, send) => {
        void (async () => {
          try {
            for await (const _ of transport.pieces(100));
          } catch (error) {
            send(text((error as { fault: string }).fault, 408))
          }
        })()
      }),
      { timeouts },
    )
    const wire = await open(port)
    wire.send(`POST / HTTP/1.1\r\n${host}\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n`)
    expect(await wire.answer()).toMatchObject({ status: 408, body: 'timeout' })
  })

  it('end connections that are kept for nothing', async () => {
    const wire = await open(await on(echo, { timeouts: { keepAlive: 100 } }))
    wire.send(`GET / HTTP/1.1\r\n${host}\r\n\r\n`)
    await wire.answer()
    expect(await wire.closed).toBe('end')
  })
})

describe('responses that nobody takes', () => {
  const large = 'x'.repeat(16 * 1024 * 1024)
  async function* quiet(): AsyncGenerator<string> {
    yield 'one'
    await sleep(700)
    yield 'two'
  }
  async function* endless(): AsyncGenerator<string> {
    for (;;) yield large
  }
  const various = handler(({ url }, send) => {
    if (url === '/large') return text(large)
    if (url === '/endless') return text(endless())
    if (url === '/quiet') return text(quiet())
    setTimeout(() => send(text('late')), 700)
  })
  const options = { timeouts: { response: 200 } }

  it.each(['/large', '/endless'])('end the connection: %s', async (path) => {
    const ended = told()
    const port = await on(
      handler((transport, send) => {
        ;(transport.raw as IncomingMessage).socket.on('close', () => ended.tell())
        various.handle(transport, send)
      }),
      options,
    )
    const wire = await open(port)
    wire.socket.pause()
    wire.send(`GET ${path} HTTP/1.1\r\n${host}\r\n\r\n`)
    await ended.promise
    wire.socket.resume()
    await wire.closed
    expect(wire.text.length).toBeGreaterThan(0)
    expect(wire.text.length).toBeLessThan(large.length)
    expect(port.errors).toEqual([])
  })

  it.each([
    ['/quiet', 'onetwo'],
    ['/late', 'late'],
  ])('are not those that are slow to come: %s', async (path, body) => {
    const wire = await open(await on(various, options))
    wire.send(`GET ${path} HTTP/1.1\r\n${host}\r\n\r\n`)
    expect((await wire.answer()).body).toBe(body)
  })

  it('are not those that are taken slowly', async () => {
    // Ten times as long as any pause, and shorter than all of them together.
    const wire = await open(await on(various, { timeouts: { response: 2000 } }))
    const started = performance.now()
    let [taken, rest] = [0, large.length]
    wire.socket.on('data', (chunk: string) => {
      taken += chunk.length
      rest -= chunk.length
      if (taken < 1_000_000) return
      taken = 0
      wire.socket.pause()
      setTimeout(() => wire.socket.resume(), 200)
    })
    wire.send(`GET /large HTTP/1.1\r\n${host}\r\n\r\n`)
    await wire.until((received) => received.length > large.length)
    expect(rest).toBeLessThan(0)
    expect(performance.now() - started).toBeGreaterThan(2000)
  }, 60_000)
})

describe('bodies too large to throw away', () => {
  it('cost the connection although nobody wanted them', async () => {
    const wire = await open(await on(echo), true)
    wire.send(`POST /unread HTTP/1.1\r\n${host}\r\nContent-Length: 3000000\r\n\r\n${'x'.repeat(3_000_000)}`)
    expect(await wire.answer()).toMatchObject({ status: 415, headers: { connection: 'close' } })
    await wire.until(() => false)
    wire.socket.end()
    expect(await wire.closed).toBe('end')
  })

  it('are not received for ever, nor without bound', async () => {
    const wire = await open(await on(echo), true)
    wire.send(`POST /unread HTTP/1.1\r\n${host}\r\nContent-Length: 999999999\r\n\r\n`)
    const piece = new Uint8Array(1_000_000)
    let sent = 0
    const push = (): void => {
      while (!wire.socket.destroyed && sent < 500 && wire.socket.write(piece)) sent++
      wire.socket.once('drain', push)
    }
    push()
    expect((await wire.answer()).status).toBe(415)
    await wire.closed
    expect(wire.socket.bytesWritten).toBeLessThan(60_000_000)
  })

  it('behind a streamed response are received within the same bounds', async () => {
    async function* brief(): AsyncGenerator<string> {
      yield 'brief'
    }
    const wire = await open(await on(handler(() => text(brief()))))
    wire.send(`POST / HTTP/1.1\r\n${host}\r\nContent-Length: 3000000\r\n\r\n`)
    expect((await wire.answer()).body).toBe('brief')
    wire.send('x'.repeat(3_000_000)).send(`GET / HTTP/1.1\r\n${host}\r\n\r\n`)
    expect((await wire.answers(2))[1]?.body).toBe('brief')
  })
})

describe('a connection that is kept', () => {
  it('has no timer of its own set for each request', async () => {
    const { setTimeout: original } = Socket.prototype
    let timers = 0
    const port = await on(handler(({ url }) => (url === '/stream' ? text(one()) : text(url))))
    async function* one(): AsyncGenerator<string> {
      yield 'a'
    }
    const wire = await open(port)
    await wire.send(`GET /0 HTTP/1.1\r\n${host}\r\n\r\n`).answer()
    Socket.prototype.setTimeout = function (...args) {
      timers++
      return original.apply(this, args)
    }
    try {
      for (let n = 1; n <= 20; n++) {
        wire.send(`GET /${n % 4 === 0 ? 'stream' : n} HTTP/1.1\r\n${host}\r\n\r\n`)
        await wire.answers(n + 1)
      }
    } finally {
      Socket.prototype.setTimeout = original
    }
    expect(timers).toBe(0)
  })

  it('says how long it is kept, whichever way a response is written', async () => {
    const responses: Readonly<Record<string, () => ReturnType<typeof text>>> = {
      '/plain': () => text('a'),
      '/empty': () => text(null, 204),
    }
    const port = await on(handler(({ url }) => responses[url]?.() ?? text(pieces())))
    async function* pieces(): AsyncGenerator<string> {
      yield 'a'
    }
    for (const path of ['/plain', '/empty', '/stream']) {
      const wire = await open(port)
      const { headers } = await wire.send(`GET ${path} HTTP/1.1\r\n${host}\r\n\r\n`).answer()
      expect([headers['connection'], headers['keep-alive']]).toEqual(['keep-alive', 'timeout=65'])
    }
  })

  it('is not ended while its request is worked on, nor at once behind it', async () => {
    let respond = (): void => {}
    const port = await on(
      handler((_, send) => {
        respond = () => send(text('late'))
      }),
      { timeouts: { keepAlive: 800, response: 800 } },
    )
    const wire = await open(port)
    wire.send(`GET / HTTP/1.1\r\n${host}\r\n\r\n`)
    await sleep(1000)
    respond()
    expect((await wire.answer()).body).toBe('late')
    wire.send(`GET / HTTP/1.1\r\n${host}\r\n\r\n`)
    await sleep(1000)
    respond()
    expect(await wire.answers(2)).toHaveLength(2)
    expect(await wire.closed).toBe('end')
  })

  it('is ended if it is never used', async () => {
    const wire = await open(await on(echo, { timeouts: { response: 100 } }))
    expect(await wire.closed).toBe('end')
  })
})
