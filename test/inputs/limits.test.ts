// Limits to the byte, the pair and the step: what is exactly at a limit is taken, and one more is refused, however it is sent.
import { deflateSync, gzipSync } from 'node:zlib'
import { application, endpoint, route, t } from 'edict'
import { describe, expect, it } from 'vitest'
import { urlOf } from '../support/ask.ts'

const BODY = 1000
const FILE = 100

const responses = { noContent: true } as const
const free = t.record(t.any())
const Limits = endpoint('Limits', {
  actions: {
    json: { routing: route.post('/json'), payload: t.any(), consumes: ['application/json'], responses },
    text: { routing: route.post('/text'), payload: t.string(), responses },
    file: { routing: route.post('/file'), payload: t.file(), responses },
    small: { routing: route.post('/small'), payload: t.file({ max: FILE }), responses },
    stream: { routing: route.post('/stream'), payload: t.file({ stream: true }), responses },
    own: { routing: route.post('/own'), payload: t.string(), bodyLimit: 50, responses },
    form: {
      routing: route.post('/form'),
      payload: { image: t.file({ max: FILE }), images: t.array(t.file({ max: FILE })), note: t.string() },
      responses,
    },
    query: { routing: route.get('/query'), params: { free, list: t.array(t.string()) }, responses },
  },
})
const drained = async (_: unknown, { request, reply }: any) => {
  if (Symbol.asyncIterator in Object(request.payload)) for await (const _ of request.payload);
  return reply.noContent()
}
const app = application({
  limits: { body: BODY, queryPairs: 5, queryDepth: 4 },
  controllers: [
    Limits.implement(Object.fromEntries(Object.keys(Limits.spec.actions).map((name) => [name, drained])) as never),
  ],
})

/** Sends a request in process and over a socket, which have to agree, and gives the status. */
async function statusOf(path: string, init: RequestInit = {}): Promise<number> {
  const within = await app.fetch(new Request(`http://a.test/limits${path}`, init))
  const wired = await fetch(`${await urlOf(app)}/limits${path}`, init)
  expect([path, wired.status]).toEqual([path, within.status])
  return within.status
}

const post = (path: string, body: string | Uint8Array, headers: Record<string, string>): Promise<number> =>
  statusOf(path, { method: 'POST', body: body as BodyInit, headers })

const packings = {
  'as it is': (bytes: Uint8Array) => [bytes, {}] as const,
  'as gzip': (bytes: Uint8Array) => [gzipSync(bytes), { 'Content-Encoding': 'gzip' }] as const,
  'as deflate': (bytes: Uint8Array) => [deflateSync(bytes), { 'Content-Encoding': 'deflate' }] as const,
}

describe.each(Object.entries(packings))('a body %s', (_, pack) => {
  it.each([
    ['/json', 'application/json', BODY],
    ['/text', 'text/plain', BODY],
    ['/file', 'image/png', BODY],
    ['/stream', 'image/png', BODY],
    ['/small', 'image/png', FILE],
    ['/own', 'text/plain', 50],
  ])('of %s as %s may have exactly its limit of bytes', async (path, type, limit) => {
    const of = (size: number) => new TextEncoder().encode(`"${'a'.repeat(size - 2)}"`)
    for (const [size, status] of [
      [limit - 1, 204],
      [limit, 204],
      [limit + 1, 413],
      [limit * 3, 413],
    ] as const) {
      const [bytes, headers] = pack(of(size))
      expect([size, await post(path, bytes, { 'Content-Type': type, ...headers })]).toEqual([size, status])
    }
  })
})

describe('parts of a form', () => {
  const formOf = (entries: readonly (readonly [string, Blob | string])[]): FormData => {
    const form = new FormData()
    for (const [name, value] of entries) form.append(name, value)
    return form
  }

  it.each(['image', 'images[]'])('a file %s may have exactly its limit of bytes, and a text more', async (name) => {
    const file = (size: number) => new Blob([new Uint8Array(size)], { type: 'image/png' })
    for (const [size, status] of [
      [FILE, 204],
      [FILE + 1, 413],
    ] as const)
      expect([size, await statusOf('/form', { method: 'POST', body: formOf([[name, file(size)]]) })]).toEqual([
        size,
        status,
      ])
    const twice = formOf([
      ['images[]', file(FILE)],
      ['images[]', file(FILE + 1)],
    ])
    expect(await statusOf('/form', { method: 'POST', body: twice })).toBe(413)
    const text = formOf([['note', 'a'.repeat(FILE * 2)]])
    expect(await statusOf('/form', { method: 'POST', body: text })).toBe(204)
  })
})

describe('a query', () => {
  it('may have exactly as many pairs as are allowed, and names as deep', async () => {
    const pairs = (count: number) => Array.from({ length: count }, (_, i) => `list[]=${i}`).join('&')
    expect([await statusOf(`/query?${pairs(5)}`), await statusOf(`/query?${pairs(6)}`)]).toEqual([204, 400])
    const deep = (steps: number) => `free${'[a]'.repeat(steps - 1)}=1`
    expect([await statusOf(`/query?${deep(4)}`), await statusOf(`/query?${deep(5)}`)]).toEqual([204, 400])
  })
})
