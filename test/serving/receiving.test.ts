// Bodies that are arriving, of every kind: they share one room, and connections have a bound.
import { gzipSync } from 'node:zlib'
import { application, endpoint, route, t } from 'edict'
import { describe, expect, it } from 'vitest'
import { start } from '../support/serving/child.ts'
import { host, on, open } from '../support/serving/harness.ts'
import { handler, type Port, text } from '../support/serving/servers.ts'
import { Wire } from '../support/serving/wire.ts'

const quiet = { info() {}, warn() {}, error() {} }
const Things = endpoint('Things', {
  prefix: '/',
  actions: {
    json: { routing: route.post('/json'), payload: t.any(), responses: { ok: 'text/plain' } },
    form: {
      routing: route.post('/form'),
      payload: { file: t.file({ required: true, max: 1024 * 1024 }) },
      responses: { ok: 'text/plain' },
    },
    stream: {
      routing: route.post('/stream'),
      payload: t.file({ required: true, stream: true }),
      bodyLimit: 2 ** 30,
      responses: { ok: 'text/plain' },
    },
  },
})
let streams = 0
const app = application({
  logger: quiet,
  limits: { body: 1024 * 1024 },
  controllers: [
    Things.implement({
      json: () => 'ok',
      form: () => 'ok',
      stream: async (_, { request }) => {
        streams++
        let length = 0
        for await (const piece of request.payload.stream() as unknown as AsyncIterable<Uint8Array>)
          length += piece.length
        return String(length)
      },
    }),
  ],
})

const HALF = 100 * 1024
const MOST = 1024 * 1024

interface Kind {
  readonly head: string
  readonly half: Uint8Array | string
  readonly rest: Uint8Array | string
}

const post = (path: string, lines: readonly string[]): string =>
  `POST ${path} HTTP/1.1\r\n${[host, ...lines].join('\r\n')}\r\n\r\n`
const chunk = (text: string): string => `${text.length.toString(16)}\r\n${text}\r\n`
const TEXT = `"${'a'.repeat(HALF)}`
const PART = `--b\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\n${'a'.repeat(HALF)}`
// Half of it is enough for all that it unpacks to but the end.
const packed = gzipSync(`"${'a'.repeat(HALF)}${Math.random()}"`)
const kinds: readonly (readonly [string, Kind])[] = [
  [
    'JSON with a length',
    {
      head: post('/json', ['Content-Type: application/json', `Content-Length: ${TEXT.length + 1}`]),
      half: TEXT,
      rest: '"',
    },
  ],
  [
    'JSON in chunks',
    {
      head: post('/json', ['Content-Type: application/json', 'Transfer-Encoding: chunked']),
      half: chunk(TEXT),
      rest: `${chunk('"')}0\r\n\r\n`,
    },
  ],
  [
    'JSON in small chunks',
    {
      head: post('/json', ['Content-Type: application/json', 'Transfer-Encoding: chunked']),
      half: (TEXT.match(/.{1,64}/g) as string[]).map(chunk).join(''),
      rest: `${chunk('"')}0\r\n\r\n`,
    },
  ],
  [
    'a file of a form',
    {
      head: post('/form', [
        'Content-Type: multipart/form-data; boundary=b',
        `Content-Length: ${PART.length + '\r\n--b--\r\n'.length}`,
      ]),
      half: PART,
      rest: '\r\n--b--\r\n',
    },
  ],
  [
    'compressed JSON',
    {
      head: post('/json', [
        'Content-Type: application/json',
        'Content-Encoding: gzip',
        `Content-Length: ${packed.length}`,
      ]),
      half: packed.subarray(0, -10),
      rest: packed.subarray(-10),
    },
  ],
]

async function halfSent(port: Port, { head, half }: Kind, count: number): Promise<Wire[]> {
  const wires: Wire[] = []
  for (let n = 0; n < count; n++) {
    const wire = await open(port)
    wire.send(head)
    wire.send(half)
    wires.push(wire)
  }
  return wires
}

describe('bodies that are arriving', () => {
  it.each(kinds)(
    'of %s share the room; those that have been arriving longest get a 503',
    async (_, kind) => {
      const port = await on(app, { maxReceiving: MOST })
      const wires = await halfSent(port, kind, 25)
      // Ten and a bit fit in; fifteen or so have to go.
      const gone = wires.slice(0, 13)
      for (const wire of gone) {
        const { status, headers, body } = await wire.answer()
        expect([status, headers['retry-after'], headers['connection']]).toEqual([503, '1', 'close'])
        expect(JSON.parse(body)).toMatchObject({ code: 'unavailable' })
      }
      const left = wires.slice(-8)
      for (const wire of left) wire.send(kind.rest)
      for (const wire of left) expect((await wire.answer()).status).toBe(200)
      // Nothing stays counted: as many as before fit in again.
      const again = await halfSent(port, kind, 8)
      for (const wire of again) wire.send(kind.rest)
      for (const wire of again) expect((await wire.answer()).status).toBe(200)
    },
    30_000,
  )

  it.each(kinds)(
    'of %s whose clients leave are counted no more',
    async (_, kind) => {
      const port = await on(app, { maxReceiving: MOST })
      for (let round = 0; round < 3; round++) {
        for (const wire of await halfSent(port, kind, 8)) wire.socket.resetAndDestroy()
      }
      const [wire] = await halfSent(port, kind, 1)
      wire?.send(kind.rest)
      expect((await wire?.answer())?.status).toBe(200)
    },
    30_000,
  )

  it('piece by piece are counted only while they wait', async () => {
    const port = await on(app, { maxReceiving: MOST })
    const before = streams
    const length = 8 * MOST
    const head = post('/stream', ['Content-Type: a/b', `Content-Length: ${length}`])
    const wires = await Promise.all([1, 2, 3].map(() => open(port)))
    for (const wire of wires) wire.send(head).send(Buffer.alloc(length / 2))
    await expect.poll(() => streams).toBe(before + 3)
    for (const wire of wires) wire.send(Buffer.alloc(length / 2))
    for (const wire of wires) expect(await wire.answer()).toMatchObject({ status: 200, body: String(length) })
  }, 30_000)

  it('of three hundred clients that stop half-way leave the process as large as it was', async () => {
    const child = await start()
    const memory = async (): Promise<number> =>
      Number(await (await fetch(`http://127.0.0.1:${child.port}/memory`)).text())
    const before = await memory()
    const half = Buffer.alloc(1_000_000)
    const wires: Wire[] = []
    for (let n = 0; n < 300; n++) {
      const wire = await Wire.open(child.port)
      wire.send(post('/collect', [`Content-Length: ${half.length + 1}`])).send(half)
      // The next one comes when this one has been received, or refused.
      await new Promise<void>((resolve) => wire.socket.write('', () => resolve()))
      wires.push(wire)
    }
    for (const wire of wires.slice(0, 200)) expect((await wire.answer()).status).toBe(503)
    expect((await memory()) - before).toBeLessThan(100)
    for (const wire of wires) wire.close()
    child.process.kill('SIGTERM')
    expect(await child.ended).toBe(0)
  }, 60_000)

  it('may be any number where nobody counts', async () => {
    const port = await on(app, { maxReceiving: 0 })
    const [, kind] = kinds[0] as (typeof kinds)[number]
    const wires = await halfSent(port, kind, 25)
    for (const wire of wires) wire.send(kind.rest)
    for (const wire of wires) expect((await wire.answer()).status).toBe(200)
  }, 30_000)
})

describe('connections', () => {
  it('beyond the bound are closed at once, and let in again when others have gone', async () => {
    const told: string[] = []
    const logger = { ...quiet, warn: (_: object, message: string) => void told.push(message) }
    const port = await on(
      handler(({ url }) => text(url)),
      { maxConnections: 2, logger },
    )
    const [a, b] = [await open(port), await open(port)]
    const ask = (wire: Wire): Promise<number> =>
      wire
        .send(`GET / HTTP/1.1\r\n${host}\r\n\r\n`)
        .answer()
        .then(({ status }) => status)
    expect([await ask(a), await ask(b)]).toEqual([200, 200])
    const c = await open(port)
    expect(['end', 'ECONNRESET']).toContain(await c.closed)
    expect(c.text).toBe('')
    expect(told).toEqual(['Too many connections are open: further ones are closed'])
    a.close()
    await expect.poll(async () => ask(await open(port)).catch(() => 0)).toBe(200)
  })
})
