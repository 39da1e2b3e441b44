// Streams of events on the wire: every transport, heartbeats, back pressure, and each of the ways in which a stream ends.
import { connect as connectHttp2 } from 'node:http2'
import { request as requestSecurely } from 'node:https'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import type { Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { type RunningServer, type ServeOptions, serve } from '../../src/adapters/node/index.ts'
import { type Application, application, controller, endpoint, events, route, t } from '../../src/index.ts'
import { compression } from '../../src/plugins/compression/index.ts'
import { EventParser } from '../../src/util/event-stream/parse-events.ts'
import { ask, recorder } from '../support/ask.ts'
import { cert, key } from '../support/serving/certificate.ts'
import { Journal, type OrderEvent, shop } from './shop.ts'

const endings: (() => unknown)[] = []
afterEach(async () => {
  for (const end of endings.splice(0).reverse()) await end()
})

async function start(app: Application, options: ServeOptions = {}): Promise<RunningServer> {
  const own = { port: 0, host: '127.0.0.1', signals: false, fatal: false } as const
  const server = await serve(app, {
    ...own,
    logger: recorder(),
    ...options,
    timeouts: { drain: 5000, ...options.timeouts },
  })
  endings.push(() => server.close())
  return server
}

/** A stream that is being read: everything that has arrived, and how to leave it. */
interface Reader {
  readonly text: () => string
  readonly ended: () => boolean
  readonly leave: () => void
}

const idsIn = (text: string): string[] => new EventParser().parse(text).map(({ id }) => id)

function collect(stream: Readable, leave: () => void): Reader {
  let text = ''
  let hasEnded = false
  stream.on('data', (piece: Buffer) => {
    text += piece.toString()
  })
  stream.on('end', () => {
    hasEnded = true
  })
  stream.on('error', () => {})
  return { text: () => text, ended: () => hasEnded, leave }
}

const PATH = '/orders/events'

async function readByFetch(send: (request: Request) => Promise<Response>, url: string): Promise<Reader> {
  const response = await send(new Request(url))
  const reader = (response.body as ReadableStream<Uint8Array>).getReader()
  let text = ''
  let hasEnded = false
  const read = async (): Promise<void> => {
    for (let piece = await reader.read(); !piece.done; piece = await reader.read())
      text += Buffer.from(piece.value).toString()
    hasEnded = true
  }
  void read().catch(() => {})
  return { text: () => text, ended: () => hasEnded, leave: () => void reader.cancel() }
}

/** The ways to read a stream. */
const ways: Readonly<Record<string, (app: Application) => Promise<Reader>>> = {
  async 'HTTP/1.1'(app) {
    const { url } = await start(app)
    return readByFetch(fetch, `${url}${PATH}`)
  },
  'app.fetch': (app) => readByFetch(app.fetch, `http://shop.test${PATH}`),
  async TLS(app) {
    const { port } = await start(app, { tls: { key, cert } })
    return new Promise((resolve, reject) => {
      const sent = requestSecurely({ host: '127.0.0.1', port, path: PATH, ca: cert, agent: false }, (response) =>
        resolve(collect(response, () => sent.destroy())),
      )
      sent.on('error', reject)
      sent.end()
    })
  },
  async 'HTTP/2'(app) {
    const { port } = await start(app, { tls: { key, cert } })
    const session = connectHttp2(`https://127.0.0.1:${port}`, { ca: cert })
    endings.push(() => session.destroy())
    const stream = session.request({ ':path': PATH })
    return collect(stream, () => stream.close(8))
  },
}

describe.each(Object.entries(ways))('by %s', (_, read) => {
  it('[EVT-02] each event arrives when it happens, and a client that leaves ends the action at once', async () => {
    const journal = new Journal()
    const reader = await read(shop(journal))
    for (let id = 1; id <= 3; id++) {
      journal.create(id)
      await expect.poll(() => idsIn(reader.text()), { timeout: 10_000 }).toHaveLength(id)
    }
    expect(journal.closed).toBe(0)
    reader.leave()
    await expect.poll(() => journal.closed, { timeout: 10_000 }).toBe(1)
    expect(journal.opened).toBe(1)
  })

  it('[EVT-02] the iterator of the action is returned exactly once when its client leaves', async () => {
    let returned = 0
    const source = {
      next: () =>
        returned > 0 ? Promise.resolve({ done: true, value: undefined } as const) : new Promise<never>(() => {}),
      async return() {
        returned++
        return { done: true, value: undefined } as const
      },
      [Symbol.asyncIterator]: () => source as AsyncIterator<OrderEvent>,
    }
    const reader = await read(shop(new Journal(), { watch: (_, { reply }) => reply.ok(source) }))
    // Heartbeats show that the stream is open.
    await expect.poll(() => reader.text().split('\n:\n').length, { timeout: 10_000 }).toBeGreaterThan(2)
    expect(returned).toBe(0)
    reader.leave()
    await expect.poll(() => returned, { timeout: 10_000 }).toBe(1)
    await new Promise((resolve) => setTimeout(resolve, 50))
    expect(returned).toBe(1)
  })

  it('[EVT-02] a stream outlives the deadline of requests', async () => {
    const journal = new Journal()
    const reader = await read(shop(journal, { timeout: 50 }))
    await expect.poll(() => reader.text().split('\n:\n').length, { timeout: 10_000 }).toBeGreaterThan(3)
    journal.create(1)
    await expect.poll(() => idsIn(reader.text()), { timeout: 10_000 }).toEqual(['1'])
    reader.leave()
  })
})

describe('a stream of events', () => {
  it('[EVT-02] is compressed event by event', async () => {
    const journal = new Journal()
    const { url } = await start(shop(journal, { plugins: [compression()] }))
    const { request } = await import('node:http')
    const reader = await new Promise<Reader>((resolve, reject) => {
      const sent = request(`${url}${PATH}`, { headers: { 'Accept-Encoding': 'gzip' } }, (response) => {
        expect(response.headers).toMatchObject({ 'content-encoding': 'gzip', 'cache-control': 'no-store' })
        resolve(collect(response.pipe(createGunzip()), () => sent.destroy()))
      })
      sent.on('error', reject)
      sent.end()
    })
    for (let id = 1; id <= 3; id++) {
      journal.create(id)
      await expect.poll(() => idsIn(reader.text()), { timeout: 10_000 }).toHaveLength(id)
    }
    reader.leave()
    await expect.poll(() => journal.closed, { timeout: 10_000 }).toBe(1)
  })

  it('[EVT-02] has comments while no event comes, and none while events do', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
    try {
      const journal = new Journal()
      const reader = await readByFetch(shop(journal).fetch, `http://shop.test${PATH}`)
      const comments = (): number =>
        reader
          .text()
          .split('\n')
          .filter((line) => line.startsWith(':')).length
      for (let id = 1; id <= 20; id++) {
        journal.create(id)
        await vi.advanceTimersByTimeAsync(60)
      }
      expect(idsIn(reader.text())).toHaveLength(20)
      expect(comments()).toBe(0)
      await vi.advanceTimersByTimeAsync(1050)
      expect(comments()).toBeGreaterThanOrEqual(8)
      expect(comments()).toBeLessThanOrEqual(11)
      reader.leave()
    } finally {
      vi.useRealTimers()
    }
  })

  it('[EVT-02] has no comments without a heartbeat', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    try {
      const ok = events({ tick: t.integer() }, { heartbeat: 0 })
      const Clocks = endpoint('Clocks', { actions: { watch: { routing: route.get('/'), responses: { ok } } } })
      async function* follow() {
        await new Promise((resolve) => setTimeout(resolve, 3_600_000))
        yield { event: 'tick', data: 1 } as const
      }
      const app = application({ controllers: [controller(Clocks, { watch: (_, { reply }) => reply.ok(follow()) })] })
      const reader = await readByFetch(app.fetch, 'http://clock.test/clocks')
      await vi.advanceTimersByTimeAsync(3_600_100)
      await vi.waitFor(() => expect(reader.ended()).toBe(true))
      expect(reader.text()).toBe('retry: 2000\n\nevent: tick\ndata: 1\n\n')
    } finally {
      vi.useRealTimers()
    }
  })

  it('[EVT-02] gives the last id to the action as it is declared', async () => {
    const seen: unknown[] = []
    const app = shop(new Journal(), {
      watch(_, { request, reply }) {
        const id: number | undefined = request.headers['Last-Event-ID']
        seen.push(id)
        return reply.ok([])
      },
    })
    expect((await ask(app, `GET ${PATH}`)).status).toBe(200)
    expect((await ask(app, `GET ${PATH}`, { headers: { 'last-event-id': '42' } })).status).toBe(200)
    expect((await ask(app, `GET ${PATH}`, { headers: { 'last-event-id': 'x' } })).status).toBe(400)
    expect(new Set(seen)).toEqual(new Set([undefined, 42]))
  })

  it('[EVT-02] holds its action up while its client does not read, and goes on when it does', async () => {
    const journal = new Journal()
    for (let id = 1; id <= 4000; id++) journal.create(id, 'x'.repeat(10_000))
    const server = await start(shop(journal))
    const socket = await openRaw(server.port)
    await expect.poll(() => journal.taken, { timeout: 10_000 }).toBeGreaterThan(0)
    await waitUntilStill(() => journal.taken)
    const held = journal.taken
    // The buffers of both systems, and no more.
    expect(held).toBeLessThan(2000)
    socket.resume()
    await expect.poll(() => journal.taken, { timeout: 20_000 }).toBeGreaterThan(held + 500)
    socket.destroy()
    await expect.poll(() => journal.closed, { timeout: 10_000 }).toBe(1)
  })

  it('[EVT-02] ends by the bound on readers that read nothing', async () => {
    const journal = new Journal()
    for (let id = 1; id <= 4000; id++) journal.create(id, 'x'.repeat(10_000))
    const server = await start(shop(journal), { timeouts: { response: 300 } })
    const socket = await openRaw(server.port)
    await expect.poll(() => journal.closed, { timeout: 20_000 }).toBe(1)
    expect(journal.opened).toBe(1)
    socket.destroy()
  })

  it('[EVT-02] notices by HTTP/2 that its client has vanished without a word', async () => {
    const journal = new Journal()
    const { port } = await start(shop(journal), { tls: { key, cert } })
    const link = await startLink(port)
    const session = connectHttp2(`https://127.0.0.1:${link.port}`, { ca: cert })
    endings.push(() => session.destroy())
    session.on('error', () => {})
    const reader = collect(session.request({ ':path': PATH }), () => {})
    journal.create(1)
    // It outlives its heartbeats as long as the client is there.
    await expect.poll(() => reader.text().split('\n:\n').length, { timeout: 10_000 }).toBeGreaterThan(4)
    expect(journal.closed).toBe(0)
    link.cut()
    await expect.poll(() => journal.closed, { timeout: 10_000 }).toBe(1)
  })

  it('[EVT-02] answers HEAD without opening the stream', async () => {
    const journal = new Journal()
    const { status, text, headers } = await ask(shop(journal), `HEAD ${PATH}`)
    expect([status, text]).toEqual([200, ''])
    expect(headers['content-type']).toBe('text/event-stream')
    expect(journal.opened).toBe(0)
  })

  it('[EVT-02] ends when its server stops, with a time to return that is scattered', async () => {
    const journal = new Journal()
    const logger = recorder()
    const server = await start(shop(journal), { logger })
    const readers = await Promise.all(Array.from({ length: 20 }, () => readByFetch(fetch, `${server.url}${PATH}`)))
    journal.create(1)
    for (const reader of readers) await expect.poll(() => idsIn(reader.text()), { timeout: 10_000 }).toEqual(['1'])
    await server.close()
    await expect.poll(() => readers.every(({ ended }) => ended()), { timeout: 10_000 }).toBe(true)
    const times = readers.map(({ text }) => Number(/retry: (\d+)\n\n$/.exec(text())?.[1]))
    for (const time of times) {
      expect(time).toBeGreaterThanOrEqual(20)
      expect(time).toBeLessThanOrEqual(60)
    }
    expect(new Set(times).size).toBeGreaterThan(3)
    expect(journal.closed).toBe(20)
    expect(logger.entries.filter(({ level }) => level !== 'info')).toEqual([])
  })

  it('[EVT-02] ends at once when it is opened on a server that stops', async () => {
    const journal = new Journal()
    const app = shop(journal)
    app.drain()
    const reader = await readByFetch(app.fetch, `http://shop.test${PATH}`)
    await expect.poll(() => reader.ended(), { timeout: 10_000 }).toBe(true)
    expect(reader.text()).toMatch(/^retry: 20\n\nretry: \d+\n\n$/)
    expect(journal.opened).toBe(journal.closed)
  })
})

/** Opens a stream on a plain socket that reads nothing. */
async function openRaw(port: number): Promise<Socket> {
  const socket = connect(port, '127.0.0.1')
  endings.push(() => socket.destroy())
  socket.on('error', () => {})
  socket.pause()
  socket.write(`GET ${PATH} HTTP/1.1\r\nHost: a\r\n\r\n`)
  return socket
}

async function waitUntilStill(read: () => number): Promise<void> {
  for (let [last, still] = [-1, 0]; still < 5; ) {
    await new Promise((resolve) => setTimeout(resolve, 100))
    still = read() === last ? still + 1 : 0
    last = read()
  }
}

/** A way through the network that can be cut without a word to either side. */
async function startLink(port: number): Promise<{ readonly port: number; readonly cut: () => void }> {
  const sockets: Socket[] = []
  const server = createServer((near) => {
    const far = connect(port, '127.0.0.1')
    sockets.push(near, far)
    for (const socket of [near, far]) socket.on('error', () => {})
    near.pipe(far)
    far.pipe(near)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  endings.push(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return {
    port: (server.address() as AddressInfo).port,
    cut() {
      for (const socket of sockets) {
        socket.unpipe()
        socket.pause()
      }
    },
  }
}
