// The parameter `order` over HTTP: signs, tie-breakers, which fields it may name, and how it meets pagination.
import { application, collectionOf, endpoint, mediaType, route, t } from 'edict'
import { OrderingParams, PaginationParams, paginate, pagination } from 'edict/pagination'
import { describe, expect, it } from 'vitest'
import { type Answered, ask, mistakesOf } from '../../support/ask.ts'

const Book = mediaType('Book', {
  attributes: {
    id: t.integer({ required: true }),
    name: t.string({ required: true }),
    created_at: t.dateTime({ nullable: true }),
    author: t.object({ name: t.string(), born: t.object({ year: t.integer() }) }),
    tags: t.array(t.object({ name: t.string() })),
    notes: t.record(t.string()),
    anything: t.any(),
  },
})
const byFields = ['id', 'name'] as const
const params = { pagination: PaginationParams.for(Book) }
const responses = { ok: collectionOf(Book) }
const Books = endpoint('Books', {
  actions: {
    free: { routing: route.get('/free'), params: { ...params, order: OrderingParams.for(Book) }, responses },
    first: {
      routing: route.get('/first'),
      params: { ...params, order: OrderingParams.for(Book, { byFields }) },
      responses,
    },
    all: {
      routing: route.get('/all'),
      params: { ...params, order: OrderingParams.for(Book, { byFields, enforceFor: 'all' }) },
      responses,
    },
    only: {
      routing: route.get('/only'),
      params: { order: OrderingParams.for(Book) },
      responses: { ok: t.any() },
    },
  },
})
const list = [
  { id: 1, name: 'b', created_at: new Date(3), author: { name: 'y', born: { year: 1 } } },
  { id: 2, name: 'a', created_at: new Date(2), author: { name: 'x', born: { year: 2 } } },
  { id: 3, name: 'b', created_at: new Date(1), author: { name: 'x', born: { year: 3 } } },
  { id: 4, name: 'a', created_at: null },
]
const paged = ((_: unknown, { request, reply }: any) => reply.ok(paginate(request, list))) as never
const app = application({
  plugins: [pagination()],
  controllers: [
    Books.implement({
      free: paged,
      first: paged,
      all: paged,
      only: ({ order }, { reply }) => reply.ok(order ?? 'none'),
    }),
  ],
})
const sorted = (order: string, paging = 'page=1', path = 'free'): Promise<Answered> =>
  ask(app, `GET /books/${path}?pagination=${paging}&order=${encodeURIComponent(order)}`)
const ids = ({ text, json }: Answered): string => {
  expect(json, text).toBeInstanceOf(Array)
  return json.map(({ id }: { id: number }) => id).join('')
}
const codes = ({ status, json }: Answered): unknown => [status, json.errors?.map(({ code }: { code: string }) => code)]

describe('order', () => {
  it('[ORD-01] fields with commas, descending with -, ascending with + or nothing', async () => {
    expect(ids(await sorted('id'))).toBe('1234')
    expect(ids(await sorted('+id'))).toBe('1234')
    expect(ids(await sorted('-id'))).toBe('4321')
    expect(ids(await sorted('name,-id'))).toBe('4231')
    expect((await ask(app, 'GET /books/only?order=-name,%2Bid,created_at')).json).toEqual([
      { field: 'name', descending: true },
      { field: 'id', descending: false },
      { field: 'created_at', descending: false },
    ])
    expect((await ask(app, 'GET /books/only')).json).toBe('none')
  })

  it('[ORD-02] each field decides where those before it do not; at last the key, in the last direction', async () => {
    expect(ids(await sorted('name'))).toBe('2413')
    expect(ids(await sorted('-name'))).toBe('3142')
    expect(ids(await sorted('name,created_at'))).toBe('2431')
    expect(ids(await sorted('name,-created_at'))).toBe('4213')
    expect(ids(await sorted('author.name,-name,-id'))).toBe('3214')
    expect(ids(await sorted('-author.born.year'))).toBe('4321')
  })

  it('[ORD-08] a + that was not escaped arrives as a space and means ascending', async () => {
    expect(ids(await ask(app, 'GET /books/free?order=+id'))).toBe('1234')
    expect(ids(await ask(app, 'GET /books/free?order=-name,+id'))).toBe('1324')
    expect(ids(await ask(app, 'GET /books/free?order=%20name,-id'))).toBe('4231')
    expect(codes(await ask(app, 'GET /books/free?order=++id'))).toEqual([400, ['order-syntax']])
    expect(codes(await ask(app, 'GET /books/free?order=id+'))).toEqual([400, ['order-field']])
  })

  it('[ORD-03] only attributes of the media type that have an order', async () => {
    const refused = [
      'title',
      'ID',
      'author',
      'tags',
      'tags.name',
      'tags.*',
      'tags.*.name',
      'notes',
      'notes.*',
      'notes.x',
    ]
    const hostile = [
      'anything',
      '__proto__',
      'constructor',
      'toString',
      'author.__proto__',
      'author.',
      '.id',
      'id.id',
      '*',
    ]
    const injected = [
      "id' --",
      'id;drop table books',
      'id desc',
      'sleep(1)',
      '(select 1)',
      'x'.repeat(3000),
      'ｉd',
      'i\0d',
    ]
    for (const field of [...refused, ...hostile, ...injected]) {
      for (const order of [field, `-${field}`, `id,${field}`])
        expect(codes(await sorted(order)), order).toEqual([400, ['order-field']])
    }
  })

  it('[ORD-03] what is no list of fields', async () => {
    for (const order of ['', ',', 'id,', ',id', 'id,,name', '-', '+', '--id', '+-id', '-+id', '- id', '-,id'])
      expect(codes(await sorted(order)), order).toEqual([400, ['order-syntax']])
    for (const order of ['id,id', 'id,-id', '+id,name,id'])
      expect(codes(await sorted(order)), order).toEqual([400, ['order-repeated']])
    expect(codes(await sorted('x'.repeat(5000)))).toEqual([400, ['max-length']])
    expect(codes(await sorted('id,'.repeat(16)))).toEqual([400, ['order-fields']])
    expect(codes(await ask(app, 'GET /books/free?order[0]=id'))).toMatchObject([400, [expect.any(String)]])
  })

  it('[ORD-04] [ORD-06] enforceFor first: only the first must be one of byFields', async () => {
    for (const order of ['id,created_at', 'name,id,created_at', '-name,-created_at', 'id'])
      expect((await sorted(order, 'page=1', 'first')).status, order).toBe(200)
    for (const order of ['created_at', 'created_at,id', '-created_at'])
      expect(codes(await sorted(order, 'page=1', 'first')), order).toEqual([400, ['order-field']])
  })

  it('[ORD-05] [ORD-06] enforceFor all: every field must be', async () => {
    for (const order of ['id,name', 'name,id', '-name', '-id,+name'])
      expect((await sorted(order, 'page=1', 'all')).status, order).toBe(200)
    for (const order of ['id,created_at', 'created_at', 'name,id,created_at'])
      expect(codes(await sorted(order, 'page=1', 'all')), order).toEqual([400, ['order-field']])
    expect((await sorted('id,created_at', 'page=1', 'all')).json.errors).toEqual([
      {
        in: 'params',
        pointer: '/order',
        code: 'order-field',
        message: "The parameter 'order' must not order by 'created_at'; use some of id, name",
      },
    ])
  })

  it('[ORD-07] pages follow the order; without one, the list as it is', async () => {
    expect(ids(await sorted('-id', 'page=2,items=3'))).toBe('1')
    expect(ids(await sorted('name,-id', 'page=2,items=2'))).toBe('31')
    expect(ids(await ask(app, 'GET /books/free?pagination=page=2,items=2'))).toBe('34')
  })

  it('[ORD-07] by must be the first field of the order, whose direction rules', async () => {
    expect(ids(await sorted('name,-id', 'by=name'))).toBe('4231')
    expect(ids(await sorted('-name', 'by=name,items=2'))).toBe('31')
    expect(ids(await sorted('-id', 'by=id,from=3'))).toBe('21')
    expect(ids(await sorted('-created_at', 'by=created_at'))).toBe('4123')
    for (const order of ['id', 'id,name', '-id'])
      expect(codes(await sorted(order, 'by=name')), order).toEqual([400, ['order-by']])
  })
})

describe('declarations', () => {
  const boot = (order: object) => () =>
    application({
      plugins: [pagination()],
      controllers: [
        endpoint('Bad', {
          actions: { index: { routing: route.get('/'), params: { order: order as never }, responses: { ok: true } } },
        }).implement({ index: () => '' } as never),
      ],
    })

  it.each([
    ['an unknown field', { byFields: ['title'] }, /'title', which is not an attribute of Book/],
    ['a list', { byFields: ['tags'] }, /'tags', whose values have no order/],
    ['what is below a list', { byFields: ['tags.*.name'] }, /not an attribute/],
    ['no field', { byFields: [] }, /byFields is empty/],
    ['all of nothing', { enforceFor: 'all' }, /no byFields to enforce/],
  ])('[ORD-03] %s does not boot', (_, settings, problem) => {
    const mistakes = mistakesOf(boot(OrderingParams.for(Book, settings as never)))
    expect(mistakes).toHaveLength(1)
    expect(JSON.stringify(mistakes)).toMatch(problem)
  })
})

describe('an order that the declaration gives', () => {
  const order = OrderingParams.for(Book, { default: ['-created_at', 'name'] })
  const Shelves = endpoint('Shelves', {
    actions: {
      pages: { routing: route.get('/pages'), params: { ...params, order }, responses },
      places: {
        routing: route.get('/places'),
        params: { pagination: PaginationParams.for(Book, { default: { by: 'created_at' } }), order },
        responses,
      },
      alone: { routing: route.get('/alone'), params: { order }, responses: { ok: t.any() } },
    },
  })
  const shelves = application({
    plugins: [pagination()],
    controllers: [
      Shelves.implement({
        pages: paged,
        places: paged,
        alone: ({ order: terms }, { reply }) => reply.ok(terms),
      }),
    ],
  })
  const ids = async (path: string): Promise<unknown[]> => {
    const { status, json } = await ask(shelves, `GET ${path}`)
    expect(status).toBe(200)
    return (json as { id: number }[]).map(({ id }) => id)
  }

  it('[ORD-07] holds where a request names none', async () => {
    expect(await ids('/shelves/pages')).toEqual([4, 1, 2, 3])
    expect(await ids('/shelves/pages?order=id')).toEqual([1, 2, 3, 4])
    expect(await ids('/shelves/places')).toEqual([4, 1, 2, 3])
    expect((await ask(shelves, 'GET /shelves/alone')).json).toEqual([
      { field: 'created_at', descending: true },
      { field: 'name', descending: false },
    ])
  })

  it('[PGN-05] gives way to a field that a request goes by', async () => {
    expect(await ids('/shelves/places?pagination=by=created_at')).toEqual([3, 2, 1, 4])
    expect(await ids('/shelves/pages?pagination=by=name')).toEqual([2, 4, 1, 3])
  })

  it('[PGN-14] is kept by the links of its list', async () => {
    const seen: unknown[] = []
    let path: string | undefined = '/shelves/places?pagination=items=1'
    while (path !== undefined) {
      const answer: Answered = await ask(shelves, `GET ${path}`)
      seen.push(...(answer.json as { id: number }[]).map(({ id }) => id))
      path = /<([^>]*)>; rel="next"/.exec(answer.headers['link'] ?? '')?.[1]
    }
    expect(seen).toEqual([4, 1, 2, 3])
  })

  it('is refused at boot when it cannot be', () => {
    const of = (terms: readonly never[]) =>
      application({
        plugins: [pagination()],
        controllers: [
          endpoint('Odd', {
            actions: {
              index: {
                routing: route.get('/'),
                params: { order: OrderingParams.for(Book, { default: terms }) },
                responses,
              },
            },
          }).implement({ index: paged }),
        ],
      })
    expect(mistakesOf(() => of(['-tags'] as never))).toMatchObject([
      { problem: "the default orders by '-tags', which has no order" },
    ])
    expect(mistakesOf(() => of([]))).toMatchObject([{ problem: 'the default is empty: leave it out' }])
  })
})
