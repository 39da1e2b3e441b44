// Lists in queries, forms and headers: elements in one text, and structures by repeated brackets.
import { application, diffContracts, endpoint, mediaType, route, t } from 'edict'
import { testClient } from 'edict/testing'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ask, mistakesOf } from '../support/ask.ts'

const Line = t.object({
  name: t.string({ required: true }),
  qty: t.integer({ default: 1 }),
  tags: t.array(t.string()),
})

const lists = {
  ids: t.array(t.integer(), { delimiter: ',', max: 3 }),
  words: t.array(t.string(), { delimiter: ',' }),
  spaced: t.array(t.string(), { delimiter: ' ' }),
  barred: t.array(t.string(), { delimiter: '|' }),
  where: t.object({ ids: t.array(t.integer(), { delimiter: ',' }), not: t.array(t.string()) }),
  rows: t.array(t.array(t.integer(), { delimiter: ',' })),
  lines: t.array(Line),
}

const Lists = endpoint('Lists', {
  actions: {
    read: { routing: route.get('/'), params: lists, headers: { 'X-Ids': lists.ids }, responses: { ok: t.any() } },
    write: {
      routing: route.post('/'),
      payload: lists,
      consumes: ['application/json', 'application/x-www-form-urlencoded', 'multipart/form-data'],
      responses: { ok: t.any() },
    },
    upload: { routing: route.put('/'), payload: { ...lists, page: t.file() }, responses: { ok: t.any() } },
  },
})
const app = application({
  controllers: [
    Lists.implement({
      read: (params, { request, reply }) => reply.ok({ ...params, ...request.headers }),
      write: (_, { request, reply }) => reply.ok(request.payload),
      upload: (_, { request, reply }) => reply.ok({ ...request.payload, page: request.payload.page && 'a file' }),
    }),
  ],
})

async function read(query: string): Promise<unknown> {
  const { status, json } = await ask(app, `GET /lists?${query}`)
  const refused = () => json.errors.map((one: any) => `${one.pointer} ${one.code}`).join()
  return status === 200 ? json : refused()
}

describe('lists in one text', () => {
  it.each([
    ['ids=1,2,3', { ids: [1, 2, 3] }],
    ['ids=7', { ids: [7] }],
    ['ids=', { ids: [] }],
    ['ids', { ids: [] }],
    ['ids=1,2&ids=3', { ids: [1, 2, 3] }],
    ['ids[]=1&ids[]=2', { ids: [1, 2] }],
    ['ids[0]=1&ids[1]=2', { ids: [1, 2] }],
    ['words=a,,b', { words: ['a', '', 'b'] }],
    ['words=,', { words: ['', ''] }],
    ['words[]=', { words: [''] }],
    ['words[]=a,b', { words: ['a,b'] }],
    ['words=a%2Cb,c', { words: ['a,b', 'c'] }],
    ['words=a%2Cb', { words: ['a,b'] }],
    ['words=a+b,%C3%A9', { words: ['a b', 'é'] }],
    ['%77ords=a,b', { words: ['a', 'b'] }],
    ['spaced=a%20b+c', { spaced: ['a', 'b', 'c'] }],
    ['barred=a%7Cb', { barred: ['a', 'b'] }],
    ['barred=a|b', { barred: ['a', 'b'] }],
    ['where[ids]=1,2', { where: { ids: [1, 2] } }],
    ['where%5Bids%5D=1,2&where[not]=a,b', { where: { ids: [1, 2], not: ['a,b'] } }],
    ['rows[]=1,2&rows[]=3', { rows: [[1, 2], [3]] }],
  ])('%s', async (query, loaded) => expect(await read(query)).toEqual(loaded))

  it.each([
    ['ids=1,x', '/ids/1 type'],
    ['ids=1,,2', '/ids/1 type'],
    ['ids=1%2C2', '/ids/0 type'],
    ['ids=1,2,3,4', '/ids max-items'],
    [`words=${','.repeat(1000)}`, '/words max-items'],
    ['words=a,%ff', '/words encoding'],
    ['ids[x]=1', '/ids type'],
    ['other=1,2', '/other unknown'],
  ])('refuses %s', async (query, errors) => expect(await read(query)).toBe(errors))

  it('are read in forms and multipart bodies too, and are lists in JSON', async () => {
    const form = await ask(app, 'POST /lists', {
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: 'ids=1,2&words=a%2Cb,c&lines[][name]=x&lines[][qty]=2&lines[][name]=y',
    })
    const lines = [
      { name: 'x', qty: 2 },
      { name: 'y', qty: 1 },
    ]
    expect(form.json).toEqual({ ids: [1, 2], words: ['a,b', 'c'], lines })
    const body = new FormData()
    for (const [name, value] of Object.entries({ ids: '1,2', spaced: 'a b', barred: '', 'where[ids]': '3,4' }))
      body.append(name, value)
    expect((await ask(app, 'PUT /lists', { body })).json).toEqual({
      ids: [1, 2],
      spaced: ['a', 'b'],
      barred: [],
      where: { ids: [3, 4] },
    })
    expect((await ask(app, 'POST /lists', { body: { ids: [1, 2] } })).json).toEqual({ ids: [1, 2] })
    expect((await ask(app, 'POST /lists', { body: { ids: '1,2' } })).json.errors).toMatchObject([
      { pointer: '/ids', code: 'type' },
    ])
  })

  it('are read in headers', async () => {
    expect((await ask(app, 'GET /lists', { headers: { 'x-ids': '1, 2,3' } })).json).toEqual({ 'X-Ids': [1, 2, 3] })
  })

  it('come back from what the client writes, whatever their elements are', async () => {
    const calls = testClient(app, { Lists })
    const word = fc.string({ unit: fc.constantFrom('a', ',', ' ', '|', '%', '+', '&', '[', 'é'), maxLength: 4 })
    const words = fc.array(word, { maxLength: 4 })
    await fc.assert(
      fc.asyncProperty(words, words, fc.array(fc.nat(9), { maxLength: 3 }), async (some, others, ids) => {
        const params = { words: some, spaced: others, barred: others, ids, where: { ids } }
        const { body } = (await calls.Lists.read(params)) as { body: unknown }
        expect(body).toEqual(params)
      }),
      { numRuns: 200 },
    )
  })
})

describe('lists of structures', () => {
  it('begin a new element where a name comes again', async () => {
    expect(await read('lines[][name]=a&lines[][qty]=2&lines[][tags][]=x&lines[][tags][]=y&lines[][name]=b')).toEqual({
      lines: [
        { name: 'a', qty: 2, tags: ['x', 'y'] },
        { name: 'b', qty: 1 },
      ],
    })
  })

  it('are refused at the location of the element', async () => {
    expect(await read('lines[][name]=a&lines[][qty]=x')).toBe('/lines/0/qty type')
    expect(await read('lines[][name]=a&lines[][name]=b&lines[][colour]=red')).toBe('/lines/1/colour unknown')
    expect(await read('lines[][qty]=1&lines[][qty]=2')).toBe('/lines/0/name missing,/lines/1/name missing')
    expect(await read('lines[0][name]=a&lines[][name]=b')).toContain('/lines mixed')
    expect(await read('lines[]=a&lines[][name]=b')).toBe('/lines/0 type')
  })
})

describe('the declaration of a delimiter', () => {
  it('is in the document as OpenAPI says it', () => {
    const paths = app.openapi().paths as any
    const style = (name: string) => {
      const { style, explode } = paths['/lists'].get.parameters.find((one: any) => one.name === name)
      return [style, explode]
    }
    expect([style('ids'), style('spaced'), style('barred'), style('where[ids]'), style('where[not]')]).toEqual([
      ['form', false],
      ['spaceDelimited', false],
      ['pipeDelimited', false],
      ['form', false],
      ['form', true],
    ])
    const { encoding } = paths['/lists'].post.requestBody.content['application/x-www-form-urlencoded']
    expect(encoding.barred).toEqual({ style: 'pipeDelimited', explode: false })
  })

  it('is part of the contract: another one breaks clients', () => {
    const having = (delimiter: ',' | '|' | undefined) => {
      const One = endpoint('One', {
        actions: {
          show: {
            routing: route.get('/'),
            params: { ids: t.array(t.integer(), delimiter === undefined ? {} : { delimiter }) },
            responses: { ok: true },
          },
        },
      })
      return application({ controllers: [One.implement({ show: () => '' })] }).contract()
    }
    for (const [before, after] of [
      [undefined, ','],
      [',', '|'],
      ['|', undefined],
    ] as const)
      expect(diffContracts(having(before), having(after))).toMatchObject([
        { kind: 'breaking', rule: 'delimiter-changed' },
      ])
    expect(diffContracts(having(','), having(','))).toEqual([])
  })

  it('is refused where it has no meaning', () => {
    const problems = (params: object, path = '/', headers: object = {}) => {
      const One = endpoint('One', {
        actions: {
          show: {
            routing: route.get(path as '/'),
            params: params as {},
            headers: headers as {},
            responses: { ok: true },
          },
        },
      })
      return mistakesOf(() => application({ controllers: [One.implement({ show: () => '' })] })).map(
        ({ setting, problem }) => `${setting}: ${problem}`,
      )
    }
    const of = (delimiter: unknown, element: any = t.integer()) => t.array(element, { delimiter } as {})
    expect(problems({ ids: of(';') })).toHaveLength(1)
    expect(problems({ ids: of(',', t.object({ a: t.integer() })) })).toEqual([
      'params.ids: delimiter is for lists of single values, not of object',
    ])
    expect(problems({ ids: of(',', mediaType('M', { attributes: { a: t.integer() } })) })).toHaveLength(1)
    // Found by the laws: a text was divided for the variant that it was not meant for.
    const union = (one: any, other: any) => problems({ u: t.union('is', { one: { a: one }, other: { a: other } }) })
    expect(union(of(','), t.string())).toEqual([
      'params.u: the variants divide the texts of a differently; give one of them another name',
    ])
    expect(union(t.object({ ids: of(',') }), t.object({ ids: of('|') }))).toHaveLength(1)
    expect(union(of(','), of(','))).toEqual([])
    expect(problems({ ids: of(',') }, '/:ids')).toEqual([
      'params.ids: it has a delimiter, but the path /one/:ids captures it',
    ])
    expect(problems({}, '/', { 'X-Ids': of('|') })).toEqual([
      'headers.X-Ids: its delimiter is not a comma, which separates lists in headers',
    ])
    // @ts-expect-error only what OpenAPI can say
    t.array(t.integer(), { delimiter: ';' })
  })
})
