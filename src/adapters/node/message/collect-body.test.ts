// Bodies of requests on the wire: complete, in pieces, too large, cut off, unread.
import { describe, expect, it } from 'vitest'
import { host, open, sleep, ways } from '../../../../test/support/serving/harness.ts'
import { handler, text } from '../../../../test/support/serving/servers.ts'

const echo = handler((transport, send) => {
  transport.collect(1000, (body) => send(typeof body === 'string' ? text(body, 413) : text(body)))
})

describe.each(ways)('%s', (_, on) => {
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

  it('that cost the connection keep what is pipelined behind them from being processed', async () => {
    const events: string[] = []
    const port = await on(
      handler((transport, send) => {
        events.push(transport.url)
        transport.collect(5, () => send(text('no', 413)))
      }),
    )
    const wire = await open(port)
    wire.send(`POST /1 HTTP/1.1\r\n${host}\r\nContent-Length: 6\r\n\r\nabcdefGET /2 HTTP/1.1\r\n${host}\r\n\r\n`)
    expect(await wire.closed).toBe('end')
    expect(await wire.answers(1)).toHaveLength(1)
    expect(events).toEqual(['/1'])
  })

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
    const started: string[] = []
    const port = await on(
      handler((transport, send) => {
        started.push(transport.url)
        if (transport.url === '/whole') transport.collect(1000, (body) => void faults.push(body as string))
        else
          void (async () => {
            try {
              for await (const _ of transport.pieces(1000));
            } catch (error) {
              faults.push((error as { fault: string }).fault)
            }
            send(text('too late'))
          })()
      }),
    )
    for (const path of ['/whole', '/pieces']) {
      const wire = await open(port)
      wire.send(`POST ${path} HTTP/1.1`, host, 'Content-Length: 10', '', 'abc')
      await expect.poll(() => started).toContain(path)
      wire.close()
      await expect.poll(() => faults.length).toBe(path === '/whole' ? 1 : 2)
    }
    expect(faults).toEqual(['aborted', 'aborted'])
  })
})
