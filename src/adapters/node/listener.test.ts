// The wire as a client sees it, for servers of `serve` and for servers of the user's own alike.
import { Agent, type IncomingMessage, request } from 'node:http'
import { afterEach, describe, expect, it } from 'vitest'
import { handler, listened, type Port, served, text } from '../../../test/fixtures/serving/servers.ts'
import { Wire } from '../../../test/fixtures/serving/wire.ts'
import type { Answer, Handler, Transport } from '../../server/transport.ts'

const host = 'Host: a.test'
const ports: Port[] = []
const wires: Wire[] = []

afterEach(async () => {
  for (const wire of wires.splice(0)) wire.close()
  await Promise.all(ports.splice(0).map((port) => port.close()))
})

async function open(port: Port, halfOpen = false): Promise<Wire> {
  const wire = await Wire.open(port.port, halfOpen)
  wires.push(wire)
  return wire
}

const hello: Answer = text('hällo')
const echo = handler((transport, send) => {
  transport.collect(1000, (body) => send(typeof body === 'string' ? text(body, 413) : text(body)))
})
const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

describe.each([
  ['serve', served],
  ['listener', listened],
])('%s', (_, start) => {
  async function on(handler: Handler): Promise<Port> {
    const port = await start(handler)
    ports.push(port)
    return port
  }

  it('answers with one head, an explicit length and no chunks', async () => {
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
    let seen: Transport | undefined
    const port = await on(
      handler((transport) => {
        seen = transport
        return hello
      }),
    )
    const wire = await open(port)
    await wire.send('DELETE /a%2Fb?c=d&c=e HTTP/1.1', host, 'X-Mixed-Case: Yes', '', '').answer()
    expect(seen).toMatchObject({ method: 'DELETE', url: '/a%2Fb?c=d&c=e', headers: { 'x-mixed-case': 'Yes' } })
    expect(seen?.headers).toBe((seen!.raw as IncomingMessage).headers)
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
    const answers = await wire.answers(4)
    expect(answers.map(({ headers }) => headers['content-length'])).toEqual(['0', '0', '4', '2'])
    expect(answers.map(({ body }) => body)).toEqual(['', '', 'text', 'ab'])
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
    const port = await on(
      handler(({ url }, send) => void setTimeout(() => send(text(url)), url === '/1' ? 30 : url === '/2' ? 10 : 0)),
    )
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

  it('turns an answer that cannot be written into a 500 and says why in the log', async () => {
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

  describe('bodies', () => {
    it('are collected by length and in chunks, from one piece or several', async () => {
      const wire = await open(await on(echo))
      wire.send('POST / HTTP/1.1', host, 'Content-Length: 4', '', 'abcd')
      expect((await wire.answer()).body).toBe('abcd')
      wire.send('POST / HTTP/1.1', host, 'Transfer-Encoding: chunked', '', '3\r\nabc\r\n')
      await sleep(10)
      wire.send('2\r\nde\r\n0\r\n\r\n')
      expect((await wire.answers(2))[1]?.body).toBe('abcde')
      wire.send('POST / HTTP/1.1', host, 'Content-Length: 6', '', 'fgh')
      await sleep(10)
      wire.send('ijk')
      expect((await wire.answers(3))[2]?.body).toBe('fghijk')
    })

    it('of pipelined requests do not mix', async () => {
      const wire = await open(await on(echo))
      wire.send(['ab', 'cd', 'ef'].map((b) => `POST / HTTP/1.1\r\n${host}\r\nContent-Length: 2\r\n\r\n${b}`).join(''))
      expect((await wire.answers(3)).map(({ body }) => body)).toEqual(['ab', 'cd', 'ef'])
    })

    it('that are absent or empty are empty at once', async () => {
      const port = await on(
        handler((transport) => {
          let got: unknown
          transport.collect(10, (body) => {
            got = body
          })
          return text(got instanceof Uint8Array && got.length === 0 ? 'empty' : 'not yet')
        }),
      )
      const wire = await open(port)
      wire.send(`GET / HTTP/1.1\r\n${host}\r\n\r\nPOST / HTTP/1.1\r\n${host}\r\nContent-Length: 0\r\n\r\n`)
      expect((await wire.answers(2)).map(({ body }) => body)).toEqual(['empty', 'empty'])
    })

    it('of exactly the limit pass, one byte more does not', async () => {
      const port = await on(echo)
      const exact = await open(port)
      exact.send('POST / HTTP/1.1', host, 'Content-Length: 1000', '', 'x'.repeat(1000))
      expect((await exact.answer()).status).toBe(200)
      exact.send('POST / HTTP/1.1', host, 'Content-Length: 1001', '', 'x'.repeat(1001))
      const [, refused] = await exact.answers(2)
      expect(refused).toMatchObject({ status: 413, headers: { connection: 'close' }, body: 'too-large' })
      expect(await exact.closed).toBe('end')
      const chunked = await open(port)
      chunked.send('POST / HTTP/1.1', host, 'Transfer-Encoding: chunked', '', `3e9\r\n${'x'.repeat(1001)}\r\n`)
      expect(await chunked.answer()).toMatchObject({ status: 413, headers: { connection: 'close' } })
      expect(await chunked.closed).toBe('end')
    })

    it.each(['Content-Length: 4000000', 'Transfer-Encoding: chunked'])(
      'that are too large get their 413 while the client is still sending (%s)',
      async (framing) => {
        const wire = await open(await on(echo), true)
        wire.send('POST / HTTP/1.1', host, framing, '', '')
        const piece = 'y'.repeat(100_000)
        for (let sent = 0; sent < 40; sent++) {
          wire.send(framing.startsWith('C') ? piece : `186a0\r\n${piece}\r\n`)
          await sleep(2)
        }
        if (!framing.startsWith('C')) wire.send('0\r\n\r\n')
        expect(await wire.answer()).toMatchObject({ status: 413, headers: { connection: 'close' } })
        await wire.until(() => false)
        wire.socket.end()
        expect(await wire.closed).toBe('end')
      },
    )

    it('that nobody reads leave the connection usable', async () => {
      const wire = await open(await on(handler(({ url }) => text(url))))
      const long = 'z'.repeat(300_000)
      wire.send('POST /1 HTTP/1.1', host, `Content-Length: ${long.length}`, '', long)
      wire.send('GET /2 HTTP/1.1', host, '', '')
      expect((await wire.answers(2)).map(({ body }) => body)).toEqual(['/1', '/2'])
    })

    it('that nobody reads to the end leave the connection usable', async () => {
      const port = await on(
        handler((transport, send) => {
          if (transport.method === 'GET') return text('again')
          void (async () => {
            for await (const piece of transport.pieces(1e6)) {
              send(text(piece.subarray(0, 2)))
              break
            }
          })()
        }),
      )
      const wire = await open(port)
      const long = 'z'.repeat(300_000)
      wire.send('POST /1 HTTP/1.1', host, `Content-Length: ${long.length}`, '', long)
      wire.send('GET /2 HTTP/1.1', host, '', '')
      expect((await wire.answers(2)).map(({ body }) => body)).toEqual(['zz', 'again'])
    })

    it('that nobody reads and that never end cost the connection', async () => {
      const wire = await open(await on(handler(({ url }) => text(url))))
      wire.send('POST /1 HTTP/1.1', host, 'Transfer-Encoding: chunked', '', '1\r\na\r\n')
      expect(await wire.answer()).toMatchObject({ body: '/1', headers: { connection: 'close' } })
      expect(await wire.closed).toBe('end')
    })

    it('arrive piece by piece, within the limit and no faster than they are taken', async () => {
      let largest = 0
      const port = await on(
        handler((transport, send) => {
          void (async () => {
            let total = 0
            try {
              for await (const piece of transport.pieces(2_000_000)) {
                total += piece.length
                largest = Math.max(largest, piece.length)
                if (total < 200_000) await sleep(1)
              }
              send(text(String(total)))
            } catch (error) {
              send(text((error as { fault: string }).fault, 413))
            }
          })()
        }),
      )
      const wire = await open(port)
      wire.send('POST / HTTP/1.1', host, 'Content-Length: 1500000', '', 'x'.repeat(1_500_000))
      expect((await wire.answer()).body).toBe('1500000')
      expect(largest).toBeLessThan(200_000)
      wire.send('POST / HTTP/1.1', host, 'Transfer-Encoding: chunked', '', `1e8481\r\n${'x'.repeat(2_000_001)}\r\n`)
      expect((await wire.answers(2))[1]).toMatchObject({ status: 413, body: 'too-large' })
      const large = await open(port)
      large.send('POST / HTTP/1.1', host, 'Content-Length: 2000001', '', '')
      expect(await large.answer()).toMatchObject({ status: 413, body: 'too-large' })
    })

    it('that break off are reported once, whole or in pieces', async () => {
      const faults: string[] = []
      const port = await on(
        handler((transport, send) => {
          if (transport.url === '/whole') transport.collect(1000, (body) => void faults.push(body as string))
          else
            void (async () => {
              try {
                for await (const _ of transport.pieces(1000));
              } catch (error) {
                faults.push((error as { fault: string }).fault)
              }
              send(hello)
            })()
        }),
      )
      for (const path of ['/whole', '/pieces']) {
        const wire = await open(port)
        wire.send(`POST ${path} HTTP/1.1`, host, 'Content-Length: 10', '', 'abc')
        await sleep(20)
        wire.close()
        await expect.poll(() => faults.length).toBe(path === '/whole' ? 1 : 2)
      }
      expect(faults).toEqual(['aborted', 'aborted'])
    })
  })

  describe('streams', () => {
    async function* numbers(to: number): AsyncGenerator<string> {
      for (let n = 1; n <= to; n++) yield `${n};`
    }

    it('go out as they are produced', async () => {
      let proceed = (): void => {}
      const gate = new Promise<void>((resolve) => {
        proceed = resolve
      })
      async function* gated(): AsyncGenerator<string | Uint8Array> {
        yield 'first'
        await gate
        yield new Uint8Array([33])
      }
      const wire = await open(await on(handler(({ url }) => text(url === '/2' ? 'after' : gated()))))
      wire.send('GET / HTTP/1.1', host, '', '')
      await wire.until((received) => received.includes('first'))
      proceed()
      expect(await wire.answer()).toMatchObject({ body: 'first!', headers: { 'transfer-encoding': 'chunked' } })
      wire.send('GET /2 HTTP/1.1', host, '', '')
      expect((await wire.answers(2))[1]?.body).toBe('after')
    })

    it('may be web streams, and may know their length', async () => {
      const bytes = new TextEncoder().encode('abc')
      const port = await on(
        handler(({ url }) => {
          const stream = new Blob([bytes]).stream() as ReadableStream<Uint8Array>
          return text(stream, 200, ...(url === '/' ? ['Content-Length', '3'] : []))
        }),
      )
      const wire = await open(port)
      wire.send(`GET / HTTP/1.1\r\n${host}\r\n\r\nGET /2 HTTP/1.1\r\n${host}\r\n\r\n`)
      const [first, second] = await wire.answers(2)
      expect(first).toMatchObject({ body: 'abc', headers: { 'content-length': '3' } })
      expect(second).toMatchObject({ body: 'abc', headers: { 'transfer-encoding': 'chunked' } })
    })

    it('wait for a client that does not read', async () => {
      let produced = 0
      async function* endless(): AsyncGenerator<Uint8Array> {
        for (; produced < 3000; produced++) yield new Uint8Array(100_000)
      }
      const wire = await open(await on(handler(() => text(endless()))))
      wire.socket.pause()
      wire.send('GET / HTTP/1.1', host, '', '')
      await sleep(150)
      const before = produced
      expect(before).toBeLessThan(300)
      await sleep(50)
      expect(produced).toBe(before)
    })

    it('are cancelled when the client goes, at once if they can be', async () => {
      const ended: string[] = []
      async function* ticking(): AsyncGenerator<string> {
        try {
          for (;;) {
            yield 'tick'
            await sleep(5)
          }
        } finally {
          ended.push('iterable')
        }
      }
      const silent = new ReadableStream<Uint8Array>({
        start: (controller) => controller.enqueue(new Uint8Array([116])),
        cancel: () => void ended.push('stream'),
      })
      const port = await on(handler(({ url }) => text(url === '/stream' ? silent : ticking())))
      for (const path of ['/stream', '/iterable']) {
        const wire = await open(port)
        wire.send(`GET ${path} HTTP/1.1`, host, '', '')
        await wire.until((received) => received.split('\r\n\r\n')[1]?.includes('t') === true)
        wire.close()
      }
      await expect.poll(() => ended.toSorted()).toEqual(['iterable', 'stream'])
      expect(port.errors).toEqual([])
    })

    it('are cancelled for HEAD', async () => {
      let cancelled = false
      const stream = new ReadableStream<Uint8Array>({
        cancel() {
          cancelled = true
        },
      })
      const wire = await open(await on(handler(() => text(stream))))
      expect((await wire.send('HEAD / HTTP/1.1', host, '', '').answer({ head: true })).status).toBe(200)
      expect(cancelled).toBe(true)
    })

    async function* breaking(): AsyncGenerator<string> {
      yield 'part'
      await sleep(5)
      throw new Error('source broke')
    }

    it('that fail break the connection, so that nobody takes a part for the whole', async () => {
      const port = await on(handler(() => text(breaking())))
      const wire = await open(port)
      wire.send('GET / HTTP/1.1', host, '', '')
      await wire.closed
      expect(wire.text).toContain('part')
      expect(wire.text).not.toContain('0\r\n\r\n')
      const old = await open(port)
      old.send('GET / HTTP/1.0', host, '', '')
      expect(await old.closed).toBe('ECONNRESET')
      expect(port.errors.map(({ fields }) => String(fields['err']))).toEqual([
        'Error: source broke',
        'Error: source broke',
      ])
    })

    it('that are shorter or longer than they said break the connection', async () => {
      const port = await on(handler(({ url }) => text(numbers(3), 200, 'Content-Length', url.slice(1))))
      for (const length of [2, 20]) {
        const wire = await open(port)
        wire.send(`GET /${length} HTTP/1.1`, host, '', '')
        await wire.closed
        expect(wire.text.split('\r\n\r\n')[1]?.length ?? 0).toBeLessThan(length + 1)
      }
      expect(port.errors).toHaveLength(2)
    })

    it('may be made of the request that they answer', async () => {
      const wire = await open(await on(handler((transport) => text(transport.pieces(1e6)))))
      wire.send('POST / HTTP/1.1', host, 'Content-Length: 6', '', 'abc')
      await wire.until((received) => received.includes('abc'))
      wire.send('def')
      expect((await wire.answer()).body).toBe('abcdef')
      wire.send('POST / HTTP/1.1', host, 'Content-Length: 1', '', 'g')
      expect((await wire.answers(2))[1]?.body).toBe('g')
    })
  })

  describe('the signal', () => {
    it('is made once, and aborts when the client goes before its answer', async () => {
      const seen: AbortSignal[] = []
      const port = await on(
        handler((transport) => {
          seen.push(transport.signal, transport.signal)
        }),
      )
      const wire = await open(port)
      wire.send(`GET / HTTP/1.1\r\n${host}\r\n\r\nGET /queued HTTP/1.1\r\n${host}\r\n\r\n`)
      await expect.poll(() => seen.length).toBe(4)
      expect(seen[0]).toBe(seen[1])
      expect(seen.some(({ aborted }) => aborted)).toBe(false)
      wire.close()
      await expect.poll(() => seen.every(({ aborted }) => aborted)).toBe(true)
    })

    it('stays quiet once the answer has gone out', async () => {
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

  it('drops the answer to a client that has gone', async () => {
    let reply = (_: Answer): void => {}
    let cancelled = false
    const port = await on(
      handler((transport, send) => {
        reply = send
        transport.signal.addEventListener('abort', () => reply(text(stream)))
      }),
    )
    const stream = new ReadableStream<Uint8Array>({
      cancel() {
        cancelled = true
      },
    })
    const wire = await open(port)
    wire.send('GET / HTTP/1.1', host, '', '')
    await sleep(20)
    wire.close()
    await expect.poll(() => cancelled).toBe(true)
    expect(port.errors).toEqual([])
  })

  it('serves the client of node:http over one kept connection', async () => {
    const { port } = await on(echo)
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    const ports = new Set<number | undefined>()
    for (let n = 0; n < 5; n++) {
      const body = await new Promise<string>((resolve, reject) => {
        const sent = request({ port, host: '127.0.0.1', method: 'POST', agent }, (response) => {
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
