// Form and multipart bodies: they load into the same payload structures as JSON, files included.
import { application, endpoint, inherit, mediaType, route, t } from 'edict'
import { describe, expect, it } from 'vitest'
import { ask } from '../support/ask.ts'

const responses = { ok: 'text/plain' } as const
const Person = mediaType('Person', { attributes: { name: t.string({ required: true }), age: t.integer() } })
const attributes = {
  name: inherit,
  age: inherit,
  flag: t.boolean({ default: false }),
  tags: t.array(t.string()),
  home: t.object({ zip: t.integer({ required: true }), at: t.dateTime() }),
} as const
const People = endpoint('People', {
  mediaType: Person,
  actionDefaults: { responses },
  actions: {
    make: {
      routing: route.post('/'),
      payload: attributes,
      consumes: ['application/json', 'application/x-www-form-urlencoded', 'multipart/form-data'],
    },
    photo: {
      routing: route.post('/photo'),
      payload: {
        ...attributes,
        name: t.string(),
        photo: t.file({ required: true, max: 100, types: ['image/*'] }),
        more: t.array(t.file()),
      },
    },
    raw: { routing: route.put('/raw'), payload: t.file({ max: 10 }) },
    text: { routing: route.put('/text'), payload: t.string({ max: 10, required: true }) },
    only: { routing: route.put('/only'), payload: { name: t.string() }, consumes: ['application/json'], bodyLimit: 20 },
  },
})
const show = (_: unknown, { request }: any) => JSON.stringify(request.payload)
const file = async (one: any) => [one.filename, one.type, one.size, Buffer.from(await one.bytes()).toString('hex')]
const app = application({
  controllers: [
    People.implement({
      make: show,
      text: show,
      only: show,
      async photo(_, { request: { payload } }) {
        const { photo, more = [], ...rest } = payload
        return JSON.stringify({ ...rest, photo: await file(photo), more: await Promise.all(more.map(file)) })
      },
      raw: async (_, { request }) =>
        JSON.stringify(request.payload === undefined ? 'none' : await file(request.payload)),
    }),
  ],
})
const codes = ({ json }: any) => json.errors.map(({ in: part, pointer, code }: any) => `${part} ${pointer} ${code}`)
const form = (entries: readonly (readonly [string, string | Blob, string?])[]) => {
  const made = new FormData()
  for (const [name, value, filename] of entries)
    value instanceof Blob ? made.append(name, value, filename) : made.append(name, value)
  return made
}
const fields = [
  ['name', 'Ann é'],
  ['age', '42'],
  ['flag', 't'],
  ['tags[]', 'a'],
  ['tags[]', 'b&c'],
  ['home[zip]', '123'],
  ['home[at]', '2026-01-01T00:00:00Z'],
] as const
const loaded = {
  name: 'Ann é',
  age: 42,
  flag: true,
  tags: ['a', 'b&c'],
  home: { zip: 123, at: '2026-01-01T00:00:00.000Z' },
}
const png = (bytes: readonly number[] = [0, 255, 13, 10, 45, 45]) =>
  new Blob([new Uint8Array(bytes)], { type: 'image/png' })

describe('forms', () => {
  it('[INP-12] a JSON, a form and a multipart body load into the same structure', async () => {
    const json = {
      name: 'Ann é',
      age: 42,
      flag: true,
      tags: ['a', 'b&c'],
      home: { zip: 123, at: '2026-01-01T00:00:00Z' },
    }
    for (const body of [json, new URLSearchParams(fields as never), form(fields)])
      expect((await ask(app, 'POST /people', { body })).json).toEqual(loaded)
  })

  it('[INP-12] and are refused alike', async () => {
    const bad = [
      ['age', 'old'],
      ['flag', 'maybe'],
      ['home[at]', 'now'],
      ['unknown', '1'],
    ] as const
    const expected = [
      'payload /name missing',
      'payload /age type',
      'payload /flag type',
      'payload /home/zip missing',
      'payload /home/at format',
      'payload /unknown unknown',
    ]
    for (const body of [
      { age: 'old', flag: 'maybe', home: { at: 'now' }, unknown: '1' },
      new URLSearchParams(bad as never),
      form(bad),
    ]) {
      const answer = await ask(app, 'POST /people', { body })
      expect(codes(answer).sort()).toEqual([...expected].sort())
    }
    const twice = [
      ['name', 'a'],
      ['name', 'b'],
    ] as const
    for (const body of [new URLSearchParams(twice as never), form(twice)])
      expect(codes(await ask(app, 'POST /people', { body }))).toEqual(['payload /name repeated'])
  })

  it('[INP-12] a part may be JSON of its own', async () => {
    const body = form([
      ['name', 'Ann'],
      ['home', new Blob(['{"zip":5}'], { type: 'application/json' })],
    ])
    expect((await ask(app, 'POST /people', { body })).json).toMatchObject({ name: 'Ann', home: { zip: 5 } })
  })

  it('[INP-12] an empty form is an empty structure', async () => {
    for (const body of [new URLSearchParams(), form([])])
      expect(codes(await ask(app, 'POST /people', { body }))).toEqual(['payload /name missing'])
  })

  it('[INP-12] a form that cannot be read is a 400', async () => {
    const sent = async (body: string, type: string) =>
      (await ask(app, 'POST /people', { body, headers: { 'content-type': type } })).status
    expect(await sent('name=%zz', 'application/x-www-form-urlencoded')).toBe(400)
    expect(
      await sent('--b\r\nContent-Disposition: form-data; name="name"\r\n\r\nx', 'multipart/form-data; boundary=b'),
    ).toBe(400)
    expect(await sent('--b--', 'multipart/form-data')).toBe(400)
    expect(await sent(Array.from({ length: 300 }, () => 'tags=x').join('&'), 'application/x-www-form-urlencoded')).toBe(
      400,
    )
  })
})

describe('files', () => {
  it('[INP-12] files arrive with name, type, size and bytes, next to typed parts', async () => {
    const body = form([
      ...fields,
      ['photo', png(), 'me é.png'],
      ['more', new Blob(['hi'], { type: 'text/plain' }), 'a.txt'],
      ['more', new Blob([]), 'empty'],
    ])
    expect((await ask(app, 'POST /people/photo', { body })).json).toEqual({
      ...loaded,
      photo: ['me é.png', 'image/png', 6, '00ff0d0a2d2d'],
      more: [
        ['a.txt', 'text/plain', 2, '6869'],
        ['empty', 'application/octet-stream', 0, ''],
      ],
    })
  })

  it('[INP-12] and are held to their declaration', async () => {
    expect(codes(await ask(app, 'POST /people/photo', { body: form([['age', 'x']]) }))).toEqual([
      'payload /age type',
      'payload /photo missing',
    ])
    expect(
      codes(
        await ask(app, 'POST /people/photo', {
          body: form([['photo', new Blob(['x'], { type: 'text/html' }), 'x.html']]),
        }),
      ),
    ).toEqual(['payload /photo file-type'])
    expect(codes(await ask(app, 'POST /people/photo', { body: form([['photo', 'not a file']]) }))).toEqual([
      'payload /photo type',
    ])
    expect(
      codes(
        await ask(app, 'POST /people/photo', {
          body: form([
            ['photo', png(), 'a'],
            ['photo', png(), 'b'],
          ]),
        }),
      ),
    ).toEqual(['payload /photo repeated'])
    expect([400, 413]).toContain(
      (await ask(app, 'POST /people/photo', { body: form([['photo', png(Array(200).fill(1)), 'big.png']]) })).status,
    )
    expect((await ask(app, 'POST /people/photo', { body: { photo: 'x' } })).json.code).toBe('unsupported-media-type')
    expect(codes(await ask(app, 'POST /people', { body: form([['name', png(), 'x.png']]) }))).toEqual([
      'payload /name type',
    ])
  })

  it('[INP-12] a payload may be one file, or one text', async () => {
    const put = (path: string, body: string | Uint8Array | undefined, type = 'image/png') =>
      ask(app, `PUT /people${path}`, { body, headers: { 'content-type': type } })
    expect((await put('/raw', new Uint8Array([1, 2]))).json).toEqual([null, 'image/png', 2, '0102'])
    expect((await put('/raw', 'x'.repeat(11))).status).toBeGreaterThanOrEqual(400)
    expect((await put('/text', 'plain ü', 'text/plain; charset=utf-8')).json).toBe('plain ü')
    expect((await put('/text', '"quoted"', 'application/json')).json).toBe('quoted')
    expect(codes(await put('/text', 'far too long', 'text/plain'))).toEqual(['payload  max-length'])
    expect((await put('/text', 'x', 'image/png')).status).toBe(415)
    expect(codes(await ask(app, 'PUT /people/text'))).toEqual(['payload  missing'])
  })

  it('[INP-12] an action may take JSON alone, and shorter bodies', async () => {
    expect((await ask(app, 'PUT /people/only', { body: { name: 'a' } })).json).toEqual({ name: 'a' })
    expect((await ask(app, 'PUT /people/only', { body: new URLSearchParams({ name: 'a' }) })).status).toBe(415)
    expect((await ask(app, 'PUT /people/only', { body: { name: 'a'.repeat(20) } })).status).toBe(413)
  })
})
