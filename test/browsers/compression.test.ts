// Compressed answers: chosen as Accept-Encoding weighs, whole and as streams, never where that would be wrong.
import { request } from 'node:http'
import * as zlib from 'node:zlib'
import { describe, expect, it, vi } from 'vitest'
import { application, endpoint, mediaType, type Plugin, route, t } from '../../src/index.ts'
import { type CompressionOptions, compression } from '../../src/plugins/compression/index.ts'
import { conditional, etag } from '../../src/plugins/conditional/index.ts'
import { type Answered, ask, askFetch, mistakesOf, recorder, urlOf } from '../support/ask.ts'

const long = 'All work and no play makes Jack a dull boy. '.repeat(100)
const Note = mediaType('Note', { attributes: { id: t.integer(), text: t.string(), version: t.integer() } })
const plain = { ok: 'text/plain' } as const

const Notes = endpoint('Notes', {
  mediaType: Note,
  actions: {
    long: { routing: route.get('/long'), responses: plain },
    short: { routing: route.get('/short'), responses: plain },
    bytes: { routing: route.get('/bytes'), responses: { ok: 'application/json' } },
    image: { routing: route.get('/image'), responses: { ok: 'image/png' } },
    odd: { routing: route.get('/odd'), responses: { ok: 'application/x-odd' } },
    fixed: { routing: route.get('/fixed'), responses: plain },
    coded: {
      routing: route.get('/coded'),
      responses: { ok: { mediaType: 'text/plain', headers: { 'Content-Encoding': true } } },
    },
    tagged: { routing: route.get('/tagged/:tag'), params: { tag: t.string() }, responses: plain },
    version: { routing: route.get('/version'), policies: [etag('version')], responses: { ok: Note } },
    hashed: { routing: route.get('/hashed'), policies: [etag('body')], responses: { ok: Note } },
    events: { routing: route.get('/events'), responses: { ok: 'text/event-stream' } },
    web: { routing: route.get('/web'), responses: plain },
    broken: { routing: route.get('/broken'), responses: plain },
    empty: { routing: route.delete('/empty'), responses: { noContent: true } },
    change: { routing: route.post('/change'), responses: plain },
  },
})

let release: (() => void) | undefined
let gone: (() => void) | undefined
let changes = 0

const note = { id: 1, text: long, version: 7 }
const served = (options?: CompressionOptions, more: readonly Plugin[] = []) =>
  application({
    logger: recorder(),
    controllers: [
      Notes.implement({
        long: () => long,
        short: () => 'short',
        bytes: (_, { reply }) => reply.ok(new TextEncoder().encode(JSON.stringify({ long }))),
        image: (_, { reply }) => reply.ok(new TextEncoder().encode(long)),
        odd: (_, { reply }) => reply.ok(long),
        fixed: (_, { reply }) => reply.ok(long, { headers: { 'Cache-Control': 'max-age=5, no-transform' } }),
        coded: (_, { reply }) => reply.ok(zlib.gzipSync(long), { headers: { 'Content-Encoding': 'gzip' } }),
        tagged: ({ tag }, { reply }) => reply.ok(long, { headers: { ETag: tag } }),
        version: (_, { reply }) => reply.ok(note),
        hashed: (_, { reply }) => reply.ok(note),
        events: (_, { reply }) =>
          reply.ok(
            (async function* () {
              try {
                yield 'data: one\n\n'
                await new Promise<void>((resolve) => {
                  release = resolve
                })
                yield 'data: two\n\n'
              } finally {
                gone?.()
              }
            })(),
          ),
        web: (_, { reply }) => reply.ok(new Blob([long]).stream()),
        broken: (_, { reply }) =>
          reply.ok(
            (async function* () {
              yield 'begun'
              throw new Error('broken')
            })(),
          ),
        empty: (_, { reply }) => reply.noContent(),
        change: () => {
          changes++
          return long
        },
      }),
    ],
    plugins: [conditional(), ...more, compression(options)],
  })

const app = served()

const decoders: Readonly<Record<string, (bytes: Uint8Array) => Uint8Array>> = {
  gzip: zlib.gunzipSync,
  br: zlib.brotliDecompressSync,
  ...('zstdDecompressSync' in zlib && { zstd: zlib.zstdDecompressSync as (bytes: Uint8Array) => Uint8Array }),
}
const best = 'zstd' in decoders ? 'zstd' : 'br'

function decoded({ headers, bytes }: Answered): string {
  const coding = headers['content-encoding']
  return Buffer.from(coding === undefined ? bytes : (decoders[coding]?.(bytes) ?? new Uint8Array())).toString()
}

const get = (path: string, accept: string | undefined, on = app) =>
  ask(on, `GET /notes${path}`, { headers: accept === undefined ? {} : { 'accept-encoding': accept } })

describe('choice', () => {
  it.each([
    ['gzip', 'gzip'],
    ['gzip, br', 'br'],
    ['gzip, deflate, br, zstd', best],
    ['br;q=0.5, gzip;q=0.8', 'gzip'],
    ['br;q=0, gzip', 'gzip'],
    ['*', best],
    ['*;q=0.1, gzip', 'gzip'],
    ['GZIP', 'gzip'],
    ['identity', undefined],
    ['gzip;q=0.5, identity', undefined],
    ['deflate', undefined],
    ['', undefined],
    ['nonsense;;q=', undefined],
    [undefined, undefined],
  ])('[CPR-01] Accept-Encoding: %s gives %s', async (accept, coding) => {
    const answer = await get('/long', accept)
    expect(answer.status).toBe(200)
    expect(answer.headers['content-encoding']).toBe(coding)
    expect(answer.headers['vary']).toBe('Accept-Encoding')
    expect(decoded(answer)).toBe(long)
    if (coding !== undefined) expect(Number(answer.headers['content-length'])).toBe(answer.bytes.length)
  })

  it('[CPR-01] identity;q=0 is served with a coding even where it is not worth it, and 406 where there is none', async () => {
    const short = await get('/short', 'gzip, identity;q=0')
    expect(short.headers['content-encoding']).toBe('gzip')
    expect(decoded(short)).toBe('short')
    expect((await get('/image', 'gzip, *;q=0')).headers['content-encoding']).toBe('gzip')
    const before = changes
    for (const accept of ['identity;q=0', '*;q=0', 'deflate, identity;q=0']) {
      const refused = await ask(app, 'POST /notes/change', { headers: { 'accept-encoding': accept } })
      expect(refused).toMatchObject({ status: 406, json: { code: 'no-acceptable-coding' } })
    }
    expect(changes).toBe(before)
  })
})

describe('bodies', () => {
  it.each([
    ['a short one', '/short'],
    ['one of a type that is compressed', '/image'],
    ['one of an unknown type', '/odd'],
    ['one that nobody may transform', '/fixed'],
  ])('[CPR-01] %s stays as it is', async (_, path) => {
    const { status, headers } = await get(path, 'gzip')
    expect(status).toBe(200)
    expect(headers).not.toHaveProperty('content-encoding')
  })

  it.each([
    ['no-transform', false],
    ['No-Transform', false],
    ['max-age=5,no-transform', false],
    ['no-transform,max-age=5', false],
    ['no-transform , max-age=5', false],
    ['private, no-transform, max-age=5', false],
    ['x-no-transform', true],
    ['no-transformation', true],
    ['no-transform-ever, max-age=5', true],
    ['max-age=5', true],
  ])('[CPR-01] one with Cache-Control: %s is compressed: %j', async (value, isCoded) => {
    const Texts = endpoint('Texts', { actions: { show: { routing: route.get('/'), responses: plain } } })
    const show = Texts.implement({ show: (_, { reply }) => reply.ok(long, { headers: { 'Cache-Control': value } }) })
    const said = application({ controllers: [show], plugins: [compression()] })
    const { headers } = await askFetch(said, 'GET /texts', { headers: { 'accept-encoding': 'gzip' } })
    expect(headers['content-encoding']).toBe(isCoded ? 'gzip' : undefined)
  })

  it.each(['application/x-odd', 'Application/X-Odd', 'application/x-odd;a=b', 'application/x-odd ; a=b'])(
    '[CPR-01] one of the type %s is compressed where users say so, in any case',
    async (type) => {
      const Texts = endpoint('Texts', { actions: { show: { routing: route.get('/'), responses: { ok: type } } } })
      for (const [types, coding] of [
        [['APPLICATION/x-odd'], 'gzip'],
        [['application/x-odder'], undefined],
      ] as const) {
        const odd = application({
          controllers: [Texts.implement({ show: () => long })],
          plugins: [compression({ types })],
        })
        const { headers } = await askFetch(odd, 'GET /texts', { headers: { 'accept-encoding': 'gzip' } })
        expect(headers['content-encoding']).toBe(coding)
      }
    },
  )

  it('[CPR-01] where the runtime has no node:zlib, gzip is left', async () => {
    const found = vi.spyOn(process, 'getBuiltinModule').mockReturnValue(undefined as never)
    const poor = served()
    found.mockRestore()
    const codes = async (accept: string) => (await get('/long', accept, poor)).headers['content-encoding']
    expect([await codes('gzip'), await codes('br'), await codes('zstd, br, gzip;q=0.1')]).toEqual([
      'gzip',
      undefined,
      'gzip',
    ])
    expect(decoded(await get('/long', 'gzip', poor))).toBe(long)
  })

  it('[CPR-01] one that has a coding is not coded twice', async () => {
    const answer = await get('/coded', 'gzip, br')
    expect(answer.headers['content-encoding']).toBe('gzip')
    expect(decoded(answer)).toBe(long)
  })

  it('[CPR-01] bytes, failures and 404 are compressed above the threshold', async () => {
    expect(JSON.parse(decoded(await get('/bytes', 'br')))).toEqual({ long })
    const eager = served({ threshold: 0, codings: ['gzip'], types: ['application/x-odd'] })
    const missing = await ask(eager, 'GET /nowhere', { headers: { 'accept-encoding': 'br, gzip' } })
    expect(missing).toMatchObject({ status: 404, headers: { 'content-encoding': 'gzip' } })
    expect(JSON.parse(decoded(missing))).toMatchObject({ code: 'not-found' })
    expect((await get('/odd', 'gzip', eager)).headers['content-encoding']).toBe('gzip')
    expect((await ask(eager, 'DELETE /notes/empty', { headers: { 'accept-encoding': 'gzip' } })).status).toBe(204)
  })

  it.each([
    [1, 0, 1],
    [1024, 1023, 1024],
    [1024, 1022, 1024],
    [1024, 1025, 1024],
    [undefined, 1023, 1024],
    [undefined, 1024, 1024],
    [0, 0, 0],
  ])('[CPR-01] a threshold of %s and a body of %d', async (threshold, length, least) => {
    const Texts = endpoint('Texts', { actions: { show: { routing: route.get('/'), responses: { ok: 'text/plain' } } } })
    const sized = application({
      controllers: [Texts.implement({ show: () => 'x'.repeat(length) })],
      plugins: [compression({ codings: ['gzip'], ...(threshold !== undefined && { threshold }) })],
    })
    for (const method of ['GET', 'HEAD']) {
      const { headers } = await ask(sized, `${method} /texts`, { headers: { 'accept-encoding': 'gzip' } })
      expect(headers['content-encoding']).toBe(length >= least ? 'gzip' : undefined)
    }
  })

  it('[CPR-01] HEAD has the headers of GET, and no length of another body', async () => {
    const head = await ask(app, 'HEAD /notes/long', { headers: { 'accept-encoding': 'gzip' } })
    expect(head.headers).toMatchObject({ 'content-encoding': 'gzip', vary: 'Accept-Encoding' })
    expect(head.headers['content-length'] ?? 'none').not.toBe(String(long.length))
    expect(head.text).toBe('')
    const stream = await ask(app, 'HEAD /notes/web', { headers: { 'accept-encoding': 'gzip' } })
    expect(stream.headers).toMatchObject({ 'content-encoding': 'gzip' })
  })
})

describe('tags', () => {
  it('[CPR-01] a strong tag becomes a weak one, a weak one stays', async () => {
    expect((await get('/tagged/%22a%22', 'gzip')).headers['etag']).toBe('W/"a"')
    expect((await get('/tagged/W%2F%22a%22', 'gzip')).headers['etag']).toBe('W/"a"')
    expect((await get('/tagged/%22a%22', 'identity')).headers['etag']).toBe('"a"')
  })

  it('[CPR-01] a tag of a version stays strong with its coding, and both are known again', async () => {
    const { headers } = await get('/version', 'gzip')
    expect(headers['etag']).toBe('"7;gzip"')
    const known = { 'accept-encoding': 'gzip', 'if-none-match': '"7;gzip"' }
    expect(await ask(app, 'GET /notes/version', { headers: known })).toMatchObject({
      status: 304,
      headers: { etag: '"7;gzip"' },
    })
    const hashed = await get('/hashed', 'gzip')
    const tag = hashed.headers['etag'] as string
    expect(tag).toMatch(/^W\/"/)
    const again = await ask(app, 'GET /notes/hashed', { headers: { 'accept-encoding': 'gzip', 'if-none-match': tag } })
    expect(again).toMatchObject({ status: 304, text: '', headers: { etag: tag } })
    expect(again.headers).not.toHaveProperty('content-encoding')
  })
})

describe('streams', () => {
  it('[CPR-01] are compressed as they are', async () => {
    const answer = await get('/web', 'br')
    expect(answer.headers['content-encoding']).toBe('br')
    expect(decoded(answer)).toBe(long)
  })

  const decompressing = { gzip: zlib.createGunzip, br: zlib.createBrotliDecompress } as const

  it.each(['gzip', 'br'] as const)('[CPR-01] events in %s reach a client one by one, over a socket', async (coding) => {
    const { port } = new URL(await urlOf(app))
    const stream = await new Promise<AsyncIterable<Buffer>>((resolve, reject) => {
      const sent = request(
        { host: '127.0.0.1', port, path: '/notes/events', headers: { 'accept-encoding': coding } },
        (response) => resolve(response.pipe(decompressing[coding]())),
      )
      sent.on('error', reject)
      sent.end()
    })
    const pieces: string[] = []
    for await (const piece of stream) {
      pieces.push(piece.toString())
      // The second event is made only when the first has arrived.
      if (pieces.length === 1) release?.()
    }
    expect(pieces.join('')).toBe('data: one\n\ndata: two\n\n')
  })

  it('[CPR-01] events reach a client one by one through fetch, and their source ends when it goes', async () => {
    const ended = new Promise<void>((resolve) => {
      gone = resolve
    })
    const answer = await app.fetch(new Request('http://x/notes/events', { headers: { 'accept-encoding': 'gzip' } }))
    const reader = (answer.body as ReadableStream<Uint8Array>).getReader()
    const gunzip = zlib.createGunzip()
    const first = new Promise<string>((resolve) => gunzip.once('data', (data: Buffer) => resolve(data.toString())))
    const pump = async (): Promise<void> => {
      for (let piece = await reader.read(); !piece.done; piece = await reader.read()) gunzip.write(piece.value)
    }
    const pumped = pump()
    expect(await first).toBe('data: one\n\n')
    const left = reader.cancel()
    release?.()
    await left
    await pumped
    await ended
    gone = undefined
  })

  it('[CPR-01] one that breaks off does not look complete', async () => {
    await expect(askFetch(app, 'GET /notes/broken', { headers: { 'accept-encoding': 'gzip' } })).rejects.toThrow()
  })
})

it('[CPR-01] refuses options that are none at boot', () => {
  expect(mistakesOf(() => served({ threshold: -1 }))).toHaveLength(1)
  expect(mistakesOf(() => served({ codings: ['deflate'] } as never))).toHaveLength(1)
  expect(mistakesOf(() => served({ level: 9 } as never))).toHaveLength(1)
})
