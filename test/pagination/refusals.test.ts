// Refusals of the parameter `pagination`: wrong pairs, hostile values, and places that belong to another list.
import { application, collectionOf, endpoint, mediaType, route, t } from 'edict'
import { OrderingParams, PaginationParams, paginate, pagination } from 'edict/pagination'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Answered, ask } from '../support/ask.ts'

const Book = mediaType('Book', {
  attributes: {
    id: t.integer({ required: true }),
    title: t.string({ required: true, max: 50 }),
    year: t.integer({ nullable: true }),
    added: t.dateTime(),
  },
})
const Books = endpoint('Books', {
  actions: {
    index: {
      routing: route.get('/:shelf'),
      params: {
        shelf: t.string(),
        topic: t.string(),
        pagination: PaginationParams.for(Book),
        order: OrderingParams.for(Book),
      },
      responses: { ok: collectionOf(Book) },
    },
  },
})
const list = Array.from({ length: 9 }, (_, i) => ({ id: i, title: `t${i % 2}`, year: i, added: new Date(i * 1000) }))
const app = application({
  plugins: [pagination()],
  controllers: [Books.implement({ index: (_, { request, reply }) => reply.ok(paginate(request, list)) })],
})
const books = (paging: string, rest = ''): Promise<Answered> =>
  ask(app, `GET /books/a?pagination=${encodeURIComponent(paging)}${rest}`)
const codes = ({ status, json }: Answered): unknown => [status, json.errors?.map(({ code }: { code: string }) => code)]

describe('pairs', () => {
  it.each([
    [
      'pagination-mixed',
      ['page=1,by=id', 'page=1,from=3', 'by=id,page=2,from=1', 'page=1,after=x', 'by=id,from=1,after=x'],
    ],
    ['pagination-mixed', ['by=id,after=x,before=x', 'by=id,from=1,before=x', 'page=1,before=x']],
    [
      'pagination-number',
      ['page=0', 'page=-1', 'items=0', 'items=-1', 'page=1.5', 'page=1e9', 'items=NaN', 'page=--1'],
    ],
    ['pagination-number', ['items=Infinity', 'page=0x10', 'page=+1', 'page= 1', 'page=1 ', 'page=01', 'page=٣']],
    ['pagination-number', ['page=99999999999999999', 'page=9007199254740991,items=2', 'items=1;drop table books']],
    ['pagination-repeated', ['page=1,page=2', 'items=1,items=1', 'by=id,by=id', 'total_count=true,total_count=true']],
    ['pagination-key', ['pages=1', 'Page=1', ' page=1', 'page =1', '__proto__=1', 'constructor=1', 'page=1,x=1']],
    ['pagination-empty', ['page=', 'items=', 'by=', 'total_count=', 'by=id,after=', 'by=id,before=']],
    ['pagination-syntax', ['', ',', 'page', '=1', 'page=1,', ',page=1', 'page=1,,items=1', 'null', '{}', 'page%3D1']],
    ['pagination-total-count', ['total_count=1', 'total_count=TRUE', 'total_count=yes']],
    ['pagination-by', ['from=1', 'after=abc', 'before=abc', 'from=']],
    [
      'pagination-from',
      ['by=id,from=', 'by=id,from=x', 'by=id,from=1e3', "by=id,from=1' or '1'%3D'1", 'by=id,from=NaN'],
    ],
    ['pagination-from', ['by=year,from=null', 'by=id,from=99999999999999999999', 'by=added,from=yesterday']],
    ['pagination-from', [`by=title,from=${'x'.repeat(51)}`, 'by=title,from=a%00b']],
    ['max-length', [`page=${'1'.repeat(5000)}`, `by=title,from=${'x'.repeat(5000)}`, `by=${'x'.repeat(5000)}`]],
    ['pagination-field', ["by=id' --", 'by=__proto__', 'by=constructor.name', `by=${'x'.repeat(3000)}`, 'by=-id']],
  ] as const)('[PGN-16] %s', async (code, values) => {
    for (const value of values) expect(codes(await books(value)), value).toEqual([400, [code]])
  })

  it('[PGN-16] the parameter itself twice, as a structure, or broken', async () => {
    const asked = async (query: string) => codes(await ask(app, `GET /books/a?${query}`))
    expect(await asked('pagination=page=1&pagination=page=2')).toEqual([400, ['repeated']])
    expect(await asked('pagination[page]=1')).toEqual([400, ['pagination-syntax']])
    expect((await ask(app, 'GET /books/a?pagination[]=page%3D1')).status).toBe(400)
    expect((await ask(app, 'GET /books/a?pagination=%ff')).status).toBe(400)
    expect(await asked('pagination')).toEqual([400, ['pagination-syntax']])
    expect(await asked('pagination=page=1&order=id&order=id')).toEqual([400, ['repeated']])
  })

  it('[PGN-16] problems name the parameter and do not repeat long values', async () => {
    const { json, text } = await books(`${'k'.repeat(3000)}=1`)
    expect(json.errors).toMatchObject([{ in: 'params', pointer: '/pagination', code: 'pagination-key' }])
    expect(text.length).toBeLessThan(600)
  })

  it('[PGN-16] no text at all is a server error', async () => {
    const keys = fc.constantFrom('page', 'items', 'by', 'from', 'after', 'before', 'total_count', '__proto__')
    const values = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.constantFrom('1', 'id', 'title', 'true', '%', '%25', '-1'),
    )
    const pairs = fc.array(
      fc.tuple(keys, values).map((pair) => pair.join('=')),
      { maxLength: 4 },
    )
    const texts = fc.oneof(
      pairs.map((list) => list.join(',')),
      fc.string({ unit: 'binary' }),
    )
    const check = async (paging: string, order: string): Promise<void> => {
      const query = new URLSearchParams({ pagination: paging, order: order })
      const { status } = await app.fetch(new Request(`http://x/books/a?${query}`))
      expect([200, 400]).toContain(status)
    }
    await fc.assert(fc.asyncProperty(texts, texts, check), { numRuns: 500 })
  })
})

const encode = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url')

describe('continuations', () => {
  const nextOf = ({ headers }: Answered): string => /after%3D([\w-]+)/.exec(headers['link'] ?? '')?.[1] ?? ''

  it('[PGN-14] belong to their order and to the other parameters', async () => {
    const after = nextOf(await books('by=title,items=2', '&topic=x&order=title,-year'))
    const asked = (shelf: string, paging: string, rest: string) =>
      ask(app, `GET /books/${shelf}?pagination=${paging},after=${after}${rest}`)
    expect((await asked('a', 'by=title,items=2', '&topic=x&order=title,-year')).status).toBe(200)
    // Neither the size, nor the count, nor the sequence of parameters is part of the list.
    expect((await asked('a', 'by=title,items=5,total_count=true', '&order=%2Btitle,-year&topic=x')).status).toBe(200)
    for (const [shelf, paging, rest] of [
      ['b', 'by=title', '&topic=x&order=title,-year'],
      ['a', 'by=title', '&topic=y&order=title,-year'],
      ['a', 'by=title', '&order=title,-year'],
      ['a', 'by=title', '&topic=x&order=title,year'],
      ['a', 'by=title', '&topic=x&order=-title,-year'],
      ['a', 'by=title', '&topic=x&order=title,-added'],
      ['a', 'by=title', '&topic=x&order=title'],
      ['a', 'by=title', '&topic=x'],
      ['a', 'by=year', '&topic=x'],
    ] as const)
      expect(codes(await asked(shelf, paging, rest)), rest).toEqual([400, ['pagination-continuation']])
  })

  it('[PGN-14] that were changed are refused', async () => {
    const after = nextOf(await books('by=added,items=2'))
    const [binding, ...values] = JSON.parse(Buffer.from(after, 'base64url').toString())
    expect(values).toEqual(['1970-01-01T00:00:01.000Z', 1])
    const changed = [
      ...[1, 2, 5, 10].map((cut) => after.slice(0, -cut)),
      `${after}AAAA`,
      '*',
      'null',
      '____',
      ...[null, 1, 'x', {}, [], [binding], [binding, ...values, 1], [binding, values[0]], { ...values }].map(encode),
      ...[
        ['x', ...values],
        [null, ...values],
        [[binding], ...values],
        [binding, 'yesterday', 1],
      ].map(encode),
      ...[
        [binding, {}, 1],
        [binding, values[0], 'x'],
        [binding, values[0], 1.5],
        [binding, 5, 1],
      ].map(encode),
      ...[
        [binding, values[0], [1]],
        [binding, { __proto__: null }, 1],
        [binding, true, 1e300],
      ].map(encode),
    ]
    for (const text of changed) {
      for (const key of ['after', 'before'])
        expect(codes(await books(`by=added,${key}=${text}`)), text).toEqual([400, ['pagination-continuation']])
    }
    expect(codes(await books(`by=added,after=${encode([binding, 'x'.repeat(4000), 1])}`))).toEqual([
      400,
      ['max-length'],
    ])
  })

  it('[PGN-14] of random bytes are refused', async () => {
    const check = async (bytes: Uint8Array): Promise<void> => {
      const text = Buffer.from(bytes).toString('base64url')
      const { status } = await app.fetch(new Request(`http://x/books/a?pagination=by=added,after=${text}`))
      expect(status).toBe(400)
    }
    await fc.assert(fc.asyncProperty(fc.uint8Array({ maxLength: 200 }), check), { numRuns: 300 })
  })
})
