// CONNECT and upgrades over `serve`: handled like any other method, and nothing hangs.
import { request } from 'node:http'
import { describe, expect, it } from 'vitest'
import { host, on, open, sleep, told } from '../../../test/support/serving/harness.ts'
import { handler, text } from '../../../test/support/serving/servers.ts'

const head = (target: string, ...lines: string[]): string =>
  `CONNECT ${target} HTTP/1.1\r\n${[host, ...lines].join('\r\n')}\r\n\r\n`
const echo = handler((transport, send) => {
  transport.collect(1000, (body) =>
    send(typeof body === 'string' ? text(body, 400) : text(`${transport.method} ${transport.url} ${body.length}`)),
  )
})

/** Sends a request and returns all output until the connection ends. */
async function exchange(...[port, sent]: [port: Awaited<ReturnType<typeof on>>, sent: string]): Promise<string> {
  const wire = await open(port)
  wire.send(sent)
  expect(await wire.closed).toBe('end')
  return wire.text
}

describe('CONNECT', () => {
  it.each(['/a', 'example.test:443', 'example.test', '[::1]:80', '*', '?', 'http://a.test/b', '//a', '%zz', 'a/b#c'])(
    '[RTE-01] closed the connection instead of being answered: %s',
    async (target) => {
      const response = await exchange(await on(echo), head(target))
      expect(response).toMatch(/^HTTP\/1\.1 200 OK\r\n/)
      expect(response).toMatch(/\r\nConnection: close\r\n/i)
      expect(response.endsWith(`\r\n\r\nCONNECT ${target} 0`)).toBe(true)
    },
  )

  it('has no length and no chunks where it succeeds, because its client takes the rest for a tunnel', async () => {
    const port = await on(handler(({ url }) => (url === '/s' ? text(pieces()) : text('no', 404))))
    async function* pieces(): AsyncGenerator<Uint8Array> {
      yield Buffer.from('one ')
      await sleep(5)
      yield Buffer.from('two')
    }
    const streamed = await exchange(port, head('/s'))
    expect(streamed).toMatch(/\r\n\r\none two$/)
    expect(streamed).not.toMatch(/content-length|transfer-encoding/i)
    expect(await exchange(port, head('/n'))).toMatch(
      /^HTTP\/1\.1 404 [\s\S]*\r\nContent-Length: 2\r\n[\s\S]*\r\n\r\nno$/,
    )
  })

  it('has no body, whatever follows its head', async () => {
    const port = await on(echo)
    for (const rest of ['GET /next HTTP/1.1\r\n\r\n', '\0'.repeat(200_000)])
      expect(await exchange(port, head('/a') + rest)).toMatch(/^HTTP\/1\.1 200 OK[\s\S]*CONNECT \/a 0$/)
    for (const lines of [['Content-Length: 5'], ['Transfer-Encoding: chunked'], ['Expect: 100-continue']])
      expect(await exchange(port, head('/a', ...lines))).toMatch(/^HTTP\/1\.1 200 OK[\s\S]*CONNECT \/a 0$/)
  })

  it('waits for its turn behind the requests of its connection, and nothing after it is answered', async () => {
    const sends: (() => void)[] = []
    const port = await on(handler(({ method, url }, send) => void sends.push(() => send(text(`${method} ${url};`)))))
    const wire = await open(port)
    const get = (path: string): string => `GET ${path} HTTP/1.1\r\n${host}\r\n\r\n`
    wire.send(get('/1') + get('/2') + head('/3') + get('/4'))
    await expect.poll(() => sends.length).toBe(2)
    sends[1]?.()
    sends[0]?.()
    await wire.until((received) => received.includes('GET /2;'))
    await expect.poll(() => sends.length).toBe(3)
    expect(wire.text).not.toContain('CONNECT')
    sends[2]?.()
    expect(await wire.closed).toBe('end')
    expect(wire.text.match(/(?:GET|CONNECT) \/\d;/g)).toEqual(['GET /1;', 'GET /2;', 'CONNECT /3;'])
  })

  it('is held to the same limits: Host, admission, draining, and a client that goes', async () => {
    expect(await exchange(await on(echo), 'CONNECT /a HTTP/1.1\r\n\r\n')).toMatch(/^HTTP\/1\.1 400 /)
    const [started, aborted] = [told(), told()]
    const waiting = handler(({ signal }) => {
      signal.addEventListener('abort', () => aborted.tell())
      started.tell()
    })
    const port = await on(waiting, { maxRequests: 1, timeouts: { drain: 200 } })
    const first = await open(port)
    first.send(head('/1'))
    await started.promise
    expect(await exchange(port, head('/2'))).toMatch(/^HTTP\/1\.1 503 /)
    first.socket.destroy()
    await aborted.promise
    const responder = told<() => void>()
    const slow = await on(handler((_, send) => responder.tell(() => send(text('late')))))
    const wire = await open(slow)
    wire.send(head('/a'))
    const respond = await responder.promise
    const closing = slow.close()
    respond()
    await Promise.all([closing, wire.closed])
    expect(wire.text).toMatch(/^HTTP\/1\.1 200 OK[\s\S]*late$/)
  })

  it('is served two hundred times at once', async () => {
    const port = await on(echo)
    const responses = await Promise.all(Array.from({ length: 200 }, (_, i) => exchange(port, head(`/${i}`))))
    expect(responses.every((response, i) => response.endsWith(`CONNECT /${i} 0`))).toBe(true)
  })

  it("reaches node's own client", async () => {
    const { port } = await on(echo)
    const status = await new Promise((resolve, reject) => {
      const sent = request({ port, method: 'CONNECT', path: 'a.test:443' })
      sent.on('connect', ({ statusCode }, socket) => {
        socket.destroy()
        resolve(statusCode)
      })
      sent.on('error', reject).end()
    })
    expect(status).toBe(200)
  })
})

describe('Upgrade', () => {
  it('is served like a request without it, and the connection stays', async () => {
    const wire = await open(await on(echo))
    for (const protocol of ['websocket', 'h2c', 'TLS/1.3']) {
      wire.send(`GET /a HTTP/1.1\r\n${host}\r\nConnection: Upgrade\r\nUpgrade: ${protocol}\r\n\r\n`)
      expect(await wire.answer()).toMatchObject({
        status: 200,
        body: 'GET /a 0',
        headers: { connection: 'keep-alive' },
      })
    }
  })
})
