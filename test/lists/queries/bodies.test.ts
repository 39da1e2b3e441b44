// Params of lists in bodies over HTTP: what is taken, what is refused and where, and which links lead on.

import { connect } from 'node:http2'
import { type Application, application, collectionOf, endpoint, mediaType, route, t } from 'edict'
import { cacheControl } from 'edict/cache'
import { client } from 'edict/client'
import { conditional, etag } from 'edict/conditional'
import { cors } from 'edict/cors'
import { FieldSelector, FilteringParams, mapper, memoryDatastore, resource } from 'edict/mapper'
import { serve } from 'edict/node'
import { OrderingParams, PaginationParams, pagination } from 'edict/pagination'
import { checkApplication } from 'edict/testing'
import { beforeAll, describe, expect, it } from 'vitest'
import { ask, mistakesOf } from '../../support/ask.ts'
import { openMemory } from '../../support/library/open.ts'
import { runs } from '../../support/runs.ts'
import { cert, key } from '../../support/serving/certificate.ts'
import { applicationOf, Books } from './design.ts'

const JSON_TYPE = { 'content-type': 'application/json' }
const FORM = { 'content-type': 'application/x-www-form-urlencoded' }
const ACCEPTED = 'application/json, application/x-www-form-urlencoded'

let app: Application

beforeAll(async () => {
  const { library } = await openMemory()
  app = applicationOf(library)
})

const idsOf = ({ json }: { readonly json: any }): number[] => json.map(({ id }: { id: number }) => id)
const next = (link = ''): string => /<([^>]*)>; rel="next"/.exec(link)?.[1] ?? ''

describe('a QUERY', () => {
  it('[LST-13] takes the params of a list in its body, as JSON and as a form, and answers as GET does', async () => {
    const get = await ask(app, 'GET /books?filters=pages%3E100&order=-id&pagination=items%3D3&fields=id,title')
    const asked = { filters: 'pages>100', order: '-id', pagination: 'items=3', fields: 'id,title' }
    for (const line of ['QUERY /books', 'POST /books/search', 'QUERY /books/found']) {
      const json = await ask(app, line, { body: asked })
      const form = await ask(app, line, { body: new URLSearchParams(asked) })
      expect([json.status, form.status]).toEqual([200, 200])
      expect(json.json).toEqual(get.json)
      expect(form.json).toEqual(get.json)
    }
    expect(get.json).toHaveLength(3)
  })

  it('[LST-13] reads values of JSON as themselves', async () => {
    const answer = await ask(app, 'QUERY /books/offsets', { body: { limit: 2, offset: 1, filter: 'id>0' } })
    expect(answer.json).toEqual((await ask(app, 'GET /books/offsets?limit=2&offset=1&filter=id%3E0')).json)
    const kinds = await ask(app, 'QUERY /books', { body: { kinds: ['novel'], shelf: 3 } })
    expect(kinds.status).toBe(200)
  })

  it('[LST-13] is refused with the issues of GET, at their location in the body', async () => {
    const wrong = { filters: 'pages>', order: 'nope', kinds: ['x'], unknown: 1, pagination: 'page=0', shelf: 'a' }
    const pairs = new URLSearchParams(Object.entries(wrong).map(([name, value]) => [name, String(value)]))
    const get = await ask(app, `GET /books?${pairs}`)
    for (const body of [wrong, pairs])
      for (const line of ['QUERY /books', 'POST /books/search']) {
        const refused = await ask(app, line, { body })
        expect(refused.status).toBe(400)
        const place = ({ in: part, ...rest }: any) => rest
        const inside = refused.json.errors.map((one: any) => one.in)
        expect(inside).toEqual(inside.map(() => 'payload'))
        if (body === pairs) expect(refused.json.errors.map(place)).toEqual(get.json.errors.map(place))
        expect(refused.json.errors.map((one: any) => [one.pointer.split('/')[1], one.code]).sort()).toEqual(
          get.json.errors.map((one: any) => [one.pointer.split('/')[1], one.code]).sort(),
        )
      }
    const both = await ask(app, 'QUERY /books?shelf=a', { body: { kinds: 1 } })
    expect(both.json.errors.map((one: any) => [one.in, one.pointer])).toEqual([
      ['params', '/shelf'],
      ['payload', '/kinds'],
    ])
  })

  it('[LST-13] is refused where its continuation belongs to another list, at its location in the body', async () => {
    const first = await ask(app, 'QUERY /books', { body: { pagination: 'by=id,items=2', filters: 'id>1' } })
    const place = new URLSearchParams(next(first.headers['link']).split('?')[1]).get('pagination')
    const other = await ask(app, 'QUERY /books', { body: { pagination: place, filters: 'id>2' } })
    expect(other.status).toBe(400)
    expect(other.json.errors[0]).toMatchObject({ in: 'payload', pointer: '/pagination' })
  })

  it.each([
    ['[]', 400],
    ['null', 400],
    ['"filters"', 400],
    ['1', 400],
    ['{"__proto__":{"shelf":1}}', 400],
    ['{"constructor":1}', 400],
    ['{"filters":{"a":1}}', 400],
    ['{"filters":null}', 400],
    ['{', 400],
    ['{}', 200],
    ['', 200],
  ])('[LST-13] %s as JSON is a %i', async (body, status) => {
    for (const line of ['QUERY /books', 'POST /books/search'])
      expect((await ask(app, line, { body, headers: JSON_TYPE })).status).toBe(status)
  })

  it('[LST-13] has the limits of bodies', async () => {
    const long = JSON.stringify({ filters: 'x'.repeat(1_100_000) })
    expect((await ask(app, 'QUERY /books', { body: long, headers: JSON_TYPE })).status).toBe(413)
    const many = Array.from({ length: 300 }, () => 'kinds=novel').join('&')
    expect((await ask(app, 'QUERY /books', { body: many, headers: FORM })).status).toBe(400)
    const deep = `{"filters":${'['.repeat(100)}${']'.repeat(100)}}`
    expect((await ask(app, 'QUERY /books', { body: deep, headers: JSON_TYPE })).status).toBe(400)
  })

  it('[LST-13] of another content type, or without one, is a 415 that names those that are taken', async () => {
    for (const headers of [{ 'content-type': 'text/plain' }, { 'content-type': 'application/xml' }, {}]) {
      const refused = await ask(app, 'QUERY /books', { body: '{}', headers })
      expect(refused.status).toBe(415)
      expect(refused.headers['accept-query']).toBe(ACCEPTED)
    }
    expect((await ask(app, 'QUERY /books')).status).toBe(415)
    expect((await ask(app, 'POST /books/search')).status).toBe(200)
  })

  it('[LST-13] is announced by Accept-Query and Allow wherever its path answers, and nowhere else', async () => {
    for (const line of ['GET /books', 'HEAD /books', 'OPTIONS /books', 'DELETE /books'])
      expect((await ask(app, line)).headers['accept-query'], line).toBe(ACCEPTED)
    expect((await ask(app, 'OPTIONS /books')).headers['allow']).toBe('GET, QUERY, HEAD, OPTIONS')
    expect((await ask(app, 'GET /books/found')).headers['allow']).toBe('QUERY, OPTIONS')
    expect((await ask(app, 'HEAD /books/found')).status).toBe(405)
    expect((await ask(app, 'POST /books/search')).headers['accept-query']).toBeUndefined()
    expect((await ask(app, 'OPTIONS /books/search')).headers['accept-query']).toBeUndefined()
  })

  it('[LST-13] over HTTP/2 is served as over HTTP/1.1', async () => {
    const server = await serve(app, { port: 0, host: '127.0.0.1', signals: false, fatal: false, tls: { key, cert } })
    const session = connect(server.url, { rejectUnauthorized: false })
    try {
      const stream = session.request({ ':method': 'QUERY', ':path': '/books', ...JSON_TYPE })
      stream.end('{"order":"-id","pagination":"items=2"}')
      let text = ''
      for await (const piece of stream.setEncoding('utf8')) text += piece
      const plain = await ask(app, 'QUERY /books', { body: { order: '-id', pagination: 'items=2' } })
      expect(JSON.parse(text)).toEqual(plain.json)
    } finally {
      session.close()
      await server.close()
    }
  })
})

describe('links of a list that was requested in a body', () => {
  it('[LST-13] are those of GET where the path has one', async () => {
    const asked = {
      filters: 'title=*e*',
      order: 'title',
      pagination: 'page=1,items=2,total_count=true',
      kinds: ['novel', 'essay'],
    }
    const query =
      'filters=title%3D*e*&order=title&kinds[]=novel&kinds[]=essay&pagination=page%3D1%2Citems%3D2%2Ctotal_count%3Dtrue'
    const get = await ask(app, `GET /books?${query}`)
    const answer = await ask(app, 'QUERY /books', { body: asked })
    const targets = (link = ''): string[] => [...link.matchAll(/<([^>]*)>/g)].map(([, target]) => target as string)
    const found = targets(answer.headers['link'])
    expect(found.length).toBeGreaterThan(1)
    for (const [i, target] of found.entries()) {
      const [own, other] = [await ask(app, `GET ${target}`), await ask(app, `GET ${targets(get.headers['link'])[i]}`)]
      expect(own.status).toBe(200)
      expect(own.json).toEqual(other.json)
      expect((await ask(app, `QUERY ${target}`, { body: asked })).json).toEqual(own.json)
    }
  })

  it.each(['QUERY /books', 'POST /books/search', 'QUERY /books/found'])(
    '[LST-13] of %s lead on with the same method and body, also where that is long',
    async (line) => {
      const many = Array.from({ length: 2000 }, (_, i) => i + 1).join(',')
      for (const filters of ['id>0', `id=${many}`])
        for (const pagination of ['items=3', 'by=title,items=3']) {
          const asked = { filters, pagination, fields: 'id' }
          const whole = await ask(app, 'GET /books?pagination=items=50&fields=id')
          const ids: number[] = []
          let target = line.split(' ')[1] as string
          while (target !== '') {
            const page = await ask(app, `${line.split(' ')[0]} ${target}`, { body: asked })
            expect(page.status).toBe(200)
            ids.push(...idsOf(page))
            expect(Buffer.byteLength(page.headers['link'] ?? '')).toBeLessThan(13 * 1024)
            target = next(page.headers['link'])
          }
          expect(ids.sort((a, b) => a - b)).toEqual(idsOf(whole).sort((a, b) => a - b))
        }
    },
  )
})

describe('the client', () => {
  const made = (around?: (request: Request) => void) =>
    client(
      { Books },
      {
        baseUrl: 'http://library.test',
        fetch: async (request: Request) => {
          around?.(request)
          return app.fetch(request)
        },
      },
    )

  it('[LST-13] sends params in the body by the verb that is requested, and where a query would be long', async () => {
    const seen: string[] = []
    const api = made(({ method, url }) => seen.push(`${method} ${new URL(url).pathname}${new URL(url).search}`))
    const short = { filters: 'id>0', pagination: { items: 2 } } as never
    const whole = await api.Books.index.ok(short)
    for (const method of ['QUERY', 'POST'] as const) expect(await api.Books.index.ok(short, { method })).toEqual(whole)
    expect(await api.Books.found.ok(short)).toEqual(whole)
    await api.Books.index.ok({ filters: `id=${Array.from({ length: 900 }, (_, i) => i + 1).join(',')}` } as never)
    expect(seen.map((line) => line.split('?')[0])).toEqual([
      'GET /books',
      'QUERY /books',
      'POST /books/search',
      'QUERY /books/found',
      'QUERY /books',
    ])
    await expect(api.Books.found.ok(short, { method: 'GET' })).rejects.toThrow('Books.found has no route for GET')
  })

  it('[LST-13] walks lists to their end by every verb and convention', async () => {
    const api = made()
    const all = async (walk: AsyncIterable<any>): Promise<number[]> => {
      const ids: number[] = []
      for await (const { id } of walk) ids.push(id)
      return ids.sort((a, b) => a - b)
    }
    const expected = await all(api.Books.index.all())
    expect(expected.length).toBeGreaterThan(5)
    for (const pagination of [{ items: 2 }, { by: 'title', items: 2 }])
      for (const method of ['GET', 'QUERY', 'POST'] as const)
        expect(await all(api.Books.index.all({ pagination } as never, { method }))).toEqual(expected)
    for (const method of ['GET', 'QUERY'] as const)
      expect(await all(api.Books.offsets.all({ limit: 2, offset: 1 } as never, { method }))).toEqual(
        await all(api.Books.offsets.all({ limit: 50, offset: 1 } as never)),
      )
    expect(await all(api.Books.keys.all({ limit: 2 } as never))).toEqual(expected)
  })
})

describe('policies and plugins', () => {
  const Notes = endpoint('Notes', {
    actions: {
      index: {
        routing: [route.get('/'), route.query('/')],
        params: { word: t.string() },
        policies: [etag('body'), cacheControl({ maxAge: 60 })],
        responses: { ok: t.array(t.string()) },
      },
      run: {
        routing: route.query('/run'),
        payload: t.string(),
        consumes: ['application/sql'],
        responses: { ok: t.string() },
      },
    },
  })
  const notes = application({
    plugins: [conditional(), cors({ origins: ['https://app.example'] })],
    controllers: [
      Notes.implement({
        index: ({ word }, { reply }) => reply.ok([word ?? '']),
        run: (_, { request, reply }) => reply.ok(request.payload as string),
      }),
    ],
  })

  it('[LST-13] a QUERY has an ETag, its own 304 and its Cache-Control', async () => {
    const first = await ask(notes, 'QUERY /notes', { body: { word: 'a' } })
    expect(first.headers['cache-control']).toBe('max-age=60')
    const tag = first.headers['etag'] as string
    const again = await ask(notes, 'QUERY /notes', { body: { word: 'a' }, headers: { 'if-none-match': tag } })
    expect(again.status).toBe(304)
    const other = await ask(notes, 'QUERY /notes', { body: { word: 'b' }, headers: { 'if-none-match': tag } })
    expect(other.status).toBe(200)
  })

  it('[LST-13] pages of other origins ask first, and may then send it', async () => {
    const preflight = await ask(notes, 'OPTIONS /notes', {
      headers: { origin: 'https://app.example', 'access-control-request-method': 'QUERY' },
    })
    expect(preflight.status).toBe(204)
    expect(preflight.headers['access-control-allow-methods']).toContain('QUERY')
    expect(preflight.headers['access-control-allow-headers']).toContain('Content-Type')
  })

  it('[LST-13] the body of a QUERY is the payload where the action declares one', async () => {
    const answer = await ask(notes, 'QUERY /notes/run', {
      body: 'select 1',
      headers: { 'content-type': 'application/sql' },
    })
    expect(answer.json).toBe('select 1')
    expect((await ask(notes, 'GET /notes/run')).headers['accept-query']).toBe('application/sql')
  })

  it('[LST-13] documents have it under x-query, and POST with its body', () => {
    const { paths } = app.openapi()
    const query = paths['/books']?.['x-query']
    expect(Object.keys(query?.requestBody?.content ?? {})).toEqual(ACCEPTED.split(', '))
    expect(query?.requestBody?.required).toBe(true)
    expect(query?.parameters).toBeUndefined()
    expect(paths['/books']?.['get']?.parameters?.map(({ name }) => name)).toContain('filters')
    const { schema } = paths['/books/search']?.['post']?.requestBody?.content['application/json'] ?? {}
    expect(Object.keys((schema as any).properties)).toContain('pagination')
    expect((schema as any).additionalProperties).toBe(false)
  })

  it('[LST-13] checkApplication calls every route of a list, and finds nothing', { timeout: 120_000 }, async () => {
    const verbs = new Set<string>()
    const counted = tally((method) => verbs.add(method))
    await checkApplication(counted, { runs: runs(40, 150), seed: 13 })
    expect([...verbs]).toEqual(expect.arrayContaining(['GET', 'QUERY', 'POST']))
  })

  it('[LST-13] mistakes of declarations do not boot', () => {
    const wrong = endpoint('Wrong', {
      actions: {
        a: { routing: route.get('/a', { params: 'body' }), responses: { ok: t.string() } },
        b: { routing: route.post('/b', { params: 'body' }), payload: { x: t.string() }, responses: { ok: t.string() } },
      },
    })
    const mistakes = mistakesOf(() =>
      application({
        controllers: [wrong.implement({ a: (_, { reply }) => reply.ok(''), b: (_, { reply }) => reply.ok('') })],
      }),
    )
    expect(mistakes.map(({ problem }) => problem)).toEqual([
      'GET takes its params in the query',
      'the body is the payload of the action',
    ])
  })
})

// Words in memory, with a plugin that sees the method of every request that is not refused.
function tally(seen: (method: string) => void): Application {
  const Word = mediaType('Word', {
    attributes: { id: t.integer({ required: true }), text: t.string({ required: true }) },
  })
  const params = {
    filters: FilteringParams.for(Word),
    order: OrderingParams.for(Word),
    fields: FieldSelector.for(Word),
    pagination: PaginationParams.for(Word),
  }
  const responses = { ok: collectionOf(Word) }
  const Words = endpoint('Words', {
    mediaType: Word,
    actions: {
      index: { routing: [route.get('/'), route.query('/')], params, responses },
      found: { routing: [route.query('/found'), route.post('/found', { params: 'body' })], params, responses },
    },
  })
  const rows = Array.from({ length: 12 }, (_, i) => ({ id: i + 1, text: `word ${i % 5}` }))
  const columns = { id: { kind: 'integer' }, text: { kind: 'text' } } as const
  const words = resource(memoryDatastore({ words: { columns, key: ['id'], rows } }), Word, { table: 'words' })
  const plugins = [mapper({ resources: [words] }), pagination()]
  const list = Words.implement({
    index: async (_, { request, reply }) => reply.ok(await words.list(request)),
    found: async (_, { request, reply }) => reply.ok(await words.list(request)),
  }).before('action', ({ request }) => void seen(request.method))
  return application({ controllers: [list], plugins })
}
