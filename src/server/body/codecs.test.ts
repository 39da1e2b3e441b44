import { deflateRawSync, deflateSync, gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { loadAttributeValue } from '../../../test/support/load-value.ts'
import { FetchTransport } from '../../adapters/fetch/fetch-transport.ts'
import { resolvePayload } from '../../design/resolve/payload.ts'
import type { ResolvedPayload } from '../../design/resolve/resolved.ts'
import type { Attribute, Attributes } from '../../schema/attribute.ts'
import type { UploadedFile } from '../../schema/structures/file.ts'
import { t } from '../../schema/t.ts'
import { type BodyFault, BodyFaultError, type RawHeaders, type Transport } from '../transport.ts'
import { type CodecLimits, createPayloadCodec, type DecodedBody, type DecodeFault } from './codecs.ts'

/** A decoded body, or its fault. */
type Result = DecodedBody | Omit<DecodeFault['fault'], 'reason'>

const encoder = new TextEncoder()
const limits: CodecLimits = { body: 1000, pairs: 5, depth: 3 }
const blog = {
  title: t.string({ required: true }),
  count: t.integer(),
  tags: t.array(t.string()),
  author: t.object({ id: t.integer() }),
}

function resolved(payload: Attributes | Attribute, consumes?: readonly string[]): ResolvedPayload {
  const spec = { payload, ...(consumes && { consumes }) } as unknown as Parameters<typeof resolvePayload>[2]
  const report = (...mistake: unknown[]): never => expect.fail(mistake.join(' '))
  return resolvePayload(undefined, {}, spec, report) as ResolvedPayload
}

/** Creates a transport with these headers that records its calls. */
class TestTransport implements Transport {
  readonly method = 'POST'
  readonly url = '/'
  readonly raw = undefined
  readonly headers: RawHeaders
  readonly asked: string[] = []
  /** The number of bytes that were read piece by piece. */
  taken = 0
  readonly #body: Uint8Array | BodyFault

  constructor(body: string | Uint8Array | { readonly fault: BodyFault }, headers: RawHeaders = {}) {
    const bytes = typeof body === 'string' ? encoder.encode(body) : body
    this.#body = 'fault' in bytes ? bytes.fault : bytes
    this.headers = headers
  }

  get signal(): AbortSignal {
    return new AbortController().signal
  }

  collect(limit: number, done: (body: Uint8Array | BodyFault) => void): void {
    this.asked.push(`collect ${limit}`)
    done(typeof this.#body !== 'string' && this.#body.length > limit ? 'too-large' : this.#body)
  }

  async *pieces(limit: number): AsyncGenerator<Uint8Array, void, undefined> {
    this.asked.push(`pieces ${limit}`)
    if (typeof this.#body === 'string') throw new BodyFaultError(this.#body)
    for (let at = 0; at < this.#body.length; at += 64) {
      if (at + 64 > limit && this.#body.length > limit) throw new BodyFaultError('too-large')
      this.taken += 64
      yield this.#body.subarray(at, at + 64)
    }
  }
}

/** Decodes a body; fails if the codec calls back twice or throws. */
const withoutReason = ({ reason: _, ...fault }: DecodeFault['fault']): Result => fault

function decode(payload: ResolvedPayload, transport: Transport, own: Partial<CodecLimits> = {}): Promise<Result> {
  return new Promise((resolve, reject) => {
    let calls = 0
    let first: Result | undefined
    createPayloadCodec(payload, { ...limits, ...own }).read(transport, (result) => {
      calls++
      first ??= 'fault' in result ? withoutReason(result.fault) : result
      if (calls > 1) reject(new Error('called back twice'))
      setTimeout(() => resolve(first as Result), 0)
    })
  })
}

const json = { 'content-type': 'application/json' }
const form = { 'content-type': 'application/x-www-form-urlencoded' }
const READ = ['application/json', 'application/*+json', 'application/x-www-form-urlencoded', 'multipart/form-data']
const blogPayload = resolved(blog, READ)

function posted(body: BodyInit, headers: Record<string, string> = {}): Transport {
  return new FetchTransport(new Request('http://localhost/', { method: 'POST', body, headers }))
}

async function loaded(payload: ResolvedPayload, transport: Transport): Promise<unknown> {
  const decoded = (await decode(payload, transport)) as DecodedBody
  return loadAttributeValue(payload.attribute, decoded.raw, { source: decoded.source })
}

describe('every kind of body', () => {
  const wanted = { valid: true, value: { title: 'Ünï & co', count: 3, tags: ['a', 'b'], author: { id: 7 } } }
  const pairs = [
    ['title', 'Ünï & co'],
    ['count', '3'],
    ['tags[]', 'a'],
    ['tags[]', 'b'],
    ['author[id]', '7'],
  ] as const

  it('[INP-12] forms and multipart bodies load into the same structure as JSON', async () => {
    expect(await loaded(blogPayload, posted(JSON.stringify(wanted.value), json))).toEqual(wanted)
    expect(await loaded(blogPayload, posted(new URLSearchParams(pairs.map(([a, b]) => [a, b]))))).toEqual(wanted)
    const multipart = new FormData()
    for (const [name, value] of pairs) multipart.append(name, value)
    expect(await loaded(blogPayload, posted(multipart))).toEqual(wanted)
  })

  it('[INP-12] multipart bodies carry files and typed parts', async () => {
    const payload = resolved({ ...blog, cover: t.file({ types: ['image/*'], required: true }) })
    const multipart = new FormData()
    multipart.append('title', 'x')
    multipart.append('author', new Blob(['{"id":7}'], { type: 'application/json' }))
    multipart.append('cover', new File(['png'], 'c.png', { type: 'image/png' }))
    const result = await loaded(payload, posted(multipart))
    expect(result).toMatchObject({ value: { title: 'x', author: { id: 7 }, cover: { filename: 'c.png', size: 3 } } })
    multipart.set('cover', new File(['txt'], 'c.txt', { type: 'text/plain' }))
    expect(await loaded(payload, posted(multipart))).toMatchObject({
      issues: [{ pointer: '/cover', code: 'file-type' }],
    })
  })

  it('tells text from JSON', async () => {
    const values = [
      await decode(blogPayload, new TestTransport('{"count":"3"}', json)),
      await decode(blogPayload, new TestTransport('count=3', form)),
    ]
    expect(values).toEqual([
      { raw: { count: '3' }, source: 'json', hasPlainTexts: true },
      { raw: { count: '3' }, source: 'text' },
    ])
  })

  it('reads JSON under every name it has', async () => {
    for (const type of ['application/merge-patch+json', 'APPLICATION/JSON', 'application/json;charset="UTF-8"']) {
      expect(await decode(blogPayload, new TestTransport('{}', { 'content-type': type }))).toEqual({
        raw: {},
        source: 'json',
        hasPlainTexts: true,
      })
    }
  })

  it('reads whole values, null among them', async () => {
    const list = resolved(t.array(t.integer()))
    expect(await decode(list, new TestTransport('[1]', json))).toEqual({
      raw: [1],
      source: 'json',
      hasPlainTexts: true,
    })
    expect(await decode(list, new TestTransport('null', json))).toEqual({
      raw: null,
      source: 'json',
      hasPlainTexts: true,
    })
    expect(await decode(list, new TestTransport('a=1', form))).toMatchObject({ code: 'unsupported-media-type' })
  })

  it('reads a text as it is, or as a JSON string', async () => {
    const text = resolved(t.string())
    expect(await decode(text, new TestTransport('{"é"}', { 'content-type': 'text/plain' }))).toHaveProperty(
      'raw',
      '{"é"}',
    )
    expect(await decode(text, new TestTransport('"é"', json))).toHaveProperty('raw', 'é')
    const latin = await decode(text, new TestTransport(Uint8Array.of(0xe9), { 'content-type': 'text/plain' }))
    expect(latin).toEqual({ code: 'malformed-body', detail: 'The text is not valid UTF-8.' })
  })

  it('reads other types of text where they are declared', async () => {
    const xml = resolved(t.string(), ['application/xml'])
    const type = { 'content-type': 'application/xml' }
    expect(await decode(xml, new TestTransport('<a/>', type))).toHaveProperty('raw', '<a/>')
  })

  it('calls back at once when the transport does', () => {
    const results: unknown[] = []
    createPayloadCodec(blogPayload, limits).read(new TestTransport('{"a":1}', json), (result) => results.push(result))
    expect(results).toEqual([{ raw: { a: 1 }, source: 'json', hasPlainTexts: true }])
  })
})

describe('no body', () => {
  const list = resolved(t.array(t.integer()))

  it.each([
    ['length 0', { 'content-length': '0' }],
    ['length 0 of an unknown type', { 'content-length': '0', 'content-type': 'text/xml' }],
    ['no headers', {}],
    ['only a type', json],
    ['only an unknown type', { 'content-type': 'text/xml' }],
    ['an empty form', { ...form, 'transfer-encoding': 'chunked' }],
    ['an empty multipart body', { 'content-type': 'multipart/form-data; boundary=b', 'transfer-encoding': 'chunked' }],
  ])('%s', async (_, headers) => {
    const decoded = await decode(blogPayload, new TestTransport('', headers))
    expect(decoded).toMatchObject({ raw: {} })
    expect(await decode(list, new TestTransport('', { ...headers, 'content-length': '0' }))).toMatchObject({
      raw: undefined,
    })
  })

  it('is not read when the headers say so', async () => {
    const transport = new TestTransport('', { ...json, 'content-length': '0' })
    await decode(blogPayload, transport)
    expect(transport.asked).toEqual([])
  })

  it('is an absent file, streamed or not', async () => {
    for (const stream of [true, false]) {
      const transport = new TestTransport('', { 'content-type': 'image/png', 'transfer-encoding': 'chunked' })
      expect(await decode(resolved(t.file({ stream })), transport)).toMatchObject({ raw: undefined })
    }
  })
})

describe('types that are not accepted', () => {
  const accepted = READ.join(', ')
  const refused = (detail: string): unknown => ({
    code: 'unsupported-media-type',
    detail: `${detail} Accepted here: ${accepted}.`,
    headers: ['Accept', accepted],
  })

  it.each([
    [undefined, 'The body has no Content-Type.'],
    ['text/xml', 'A body of type text/xml is not supported.'],
    ['json', 'The Content-Type of the body is malformed.'],
    ['application/json; charset=latin1', 'The charset is not UTF-8.'],
    ['application/x-www-form-urlencoded; charset=utf-16', 'The charset is not UTF-8.'],
  ])('%s', async (type, detail) => {
    for (const framing of [{ 'content-length': '2' }, { 'transfer-encoding': 'chunked' }, {}]) {
      const headers = { ...framing, ...(type !== undefined && { 'content-type': type }) }
      expect(await decode(blogPayload, new TestTransport('{}', headers))).toEqual(refused(detail))
    }
  })

  it('are malformed where several were sent, which some transports join', async () => {
    const transport = new TestTransport('{}', { 'content-type': 'application/json, text/plain', 'content-length': '2' })
    expect(await decode(blogPayload, transport)).toMatchObject({ code: 'malformed-body' })
  })

  it('are refused without reading the body, where there is one', async () => {
    const transport = new TestTransport('{}', { 'content-type': 'text/xml', 'content-length': '2' })
    await decode(blogPayload, transport)
    expect(transport.asked).toEqual([])
  })

  it('include forms where the declaration does not name them', async () => {
    for (const headers of [form, { 'content-type': 'multipart/form-data; boundary=b' }]) {
      const refusal = await decode(resolved(blog), new TestTransport('title=a', { ...headers, 'content-length': '7' }))
      expect(refusal).toHaveProperty('headers', ['Accept', 'application/json, application/*+json'])
    }
  })

  it('include all but multipart where there are files', async () => {
    const files = resolved({ cover: t.file() })
    expect(await decode(files, new TestTransport('{}', { ...json, 'content-length': '2' }))).toHaveProperty('headers', [
      'Accept',
      'multipart/form-data',
    ])
  })
})

describe('faults', () => {
  const kinds = [json, form, { 'content-type': 'multipart/form-data; boundary=b' }]

  it.each([
    ['too-large', 'payload-too-large'],
    ['aborted', 'malformed-body'],
    ['timeout', 'timeout'],
    ['coding', 'unsupported-coding'],
  ] as const)('%s of the transport is served with %s', async (fault, code) => {
    for (const headers of kinds) {
      expect(await decode(blogPayload, new TestTransport({ fault }, headers))).toMatchObject({ code })
      const packed = { ...headers, 'content-encoding': 'gzip' }
      expect(await decode(blogPayload, new TestTransport({ fault }, packed))).toMatchObject({ code })
    }
    for (const stream of [true, false]) {
      const file = resolved(t.file({ stream }))
      expect(await decode(file, new TestTransport({ fault }, { 'content-type': 'a/b' }))).toMatchObject({ code })
    }
  })

  it('refuses a body that says it is too large, without reading it', async () => {
    for (const headers of kinds) {
      const transport = new TestTransport('', { ...headers, 'content-length': '1001' })
      expect(await decode(blogPayload, transport)).toEqual({
        code: 'payload-too-large',
        detail: 'The body is larger than 1000 bytes.',
      })
      expect(transport.asked).toEqual([])
    }
  })

  it.each([
    ['{"a":}', json, 'The JSON is malformed at line 1, column 6.'],
    ['a=1&b=2&c=3&d=4&e=5&f=6', form, 'The form has more than 5 fields.'],
    ['x', { 'content-type': 'multipart/form-data' }, 'The Content-Type of the multipart body has no valid boundary.'],
    [
      'x',
      { 'content-type': 'multipart/form-data; boundary=""' },
      'The Content-Type of the multipart body has no valid boundary.',
    ],
    [
      'x',
      { 'content-type': `multipart/form-data; boundary=${'b'.repeat(71)}` },
      'The Content-Type of the multipart body has no valid boundary.',
    ],
    ['x', { 'content-type': 'multipart/form-data; boundary=b' }, 'The multipart body ends before its last boundary.'],
  ])('%j is malformed', async (body, headers, detail) => {
    expect(await decode(blogPayload, new TestTransport(body, headers))).toEqual({ code: 'malformed-body', detail })
  })

  it('hands issues of names over with the collector that holds them', async () => {
    const decoded = (await decode(
      blogPayload,
      new TestTransport('title=%zz&author=1&author[id]=2', form),
    )) as DecodedBody
    expect(decoded.loading?.source).toBe('text')
    expect(decoded.loading?.issues?.map(({ pointer, code }) => [pointer, code])).toEqual([
      ['/title', 'encoding'],
      ['/author', 'mixed'],
    ])
    expect(await decode(blogPayload, new TestTransport('title=a&unknown=1', form))).not.toHaveProperty('loading')
  })

  it('passes over issues of ignored names', async () => {
    const codec = createPayloadCodec(blogPayload, limits, (name) => name === 'utm')
    const result = await new Promise((resolve) => codec.read(new TestTransport('utm=%zz', form), resolve))
    expect(result).not.toHaveProperty('loading')
  })
})

describe('content codings', () => {
  const body = JSON.stringify({ title: 'x'.repeat(500) })
  const packed = (coding: string, bytes: Uint8Array): Promise<Result> =>
    decode(blogPayload, new TestTransport(bytes, { ...json, 'content-encoding': coding }))

  it('removes gzip and deflate', async () => {
    const wanted = { raw: JSON.parse(body), source: 'json', hasPlainTexts: true }
    expect(await packed('gzip', gzipSync(body))).toEqual(wanted)
    expect(await packed('X-GZIP', gzipSync(body))).toEqual(wanted)
    expect(await packed('deflate', deflateSync(body))).toEqual(wanted)
    expect(await packed('identity', encoder.encode(body))).toEqual(wanted)
    expect(await packed('', encoder.encode(body))).toEqual(wanted)
  })

  it('of multipart bodies too', async () => {
    const multipart = new FormData()
    multipart.append('title', 'x')
    const response = new Response(multipart)
    const headers = { 'content-type': response.headers.get('content-type') as string, 'content-encoding': 'gzip' }
    const transport = new TestTransport(gzipSync(new Uint8Array(await response.arrayBuffer())), headers)
    expect(await decode(blogPayload, transport)).toEqual({ raw: { title: 'x' }, source: 'text' })
  })

  it.each(['br', 'zstd', 'gzip, gzip', 'compress', 'nonsense'])(
    'refuses %s, naming those it removes',
    async (coding) => {
      const transport = new TestTransport(body, { ...json, 'content-encoding': coding })
      expect(await decode(blogPayload, transport)).toEqual({
        code: 'unsupported-coding',
        detail: 'The content coding of the body is not supported.',
        headers: ['Accept-Encoding', 'gzip, deflate'],
      })
      expect(transport.asked).toEqual([])
    },
  )

  it.each([
    ['text', 'gzip', encoder.encode('hello')],
    ['a truncated body', 'gzip', gzipSync(body).subarray(0, -4)],
    ['a wrong checksum', 'gzip', gzipSync(body).map((byte, i, all) => (i === all.length - 6 ? byte ^ 255 : byte))],
    ['gzip', 'deflate', gzipSync(body)],
    ['raw deflate', 'deflate', deflateRawSync(body)],
  ])('refuses %s that claims to be %s', async (_, coding, bytes) => {
    expect(await packed(coding, bytes)).toEqual({
      code: 'malformed-body',
      detail: `The body is not valid ${coding} data.`,
    })
  })

  it('counts what comes out, and stops there', async () => {
    const bomb = gzipSync(new Uint8Array(50_000_000), { level: 9 })
    const transport = new TestTransport(bomb, { ...json, 'content-encoding': 'gzip' })
    expect(await decode(blogPayload, transport, { body: bomb.length })).toEqual({
      code: 'payload-too-large',
      detail: `The decompressed body is larger than ${bomb.length} bytes.`,
    })
    // Each byte becomes a thousand. The decompressor buffers the bytes beyond the first few.
    expect(transport.taken).toBeLessThan(bomb.length / 2)
  })
})

describe('a body that is a file', () => {
  const type = { 'content-type': 'image/png; x=1' }

  it('is collected whole', async () => {
    const { raw } = (await decode(resolved(t.file()), new TestTransport('png', type))) as DecodedBody
    expect(raw).toMatchObject({ '~file': true, filename: undefined, type: 'image/png; x=1', size: 3 })
    expect(await (raw as UploadedFile).text()).toBe('png')
  })

  it('may be JSON, or of another charset, without being read', async () => {
    for (const one of ['application/json', 'text/csv; charset=iso-8859-1']) {
      const { raw } = (await decode(resolved(t.file()), new TestTransport('{', { 'content-type': one }))) as DecodedBody
      expect(raw).toMatchObject({ type: one, size: 1 })
    }
  })

  it('is limited by its own declaration and by the limit of bodies', async () => {
    const ten = resolved(t.file({ max: 10 }))
    expect(await decode(ten, new TestTransport('x'.repeat(10), type))).toHaveProperty('raw.size', 10)
    const transport = new TestTransport('x'.repeat(11), { ...type, 'content-length': '11' })
    for (const one of [transport, new TestTransport('x'.repeat(11), type)]) {
      expect(await decode(ten, one)).toEqual({ code: 'payload-too-large', detail: 'The body is larger than 10 bytes.' })
    }
    expect(transport.asked).toEqual([])
    const large = resolved(t.file({ max: 5000 }))
    expect(await decode(large, new TestTransport('x'.repeat(1001), type))).toMatchObject({ code: 'payload-too-large' })
  })

  it('is streamed where that is declared, and breaks off beyond its limit', async () => {
    const streamed = resolved(t.file({ stream: true, max: 200 }))
    const { raw } = (await decode(streamed, new TestTransport('x'.repeat(200), type))) as DecodedBody
    expect([(raw as UploadedFile).size, (await (raw as UploadedFile).text()).length]).toEqual([undefined, 200])
    const long = (await decode(streamed, new TestTransport('x'.repeat(201), type))) as DecodedBody
    await expect((long.raw as UploadedFile).bytes()).rejects.toMatchObject({ fault: 'too-large' })
  })

  it('streams through a content coding', async () => {
    const streamed = resolved(t.file({ stream: true }))
    const transport = new TestTransport(gzipSync('x'.repeat(900)), { ...type, 'content-encoding': 'gzip' })
    const { raw } = (await decode(streamed, transport)) as DecodedBody
    expect(await (raw as UploadedFile).text()).toBe('x'.repeat(900))
  })
})
