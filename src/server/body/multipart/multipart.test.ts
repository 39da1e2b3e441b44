import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Loading } from '../../../schema/loading.ts'
import type { UploadedFile } from '../../../schema/structures/file.ts'
import { t } from '../../../schema/t.ts'
import { createTree, createTreeForm, type RawTree, TreeWriter } from '../../query/value-tree.ts'
import { BodyFaultError } from '../../transport.ts'
import type { DecodeFault } from '../decode-fault.ts'
import { MULTIPART_LIMITS, type MultipartLimits, readMultipart } from './multipart.ts'

const encoder = new TextEncoder()
const payload = t.object({
  title: t.string(),
  count: t.integer(),
  tags: t.array(t.string()),
  author: t.object({ id: t.integer(), photo: t.file({ max: 10 }) }),
  avatar: t.file({ max: 100_000 }),
  photos: t.array(t.file({ max: 10 })),
  meta: t.any(),
  video: t.file({ stream: true, max: 20 }),
})

interface Sent {
  readonly bytes: Uint8Array
  readonly boundary: string
}

/** Returns a body as fetch sends it. */
async function sent(form: FormData): Promise<Sent> {
  const response = new Response(form)
  const boundary = /boundary=(.*)$/.exec(response.headers.get('content-type') ?? '')?.[1]
  return { bytes: new Uint8Array(await response.arrayBuffer()), boundary: boundary as string }
}

/** Builds a body by hand: each part is its header lines and its data. */
function buildBody(...parts: readonly (readonly [head: string, data: string])[]): Sent {
  const text = parts.map(([head, data]) => `--b\r\n${head}\r\n\r\n${data}\r\n`).join('')
  return { bytes: encoder.encode(`${text}--b--\r\n`), boundary: 'b' }
}

const named = (name: string, more = ''): string => `Content-Disposition: form-data; name="${name}"${more}`

async function* inChunks(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array, void, undefined> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}

async function read(
  { bytes, boundary }: Sent,
  { limits = {}, closed = true, size = 50, pieces = inChunks(bytes, size) }: Options = {},
): Promise<{ tree: RawTree; fault: unknown; issues: unknown }> {
  const loading = new Loading('text')
  const writer = new TreeWriter(createTree(), createTreeForm(payload, 8), loading)
  const source = { pieces, boundary, attribute: payload, closed, writer, limits: { ...MULTIPART_LIMITS, ...limits } }
  const fault = await readMultipart(source)
  return { tree: writer.tree, fault: fault?.fault, issues: loading.issues?.map(({ pointer, code }) => [pointer, code]) }
}

interface Options {
  readonly limits?: Partial<MultipartLimits>
  readonly closed?: boolean
  readonly size?: number
  readonly pieces?: AsyncIterable<Uint8Array>
}

async function readTree(body: Sent, options?: Options): Promise<RawTree> {
  const { tree, fault, issues } = await read(body, options)
  expect({ fault, issues }).toEqual({ fault: undefined, issues: undefined })
  return tree
}

async function readDetail(body: Sent, options?: Options): Promise<unknown> {
  const fault = (await read(body, options)).fault as DecodeFault['fault'] | undefined
  return fault && { code: fault.code, detail: fault.detail }
}

describe('fields', () => {
  it('go into the same tree as the names of a query', async () => {
    const form = new FormData()
    for (const [name, value] of [
      ['title', 'Grüße 😀'],
      ['author[id]', '7'],
      ['tags[]', 'a'],
      ['tags[]', 'b\r\nc'],
      ['count', ''],
    ] as const) {
      form.append(name, value)
    }
    const tree = { title: 'Grüße 😀', author: { id: '7' }, tags: ['a', 'b\r\nc'], count: '' }
    expect(await readTree(await sent(form))).toEqual(tree)
  })

  it('have headers with any space around their values, in any case, and none twice', async () => {
    const heads = [
      'Content-Disposition:form-data;name="title"',
      'content-disposition: \t  form-data ; name=title \t',
      'CONTENT-DISPOSITION:\tFORM-DATA; NAME="title"\r\nX-Other: a: b\r\nX-Empty:',
    ]
    for (const head of heads) expect([head, await readTree(buildBody([head, 'x']))]).toEqual([head, { title: 'x' }])
    for (const head of [
      `${named('title')}\r\n${named('title')}`,
      `${named('title')}\r\nContent-Type: text/plain\r\ncontent-type: text/plain`,
      `${named('title')}\r\n: x`,
      `${named('title')}\r\nX Other: x`,
      `${named('title')}\r\nno colon`,
    ])
      expect([head, await readDetail(buildBody([head, 'x']))]).toEqual([head, expect.anything()])
  })

  it('reports names without a location', async () => {
    const body = buildBody([named('title'), 'x'], [named('title[a]'), 'x'], [named('tags[a'), 'x'])
    expect((await read(body)).issues).toEqual([
      ['/title', 'mixed'],
      ['/tags[a', 'unknown'],
    ])
  })

  it('leaves unknown names to the loader, without their data', async () => {
    const body = buildBody([named('secret', '; filename="x"'), 'x'.repeat(500)], [named('__proto__[x]'), 'y'])
    const tree = await readTree(body, { limits: { field: 100 } })
    expect(Object.entries(tree)).toEqual([
      ['secret', ''],
      ['__proto__', { x: '' }],
    ])
    expect({}).not.toHaveProperty('x')
  })

  it('keeps the values of free names', async () => {
    expect(await readTree(buildBody([named('any'), 'x']), { closed: false })).toEqual({ any: 'x' })
  })

  it('reads JSON parts as JSON, also those that browsers send as a file', async () => {
    const form = new FormData()
    form.append('meta', new Blob(['{"a":[1,null]}'], { type: 'application/json' }))
    form.append('tags', 'x')
    form.append('tags', new Blob(['["a","b"]'], { type: 'application/vnd.acme.tags+json' }))
    form.append('tags', 'c')
    expect(await readTree(await sent(form))).toEqual({ meta: { a: [1, null] }, tags: ['x', 'a', 'b', 'c'] })
    expect(await readDetail(buildBody([`${named('meta')}\r\nContent-Type: application/json`, '{"a":}']))).toEqual({
      code: 'malformed-body',
      detail: "The part 'meta' cannot be read. The JSON is malformed at line 1, column 6.",
    })
  })

  it('counts the commas, colons and brackets of all JSON parts together', async () => {
    const part = `${named('meta')}\r\nContent-Type: application/json`
    const numbers = (count: number): string => `[${'1,'.repeat(count - 1)}1]`
    const [half, more] = [numbers(32_768), numbers(32_769)]
    expect(await readTree(buildBody([part, half], [part, half]))).toHaveProperty('meta')
    expect(await readDetail(buildBody([part, half], [part, more]))).toEqual({
      code: 'malformed-body',
      detail:
        "The part 'meta' cannot be read. The JSON has too many values: more than 65536 commas, colons and opening brackets.",
    })
  })

  it('refuses text that is not UTF-8', async () => {
    const { bytes, boundary } = buildBody([named('title'), 'x'])
    bytes[bytes.indexOf(120)] = 0xff
    expect(await readDetail({ bytes, boundary })).toMatchObject({ code: 'malformed-body' })
    const latin = buildBody([`${named('title')}\r\nContent-Type: text/plain; charset=iso-8859-1`, 'x'])
    expect(await readDetail(latin)).toMatchObject({ detail: "The part 'title' has a charset other than UTF-8." })
  })
})

describe('files', () => {
  const file = async (body: Sent, name = 'avatar'): Promise<UploadedFile> =>
    (await readTree(body))[name] as UploadedFile

  it('come with their name, type, size and bytes', async () => {
    const bytes = Uint8Array.from({ length: 2000 }, (_, i) => i * 7)
    const form = new FormData()
    form.append('avatar', new File([bytes], 'Größe "1".png', { type: 'image/png' }))
    const avatar = await file(await sent(form))
    expect(avatar).toMatchObject({ '~file': true, filename: 'Größe "1".png', type: 'image/png', size: 2000 })
    expect(await avatar.bytes()).toEqual(bytes)
    expect(new Uint8Array(await new Response(avatar.stream()).arrayBuffer())).toEqual(bytes)
  })

  it('nest and repeat as fields do', async () => {
    const form = new FormData()
    form.append('author[photo]', new File(['a'], 'a.png'))
    form.append('photos', new File(['b'], 'b.png'))
    form.append('photos', new File(['c'], 'c.png'))
    const tree = await readTree(await sent(form))
    expect(tree).toMatchObject({
      author: { photo: { filename: 'a.png' } },
      photos: [{ filename: 'b.png' }, { filename: 'c.png' }],
    })
  })

  it.each([
    ['filename="a.txt"', 'a.txt'],
    ['filename=a.txt', 'a.txt'],
    ['filename="a \\"b\\" \\\\c.txt"', 'c.txt'],
    ['filename="a \\"b\\".txt"', 'a "b".txt'],
    ['filename="a%22b%22.txt"', 'a"b".txt'],
    ['filename="100%.txt"', '100%.txt'],
    ['filename="C:\\fakepath\\é.txt"', 'é.txt'],
    ['filename="../../etc/passwd"', 'passwd'],
    ['filename="..\\..\\boot.ini"', 'boot.ini'],
    ['filename=".."', undefined],
    ['filename="a%0Ab%0d.txt"', 'ab.txt'],
    ['filename="a;b=c.txt"; x=y', 'a;b=c.txt'],
    ['filename="fallback.txt"; filename*=UTF-8\'\'na%C3%AFve%20file.txt', 'naïve file.txt'],
    ["filename*=utf-8'en'%E2%82%AC.txt", '€.txt'],
    ['filename="ends with \\"', undefined],
  ])('%s is called %s', async (parameter, name) => {
    expect(await file(buildBody([named('avatar', `; ${parameter}`), 'x']))).toHaveProperty('filename', name)
  })

  it('survive the names that fetch sends', async () => {
    // Undici's own reader is the oracle; the only difference is that paths and control characters are removed here.
    const name = fc.string({
      unit: fc.constantFrom('a', 'é', '"', ' ', ';', '=', '%', "'", '😀', '.', 'x'),
      minLength: 1,
    })
    await fc.assert(
      fc.asyncProperty(name, async (filename) => {
        fc.pre(filename !== '.' && filename !== '..')
        const form = new FormData()
        form.append('avatar', new File(['x'], filename))
        const back = (await new Response(form).formData()).get('avatar') as File
        expect(await file(await sent(form))).toHaveProperty('filename', back.name)
      }),
    )
  })

  it('are absent when a form was sent with none chosen', async () => {
    const none = `${named('avatar', '; filename=""')}\r\nContent-Type: application/octet-stream`
    expect(await readTree(buildBody([none, '']))).toEqual({})
    expect(await readTree(buildBody([none, 'x']))).toMatchObject({ avatar: { filename: undefined, size: 1 } })
  })

  it('are recognised by their declaration or their file name', async () => {
    const png = `${named('avatar')}\r\nContent-Type: image/png`
    expect(await readTree(buildBody([png, 'x']))).toMatchObject({ avatar: { '~file': true, filename: undefined } })
    expect(await readTree(buildBody([named('avatar'), 'x']))).toEqual({ avatar: 'x' })
    const json = `${named('avatar', '; filename="a.json"')}\r\nContent-Type: application/json`
    expect(await readTree(buildBody([json, '{']))).toMatchObject({ avatar: { type: 'application/json', size: 1 } })
    expect(await readTree(buildBody([named('title', '; filename="a"'), 'x']))).toMatchObject({
      title: { '~file': true },
    })
    expect(await file(buildBody([named('avatar', '; filename="a"'), 'x']))).toHaveProperty(
      'type',
      'application/octet-stream',
    )
  })
})

describe('limits', () => {
  it('of a file, each by its own declaration', async () => {
    const eleven = 'x'.repeat(11)
    const refused = (name: string): unknown => ({
      code: 'payload-too-large',
      detail: `The part '${name}' is larger than 10 bytes.`,
    })
    for (const name of ['author[photo]', 'photos', 'photos[]', 'photos[0]']) {
      expect(await readDetail(buildBody([named(name, '; filename="a"'), eleven]))).toEqual(refused(name))
      expect(await readDetail(buildBody([named(name, '; filename="a"'), eleven.slice(1)]))).toBeUndefined()
    }
    expect(await readDetail(buildBody([named('avatar', '; filename="a"'), eleven]))).toBeUndefined()
  })

  it('of a field', async () => {
    const limits = { field: 10 }
    expect(await readDetail(buildBody([named('title'), 'x'.repeat(10)]), { limits })).toBeUndefined()
    expect(await readDetail(buildBody([named('title'), 'x'.repeat(11)]), { limits })).toMatchObject({
      code: 'payload-too-large',
    })
  })

  it('of the number of parts', async () => {
    const parts = (count: number): Sent =>
      buildBody(...Array.from({ length: count }, () => [named('tags'), 'x'] as const))
    expect(await readDetail(parts(200))).toBeUndefined()
    expect(await readDetail(parts(201))).toEqual({
      code: 'malformed-body',
      detail: 'The multipart body has more than 200 parts.',
    })
  })

  it('of the head of a part', async () => {
    expect(await readDetail(buildBody([named('title', `; x="${'y'.repeat(9000)}"`), 'x']))).toMatchObject({
      detail: 'The head of a part is larger than 8192 bytes.',
    })
  })

  it('stops reading at the first fault', async () => {
    let read = 0
    let stopped = false
    const { bytes } = buildBody([named('avatar', '; filename="a"'), 'x'.repeat(200_000)])
    async function* pieces(): AsyncGenerator<Uint8Array, void, undefined> {
      try {
        for await (const piece of inChunks(bytes, 1000)) {
          read += piece.length
          yield piece
        }
      } finally {
        stopped = true
      }
    }
    expect(await readDetail({ bytes, boundary: 'b' }, { pieces: pieces() })).toMatchObject({
      code: 'payload-too-large',
    })
    expect({ stopped, early: read < 102_000 }).toEqual({ stopped: true, early: true })
  })
})

describe('malformed bodies', () => {
  it.each([
    ['no final boundary', '--b\r\nContent-Disposition: form-data; name="title"\r\n\r\nx\r\n--b\r\n'],
    ['another boundary', '--c\r\nContent-Disposition: form-data; name="title"\r\n\r\nx\r\n--c--\r\n'],
    ['text', 'title=x'],
  ])('%s', async (_, text) => {
    expect(await readDetail({ bytes: encoder.encode(text), boundary: 'b' })).toEqual({
      code: 'malformed-body',
      detail: 'The multipart body ends before its last boundary.',
    })
  })

  it.each([
    ['no disposition', 'Content-Type: text/plain'],
    ['no head', ''],
    ['another disposition', 'Content-Disposition: attachment; name="title"'],
    ['no name', 'Content-Disposition: form-data; filename="x"'],
    ['two names', 'Content-Disposition: form-data; name="a"; name="b"'],
    ['an unfinished name', 'Content-Disposition: form-data; name="a'],
    ['two dispositions', `${named('a')}\r\n${named('b')}`],
    ['a folded line', 'Content-Disposition: form-data;\r\n name="a"'],
    ['a line without a colon', `${named('a')}\r\nfoo`],
    ['a space before the colon', 'Content-Disposition : form-data; name="a"'],
    ['a control character', named('a\u0000')],
    ['a bare line feed', named('a\n')],
    ['a transfer encoding', `${named('a')}\r\nContent-Transfer-Encoding: base64`],
    ['a bad content type', `${named('a')}\r\nContent-Type: nonsense`],
    ['a bad extended name', named('a', "; filename*=UTF-8''%zz")],
    ['an extended name in another charset', named('a', "; filename*=iso-8859-1''%e9")],
  ])('%s', async (_, head) => {
    expect(await readDetail(buildBody([head, 'x']))).toMatchObject({ code: 'malformed-body' })
  })

  it('accepts what clients add without harm', async () => {
    const head = `content-disposition: Form-Data; name=title\r\nX-Other: 1\r\nContent-Transfer-Encoding: 8BIT\r\nContent-Length: 1`
    expect(await readTree(buildBody([head, 'x']))).toEqual({ title: 'x' })
  })

  it('hands faults of the transport on', async () => {
    // biome-ignore lint/correctness/useYield: it fails before it could
    async function* broken(): AsyncGenerator<Uint8Array, void, undefined> {
      throw new BodyFaultError('timeout')
    }
    const body = { bytes: encoder.encode(''), boundary: 'b' }
    await expect(read(body, { pieces: broken() })).rejects.toMatchObject({ fault: 'timeout' })
  })
})

describe('streamed files', () => {
  const video = named('video', '; filename="v.mp4"')

  it('are handed over with the fields before them while they are still arriving', async () => {
    const { bytes } = buildBody([named('title'), 'x'], [video, 'abcdefghij'])
    const cut = bytes.indexOf('e'.charCodeAt(0), bytes.length - 20)
    let released = false
    async function* pieces(): AsyncGenerator<Uint8Array, void, undefined> {
      yield bytes.subarray(0, cut)
      released = true
      yield bytes.subarray(cut)
    }
    const tree = await readTree({ bytes, boundary: 'b' }, { pieces: pieces() })
    const file = tree['video'] as UploadedFile
    expect([tree['title'], file.filename, file.size, released]).toEqual(['x', 'v.mp4', undefined, false])
    expect(await file.text()).toBe('abcdefghij')
    expect(file.size).toBe(10)
    await expect(file.bytes()).rejects.toThrow('read only once')
  })

  it.each([
    ['too large', buildBody([video, 'x'.repeat(21)]), 'too-large', 'larger than 20 bytes'],
    [
      'unfinished',
      { bytes: buildBody([video, 'xyz']).bytes.subarray(0, -9), boundary: 'b' },
      'aborted',
      'before its last boundary',
    ],
    ['followed by another part', buildBody([video, 'x'], [named('title'), 'x']), 'aborted', "'video' must be the last"],
  ])('break off when they are %s', async (_, body, fault, message) => {
    for (const size of [1, 50, 5000]) {
      const file = (await readTree(body, { size }))['video'] as UploadedFile
      const ended = new Response(file.stream()).text()
      await expect(ended).rejects.toMatchObject({ fault, message: expect.stringContaining(message) })
    }
  })

  it('let go of the transport when the reader does', async () => {
    let stopped = false
    const { bytes } = buildBody([video, 'x'.repeat(20)])
    async function* pieces(): AsyncGenerator<Uint8Array, void, undefined> {
      try {
        yield* inChunks(bytes, 60)
      } finally {
        stopped = true
      }
    }
    const file = (await readTree({ bytes, boundary: 'b' }, { pieces: pieces() }))['video'] as UploadedFile
    const reader = file.stream().getReader()
    await reader.read()
    expect(stopped).toBe(false)
    await reader.cancel()
    expect(stopped).toBe(true)
  })
})

it('gives the same parts however the bytes of a form are split', async () => {
  const form = new FormData()
  form.append('title', 'Grüße\r\n--')
  form.append('tags[]', 'a')
  form.append('avatar', new File([Uint8Array.from({ length: 300 }, (_, i) => i)], 'ä.bin'))
  form.append('tags[]', 'b')
  const body = await sent(form)
  const flat = async (tree: RawTree): Promise<unknown> => ({
    ...tree,
    avatar: await (tree['avatar'] as UploadedFile).bytes(),
  })
  const expected = await flat(await readTree(body, { size: body.bytes.length }))
  await fc.assert(
    fc.asyncProperty(fc.array(fc.nat({ max: body.bytes.length }), { maxLength: 20 }), async (positions) => {
      const sorted = [0, ...positions.sort((a, b) => a - b), body.bytes.length]
      async function* pieces(): AsyncGenerator<Uint8Array, void, undefined> {
        for (const [i, end] of sorted.slice(1).entries()) yield body.bytes.subarray(sorted[i], end)
      }
      expect(await flat(await readTree(body, { pieces: pieces() }))).toEqual(expected)
    }),
    { numRuns: 300 },
  )
})
