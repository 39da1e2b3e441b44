// Texts of JSON in queries, headers and forms: t.json.
import { application, diffContracts, endpoint, mediaType, route, t } from 'edict'
import { testClient } from 'edict/testing'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ask, mistakesOf } from '../support/ask.ts'

const Filter = t.object({
  a: t.integer(),
  tags: t.array(t.string(), { delimiter: ',' }),
  when: t.dateTime(),
  more: t.record(t.any({ nullable: true })),
})

const texts = {
  filter: t.json(Filter),
  maybe: t.json(Filter, { nullable: true }),
  list: t.json(t.array(t.integer())),
  word: t.json(t.string({ nullable: true })),
  day: t.json(t.date()),
  free: t.json(t.any()),
  late: t.ref(() => t.json(Filter)),
  where: t.object({ one: t.json(Filter), name: t.string() }),
  lines: t.array(t.object({ of: t.json(t.string()) })),
}

const FORMS = ['application/x-www-form-urlencoded', 'multipart/form-data']

const Texts = endpoint('Texts', {
  actions: {
    read: {
      routing: route.get('/'),
      params: { ...texts, initial: t.json(Filter, { default: { a: 1 } }) },
      headers: { 'X-Filter': t.json(Filter), 'X-Word': t.json(t.string()) },
      responses: { ok: t.any() },
    },
    write: {
      routing: route.post('/'),
      payload: texts,
      consumes: [...FORMS, 'application/json'],
      responses: { ok: t.any() },
    },
    upload: { routing: route.put('/'), payload: { ...texts, page: t.file() }, responses: { ok: t.any() } },
  },
})
const app = application({
  controllers: [
    Texts.implement({
      read: ({ initial: _, ...params }, { request, reply }) => reply.ok({ ...params, ...request.headers }),
      write: (_, { request, reply }) => reply.ok(request.payload),
      upload: (_, { request, reply }) => reply.ok({ ...request.payload, page: request.payload.page && 'a file' }),
    }),
  ],
})

const refusals = (json: any): string => json.errors.map((one: any) => `${one.pointer} ${one.code}`).join()

async function read(query: string, headers: Record<string, string> = {}): Promise<unknown> {
  const { status, json } = await ask(app, `GET /texts?${query}`, { headers })
  if (status !== 200) expect(status).toBe(400)
  return status === 200 ? json : refusals(json)
}

const q = (name: string, text: string): Promise<unknown> =>
  read(`${encodeURIComponent(name)}=${encodeURIComponent(text)}`)

describe('a text of JSON in a query', () => {
  it.each([
    ['filter', '{"a":1}', { a: 1 }],
    ['filter', ' { "a" : 1 } ', { a: 1 }],
    ['filter', '{"tags":["a,b","c"]}', { tags: ['a,b', 'c'] }],
    ['filter', '{"a":1,"a":2}', { a: 2 }],
    ['filter', '{}', {}],
    ['filter', '{"when":"2024-01-01T00:00:00Z"}', { when: '2024-01-01T00:00:00.000Z' }],
    ['list', '[1,2]', [1, 2]],
    ['list', '[]', []],
    ['word', '"a"', 'a'],
    ['word', '"1"', '1'],
    ['word', 'null', null],
    ['maybe', 'null', null],
    ['day', '"2024-02-29"', '2024-02-29'],
    ['free', '{"x":[1,{"y":null}]}', { x: [1, { y: null }] }],
    ['late', '{"a":1}', { a: 1 }],
    ['where[one]', '{"a":1}', { one: { a: 1 } }],
    ['lines[0][of]', '"x"', [{ of: 'x' }]],
    ['lines[][of]', '"x"', [{ of: 'x' }]],
  ])('%s=%s', async (name, text, value) => {
    expect(await q(name, text)).toEqual({ [name.replace(/\[.*/, '')]: value })
  })

  it.each([
    ['filter', '{"a":"x"}', '/filter/a type'],
    ['filter', '{"b":1}', '/filter/b unknown'],
    ['filter', '{"tags":"a,b"}', '/filter/tags type'],
    ['filter', '{"tags":[1]}', '/filter/tags/0 type'],
    ['filter', '{"a":1', '/filter json'],
    ['filter', '', '/filter json'],
    ['filter', "{'a':1}", '/filter json'],
    ['filter', '[]', '/filter type'],
    ['filter', '"{}"', '/filter type'],
    ['filter', 'null', '/filter null'],
    ['filter', '{"__proto__":{"a":1}}', '/filter/__proto__ unknown'],
    ['filter', '{"more":{"__proto__":1}}', '/filter/more/__proto__ key'],
    ['filter', '{"more":{"x":{"constructor":1}}}', '/filter/more/x/constructor key'],
    ['list', '1', '/list type'],
    ['word', 'a', '/word json'],
    ['day', '2024-02-29', '/day json'],
    ['filter[a]', '1', '/filter type'],
    ['list[]', '1', '/list repeated'],
    ['where[one]', '{"a":"x"}', '/where/one/a type'],
    ['free', `${'['.repeat(65)}${']'.repeat(65)}`, '/free depth'],
    ['free', '['.repeat(80), '/free depth'],
  ])('refuses %s=%s', async (name, text, errors) => expect(await q(name, text)).toBe(errors))

  it('says where it is malformed, and repeats none of it', async () => {
    const { json } = await ask(app, `GET /texts?filter=${encodeURIComponent('{"a":secret}')}`)
    expect(json.errors).toEqual([
      {
        in: 'params',
        pointer: '/filter',
        code: 'json',
        message: "The parameter 'filter' must be JSON; it is malformed at line 1, column 6",
      },
    ])
    const ended = await ask(app, 'GET /texts?filter=')
    expect(ended.json.errors[0].message).toContain('must be JSON; it is malformed because it ends too early')
  })

  it('is sent once', async () => expect(await read('filter={}&filter={}')).toBe('/filter repeated'))

  it('is read like a body, whatever it is', async () => {
    await fc.assert(
      fc.asyncProperty(fc.oneof(fc.json({ maxDepth: 3 }), fc.string({ maxLength: 12 })), async (text) => {
        const inQuery = await q('free', text)
        const body = await ask(app, 'POST /texts', {
          headers: { 'content-type': 'application/json' },
          body: `{"free":${text}}`,
        })
        if (body.status === 200 && Object.hasOwn(body.json, 'free')) expect(inQuery).toEqual(body.json)
        else expect(inQuery).toMatch(/^\/free/)
      }),
      { numRuns: 100 },
    )
  })
})

describe('a text of JSON in headers and forms', () => {
  it('is read in headers', async () => {
    expect(await read('', { 'x-filter': '{"a":1,"tags":["a","b"]}' })).toEqual({
      'X-Filter': { a: 1, tags: ['a', 'b'] },
    })
    expect(await read('', { 'x-word': '"\\u00fc"' })).toEqual({ 'X-Word': 'ü' })
    expect(await read('', { 'x-filter': '{"a":"x"}' })).toBe('/X-Filter/a type')
  })

  it('is read in forms, and is the value itself in JSON', async () => {
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    const form = await ask(app, 'POST /texts', { headers, body: 'filter=%7B%22a%22:1%7D&word="x"&where[one]={}' })
    expect(form.json).toEqual({ filter: { a: 1 }, word: 'x', where: { one: {} } })
    const refused = await ask(app, 'POST /texts', { headers, body: 'filter={"a":"x"}' })
    expect(refusals(refused.json)).toBe('/filter/a type')
    const body = { filter: { a: 1 }, word: 'x', maybe: null, lines: [{ of: 'y' }] }
    expect((await ask(app, 'POST /texts', { body })).json).toEqual(body)
    expect(refusals((await ask(app, 'POST /texts', { body: { filter: '{"a":1}' } })).json)).toBe('/filter type')
  })

  it('is read in multipart bodies, whatever the type of its part', async () => {
    const json = (value: unknown): Blob => new Blob([JSON.stringify(value)], { type: 'application/json' })
    const body = new FormData()
    body.append('filter', '{"a":1}')
    body.append('word', json('x'))
    body.append('list', json([1, 2]))
    body.append('where', json({ name: 'n', one: { a: 2 } }))
    body.append('lines', json([{ of: 'l' }]))
    expect((await ask(app, 'PUT /texts', { body })).json).toEqual({
      filter: { a: 1 },
      word: 'x',
      list: [1, 2],
      where: { name: 'n', one: { a: 2 } },
      lines: [{ of: 'l' }],
    })
    const wrong = new FormData()
    wrong.append('filter', json({ a: 'x' }))
    expect(refusals((await ask(app, 'PUT /texts', { body: wrong })).json)).toBe('/filter/a type')
    const malformed = new FormData()
    malformed.append('filter', new Blob(['{'], { type: 'application/json' }))
    expect(refusals((await ask(app, 'PUT /texts', { body: malformed })).json)).toBe('/filter json')
  })

  it('has as many values as a body of JSON may have, all texts together', async () => {
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    const list = (length: number): string => `[${Array(length).fill(1).join()}]`
    const few = await ask(app, 'POST /texts', { headers, body: `list=${list(30_000)}&free=${list(30_000)}` })
    expect(few.status).toBe(200)
    const many = await ask(app, 'POST /texts', { headers, body: `list=${list(40_000)}&free=${list(40_000)}` })
    expect(refusals(many.json)).toBe('/free json-size')
    const long = JSON.stringify('a,'.repeat(40_000))
    const twice = await ask(app, 'POST /texts', { headers, body: `word=${long}&free=${long}` })
    expect(twice.status).toBe(200)
  })
})

describe('the client of a text of JSON', () => {
  const calls = testClient(app, { Texts })
  const word = fc.string({
    unit: fc.constantFrom('a', '"', '\\', '%', '+', '&', '[', 'é', '😀', '\u007f'),
    maxLength: 5,
  })
  const filter = fc.record(
    {
      a: fc.integer(),
      tags: fc.array(word, { maxLength: 3 }),
      more: fc.dictionary(
        word,
        // Names that could poison an object are refused.
        fc.jsonValue({ maxDepth: 1 }).filter((one) => !/__proto__|constructor|prototype/.test(JSON.stringify(one))),
      ),
    },
    { requiredKeys: [] },
  )

  it('writes what the server reads, in queries and headers', async () => {
    await fc.assert(
      fc.asyncProperty(filter, word, fc.option(filter), async (one, text, maybe) => {
        const params = { filter: one, word: text, maybe, where: { one }, lines: [{ of: text }] }
        const headers = { 'X-Filter': one, 'X-Word': text }
        const { body } = (await calls.Texts.read(params as never, { headers } as never)) as { body: unknown }
        expect(body).toEqual(JSON.parse(JSON.stringify({ ...params, ...headers })))
      }),
      { numRuns: 100 },
    )
  })

  it('writes it in multipart bodies', async () => {
    const payload = { filter: { a: 1 }, word: 'x', where: { one: { a: 2 } }, page: new File(['x'], 'x.txt') }
    const { body } = (await (calls.Texts.upload as any)({}, { payload })) as { body: unknown }
    expect(body).toEqual({ filter: { a: 1 }, word: 'x', where: { one: { a: 2 } }, page: 'a file' })
  })

  it('writes it in forms, where only forms are taken', async () => {
    const Form = endpoint('Form', {
      actions: {
        send: {
          routing: route.post('/'),
          payload: texts,
          consumes: ['application/x-www-form-urlencoded'],
          responses: { ok: t.any() },
        },
      },
    })
    const own = application({
      controllers: [Form.implement({ send: (_, { request, reply }) => reply.ok(request.payload) })],
    })
    const payload = { filter: { a: 1 }, word: 'x', maybe: null, where: { one: { a: 2 } } }
    const { body } = (await (testClient(own, { Form }).Form.send as any)({}, { payload })) as { body: unknown }
    expect(body).toEqual(payload)
  })
})

describe('the declaration of a text of JSON', () => {
  it('is in the document as a parameter with content', () => {
    const paths = app.openapi().paths as any
    const find = (name: string) => paths['/texts'].get.parameters.find((one: any) => one.name === name)
    expect(find('list')).toEqual({
      name: 'list',
      in: 'query',
      content: {
        'application/json': {
          schema: { type: 'array', items: expect.objectContaining({ type: 'integer' }) },
          example: [expect.any(Number)],
        },
      },
    })
    for (const name of ['filter', 'late', 'where[one]', 'X-Filter']) {
      expect(Object.keys(find(name))).not.toContain('schema')
      expect(find(name).content['application/json'].schema).toBeDefined()
    }
    const { content } = paths['/texts'].post.requestBody
    expect(content['application/x-www-form-urlencoded'].encoding.filter).toEqual({ contentType: 'application/json' })
    expect(content['multipart/form-data'].encoding.late).toEqual({ contentType: 'application/json' })
  })

  const having = (params: object, payload?: object, consumes = FORMS) => {
    const One = endpoint('One', {
      actions: {
        show: {
          routing: route.post('/'),
          params: params as {},
          ...(payload && { payload: payload as {}, consumes }),
          responses: { noContent: true },
        },
      },
    })
    return application({ controllers: [One.implement({ show: (_, { reply }) => reply.noContent() })] }).contract()
  }

  it('is part of the contract: another form breaks clients', () => {
    const [plain, text] = [t.object({ a: t.integer() }), t.json(t.object({ a: t.integer() }))]
    const breaks = (before: object, after: object): string[] =>
      diffContracts(before as never, after as never).map(({ kind, rule }) => `${kind} ${rule}`)
    expect(breaks(having({ one: plain }), having({ one: text }))).toEqual(['breaking type-changed'])
    expect(breaks(having({ in: t.object({ one: plain }) }), having({ in: t.object({ one: text }) }))).toEqual([
      'breaking json-changed',
    ])
    expect(breaks(having({}, { one: text }), having({}, { one: plain }))).toEqual(['breaking json-changed'])
    const json = ['application/json']
    expect(breaks(having({}, { one: text }, json), having({}, { one: plain }, json))).toEqual([])
    expect(
      breaks(having({ one: t.json(t.bigint({ min: 1n })) }), having({ one: t.json(t.bigint({ min: 2n })) })),
    ).toEqual(['breaking minimum-raised'])
    expect(breaks(having({ one: text }), having({ one: text }))).toEqual([])
  })

  it('is refused where it has no meaning', () => {
    const problems = (spec: object, path = '/') => {
      const One = endpoint('One', {
        actions: { show: { routing: route.post(path as '/'), responses: { noContent: true }, ...spec } as never },
      })
      return mistakesOf(() => application({ controllers: [One.implement({ show: () => undefined } as never)] })).map(
        ({ setting, problem }) => `${setting}: ${problem}`,
      )
    }
    const text = t.json(t.integer())
    const Book = mediaType('Book', { attributes: { id: t.integer() } })
    expect(problems({ params: { a: t.json(Book) } })).toEqual([])
    expect(problems({ params: { a: t.array(text) } })).toEqual([
      'params.a: its elements are t.json; make the whole of it one text: t.json(t.array(…))',
    ])
    expect(problems({ params: { a: t.record(t.ref(() => text)) } })).toHaveLength(1)
    expect(problems({ params: { a: t.json(text as never) } })).toEqual([
      'params.a: it is JSON twice: write t.json once',
    ])
    expect(problems({ payload: { a: t.json(t.object({ b: t.file() })) } })).toEqual([
      'payload.a: a file cannot be a part of JSON',
    ])
    expect(problems({ payload: { a: t.json(t.ref(() => t.file())) } })).toHaveLength(1)
    expect(problems({ payload: text })).toEqual(['payload: it is t.json as a whole, and bodies are JSON already'])
    expect(problems({ params: { a: text } }, '/:a')).toEqual([
      'params.a: it is t.json, but the path /one/:a captures it',
    ])
    expect(problems({ responses: { noContent: { headers: { 'X-A': text } } } })).toHaveLength(1)
    expect(problems({ params: { a: t.json(t.integer({ min: 3, max: 1 })) } })).toEqual([
      'params.a: min (3) is greater than max (1)',
    ])
    expect(problems({ params: { a: t.json(t.object({ b: t.integer({ min: 3, max: 1 }) })) } })).toEqual([
      'params.a.b: min (3) is greater than max (1)',
    ])
    expect(problems({ params: { a: t.json('x' as never) } })).toHaveLength(1)
    expect(problems({ params: { a: t.json(t.integer(), { min: 1 } as never) } })).toHaveLength(1)
    expect(problems({ params: { a: t.json(t.integer(), { default: 'x' as never }) } })).toHaveLength(1)
  })
})
