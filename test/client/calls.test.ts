// The typed client against a real server, and in process.
import { application, collectionOf, endpoint, header, inherit, mediaType, route, t } from 'edict'
import { CallError, client, ResponseError } from 'edict/client'
import { FieldSelector, mapper } from 'edict/mapper'
import { OrderingParams, PaginationParams, paginate, pagination } from 'edict/pagination'
import { testClient } from 'edict/testing'
import { describe, expect, expectTypeOf, it } from 'vitest'
import { urlOf } from '../support/ask.ts'

const Book = mediaType('Book', {
  identifier: 'application/vnd.library.book+json',
  attributes: {
    id: t.integer({ required: true }),
    title: t.string({ required: true }),
    copies: t.bigint(),
    added_at: t.dateTime({ nullable: true }),
    tags: t.array(t.string()),
  },
  views: { card: ['id', 'title'] },
})
const Books = endpoint('Books', {
  mediaType: Book,
  version: '1.0',
  actionDefaults: { params: { dry_run: t.boolean({ default: false }) } },
  actions: {
    index: {
      routing: route.get('/'),
      params: {
        tags: t.array(t.string()),
        within: t.object({ from: t.dateTime(), shelf: t.object({ id: t.integer() }) }),
        pagination: PaginationParams.for(Book),
        order: OrderingParams.for(Book),
      },
      responses: { ok: collectionOf(Book) },
    },
    show: {
      routing: [route.get('/:id'), route.get('/named/:title')],
      params: { id: t.integer(), title: t.string() },
      responses: { ok: Book, notFound: true, gone: { mediaType: Book.view('card') } },
    },
    create: {
      routing: route.post('/'),
      headers: { Authorization: header(), 'X-Delay': t.integer({ default: 0 }) },
      payload: { title: inherit, added_at: inherit, notify: t.boolean({ default: true }) },
      responses: { created: { location: /^\/books\/\d+$/ } },
    },
    cover: {
      routing: route.put('/:id/cover'),
      params: { id: t.integer() },
      payload: { image: t.file({ required: true }), alt: t.string() },
      responses: { ok: 'text/plain' },
    },
    note: {
      routing: route.post('/:id/note'),
      params: { id: t.integer() },
      payload: t.string({ required: true }),
      responses: { ok: 'text/plain' },
    },
    file: {
      routing: route.get('/files/*'),
      params: { splat: t.array(t.string()) },
      responses: { ok: 'application/octet-stream' },
    },
    liar: { routing: route.get('/liar'), responses: { ok: Book } },
  },
})

const all = Array.from({ length: 23 }, (_, i) => ({
  id: i + 1,
  title: `Book ${i % 3}`,
  copies: 2n ** 60n + BigInt(i),
  added_at: i % 4 === 0 ? null : new Date(Date.UTC(2024, 0, i + 1)),
  tags: ['a', 'b'],
}))
const app = application({
  basePath: '/api',
  plugins: [pagination()],
  validateResponses: 'off',
  controllers: [
    Books.implement({
      index: (params, { request, reply }) => {
        const { tags = [], within } = params
        const shown = all.filter((one) => tags.every((tag) => one.tags.includes(tag)))
        const from = within?.from
        return reply.ok(
          paginate(request, from === undefined ? shown : shown.filter((one) => (one.added_at ?? 0) >= from)),
        )
      },
      show: ({ id, title }, { reply }) => {
        const book = all.find((one) => one.id === id || one.title === title)
        if (id === 99) return reply.gone({ id: 99, title: 'Lost' })
        return book === undefined ? reply.notFound('There is no such book.') : reply.ok(book)
      },
      create: (_, { request, reply }) =>
        reply.created(undefined, {
          location: `/books/${request.payload.notify ? 7 : 8}`,
          headers: { 'X-Seen': `${request.headers.Authorization} ${request.headers['X-Delay']}` },
        }),
      cover: async (_, { request }) => `${(await request.payload.image.bytes()).length} ${request.payload.alt}`,
      note: (_, { request }) => request.payload.toUpperCase(),
      file: ({ splat }, { reply }) => reply.ok(new TextEncoder().encode(splat.join())),
      liar: (_, { reply }) => reply.ok({ id: 1 } as never),
    }),
  ],
})

const ways = {
  'over a socket': async () => client({ Books }, { baseUrl: `${await urlOf(app)}/api` }),
  'in process': async () => testClient(app, { Books }),
  'with the version in a header': async () => testClient(app, { Books }, { versionWith: 'header' }),
  'with the version in a parameter': async () => testClient(app, { Books }, { versionWith: 'query' }),
}

describe.each(Object.entries(ways))('a client %s', (_, connect) => {
  it('reads bodies as they are declared', async () => {
    const api = await connect()
    const answer = await api.Books.show({ id: 2 })
    if (answer.name !== 'ok') throw new Error(answer.name)
    expectTypeOf(answer.body.added_at).toEqualTypeOf<Date | null | undefined>()
    expect(answer.body).toEqual(all[1])
    expect((await api.Books.show({ title: 'Book 2' } as never)).body).toMatchObject({ id: 3 })
  })

  it('distinguishes the declared responses, and failures from them', async () => {
    const api = await connect()
    const missing = await api.Books.show({ id: 77 })
    expect([missing.name, missing.status]).toEqual(['notFound', 404])
    const gone = await api.Books.show({ id: 99 })
    expect([gone.name, gone.body]).toEqual(['gone', { id: 99, title: 'Lost' }])
    const refused = await api.Books.show({ id: 'seven' as never })
    expect(refused.name === 'failure' && refused.problem?.errors).toMatchObject([{ pointer: '/id', code: 'type' }])
  })

  it('writes params, headers and payloads', async () => {
    const api = await connect()
    const within = { from: new Date('2024-01-20T00:00:00Z'), shelf: { id: 3 } }
    const some = await api.Books.index({
      tags: ['a', 'b'],
      within,
      pagination: 'items=2,total_count=true',
      order: '-id',
    })
    expect(some.headers.get('Total-Count')).toBe('3')
    expect(some.name === 'ok' && some.body.map(({ id }) => id)).toEqual([23, 22])
    const payload = { title: 'Emma', added_at: new Date(0), notify: false }
    const made = await api.Books.create({}, { payload, headers: { Authorization: 'me', 'X-Delay': 5 } })
    expect([made.name, made.headers.get('Location'), made.headers.get('X-Seen')]).toEqual([
      'created',
      '/books/8',
      'me 5',
    ])
    const image = new Blob([new Uint8Array(5)], { type: 'image/png' })
    expect((await api.Books.cover({ id: 1 }, { payload: { image, alt: 'x' } as never })).body).toBe('5 x')
    expect((await api.Books.note({ id: 1 }, { payload: 'shout' })).body).toBe('SHOUT')
    expect((await api.Books.file({ splat: ['a/b c'] })).body).toEqual(new TextEncoder().encode('a/b c'))
  })

  it('follows the links of a list to its end', async () => {
    const api = await connect()
    const seen: number[] = []
    for await (const { id, added_at } of api.Books.index.all({
      order: '-added_at',
      pagination: 'by=added_at,items=5',
    })) {
      expectTypeOf(added_at).toEqualTypeOf<Date | null | undefined>()
      seen.push(id)
    }
    expect(seen).toHaveLength(23)
    expect(new Set(seen).size).toBe(23)
    const refused = await api.Books.index
      .all({ order: 'nothing' })
      .next()
      .catch((error: unknown) => error)
    expect(api.Books.index.threw(refused) && refused.response.name).toBe('failure')
  })

  it('refuses what could not be sent, and what should not have come', async () => {
    const api = await connect()
    await expect(api.Books.show({} as never)).rejects.toThrow('Books.show: the params lack id')
    await expect(api.Books.index({ within: { from: 7 as never } })).rejects.toThrow(CallError)
    await expect(api.Books.liar({})).rejects.toThrow(ResponseError)
    const stopped = AbortSignal.abort()
    await expect(api.Books.show({ id: 1 }, { signal: stopped })).rejects.toThrow()
  })
})

describe('the content type of a payload', () => {
  const tags = t.array(t.string())
  const fields = { title: t.string(), copies: t.bigint(), at: t.dateTime(), tags, by: t.object({ id: t.integer() }) }
  const FORM = 'application/x-www-form-urlencoded'
  const shape = t.union('is', { round: { size: t.integer() }, flat: { size: t.dateTime() } })
  const types = {
    own: undefined,
    json: ['multipart/form-data', FORM, 'application/json'],
    suffix: [FORM, 'application/vnd.x+json'],
    range: ['application/*+json', FORM],
    form: [FORM],
    both: ['multipart/form-data', FORM],
    parts: ['multipart/form-data'],
  } as const
  const actions = Object.entries(types).map(([name, consumes]) => [
    name,
    {
      routing: route.post(`/${name}`),
      payload: name === 'both' ? shape : fields,
      ...(consumes !== undefined && { consumes }),
      responses: { ok: t.any() },
    },
  ])
  const Forms = endpoint('Forms', { actions: Object.fromEntries(actions) })
  const show = (_: unknown, { request, reply }: any) =>
    reply.ok({
      type: request.env.headers['content-type'].split(';')[0],
      payload: JSON.parse(JSON.stringify(request.payload, (_, one) => (typeof one === 'bigint' ? `${one}n` : one))),
    })
  const made = application({
    controllers: [(Forms as any).implement(Object.fromEntries(Object.keys(types).map((name) => [name, show])))],
  })
  const api = testClient(made, { Forms }) as any
  const payload = { title: 'a & b', copies: 7n, at: new Date(0), tags: ['x', 'y,z'], by: { id: 3 } }

  it.each([
    ['own', 'application/json'],
    ['json', 'application/json'],
    ['suffix', 'application/vnd.x+json'],
    ['range', 'application/vnd.edict+json'],
    ['form', FORM],
    ['parts', 'multipart/form-data'],
  ])('%s is sent as %s, and read as it was given', async (name, type) => {
    expect((await api.Forms[name]({}, { payload })).body).toEqual({
      type,
      payload: { title: 'a & b', copies: '7n', at: '1970-01-01T00:00:00.000Z', tags: ['x', 'y,z'], by: { id: 3 } },
    })
  })

  it('variants are written by their own attributes in forms too', async () => {
    const sent = async (given: object): Promise<unknown> => (await api.Forms.both({}, { payload: given })).body
    expect(await sent({ is: 'round', size: 3 })).toEqual({ type: FORM, payload: { is: 'round', size: 3 } })
    const at = '1970-01-01T00:00:00.000Z'
    expect(await sent({ is: 'flat', size: new Date(0) })).toEqual({ type: FORM, payload: { is: 'flat', size: at } })
  })

  it.each([
    [undefined, 'text/plain'],
    [['application/json', 'text/markdown'], 'text/markdown'],
    [['application/json'], 'application/json'],
    [['application/vnd.x+json'], 'application/vnd.x+json'],
    [['*/*'], 'text/plain'],
  ])('a text for %s is sent as %s', async (consumes, type) => {
    const Texts = endpoint('Texts', {
      actions: {
        put: {
          routing: route.put('/'),
          payload: t.string(),
          ...(consumes !== undefined && { consumes }),
          responses: { ok: t.any() },
        },
      },
    })
    const texts = testClient(application({ controllers: [Texts.implement({ put: show })] }), { Texts })
    expect((await texts.Texts.put({}, { payload: '"a" b' })).body).toEqual({ type, payload: '"a" b' })
  })

  it('a form carries no null', async () => {
    await expect(api.Forms.form({}, { payload: null })).rejects.toThrow(CallError)
  })
})

describe('a selection of fields', () => {
  const Author = mediaType('Author', {
    attributes: { id: t.integer({ required: true }), name: t.string({ required: true }) },
  })
  const Essay = mediaType('Essay', {
    attributes: {
      id: t.integer({ required: true }),
      title: t.string({ required: true }),
      written_at: t.dateTime({ required: true }),
      author: Author,
      editions: t.array(t.object({ year: t.integer({ required: true }), at: t.dateTime({ required: true }) })),
    },
    views: { card: ['id', 'title'] },
  })
  const Essays = endpoint('Essays', {
    mediaType: Essay,
    actions: {
      index: {
        routing: route.get('/'),
        params: { fields: FieldSelector.for(Essay) },
        responses: { ok: collectionOf(Essay, { view: 'card' }) },
      },
      show: {
        routing: route.get('/:id'),
        params: { id: t.integer(), fields: FieldSelector.for(Essay) },
        responses: { ok: Essay },
      },
    },
  })
  const at = new Date(0)
  const essay = { id: 1, title: 'x', written_at: at, author: { id: 2, name: 'a' }, editions: [{ year: 1, at }] }
  const essays = application({
    plugins: [mapper()],
    controllers: [
      Essays.implement({
        index: (_, { reply }) => reply.ok([essay]),
        show: (_, { reply }) => reply.ok(essay),
      }),
    ],
  })

  it('gives parts of elements, read as they are declared', async () => {
    const api = testClient(essays, { Essays })
    const one = await api.Essays.show({ id: 1, fields: 'written_at,author{name},editions{at}' })
    expect([one.name, one.body]).toEqual(['ok', { written_at: at, author: { name: 'a' }, editions: [{ at }] }])
    const list = await api.Essays.index({ fields: 'author{id}' })
    expect([list.name, list.body]).toEqual(['ok', [{ author: { id: 2 } }]])
    expect((await api.Essays.index({})).body).toEqual([{ id: 1, title: 'x' }])
  })

  it('of a list of a view names every attribute of the media type, and without one the list shows the view', async () => {
    const { Essays: calls } = testClient(essays, { Essays })
    const [one] = await calls.index.ok({ fields: ['id', 'author.name'] })
    expectTypeOf(one!).toEqualTypeOf<{ id: number; author?: { name: string } }>()
    expect(one).toEqual({ id: 1, author: { name: 'a' } })
    const [card] = await calls.index.ok()
    expectTypeOf(card!).toEqualTypeOf<{ id: number; title: string }>()
    // @ts-expect-error: there is no such attribute
    void (() => calls.index({ fields: ['auhtor'] }))
  })
})

describe('the types of calls', () => {
  it('follow the declarations', () => {
    const api = testClient(app, { Books })
    expectTypeOf(api.Books.create).parameter(1).toMatchTypeOf<{ payload?: { readonly title: string } } | undefined>()
    const calls = () => {
      // @ts-expect-error: the path needs an id
      void api.Books.cover({})
      // @ts-expect-error: an id is a number
      void api.Books.cover({ id: 'x' })
      // @ts-expect-error: there is no such action
      void api.Books.nothing
      // @ts-expect-error: the payload requires a title
      void api.Books.create({}, { payload: {} })
    }
    expect(calls).toBeTypeOf('function')
  })
})
