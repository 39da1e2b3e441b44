// The wire as a client sees it, for servers of `serve` and for users' servers alike.
import { Agent, createServer, type IncomingMessage, request } from 'node:http'
import { Agent as SecureAgent, request as secureRequest } from 'node:https'
import type { AddressInfo } from 'node:net'
import { describe, expect, it } from 'vitest'
import { cert } from '../../../test/support/serving/certificate.ts'
import { host, open, sleep, told, ways } from '../../../test/support/serving/harness.ts'
import { handler, text } from '../../../test/support/serving/servers.ts'
import { Wire } from '../../../test/support/serving/wire.ts'
import type { RawResponse, Transport } from '../../server/transport.ts'
import { listener } from './listener.ts'

const hello: RawResponse = text('hällo')
const echo = handler((transport, send) => {
  transport.collect(1000, (body) => send(typeof body === 'string' ? text(body, 413) : text(body)))
})

describe.each(ways)('%s', (_, on) => {
  it('responds with one head, an explicit length and no chunks', async () => {
    const wire = await open(
      await on(handler(() => text('hällo', 201, 'X-A', '1', 'Set-Cookie', 'a=1', 'Set-Cookie', 'b=2'))),
    )
    const { status, headers, body } = await wire.send('GET /x?y=1 HTTP/1.1', host, '', '').answer()
    expect(status).toBe(201)
    expect(headers).toMatchObject({ 'content-length': '6', 'x-a': '1', 'content-type': 'text/plain' })
    expect(headers).not.toHaveProperty('transfer-encoding')
    expect(Buffer.from(body, 'latin1').toString()).toBe('hällo')
    expect(wire.text.match(/Set-Cookie: [ab]=\d/g)).toEqual(['Set-Cookie: a=1', 'Set-Cookie: b=2'])
  })

  it('passes the request on as it came', async () => {
    let received: Transport | undefined
    const port = await on(
      handler((transport) => {
        received = transport
        return hello
      }),
    )
    const wire = await open(port)
    await wire.send('DELETE /a%2Fb?c=d&c=e HTTP/1.1', host, 'X-Mixed-Case: Yes', '', '').answer()
    expect(received).toMatchObject({ method: 'DELETE', url: '/a%2Fb?c=d&c=e', headers: { 'x-mixed-case': 'Yes' } })
    expect(received?.headers).toBe((received!.raw as IncomingMessage).headers)
  })

  it('answers HEAD with the length of the body and without it', async () => {
    const wire = await open(await on(handler(({ method }) => text(method === 'HEAD' ? 'hällo' : 'next'))))
    wire.send(`HEAD / HTTP/1.1\r\n${host}\r\n\r\nGET / HTTP/1.1\r\n${host}\r\n\r\n`)
    await wire.until((received) => received.endsWith('next'))
    const [head = '', rest] = wire.text.split('\r\n\r\n')
    expect(head).toContain('Content-Length: 6')
    expect(rest).toMatch(/^HTTP\/1.1 200 OK/)
  })

  it.each([204, 304])('sends neither body nor length with %i', async (status) => {
    const port = await on(
      handler(({ url }) => (url === '/' ? text('never', status, 'content-length', '5') : text('x'))),
    )
    const wire = await open(port)
    wire.send(`GET / HTTP/1.1\r\n${host}\r\n\r\nGET /2 HTTP/1.1\r\n${host}\r\n\r\n`)
    const [first, second] = await wire.answers(2)
    expect(first?.status).toBe(status)
    expect(first?.headers).not.toHaveProperty('content-length')
    expect(second?.body).toBe('x')
  })

  it('counts the bytes of whatever whole body it is given', async () => {
    const bodies = [null, '', 'text', new Uint8Array([97, 98])]
    const port = await on(handler(({ url }) => text(bodies[Number(url.slice(1))]!, 200, 'CONTENT-LENGTH', '999')))
    const wire = await open(port)
    for (const at of bodies.keys()) wire.send(`GET /${at} HTTP/1.1\r\n${host}\r\n\r\n`)
    const responses = await wire.answers(4)
    expect(responses.map(({ headers }) => headers['content-length'])).toEqual(['0', '0', '4', '2'])
    expect(responses.map(({ body }) => body)).toEqual(['', '', 'text', 'ab'])
  })

  it('leaves the length of what it does not see to the handler of a HEAD', async () => {
    const port = await on(handler(({ url }) => (url === '/a' ? text(null, 200, 'Content-Length', '7') : text(null))))
    const wire = await open(port)
    wire.send(`HEAD /a HTTP/1.1\r\n${host}\r\n\r\nHEAD /b HTTP/1.1\r\n${host}\r\n\r\n`)
    const [first, second] = await wire.answers(2, { head: true })
    expect(first?.headers['content-length']).toBe('7')
    expect(second?.headers).not.toHaveProperty('content-length')
  })

  it('answers pipelined requests in order, whichever is ready first', async () => {
    const delays: Readonly<Record<string, number>> = { '/1': 30, '/2': 10, '/3': 0 }
    const port = await on(handler(({ url }, send) => void setTimeout(() => send(text(url)), delays[url])))
    const wire = await open(port)
    wire.send([1, 2, 3].map((n) => `GET /${n} HTTP/1.1\r\n${host}\r\n\r\n`).join(''))
    expect((await wire.answers(3)).map(({ body }) => body)).toEqual(['/1', '/2', '/3'])
  })

  it('speaks HTTP/1.0, with and without keep-alive, with and without Host', async () => {
    const port = await on(handler(() => text('x')))
    const closing = await open(port)
    expect((await closing.send('GET / HTTP/1.0', '', '').answer()).headers['connection']).toBe('close')
    expect(await closing.closed).toBe('end')
    const keeping = await open(port)
    keeping.send('GET / HTTP/1.0', host, 'Connection: keep-alive', '', '')
    expect((await keeping.answer()).headers['connection']).toBe('keep-alive')
  })

  it('refuses two Host headers, and none in HTTP/1.1 where Node leaves that to us', async () => {
    const port = await on(handler(() => hello))
    const two = await (await open(port)).send('GET / HTTP/1.1', host, 'host: b.test', '', '').answer()
    expect(two).toMatchObject({ status: 400, headers: { 'content-type': 'application/problem+json' } })
    expect(JSON.parse(two.body)).toMatchObject({ status: 400, code: 'malformed-request' })
    expect((await (await open(port)).send('GET / HTTP/1.1', '', '').answer()).status).toBe(400)
  })

  it('turns a response that cannot be written into a 500 and says why in the log', async () => {
    const port = await on(
      handler(({ url }) => {
        if (url === '/status') return text('x', 42)
        if (url === '/early') return text('x', 103)
        return text('secret', 200, 'X-Bad', 'a\r\nSet-Cookie: b')
      }),
    )
    for (const path of ['/header', '/status', '/early']) {
      const { status, body, headers } = await (await open(port)).send(`GET ${path} HTTP/1.1`, host, '', '').answer()
      expect(status).toBe(500)
      expect(JSON.parse(body)).toMatchObject({ code: 'internal' })
      expect(headers).not.toHaveProperty('set-cookie')
    }
    expect(port.errors.map(({ fields }) => fields['url'])).toEqual(['/header', '/status', '/early'])
    expect(port.errors.every(({ fields }) => fields['err'] instanceof Error)).toBe(true)
  })

  describe('the signal', () => {
    it('is made once, and aborts when the client goes before its response', async () => {
      const signals: AbortSignal[] = []
      const port = await on(
        handler((transport) => {
          signals.push(transport.signal, transport.signal)
        }),
      )
      const wire = await open(port)
      wire.send(`GET / HTTP/1.1\r\n${host}\r\n\r\nGET /queued HTTP/1.1\r\n${host}\r\n\r\n`)
      await expect.poll(() => signals.length).toBe(4)
      expect(signals[0]).toBe(signals[1])
      expect(signals.some(({ aborted }) => aborted)).toBe(false)
      wire.close()
      await expect.poll(() => signals.every(({ aborted }) => aborted)).toBe(true)
    })

    it('may be asked for by many pipelined requests without a warning', async () => {
      const warnings: string[] = []
      const warned = (warning: Error): void => void warnings.push(warning.message)
      process.on('warning', warned)
      const port = await on(handler(({ signal }, send) => void setTimeout(() => send(text(String(signal.aborted))), 5)))
      const wire = await open(port)
      wire.send(`GET / HTTP/1.1\r\n${host}\r\n\r\n`.repeat(30))
      expect((await wire.answers(30)).every(({ body }) => body === 'false')).toBe(true)
      process.off('warning', warned)
      expect(warnings).toEqual([])
    })

    it('stays quiet once the response has gone out', async () => {
      let signal: AbortSignal | undefined
      const port = await on(
        handler((transport) => {
          signal = transport.signal
          return hello
        }),
      )
      for (const lines of [
        ['GET / HTTP/1.1', host],
        ['POST / HTTP/1.1', host, 'Transfer-Encoding: chunked'],
      ]) {
        const wire = await open(port)
        await wire.send(...lines, '', '').answer()
        wire.close()
        await sleep(20)
        expect(signal?.aborted).toBe(false)
      }
    })
  })

  it('drops the response to a client that has gone', async () => {
    let reply = (_: RawResponse): void => {}
    let cancelled = false
    const started = told()
    const port = await on(
      handler((transport, send) => {
        reply = send
        transport.signal.addEventListener('abort', () => reply(text(stream)))
        started.tell()
      }),
    )
    const stream = new ReadableStream<Uint8Array>({
      cancel() {
        cancelled = true
      },
    })
    const wire = await open(port)
    wire.send('GET / HTTP/1.1', host, '', '')
    await started.promise
    wire.close()
    await expect.poll(() => cancelled).toBe(true)
    expect(port.errors).toEqual([])
  })

  it('serves the client of node:http over one kept connection', async () => {
    const { port, tls = false } = await on(echo)
    const [agent, send] = tls
      ? [new SecureAgent({ keepAlive: true, maxSockets: 1, ca: cert }), secureRequest]
      : [new Agent({ keepAlive: true, maxSockets: 1 }), request]
    const ports = new Set<number | undefined>()
    for (let n = 0; n < 5; n++) {
      const body = await new Promise<string>((resolve, reject) => {
        const sent = send({ port, host: '127.0.0.1', method: 'POST', agent }, (response) => {
          ports.add(sent.socket?.localPort)
          response.setEncoding('utf8').on('data', resolve)
        })
        sent.on('error', reject).end(`n${n}`)
      })
      expect(body).toBe(`n${n}`)
    }
    agent.destroy()
    expect(ports.size).toBe(1)
  })
})

describe('behind a framework of the user', () => {
  it('keeps headers that were set before, and does not wait for a body that was read before', async () => {
    const inner = listener(
      handler((transport, send) => {
        transport.collect(100, (body) =>
          send(text(typeof body === 'string' ? body : `${transport.url}:${body.length}`)),
        )
      }),
    )
    const server = createServer((request, response) => {
      response.setHeader('X-Outer', '1').setHeader('Content-Type', 'text/html')
      request.url = request.url?.slice('/api'.length)
      if (request.url === '/parsed') request.resume().on('end', () => inner(request, response))
      else inner(request, response)
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const wire = await Wire.open((server.address() as AddressInfo).port)
    wire.send(`POST /api/x HTTP/1.1\r\n${host}\r\nContent-Length: 2\r\n\r\nab`)
    const headers = { 'x-outer': '1', 'content-type': 'text/plain' }
    expect(await wire.answer()).toMatchObject({ body: '/x:2', headers })
    wire.send(`POST /api/parsed HTTP/1.1\r\n${host}\r\nContent-Length: 2\r\n\r\nab`)
    expect((await wire.answers(2))[1]).toMatchObject({ body: 'consumed', headers })
    wire.close()
    await new Promise((resolve) => server.close(resolve))
  })

  it('does not respond a second time where a response has begun', async () => {
    const errors: string[] = []
    const logger = { info() {}, warn() {}, error: (_: object, message: string) => void errors.push(message) }
    const inner = listener(
      handler(() => text('second')),
      { logger },
    )
    const server = createServer((request, response) => {
      response.writeHead(200, { 'Content-Length': 99 }).write('first')
      inner(request, response)
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const wire = await Wire.open((server.address() as AddressInfo).port)
    wire.send(`GET / HTTP/1.1\r\n${host}\r\n\r\n`)
    await wire.closed
    expect(wire.text).not.toContain('second')
    expect(errors).toHaveLength(1)
    await new Promise((resolve) => server.close(resolve))
  })
})
