// Attributes over HTTP: every type in params and payload, options, presence, and all errors at once.
import { application, endpoint, has, route, t } from 'edict'
import { describe, expect, it } from 'vitest'
import { ask } from '../support/ask.ts'

const deep = {
  a: t.object({ b: t.object({ c: t.integer({ nullable: true }), d: t.string({ default: 'D' }), e: t.boolean() }) }),
}
const types = {
  text: t.string({ max: 5 }),
  count: t.integer({ min: -5, max: 1000 }),
  flag: t.boolean({ default: false }),
  tags: t.array(t.string(), { max: 3 }),
  numbers: t.array(t.integer()),
  author: t.object({ id: t.integer({ required: true }), name: t.string({ pattern: /[A-Z]\w*/ }) }),
  kind: t.string({ values: ['red', 'blue'] }),
  big: t.bigint(),
  ratio: t.number(),
  day: t.date(),
  moment: t.dateTime(),
  note: t.string({ nullable: true }),
  ...deep,
}

/** Which attributes are there, at every depth, as the presence test sees it. */
function presence(structure: Readonly<Record<string, unknown>>, names: readonly string[]): unknown {
  return Object.fromEntries(
    names.map((name) => {
      const value = structure[name]
      const nested = typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Date)
      return [name, nested ? presence(value as never, Object.keys(NAMES[name] ?? {})) : has(structure, name)]
    }),
  )
}
const NAMES: Record<string, object> = { a: { b: 1 }, b: { c: 1, d: 1, e: 1 }, author: { id: 1, name: 1 } }

const encode = (value: unknown) => JSON.stringify(value, (_, one) => (typeof one === 'bigint' ? `${one}n` : one))

const Things = endpoint('Things', {
  actions: {
    query: { routing: route.get('/'), params: types, responses: { ok: true } },
    body: { routing: route.post('/'), payload: types, responses: { ok: true } },
    seen: { routing: route.put('/'), payload: types, responses: { ok: true } },
    asked: { routing: route.get('/asked'), params: types, responses: { ok: true } },
    must: {
      routing: route.patch('/'),
      payload: {
        id: t.integer({ required: true }),
        who: t.object({ name: t.string({ required: true }) }, { required: true }),
      },
      responses: { ok: true },
    },
  },
})
const app = application({
  controllers: [
    Things.implement({
      query: (params) => encode(params),
      body: (_, { request }) => encode(request.payload),
      seen: (_, { request }) => encode(presence(request.payload, Object.keys(types))),
      asked: (params) => encode(presence(params, Object.keys(types))),
      must: (_, { request }) => encode(request.payload),
    }),
  ],
})
const query = async (text: string) => (await ask(app, `GET /things?${text}`)).json
const body = async (sent: object) => (await ask(app, 'POST /things', { body: sent })).json
const refusals = (problem: any) =>
  problem.errors.map(({ in: part, pointer, code }: any) => `${part} ${pointer} ${code}`)

describe('types', () => {
  it('[ATT-01] every type loads from the query, coerced', async () => {
    expect(await query('text=a%20b&count=-5&flag=1&ratio=1.5&big=12345678901234567890&day=2026-02-28')).toEqual({
      text: 'a b',
      count: -5,
      flag: true,
      ratio: 1.5,
      big: '12345678901234567890n',
      day: '2026-02-28',
    })
    expect(await query('tags=x&tags=y&numbers[]=1&numbers[]=2&author[id]=7&author[name]=Ann')).toMatchObject({
      tags: ['x', 'y'],
      numbers: [1, 2],
      author: { id: 7, name: 'Ann' },
    })
    expect(await query('moment=2026-02-28T12:00:00%2B02:00')).toMatchObject({ moment: '2026-02-28T10:00:00.000Z' })
  })

  it('[ATT-01] every type loads from a payload', async () => {
    const sent = {
      text: '',
      count: 0,
      flag: true,
      tags: [],
      numbers: [1, -1],
      author: { id: 7 },
      kind: 'red',
      ratio: -0.5,
      day: '2024-02-29',
    }
    expect(await body(sent)).toEqual(sent)
    expect(await body({ big: '9007199254740993', moment: '2026-02-28T12:00:00Z' })).toMatchObject({
      big: '9007199254740993n',
      moment: '2026-02-28T12:00:00.000Z',
    })
    expect(await body({ count: '12', flag: 'F' })).toEqual({ count: 12, flag: false })
  })

  it('[ATT-01] what is not exactly of the type is refused, never guessed', async () => {
    for (const text of [
      'count=1.0',
      'count=',
      'count=0x1',
      'count=1e3',
      'count=%201',
      'count=9007199254740993',
      'count=NaN',
      'flag=yes',
      'flag=',
      'flag=tRue',
      'ratio=Infinity',
      'day=2026-02-30',
      'moment=yesterday',
      'numbers=1,2',
      'author=7',
      'author[id]=',
      'text[x]=1',
      'text=%00',
      'big=1.5',
    ])
      expect((await query(text)).status, text).toBe(400)
    for (const sent of [
      { count: 1.5 },
      { count: true },
      { count: [] },
      { flag: 2 },
      { text: 5 },
      { tags: 'x' },
      { tags: { 0: 'x' } },
      { numbers: [1, 'x'] },
      { author: [] },
      { author: 'x' },
      { day: 20260228 },
      { numbers: [null] },
    ])
      expect((await body(sent)).status, JSON.stringify(sent)).toBe(400)
  })
})

describe('options', () => {
  it('[ATT-02] attributes are optional by default', async () => {
    expect(await query('')).toEqual({ flag: false })
    expect(await body({})).toEqual({ flag: false })
  })

  it('[ATT-03] required makes one mandatory, also within a structure', async () => {
    const must = async (sent: object) => (await ask(app, 'PATCH /things', { body: sent })).json
    expect(refusals(await must({}))).toEqual(['payload /id missing', 'payload /who missing'])
    expect(refusals(await must({ id: 1, who: {} }))).toEqual(['payload /who/name missing'])
    expect(refusals(await must({ id: null, who: null }))).toEqual(['payload /id null', 'payload /who null'])
    expect(await must({ id: 1, who: { name: 'Ann' } })).toEqual({ id: 1, who: { name: 'Ann' } })
  })

  it('[ATT-04] a default fills an absent attribute and only an absent one', async () => {
    expect(await query('flag=true')).toEqual({ flag: true })
    expect(await query('a[b][e]=t')).toEqual({ flag: false, a: { b: { d: 'D', e: true } } })
    expect(await body({ a: { b: { d: '' } } })).toEqual({ flag: false, a: { b: { d: '' } } })
    expect(await body({ a: {} })).toEqual({ flag: false, a: {} })
  })

  it('[ATT-05] options reach the type: limits, patterns, allowed values', async () => {
    expect(
      refusals(
        await query('text=abcdef&count=1001&tags=1&tags=2&tags=3&tags=4&kind=green&author[id]=1&author[name]=ann'),
      ),
    ).toEqual([
      'params /text max-length',
      'params /count max',
      'params /tags max-items',
      'params /author/name pattern',
      'params /kind values',
    ])
    expect(refusals(await body({ count: -6, kind: '', author: { id: 1, name: 'A!' } }))).toEqual([
      'payload /count min',
      'payload /author/name pattern',
      'payload /kind values',
    ])
    expect(await query('text=%F0%9F%98%80%F0%9F%98%80%F0%9F%98%80%F0%9F%98%80%F0%9F%98%80')).toMatchObject({
      text: '😀😀😀😀😀',
    })
  })
})

describe('presence', () => {
  const seen = async (sent: object) => (await ask(app, 'PUT /things', { body: sent })).json

  it('[ATT-06] true for what was sent or assigned by a default, false otherwise', async () => {
    expect(await seen({ text: '', tags: [] })).toMatchObject({
      text: true,
      tags: true,
      flag: true,
      count: false,
      author: false,
      kind: false,
    })
    expect((await ask(app, 'GET /things/asked?text=&count=0')).json).toMatchObject({
      text: true,
      count: true,
      flag: true,
      kind: false,
    })
  })

  it('[ATT-07] a sent null is present, and not the same as an absent attribute', async () => {
    expect(await seen({ note: null })).toMatchObject({ note: true })
    expect(await seen({})).toMatchObject({ note: false })
    expect(await body({ note: null })).toEqual({ flag: false, note: null })
    expect(refusals(await body({ text: null }))).toEqual(['payload /text null'])
    // A query has no null: an empty text is an empty text.
    expect(await query('note=')).toEqual({ flag: false, note: '' })
    expect(await query('note=null')).toEqual({ flag: false, note: 'null' })
  })

  it('[ATT-08] a nested structure is loaded, validated and tested for presence like the outer one', async () => {
    expect(await body({ a: { b: { c: '7', e: 'T' } } })).toMatchObject({ a: { b: { c: 7, d: 'D', e: true } } })
    expect(await seen({ a: { b: { c: null } } })).toMatchObject({ a: { b: { c: true, d: true, e: false } } })
    expect(await seen({ a: { b: {} } })).toMatchObject({ a: { b: { c: false, d: true, e: false } } })
    expect(refusals(await body({ a: { b: { c: 'x', e: null, z: 1 } }, author: { name: 'Ann' } }))).toEqual([
      'payload /author/id missing',
      'payload /a/b/c type',
      'payload /a/b/e null',
      'payload /a/b/z unknown',
    ])
    expect(refusals(await query('a[b][c]=x&a[y]=1'))).toEqual(['params /a/b/c type', 'params /a/y unknown'])
  })

  it('[ATT-06] names that every object inherits are absent unless sent', async () => {
    const Odd = endpoint('Odd', {
      actions: {
        make: {
          routing: route.post('/'),
          payload: { constructor: t.string(), toString: t.string() },
          responses: { ok: true },
        },
      },
    })
    const odd = application({
      controllers: [
        Odd.implement({
          make: (_, { request }) => `${has(request.payload, 'constructor')} ${has(request.payload, 'toString')}`,
        }),
      ],
    })
    expect((await ask(odd, 'POST /odd', { body: {} })).text).toBe('false false')
    expect((await ask(odd, 'POST /odd', { body: { constructor: 'x' } })).text).toBe('true false')
  })
})

describe('errors', () => {
  it('[ATT-09] every error of a request is reported at once, each with its location', async () => {
    const problem = await query('text=abcdef&count=x&author[name]=Ann&wrong=1&tags[x]=y&flag=1&flag=0')
    expect(problem.status).toBe(400)
    expect(refusals(problem).sort()).toEqual([
      'params /author/id missing',
      'params /count type',
      'params /flag repeated',
      'params /tags type',
      'params /text max-length',
      'params /wrong unknown',
    ])
    for (const { message } of problem.errors) expect(message).toMatch(/^The parameter '.+' .+/)
  })

  it('[ATT-09] a location is a JSON pointer, escaped', async () => {
    const problem = await body({ 'a/b~c': 1, numbers: [1, 'x', 2, 'y'] })
    expect(refusals(problem)).toEqual([
      'payload /numbers/1 type',
      'payload /numbers/3 type',
      'payload /a~1b~0c unknown',
    ])
    expect(problem.errors[2].message).toBe("The attribute 'a/b~c' is not a known name")
  })
})
