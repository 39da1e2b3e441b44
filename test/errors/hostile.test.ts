// Hostile input: nothing that a client sends ends in a 5xx or shows a stack trace.
import { connect } from 'node:net'
import { application, endpoint, header, inherit, mediaType, payloadOf, route, t } from 'edict'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ask, handled, recorder, urlOf } from '../support/ask.ts'

const Tag = mediaType('Tag', { attributes: { name: t.string({ pattern: /[a-z]+/ }), weight: t.number({ min: 0 }) } })
const inputs = {
  id: t.integer({ min: 1 }),
  text: t.string({ max: 20 }),
  flag: t.boolean(),
  big: t.bigint(),
  day: t.date(),
  at: t.dateTime(),
  hour: t.time(),
  tags: t.array(t.string(), { max: 5 }),
  author: t.object({ id: t.integer({ required: true }), tag: Tag }),
  free: t.record(t.integer()),
  any: t.any(),
  shape: t.union('kind', { round: { radius: t.number() }, flat: {} }),
}
const Things = endpoint('Things', {
  version: '1.0',
  actionDefaults: { responses: { ok: true }, headers: { 'X-Count': header(t.integer()), 'X-Kind': header(/[a-c]+/) } },
  actions: {
    list: { routing: [route.get('/'), route.get('/:id')], params: inputs },
    files: { routing: route.any('/files/*/x/*'), params: { splat: t.array(t.string()) } },
    make: {
      routing: route.post('/'),
      payload: inputs,
      consumes: ['application/json', 'application/x-www-form-urlencoded', 'multipart/form-data'],
    },
    named: { routing: route.post('/named'), payload: payloadOf(Tag, { name: inherit({ required: true }) }) },
    text: { routing: route.put('/text'), payload: t.string() },
    file: { routing: route.put('/file'), payload: t.file() },
    upload: { routing: route.post('/upload'), payload: { name: t.string(), file: t.file({ required: true }) } },
    numbers: { routing: route.put('/numbers'), payload: t.array(t.integer()), bodyLimit: 100 },
  },
})
const log = recorder()
const quiet = () => 'fine'
const names = ['list', 'files', 'make', 'named', 'text', 'file', 'upload', 'numbers'] as const
const app = application({
  basePath: '/api',
  logger: log,
  controllers: [Things.implement(Object.fromEntries(names.map((name) => [name, quiet])) as never)],
})

function harmless(status: number, text: string, what: unknown): void {
  expect(status, `${JSON.stringify(what)}: ${text} ${JSON.stringify(log.entries.at(-1)?.message)}`).toBeLessThan(500)
  expect(text).not.toMatch(/\bat .+:\d+:\d+|node_modules|\.ts\b/)
}

const word = fc.constantFrom(
  ...Object.keys(inputs),
  'api_version',
  '__proto__',
  'constructor',
  'name',
  'splat',
  'x',
  '',
  'toString',
  'hasOwnProperty',
)
const char = fc.constantFrom(
  '[',
  ']',
  '=',
  '&',
  '%',
  '%5B',
  '%00',
  '%ff',
  '%F0%9F%98%80',
  '+',
  '/',
  '.',
  ';',
  ',',
  '1',
  'a',
  '-',
  '0',
  ':',
  '#',
  'é',
  '"',
)
const messy = fc.array(fc.oneof(word, char), { maxLength: 12 }).map((parts) => parts.join(''))
const query = fc
  .array(fc.tuple(fc.oneof(word, messy), messy), { maxLength: 6 })
  .map((pairs) => pairs.map((pair) => pair.join('=')).join('&'))
const path = fc.oneof(
  fc.constantFrom(
    '/api/v1.0/things',
    '/api/things',
    '/api/v1.0/things/7',
    '/api/v1.0/things/files/a/x/b',
    '/api/v2/things',
    '/api/v1.0/things/file',
  ),
  messy.map((rest) => `/api/v1.0/things/${rest}`),
  messy.map((rest) => `/${rest}`),
)
const value = fc.string({ unit: 'binary-ascii' }).map((text) => text.replace(/[^\t\x20-\x7e]/g, ''))
const headers = fc.dictionary(
  fc.constantFrom(
    'x-count',
    'x-kind',
    'x-api-version',
    'x-request-id',
    'accept',
    'accept-encoding',
    'content-encoding',
    'cookie',
    'range',
    'if-none-match',
    'authorization',
    'host',
    'expect',
  ),
  value,
  { maxKeys: 4 },
)
const json = fc.oneof(
  fc.json({ maxDepth: 4 }),
  fc.dictionary(word, fc.jsonValue({ maxDepth: 3 }), { maxKeys: 6 }).map((one) => JSON.stringify(one)),
  fc.constantFrom(
    '',
    'null',
    '{"__proto__":{"a":1}}',
    '{"author":{"__proto__":null}}',
    '{"constructor":{"prototype":{}}}',
    '{"free":{"__proto__":1}}',
    '[',
    '{"id":1e400}',
    '{"id":1,"id":2}',
    `${'['.repeat(5000)}`,
    `{"any":${'['.repeat(200)}${']'.repeat(200)}}`,
    '{"text":"\\ud800"}',
    '{"text":"\\u0000"}',
    '\ufeff{}',
  ),
)
const type = fc.oneof(
  fc.constantFrom(
    'application/json',
    'application/json; charset=utf-16',
    'application/x-www-form-urlencoded',
    'multipart/form-data',
    'multipart/form-data; boundary=b',
    'text/plain',
    'application/octet-stream',
    'image/svg+xml',
    '',
    'a',
    ';',
    'application/json, text/plain',
  ),
  value,
)
const multipart = fc
  .array(fc.tuple(word, messy), { maxLength: 3 })
  .map(
    (parts) =>
      `${parts.map(([name, body]) => `--b\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${body}\r\n`).join('')}--b--`,
  )
const body = fc.oneof(
  json,
  query,
  multipart,
  fc.uint8Array({ maxLength: 64 }).map((bytes) => Buffer.from(bytes).toString('latin1')),
)

describe('hostile input', () => {
  it('[ERR-07] in paths, queries and headers', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom('GET', 'POST', 'OPTIONS', 'HEAD', 'BREW', '__proto__', ''),
        path,
        query,
        headers,
        async (method, at, asked, sent) => {
          const answer = await handled(app, method, `${at}?${asked}`, sent)
          harmless(answer.status, String(answer.body), [method, at, asked, sent])
        },
      ),
      { numRuns: 1500 },
    )
  })

  it('[ERR-07] in bodies of every kind and claim', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(
          'POST /api/v1.0/things',
          'POST /api/v1.0/things/named',
          'PUT /api/v1.0/things/text',
          'PUT /api/v1.0/things/file',
          'POST /api/v1.0/things/upload',
          'PUT /api/v1.0/things/numbers',
        ),
        type,
        body,
        async (line, claimed, sent) => {
          const [method, url] = line.split(' ') as [string, string]
          const request = new Request(`http://x${url}`, { method, body: sent, headers: { 'content-type': claimed } })
          const answer = await app.fetch(request)
          harmless(answer.status, await answer.text(), [line, claimed, sent])
        },
      ),
      { numRuns: 1000 },
    )
  })

  it('[ERR-07] over the socket and through fetch alike', async () => {
    await fc.assert(
      fc.asyncProperty(query, body, async (asked, sent) => {
        const url = encodeURI(asked).replace(/#/g, '%23').replace(/'/g, '%27')
        const answer = await ask(app, `POST /api/v1.0/things?${url}`, {
          headers: { 'content-type': 'application/json' },
          body: sent,
        })
        harmless(answer.status, answer.text, [asked, sent])
      }),
      { numRuns: 60 },
    )
  })

  it('[ERR-07] not even as bytes that are no HTTP', async () => {
    const { port } = new URL(await urlOf(app))
    const lines = [
      'GET',
      'GET / HTTP/9.9\r\n\r\n',
      'GET /\0 HTTP/1.1\r\nHost: x\r\n\r\n',
      'GET /api HTTP/1.1\r\n\r\n',
      'POST /api/v1.0/things HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\n\r\n',
      'POST /api/v1.0/things HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n',
      'GET http://x/%zz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
      'OPTIONS * HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
    ]
    for (const line of lines) {
      const text = await new Promise<string>((resolve) => {
        let received = ''
        const socket = connect(Number(port), '127.0.0.1', () => socket.end(line, 'latin1'))
        socket.setEncoding('latin1').on('data', (chunk) => {
          received += chunk
        })
        socket.on('close', () => resolve(received)).on('error', () => resolve(received))
      })
      expect(text, JSON.stringify(line)).toMatch(/^(?:HTTP\/1\.1 4\d\d |$)/)
    }
    expect((await ask(app, 'GET /api/v1.0/things')).text).toBe('fine')
  })
})
