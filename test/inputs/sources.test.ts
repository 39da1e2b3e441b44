// Params, payload and headers: where each comes from, and how payload attributes inherit from media types.
import { application, endpoint, header, inherit, mediaType, payloadOf, route, t } from 'edict'
import { describe, expect, it } from 'vitest'
import { ask } from '../support/ask.ts'

const responses = { ok: 'text/plain' } as const
const Person = mediaType('Person', { attributes: { name: t.string({ max: 3 }), age: t.integer() } })
const Blog = mediaType('Blog', {
  attributes: {
    id: t.integer(),
    title: t.string({ required: true, max: 5 }),
    kind: t.string({ values: ['red', 'blue'] }),
    tags: t.array(t.string(), { max: 2 }),
    author: t.object({ id: t.integer({ required: true }), name: t.string() }),
    owner: Person,
  },
})
const author = t.object({ id: t.integer(), tags: t.array(t.string()), home: t.object({ zip: t.integer() }) })

const Blogs = endpoint('Blogs', {
  mediaType: Blog,
  actionDefaults: { responses },
  actions: {
    show: {
      routing: route.get('/:id'),
      params: {
        id: t.integer(),
        page: t.integer(),
        author,
        tags: t.array(t.string()),
        numbers: t.array(t.integer()),
        filter: t.record(t.string()),
      },
    },
    both: {
      routing: route.post('/:id/both'),
      params: { id: t.integer(), name: t.string() },
      payload: { name: t.string(), age: t.integer() },
    },
    nested: {
      routing: route.post('/nested'),
      payload: { author, list: t.array(author), grid: t.array(t.array(t.integer())) },
    },
    heads: { routing: route.get('/heads'), headers: { 'X-Count': header(t.integer()), 'X-Any': header(/.*/) } },
    inherits: {
      routing: route.post('/inherits'),
      payload: {
        title: inherit,
        kind: inherit({ required: true }),
        tags: inherit({ default: ['new'] }),
        author: inherit,
        owner: inherit,
        notify: t.boolean({ required: true }),
      },
    },
    loosened: {
      routing: route.post('/loosened'),
      payload: { title: inherit({ required: false, nullable: true }), kind: inherit({ description: 'x' }) },
    },
    other: {
      routing: route.post('/other'),
      payload: payloadOf(Person, { name: inherit({ required: true }), age: inherit, extra: t.string() }),
    },
    ignoring: {
      routing: route.post('/ignoring'),
      ignore: ['utm_*', 'x'],
      params: { a: t.string() },
      payload: { a: t.string(), deep: t.object({ b: t.string() }) },
      consumes: ['application/json', 'application/x-www-form-urlencoded'],
    },
  },
})
const params = (given: object) => JSON.stringify(given)
const payload = (_: unknown, { request }: any) => JSON.stringify(request.payload)
const app = application({
  ignore: ['debug'],
  controllers: [
    Blogs.implement({
      show: params,
      both: (given, { request }) => JSON.stringify([given, request.payload]),
      nested: payload,
      heads: (_, { request }) => JSON.stringify(request.headers),
      inherits: payload,
      loosened: payload,
      other: payload,
      ignoring: (given, { request }) => JSON.stringify([given, request.payload]),
    }),
  ],
})
const show = async (query: string) => (await ask(app, `GET /blogs/7?${query}`)).json
const send = async (path: string, body: unknown) => (await ask(app, `POST /blogs${path}`, { body })).json
const codes = ({ errors }: any) => errors.map(({ in: part, pointer, code }: any) => `${part} ${pointer} ${code}`)

describe('sources', () => {
  it('[INP-01] params come from path captures and the query string', async () => {
    expect(await show('page=2')).toEqual({ id: 7, page: 2 })
    expect(await show('')).toEqual({ id: 7 })
    expect((await ask(app, 'GET /blogs/7')).json).toEqual({ id: 7 })
    expect(await show('&page=2&&')).toEqual({ id: 7, page: 2 })
    expect(await show('p%61ge=%32')).toEqual({ id: 7, page: 2 })
  })

  it('[INP-02] a path parameter wins over a query parameter of the same name', async () => {
    expect(await show('id=8')).toEqual({ id: 7 })
    expect(await show('id=x')).toEqual({ id: 7 })
    expect(await show('id=8&id=9')).toEqual({ id: 7 })
    expect(await show('id[x]=8')).toEqual({ id: 7 })
  })

  it('[INP-03] nested params use brackets', async () => {
    expect(await show('author[id]=7&author[home][zip]=12&author[tags][]=a&author[tags][]=b')).toEqual({
      id: 7,
      author: { id: 7, home: { zip: 12 }, tags: ['a', 'b'] },
    })
    expect(await show('author%5Bid%5D=7&filter[a.b]=x%5D')).toEqual({
      id: 7,
      author: { id: 7 },
      filter: { 'a.b': 'x]' },
    })
    for (const query of [
      'author[id=7',
      'author]id[=7',
      'author[id]x=7',
      'author[][id]=7',
      '[author]=7',
      'author[id][]=1',
      'author=1&author[id]=7',
      'author[]=1',
    ])
      expect((await show(query)).status, query).toBe(400)
    expect(codes(await show(`author${'[a]'.repeat(20)}=1`))).toEqual(['params /author depth'])
  })

  it('[INP-04] the payload is the body, and only there', async () => {
    const body = { name: 'body', age: 3 }
    expect((await ask(app, 'POST /blogs/1/both?name=query', { body })).json).toEqual([{ id: 1, name: 'query' }, body])
    expect((await ask(app, 'POST /blogs/1/both', { body })).json).toEqual([{ id: 1 }, body])
    // Neither side stands in for the other.
    expect(codes((await ask(app, 'POST /blogs/1/both?age=3', { body: {} })).json)).toEqual(['params /age unknown'])
    expect(codes((await ask(app, 'POST /blogs/1/both', { body: { id: 2 } })).json)).toEqual(['payload /id unknown'])
    expect((await ask(app, 'POST /blogs/1/both')).json).toEqual([{ id: 1 }, {}])
    // A body that no payload declares is not read.
    expect((await ask(app, 'GET /blogs/7')).status).toBe(200)
  })

  it('[INP-04] a body that cannot be read is a 4xx of its own', async () => {
    const sent = async (body: unknown, type?: string, extra = {}) => {
      const answer = await ask(app, 'POST /blogs/1/both', {
        body,
        headers: { ...(type !== undefined && { 'content-type': type }), ...extra },
      })
      return `${answer.status} ${answer.json.code}`
    }
    expect(await sent('{"name":', 'application/json')).toBe('400 malformed-body')
    expect(await sent('{}', 'text/plain')).toBe('415 unsupported-media-type')
    expect(await sent('{}')).toBe('415 unsupported-media-type')
    expect(await sent('{}', 'application/json', { 'content-encoding': 'br' })).toBe('415 unsupported-coding')
    expect(await sent(`{"name":"${'x'.repeat(1024 * 1024)}"}`, 'application/json')).toBe('413 payload-too-large')
    expect(await sent('[]', 'application/json')).toBe('400 validation')
    expect(await sent('null', 'application/json')).toBe('400 validation')
    expect(
      (
        await ask(app, 'POST /blogs/1/both', {
          body: '{"name":"n"}',
          headers: { 'content-type': 'application/vnd.acme+json; charset=utf-8' },
        })
      ).json,
    ).toEqual([{ id: 1 }, { name: 'n' }])
  })

  it('[INP-05] nested objects and arrays follow the declared structure', async () => {
    const body = {
      author: { id: 1, tags: ['a'], home: { zip: 5 } },
      list: [{ id: 1 }, { home: {} }],
      grid: [[1, 2], [], [3]],
    }
    expect(await send('/nested', body)).toEqual(body)
    expect(
      codes(await send('/nested', { author: { home: { zip: 'x', no: 1 } }, list: [{ id: 'x' }, 5], grid: [[1, 'x']] })),
    ).toEqual([
      'payload /author/home/zip type',
      'payload /author/home/no unknown',
      'payload /list/0/id type',
      'payload /list/1 type',
      'payload /grid/0/1 type',
    ])
  })

  it('[INP-06] only declared headers are validated, coerced and exposed', async () => {
    const answer = await ask(app, 'GET /blogs/heads', {
      headers: { 'x-count': '3', 'x-any': '', 'x-other': '\t!', cookie: 'a=1' },
    })
    expect(answer.json).toEqual({ 'X-Count': 3, 'X-Any': '' })
    expect(codes((await ask(app, 'GET /blogs/heads', { headers: { 'x-count': '3.5' } })).json)).toEqual([
      'headers /X-Count type',
    ])
  })
})

describe('inheritance', () => {
  const good = { title: 'T', kind: 'red', notify: true }

  it('[INP-07] an attribute declared by name only takes type and options from the media type', async () => {
    expect(await send('/inherits', { ...good, author: { id: '5' }, owner: { name: 'Ann', age: 4 } })).toMatchObject({
      title: 'T',
      author: { id: 5 },
      owner: { name: 'Ann', age: 4 },
    })
    expect(codes(await send('/inherits', { ...good, title: 'Too long', author: {}, owner: { name: 'Anna' } }))).toEqual(
      ['payload /title max-length', 'payload /author/id missing', 'payload /owner/name max-length'],
    )
    expect(codes(await send('/inherits', { kind: 'red', notify: true }))).toEqual(['payload /title missing'])
    expect(codes(await send('/inherits', { ...good, id: 1 }))).toEqual(['payload /id unknown'])
  })

  it('[INP-08] an inheriting attribute may override options', async () => {
    expect(codes(await send('/inherits', { title: 'T', notify: true }))).toEqual(['payload /kind missing'])
    expect(codes(await send('/inherits', { ...good, kind: 'green' }))).toEqual(['payload /kind values'])
    expect(await send('/inherits', good)).toMatchObject({ tags: ['new'] })
    expect(codes(await send('/inherits', { ...good, tags: ['a', 'b', 'c'] }))).toEqual(['payload /tags max-items'])
    expect(await send('/loosened', {})).toEqual({})
    expect(await send('/loosened', { title: null })).toEqual({ title: null })
    expect(codes(await send('/loosened', { title: 'Too long', kind: 'x' }))).toEqual([
      'payload /title max-length',
      'payload /kind values',
    ])
  })

  it('[INP-09] a payload may add attributes that the media type lacks', async () => {
    expect(await send('/inherits', { ...good, notify: 'f' })).toMatchObject({ notify: false })
    expect(codes(await send('/inherits', { title: 'T', kind: 'red' }))).toEqual(['payload /notify missing'])
  })

  it('[INP-10] a payload may name another media type as its reference', async () => {
    expect(await send('/other', { name: 'Ann', age: '4', extra: 'e' })).toEqual({ name: 'Ann', age: 4, extra: 'e' })
    expect(codes(await send('/other', { age: 1 }))).toEqual(['payload /name missing'])
    expect(codes(await send('/other', { name: 'Anna', title: 'T' }))).toEqual([
      'payload /name max-length',
      'payload /title unknown',
    ])
  })
})

describe('lists and unknown names', () => {
  it('[INP-11] the three ways to write a list in a query all load a collection', async () => {
    for (const query of [
      'tags[]=a&tags[]=b',
      'tags=a&tags=b',
      'tags[]=a&tags=b',
      'tags[0]=a&tags[1]=b',
      'tags%5B%5D=a&tags%5B%5D=b',
    ])
      expect(await show(query), query).toEqual({ id: 7, tags: ['a', 'b'] })
    for (const query of ['tags=a', 'tags[]=a', 'tags[0]=a'])
      expect(await show(query), query).toEqual({ id: 7, tags: ['a'] })
    expect(await show('tags=')).toEqual({ id: 7, tags: [''] })
    expect(await show('tags=a,b')).toEqual({ id: 7, tags: ['a,b'] })
    expect(await show('numbers=1&numbers=2')).toEqual({ id: 7, numbers: [1, 2] })
    expect(codes(await show('numbers=1&numbers=x'))).toEqual(['params /numbers/1 type'])
    expect(codes(await show('page=1&page=2'))).toEqual(['params /page repeated'])
  })

  it('[INP-13] unknown query parameters and payload attributes are refused by name', async () => {
    expect(codes(await show('pgae=2&Page=1&a[b]=c'))).toEqual([
      'params /pgae unknown',
      'params /Page unknown',
      'params /a unknown',
    ])
    expect((await show('pgae=2')).errors[0].message).toBe("The parameter 'pgae' is not a known name")
    expect(codes(await send('/nested', { author: { name: 'x' }, other: 1 }))).toEqual([
      'payload /author/name unknown',
      'payload /other unknown',
    ])
    for (const name of ['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty']) {
      expect(codes(await show(`${name}=1`)), name).toEqual([`params /${name} unknown`])
      expect(codes(await show(`author[${name}]=1`)), name).toEqual([`params /author/${name} unknown`])
      const body = `{"author":{"${name}":{"x":1}}}`
      const answer = await ask(app, 'POST /blogs/nested', { body, headers: { 'content-type': 'application/json' } })
      expect([answer.status, answer.text.includes(name)], name).toEqual([400, true])
    }
    expect(({} as any).x).toBe(undefined)
  })

  it('[INP-13] names to ignore can be listed, for an application and for an action', async () => {
    expect((await ask(app, 'GET /blogs/7?debug=1')).json).toEqual({ id: 7 })
    const line = 'POST /blogs/ignoring?debug=1&utm_source=s&x=1&a=b'
    const body = { a: 'c', utm_x: 1, x: { y: 1 }, deep: { b: 'd' } }
    expect((await ask(app, line, { body })).json).toEqual([{ a: 'b' }, { a: 'c', deep: { b: 'd' } }])
    const form = new URLSearchParams({ a: 'c', utm_x: '1', 'x[y]': '1', 'deep[b]': 'd' })
    expect((await ask(app, line, { body: form })).json).toEqual([{ a: 'b' }, { a: 'c', deep: { b: 'd' } }])
    expect(codes((await ask(app, 'POST /blogs/ignoring?utm=1', { body: { y: 1 } })).json)).toEqual([
      'params /utm unknown',
      'payload /y unknown',
    ])
  })
})
