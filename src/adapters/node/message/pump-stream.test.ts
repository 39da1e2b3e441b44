// Streamed responses on the wire, and the closing of their sources.
import { describe, expect, it } from 'vitest'
import { host, open, sleep, ways } from '../../../../test/support/serving/harness.ts'
import { handler, text } from '../../../../test/support/serving/servers.ts'
import type { Wire } from '../../../../test/support/serving/wire.ts'

describe.each(ways)('%s', (_, on) => {
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
    // It pauses long before its end, however slowly it gets there.
    for (let before = -1; produced === 0 || produced !== before; ) {
      before = produced
      await sleep(100)
    }
    expect(produced).toBeLessThan(300)
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

  it('that fail break the connection, so that nobody takes a part for the whole', async () => {
    let wire: Wire
    async function* breaking(): AsyncGenerator<string> {
      yield 'part'
      // libuv reports a reset that arrives together with data as an ordinary end.
      await wire.until((received) => received.includes('part'))
      throw new Error('source broke')
    }
    const port = await on(handler(() => text(breaking())))
    wire = await open(port)
    wire.send('GET / HTTP/1.1', host, '', '')
    await wire.closed
    expect(wire.text).toContain('part')
    expect(wire.text).not.toContain('0\r\n\r\n')
    wire = await open(port)
    wire.send('GET / HTTP/1.0', host, '', '')
    expect(await wire.closed).toBe('ECONNRESET')
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
