// Frames that no honest client sends: floods, invalid frames, heads without an end. The server ends the connection that
// sends them or responds to it, stays within its limits, and serves all other clients.
import { afterEach, describe, expect, it } from 'vitest'
import { cert, key } from '../../../../test/support/serving/certificate.ts'
import { on, told } from '../../../../test/support/serving/harness.ts'
import { handler, type Port, text } from '../../../../test/support/serving/servers.ts'
import { askOn, block, FrameWire, frame, frames, head, session } from '../../../../test/support/serving/streams.ts'
import type { Send, Transport } from '../../../server/transport.ts'
import type { ServeOptions } from '../serve-options.ts'

const { DATA, HEADERS, PRIORITY, RST_STREAM, SETTINGS, PING, GOAWAY, WINDOW_UPDATE, CONTINUATION } = frames
const { END_STREAM, END_HEADERS } = frames
const wires: FrameWire[] = []

afterEach(() => {
  for (const wire of wires.splice(0)) wire.close()
})

interface Target extends Port {
  /** The number of requests that the application has received, and the most at the same time. */
  readonly counts: { asked: number; active: number; most: number }
}

/** Starts a server whose application takes a turn of the event loop for each request. */
async function target(options: ServeOptions = {}): Promise<Target> {
  const counts = { asked: 0, active: 0, most: 0 }
  const work = (_: Transport, send: Send): void => {
    counts.asked++
    counts.most = Math.max(counts.most, ++counts.active)
    setTimeout(() => {
      counts.active--
      send(text('done'))
    }, 5)
  }
  const timeouts = { headers: 300, keepAlive: 300 }
  return { ...(await on(handler(work), { tls: { key, cert }, timeouts, ...options })), counts }
}

async function open(port: number, greet = true): Promise<FrameWire> {
  const wire = await FrameWire.open(port, greet)
  wires.push(wire)
  return wire
}

/** Checks that another client is served. */
async function serves({ port }: Port): Promise<void> {
  const client = await session(port)
  expect((await askOn(client, {})).status).toBe(200)
  client.destroy()
}

const readError = (wire: FrameWire): number | undefined => wire.of(GOAWAY).at(-1)?.payload.readUInt32BE(4)
const request = (stream: number): Buffer => frame(HEADERS, END_STREAM | END_HEADERS, stream, head('/'))
const code = (value: number): Buffer => {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value)
  return bytes
}

describe('a flood', () => {
  it('of streams that are reset at once (CVE-2023-44487) is worked on within the limits, then cut off', async () => {
    const server = await target({ maxPipelined: 50 })
    const wire = await open(server.port)
    let sent = 0
    for (let n = 0; n < 200 && !wire.socket.destroyed; n++) {
      const batch: Buffer[] = []
      for (let i = 0; i < 50; i++) {
        const stream = 2 * sent++ + 1
        batch.push(request(stream), frame(RST_STREAM, 0, stream, code(8)))
      }
      wire.send(...batch)
      await new Promise((resolve) => setImmediate(resolve))
    }
    await expect.poll(() => wire.of(GOAWAY).length).toBeGreaterThan(0)
    expect(server.counts.most).toBeLessThanOrEqual(51)
    // nghttp2 accepts a thousand resets, and then 33 per second.
    expect(server.counts.asked).toBeLessThan(1500)
    await serves(server)
  })

  it.each([
    ['PING', () => frame(PING, 0, 0, Buffer.alloc(8))],
    ['SETTINGS', () => frame(SETTINGS, 0, 0)],
    ['empty DATA', () => frame(DATA, 0, 1)],
  ])('of %s frames is cut off', async (_, one) => {
    const server = await target({ timeouts: { request: 60_000, headers: 5000 } })
    const wire = await open(server.port)
    wire.send(
      frame(
        HEADERS,
        END_HEADERS,
        1,
        block([
          [':method', 'POST'],
          [':scheme', 'https'],
          [':authority', 'a'],
          [':path', '/'],
        ]),
      ),
    )
    const batch = Buffer.concat(Array.from({ length: 500 }, one))
    for (let n = 0; n < 100 && !wire.socket.destroyed; n++) {
      wire.send(batch)
      await new Promise((resolve) => setTimeout(resolve, 1))
    }
    await wire.closed
    await serves(server)
  })

  it('of CONTINUATION frames (VU#421644) is cut off, and its head never asks the application', async () => {
    const server = await target()
    const wire = await open(server.port)
    wire.send(frame(HEADERS, END_STREAM, 1, head('/')))
    const part = block([['x-part', 'x'.repeat(1000)]])
    for (let n = 0; n < 1000 && !wire.socket.destroyed; n++) {
      wire.send(frame(CONTINUATION, 0, 1, part))
      await new Promise((resolve) => setImmediate(resolve))
    }
    await wire.closed
    expect(server.counts.asked).toBe(0)
    await serves(server)
  })

  it('of streams beyond the limit is refused', async () => {
    const server = await target({ maxPipelined: 10 })
    const wire = await open(server.port)
    wire.send(frame(SETTINGS, 1, 0), ...Array.from({ length: 60 }, (_, n) => request(2 * n + 1)))
    await expect.poll(() => wire.of(RST_STREAM).length + wire.of(GOAWAY).length).toBeGreaterThan(0)
    expect(server.counts.most).toBeLessThanOrEqual(10)
    await serves(server)
  })
})

describe('a frame that makes no sense', () => {
  const of = (...fields: [string, string][]): Buffer => frame(HEADERS, END_STREAM | END_HEADERS, 1, block(fields))
  const plain: [string, string][] = [
    [':method', 'GET'],
    [':scheme', 'https'],
    [':authority', 'a.test'],
    [':path', '/'],
  ]
  it.each<[string, Buffer]>([
    ['DATA without a stream', frame(DATA, 0, 0, Buffer.from('x'))],
    ['DATA on a stream that nobody opened', frame(DATA, 0, 5, Buffer.from('x'))],
    ['HEADERS on a stream of the server', frame(HEADERS, END_HEADERS, 2, head('/'))],
    ['a block of headers that is none', frame(HEADERS, END_HEADERS, 1, Buffer.from([0xff, 0xff, 0xff, 0xff, 0xff]))],
    ['SETTINGS of half a setting', frame(SETTINGS, 0, 0, Buffer.alloc(5))],
    ['PING of another size', frame(PING, 0, 0, Buffer.alloc(4))],
    ['WINDOW_UPDATE of nothing', frame(WINDOW_UPDATE, 0, 0, code(0))],
    ['a window that is too large', frame(WINDOW_UPDATE, 0, 0, code(2 ** 31 - 1))],
    ['CONTINUATION of nothing', frame(CONTINUATION, END_HEADERS, 1, head('/'))],
    ['a frame larger than allowed', frame(DATA, 0, 1, Buffer.alloc(20_000))],
    ['RST_STREAM of a stream that nobody opened', frame(RST_STREAM, 0, 7, code(8))],
  ])('ends the connection: %s', async (_, sent) => {
    const server = await target()
    const wire = await open(server.port)
    wire.send(sent)
    await wire.closed
    expect(readError(wire)).not.toBe(0)
    await serves(server)
  })

  it.each<[string, Buffer]>([
    ['no path', of(...plain.slice(0, 3))],
    ['two paths', of(...plain, [':path', '/other'])],
    ['an unknown pseudo-header', of(...plain, [':unknown', 'x'])],
    ['a pseudo-header behind a header', of(['x-a', '1'], ...plain)],
    ['a name in capitals', of(...plain, ['X-Name', '1'])],
    ['a header of connections', of(...plain, ['connection', 'close'])],
    ['a transfer coding', of(...plain, ['transfer-encoding', 'chunked'])],
    ['two lengths', of(...plain, ['content-length', '0'], ['content-length', '5'])],
    ['a length without a body', of(...plain, ['content-length', '5'])],
    ['no authority at all', of(...plain.filter(([name]) => name !== ':authority'))],
  ])('is no request: %s', async (_, sent) => {
    const server = await target()
    const wire = await open(server.port)
    wire.send(sent, request(3))
    await expect.poll(() => wire.socket.destroyed || wire.of(DATA).some(({ stream }) => stream === 3)).toBe(true)
    // At most, the application has received the request after it.
    expect(server.counts.asked).toBeLessThanOrEqual(1)
    await serves(server)
  })

  it('is a header of two lines, or with a colon in its name, and nobody hears of it', async () => {
    const received = told<unknown>()
    const server = await on(
      handler(({ headers }) => {
        received.tell(headers)
        return text('x')
      }),
      { tls: { key, cert } },
    )
    const wire = await open(server.port)
    wire.send(of(...plain, ['x-a', 'a\r\nb: c'], ['x:b', '1'], ['x-c', '2']))
    expect(await received.promise).toEqual({ host: 'a.test', 'x-c': '2' })
  })

  it('is a body of another length than its head says', async () => {
    const bodies = told<unknown>()
    const server = await on(
      handler((transport, send) => {
        transport.collect(1000, (body) => {
          bodies.tell(body)
          send(text('x'))
        })
      }),
      { tls: { key, cert } },
    )
    const wire = await open(server.port)
    const fields = block([
      ...plain.map(([n, v]) => [n, n === ':method' ? 'POST' : v] as const),
      ['content-length', '3'],
    ])
    wire.send(frame(HEADERS, END_HEADERS, 1, fields), frame(DATA, END_STREAM, 1, Buffer.from('longer')))
    expect(await bodies.promise).toBe('aborted')
  })

  it('may depend on itself, and changes nothing', async () => {
    const server = await target()
    const wire = await open(server.port)
    wire.send(frame(PRIORITY, 0, 1, Buffer.concat([code(3), Buffer.from([1])])), request(1))
    await expect.poll(() => wire.of(DATA).length).toBeGreaterThan(0)
  })
})

describe('a client that takes its time', () => {
  it.each([
    ['says nothing after the handshake', false, []],
    ['greets and asks nothing', true, []],
    ['begins a head and does not end it', true, [frame(HEADERS, END_STREAM, 1, head('/'))]],
  ] as [string, boolean, Buffer[]][])('is cut off: it %s', async (_, greet, sent) => {
    const server = await target({ timeouts: { headers: 300 } })
    const wire = await open(server.port, greet)
    wire.send(...sent)
    await wire.closed
    expect(server.counts.asked).toBe(0)
  })

  it('is cut off though it sends a byte of its head now and then', async () => {
    const server = await target({ timeouts: { headers: 300 } })
    const wire = await open(server.port)
    const bytes = frame(HEADERS, END_STREAM | END_HEADERS, 1, head('/', ['x-a', 'x'.repeat(500)]))
    for (const byte of bytes) {
      if (wire.socket.destroyed) break
      wire.send(Buffer.from([byte]))
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
    await wire.closed
    expect(server.counts.asked).toBe(0)
  })

  it('speaks something else', async () => {
    const server = await target()
    const wire = await open(server.port, false)
    wire.send(Buffer.from('GET / HTTP/1.1\r\nHost: a.test\r\n\r\n'))
    await wire.closed
    await serves(server)
  })
})
