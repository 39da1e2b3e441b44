// Bad input of every kind: a clear 4xx each time, nothing of the inside in it, and the server goes on serving.
import { connect } from 'node:net'
import { describe, expect, it } from 'vitest'
import { application, controller, endpoint, header, route, t } from '../../src/index.ts'
import { ask, askSocket, urlOf } from '../support/ask.ts'

const Things = endpoint('Things', {
  actions: {
    index: {
      routing: route.get('/'),
      params: {
        limit: t.integer({ min: 1, max: 100 }),
        ratio: t.number(),
        huge: t.bigint(),
        draft: t.boolean(),
        day: t.date(),
        at: t.dateTime(),
        hour: t.time(),
        id: t.string({ format: 'uuid' }),
        word: t.string({ pattern: /^[a-z]+$/, max: 10 }),
        tags: t.array(t.string(), { max: 3 }),
        author: t.object({ id: t.integer({ required: true }), name: t.string() }),
        labels: t.record(t.integer()),
        items: t.array(t.object({ n: t.integer({ required: true }) })),
      },
      responses: { ok: true },
    },
    show: { routing: route.get('/:id'), params: { id: t.integer() }, responses: { ok: true } },
    keyed: {
      routing: route.get('//keyed'),
      headers: { 'X-Key': header(), 'X-Count': header(t.integer()), 'X-Mode': header(/^(on|off)$/) },
      responses: { ok: true },
    },
    create: {
      routing: route.post('/'),
      payload: {
        name: t.string({ required: true, max: 20 }),
        count: t.integer(),
        on: t.boolean(),
        note: t.string({ nullable: true }),
        author: t.object({ id: t.integer({ required: true }), tags: t.array(t.string()) }),
        labels: t.record(t.integer()),
        shape: t.union('kind', { circle: { r: t.number({ required: true }) }, square: { side: t.number() } }),
      },
      consumes: ['application/json', 'application/x-www-form-urlencoded'],
      responses: { created: true },
      bodyLimit: 2000,
    },
    upload: {
      routing: route.post('//upload'),
      payload: {
        title: t.string({ required: true }),
        file: t.file({ required: true, max: 100, types: ['text/plain'] }),
      },
      responses: { created: true },
    },
  },
})
const app = application({
  environment: 'production',
  logger: { info() {}, warn() {}, error: (_, message) => expect.unreachable(message) },
  controllers: [
    controller(Things, {
      index: () => 'list',
      show: () => 'one',
      keyed: () => 'keyed',
      create: (_, { reply }) => reply.created(),
      upload: (_, { reply }) => reply.created(),
    }),
  ],
})

async function refused(
  line: string,
  status: number,
  asked: Parameters<typeof ask>[2] = {},
  place?: string,
): Promise<void> {
  const answer = await ask(app, line, asked)
  expect(answer.status, `${line} ${JSON.stringify(asked)} → ${answer.text}`).toBe(status)
  expect(answer.headers['content-type']).toBe('application/problem+json')
  expect(answer.json).toMatchObject({ status, title: expect.any(String), code: expect.any(String) })
  expect(answer.text).not.toMatch(/\\n\s+at |\.ts:|\.js:|node_modules/)
  if (place !== undefined) expect(answer.json.errors.map((one: { pointer: string }) => one.pointer)).toContain(place)
  expect((await askSocket(app, 'GET /things')).text).toBe('list')
}

describe('[ERR-07] [ERR-03] query parameters', () => {
  it.each([
    ['limit=abc', '/limit'],
    ['limit=', '/limit'],
    ['limit=1e2', '/limit'],
    ['limit=0x10', '/limit'],
    ['limit=%201', '/limit'],
    ['limit=1.5', '/limit'],
    ['limit=0', '/limit'],
    ['limit=101', '/limit'],
    ['limit=9007199254740993', '/limit'],
    ['limit=1&limit=2', '/limit'],
    ['limit[]=1&limit[]=2', '/limit'],
    ['limit[x]=1', '/limit'],
    ['ratio=NaN', '/ratio'],
    ['ratio=Infinity', '/ratio'],
    ['huge=1.0', '/huge'],
    ['draft=yes', '/draft'],
    ['draft=TrUe', '/draft'],
    ['day=2023-02-30', '/day'],
    ['day=2023-2-3', '/day'],
    ['at=2023-02-03', '/at'],
    ['at=2023-02-03T04:05:06', '/at'],
    ['at=2023-02-30T04:05:06Z', '/at'],
    ['hour=25:00', '/hour'],
    ['id=123', '/id'],
    ['word=Abc', '/word'],
    ['word=abcdefghijk', '/word'],
    ['word=abc%0A', '/word'],
    ['word=%00', '/word'],
    ['tags=a&tags=b&tags=c&tags=d', '/tags'],
    ['author=7', '/author'],
    ['author[name]=x', '/author/id'],
    ['author[id]=x', '/author/id'],
    ['author[id]=1&author[age]=3', '/author/age'],
    ['author=1&author[id]=2', '/author'],
    ['author[id]=1&author=2', '/author'],
    ['labels[a]=x', '/labels/a'],
    ['labels[__proto__]=1', '/labels/__proto__'],
    ['labels[constructor]=1', '/labels/constructor'],
    ['items[0][n]=x', '/items/0/n'],
    ['__proto__=1', '/__proto__'],
    ['__proto__[x]=1', '/__proto__'],
    ['constructor=1', '/constructor'],
    ['constructor[prototype][x]=1', '/constructor'],
    ['prototype=1', '/prototype'],
    ['hasOwnProperty=1', '/hasOwnProperty'],
    ['Limit=1', '/Limit'],
    ['unknown=1', '/unknown'],
    ['word=%', '/word'],
    ['word=%zz', '/word'],
    ['word=%C3%28', '/word'],
    ['word=%ED%A0%80', '/word'],
    ['word=%C0%AF', '/word'],
    ['a[b][c][d][e][f][g][h][i][j]=1', '/a'],
  ])('%s', async (query, place) => {
    await refused(`GET /things?${query}`, 400, {}, place)
    expect(({} as Record<string, unknown>)['x']).toBeUndefined()
  })

  it('too many of them', () => refused(`GET /things?${'tags=a&'.repeat(201)}`, 400))
  it('brackets without end', () => refused(`GET /things?a${'['.repeat(5000)}=1`, 400))
})

describe('[ERR-07] paths', () => {
  it.each([
    ['/things/x', 400],
    ['/things/1.0', 400],
    ['/things/99999999999999999999', 400],
    ['/things/%', 400],
    ['/things/%zz', 400],
    ['/things/%C3', 400],
    ['/things/%2F', 400],
    ['/things/1/', 404],
    ['/nothing', 404],
    ['/__proto__', 404],
    ['/constructor', 404],
    [`/${'x'.repeat(5000)}`, 404],
    [`/things${'/x'.repeat(2000)}`, 404],
  ])('%s', (path, status) => refused(`GET ${path}`, status))

  it.each(['DELETE', 'PATCH', 'PURGE'])('%s is not allowed', (verb) => refused(`${verb} /things`, 405))
})

describe('[ERR-07] [ERR-03] headers', () => {
  it('a missing one', () => refused('GET /keyed', 400, {}, '/X-Key'))
  it('a mistyped one', () => refused('GET /keyed', 400, { headers: { 'x-key': 'a', 'x-count': 'x' } }, '/X-Count'))
  it('one that does not match', () =>
    refused('GET /keyed', 400, { headers: { 'x-key': 'a', 'x-mode': 'onn' } }, '/X-Mode'))
})

describe('[ERR-07] [ERR-03] JSON bodies', () => {
  it.each([
    [{}, '/name'],
    [{ name: null }, '/name'],
    [{ name: 7 }, '/name'],
    [{ name: ['a'] }, '/name'],
    [{ name: {} }, '/name'],
    [{ name: 'x'.repeat(21) }, '/name'],
    [{ name: '\u0000' }, '/name'],
    [{ name: '\ud800' }, '/name'],
    [{ name: 'a', count: 1.5 }, '/count'],
    [{ name: 'a', count: 1e300 }, '/count'],
    [{ name: 'a', count: true }, '/count'],
    [{ name: 'a', on: 'yes' }, '/on'],
    [{ name: 'a', on: 2 }, '/on'],
    [{ name: 'a', on: null }, '/on'],
    [{ name: 'a', extra: 1 }, '/extra'],
    [{ name: 'a', author: [] }, '/author'],
    [{ name: 'a', author: {} }, '/author/id'],
    [{ name: 'a', author: { id: 1, tags: 'x' } }, '/author/tags'],
    [{ name: 'a', author: { id: 1, tags: [1] } }, '/author/tags/0'],
    [{ name: 'a', author: { id: 1, tags: [null] } }, '/author/tags/0'],
    [{ name: 'a', labels: { a: 'x' } }, '/labels/a'],
    [{ name: 'a', labels: [1] }, '/labels'],
    [{ name: 'a', shape: {} }, '/shape/kind'],
    [{ name: 'a', shape: { kind: 'triangle' } }, '/shape/kind'],
    [{ name: 'a', shape: { kind: 'constructor' } }, '/shape/kind'],
    [{ name: 'a', shape: { kind: 'circle' } }, '/shape/r'],
    [{ name: 'a', shape: { kind: 'circle', r: 1, side: 2 } }, '/shape/side'],
    [[], ''],
    ['"text"', ''],
    ['7', ''],
    ['{"name":"a","__proto__":{"x":1}}', '/__proto__'],
    ['{"name":"a","constructor":{"prototype":{"x":1}}}', '/constructor'],
    ['{"name":"a","author":{"id":1,"__proto__":{"x":1}}}', '/author/__proto__'],
    ['{"name":"a","labels":{"__proto__":1}}', '/labels/__proto__'],
  ])('%j', async (body, place) => {
    const headers = { 'content-type': 'application/json' }
    await refused('POST /things', 400, { headers, body }, place)
    expect(({} as Record<string, unknown>)['x']).toBeUndefined()
  })

  it.each([
    '{"name":',
    '{"name":"a"',
    "{'name':'a'}",
    '{"name":"a",}',
    'undefined',
    'NaN',
    '{"name":"a"}{"name":"b"}',
    `${'['.repeat(900)}${']'.repeat(900)}`,
    '\u0000',
  ])('malformed: %s', (body) => refused('POST /things', 400, { headers: { 'content-type': 'application/json' }, body }))

  it('not UTF-8', () =>
    refused('POST /things', 400, {
      headers: { 'content-type': 'application/json' },
      body: new Uint8Array([34, 0xff, 34]),
    }))
  it('larger than allowed', () => refused('POST /things', 413, { body: { name: 'x'.repeat(3000) } }))
})

describe('[ERR-07] content types and codings', () => {
  it.each([['text/csv'], ['application/jsonx'], ['application/json; charset=utf-16'], ['application'], [';;;']])(
    '%s',
    (type) => refused('POST /things', 415, { headers: { 'content-type': type }, body: '{"name":"a"}' }),
  )
  it('none', () => refused('POST /things', 415, { body: new Uint8Array([123, 125]) }))
  it('an unknown coding', () =>
    refused('POST /things', 415, {
      headers: { 'content-type': 'application/json', 'content-encoding': 'zip' },
      body: '{}',
    }))
  it('not really gzip', () =>
    refused('POST /things', 400, {
      headers: { 'content-type': 'application/json', 'content-encoding': 'gzip' },
      body: '{"name":"a"}',
    }))
})

describe('[ERR-07] [INP-12] forms and multipart bodies', () => {
  const form = { 'content-type': 'application/x-www-form-urlencoded' }
  it.each([
    ['name=a&name=b', '/name'],
    ['count=1', '/name'],
    ['name=a&count=x', '/count'],
    ['name=a&author[id]=x', '/author/id'],
    ['name=a&__proto__[x]=1', '/__proto__'],
    ['name=%zz', '/name'],
  ])('%s', (body, place) => refused('POST /things', 400, { headers: form, body }, place))

  const multipart = { 'content-type': 'multipart/form-data; boundary=b' }
  const part = (head: string, value: string) => `--b\r\nContent-Disposition: form-data; ${head}\r\n\r\n${value}\r\n`
  const file = (type: string, value: string) =>
    `--b\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\nContent-Type: ${type}\r\n\r\n${value}\r\n`
  it.each([
    ['no parts', '--b--\r\n', 400, '/title'],
    ['a missing file', `${part('name="title"', 'x')}--b--\r\n`, 400, '/file'],
    ['a file of another type', `${part('name="title"', 'x')}${file('image/png', 'x')}--b--\r\n`, 400, '/file'],
    [
      'a text where a file is declared',
      `${part('name="title"', 'x')}${part('name="file"', 'x')}--b--\r\n`,
      400,
      '/file',
    ],
    [
      'an unknown part',
      `${part('name="title"', 'x')}${part('name="__proto__"', 'x')}${file('text/plain', 'x')}--b--\r\n`,
      400,
      '/__proto__',
    ],
    [
      'a file that is too large',
      `${part('name="title"', 'x')}${file('text/plain', 'x'.repeat(200))}--b--\r\n`,
      413,
      undefined,
    ],
    ['no end', part('name="title"', 'x'), 400, undefined],
    ['no boundary in it', 'hello', 400, undefined],
  ])('%s', (_, body, status, place) => refused('POST /upload', status, { headers: multipart, body }, place))
  it('no boundary declared', () =>
    refused('POST /upload', 400, { headers: { 'content-type': 'multipart/form-data' }, body: '--b--' }))
})

describe('[ERR-07] connections', () => {
  async function raw(text: string): Promise<string> {
    const { port } = new URL(await urlOf(app))
    return new Promise((resolve) => {
      const socket = connect(Number(port), '127.0.0.1', () => socket.write(text))
      let received = ''
      socket.on('data', (chunk) => {
        received += chunk.toString()
        socket.end()
      })
      socket.on('error', () => {})
      socket.on('close', () => resolve(received))
      socket.setTimeout(20_000, () => socket.destroy())
    })
  }

  it.each([
    ['two Host headers', 'GET /things HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n'],
    ['no request line', 'hello\r\n\r\n'],
    ['a bad header', 'GET /things HTTP/1.1\r\nHost: a\r\nbad header\r\n\r\n'],
    [
      'both lengths',
      'POST /things HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
    ],
  ])('%s', async (_, text) => {
    expect(await raw(text)).toMatch(/^HTTP\/1\.1 400 /)
    expect((await askSocket(app, 'GET /things')).text).toBe('list')
  })

  it('a truncated body and a client that goes away', async () => {
    const { port } = new URL(await urlOf(app))
    await new Promise<void>((resolve) => {
      const socket = connect(Number(port), '127.0.0.1', () => {
        socket.write(
          'POST /things HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 500\r\n\r\n{"name":',
          () => {
            socket.destroy()
            resolve()
          },
        )
      })
    })
    expect((await askSocket(app, 'GET /things')).text).toBe('list')
  })
})
