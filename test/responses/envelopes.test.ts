// Envelopes around elements and lists: all that understands an element alone understands one inside.
import { application, endpoint, mediaType, route, t } from 'edict'
import { client } from 'edict/client'
import { conditional, etag, lastModified } from 'edict/conditional'
import { FieldSelector, mapper, memoryDatastore, resource } from 'edict/mapper'
import { mock } from 'edict/mock'
import { PaginationParams, pagination } from 'edict/pagination'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { askFetch, mistakesOf } from '../support/ask.ts'
import { type Envelope, envelopes } from '../support/envelopes.ts'

const Book = mediaType('Book', {
  identifier: 'application/json',
  attributes: {
    id: t.integer({ required: true }),
    title: t.string({ required: true }),
    changedAt: t.dateTime({ required: true }),
  },
  views: { short: ['id'] },
})
const changedAt = new Date('2026-01-02T03:04:05Z')
const rows = Array.from({ length: 7 }, (_, i) => ({ id: i + 1, title: `Book ${i + 1}`, changedAt }))

function declare(around: Envelope, hasMediaType: boolean) {
  const fields = FieldSelector.for(Book)
  return endpoint('Books', {
    ...(hasMediaType && { mediaType: Book }),
    actions: {
      index: {
        routing: route.get('/'),
        params: { fields, pagination: PaginationParams.for(Book) },
        responses: { ok: around.wrap(t.array(Book.view('short'), { required: true })) },
      },
      show: {
        routing: route.get('/:id'),
        params: { id: t.integer({ required: true }), fields },
        policies: [etag('title'), lastModified('changedAt')],
        responses: { ok: around.wrap(t.ref(Book, { required: true })), notFound: true },
      },
      create: {
        routing: route.post('/'),
        payload: around.wrap(t.object({ title: t.string({ required: true }) }, { required: true })) as never,
        responses: { created: around.wrap(t.ref(Book, { required: true })) },
      },
    },
  })
}

function serve(around: Envelope, hasMediaType: boolean) {
  const Books = declare(around, hasMediaType)
  const table = {
    columns: { id: { kind: 'integer', generated: true }, title: { kind: 'text' }, changedAt: { kind: 'dateTime' } },
    key: ['id'],
    rows,
  } as const
  const books = resource(memoryDatastore({ books: table as never }), Book, { table: 'books' })
  const app = application({
    plugins: [mapper({ resources: [books] }), pagination(), conditional()],
    controllers: [
      Books.implement({
        index: async (_: unknown, { request, reply }: any) => reply.ok(around.put(await books.list(request))),
        show: async ({ id }: any, { request, reply }: any) => {
          const book = await books.find(id, request)
          return book ? reply.ok(around.put(book)) : reply.notFound()
        },
        create: async (_: unknown, { request, reply }: any) => {
          const sent = { ...around.open(request.payload), changedAt }
          return reply.created(around.put(await books.create(sent, { shown: request })))
        },
      } as never),
    ],
  })
  return { Books, app }
}

const runs = { numRuns: 25 }
const cases = fc.tuple(envelopes, fc.boolean())

describe('FOR-01 inside an envelope of any names, depth and siblings', () => {
  it('fields are selected, and what is beside stays', async () => {
    await fc.assert(
      fc.asyncProperty(cases, async ([around, hasMediaType]) => {
        const { app } = serve(around, hasMediaType)
        const one = await askFetch(app, 'GET /books/2?fields=title')
        expect(one.json).toEqual(around.put({ title: 'Book 2' }))
        const list = await askFetch(app, 'GET /books?fields=title,id&pagination=page=2,items=2')
        expect(around.open(list.json)).toEqual(rows.slice(2, 4).map(({ id, title }) => ({ id, title })))
        expect(around.open((await askFetch(app, 'GET /books')).json)).toEqual(rows.map(({ id }) => ({ id })))
      }),
      runs,
    )
  })

  it('clients read the selection and walk over the list', async () => {
    await fc.assert(
      fc.asyncProperty(cases, async ([around, hasMediaType]) => {
        const { Books, app } = serve(around, hasMediaType)
        const api: any = client(
          { Books },
          { baseUrl: 'http://api.test', fetch: (request) => app.fetch(request as Request) },
        ).Books
        const one = await api.show.ok({ id: 3, fields: ['changedAt'] })
        expect(around.open(one)).toEqual({ changedAt })
        const titles: string[] = []
        for await (const { title } of api.index.all({ pagination: { page: 1, items: 3 }, fields: ['title'] }))
          titles.push(title)
        expect(titles).toEqual(rows.map(({ title }) => title))
      }),
      runs,
    )
  })

  it('conditions compare the element', async () => {
    await fc.assert(
      fc.asyncProperty(cases, async ([around, hasMediaType]) => {
        const { app } = serve(around, hasMediaType)
        const { headers } = await askFetch(app, 'GET /books/2')
        expect(headers['last-modified']).toBe(changedAt.toUTCString())
        const again = await askFetch(app, 'GET /books/2', { headers: { 'If-None-Match': headers['etag'] as string } })
        expect([again.status, again.text]).toEqual([304, ''])
        const other = await askFetch(app, 'GET /books/3', { headers: { 'If-None-Match': headers['etag'] as string } })
        expect(other.status).toBe(200)
      }),
      runs,
    )
  })

  it('a mock keeps what is sent, and shows it', async () => {
    await fc.assert(
      fc.asyncProperty(cases, async ([around, hasMediaType]) => {
        const app = mock([declare(around, hasMediaType)])
        const created = await askFetch(app, 'POST /books', { body: around.put({ title: 'New' }) })
        const { id, title } = around.open(created.json)
        expect([created.status, title]).toEqual([201, 'New'])
        expect(around.open((await askFetch(app, `GET /books/${id}`)).json)).toMatchObject({ id, title })
        const list = await askFetch(app, 'GET /books?pagination=page=1,items=100')
        expect(around.open(list.json)).toContainEqual({ id })
        expect((await askFetch(app, 'GET /books/99999')).status).toBe(404)
      }),
      runs,
    )
  })

  it('documents describe the selection', async () => {
    await fc.assert(
      fc.asyncProperty(cases, async ([around, hasMediaType]) => {
        const document: any = serve(around, hasMediaType).app.openapi()
        const { schema } = document.paths['/books/{id}'].get.responses[200].content['application/json']
        expect(schema.anyOf).toHaveLength(2)
      }),
      runs,
    )
  })
})

describe('FOR-01 what cannot be told apart in an envelope', () => {
  const declareOne = (ok: object, more: object = {}) =>
    endpoint('Books', {
      mediaType: Book,
      actions: {
        one: { routing: route.get('/one'), params: { fields: FieldSelector.for(Book) }, ...more, responses: { ok } },
      },
    } as never)
  const mistakes = (ok: object, more?: object) =>
    mistakesOf(() =>
      application({
        plugins: [mapper(), conditional()],
        controllers: [declareOne(ok, more).implement({ one: () => undefined } as never)],
      }),
    ).map(({ setting, problem, remedy }) => `${setting}: ${problem}; ${remedy}`)

  it('does not boot', () => {
    expect(mistakes(t.object({ old: Book, new: Book }))).toEqual([
      'one.params.fields: it cannot tell which Book is meant: old, new; leave it out, or respond with one of them',
    ])
    expect(mistakes(t.object({ count: t.integer() }))).toEqual([
      'one.params.fields: no response shows Book, which it selects from; select from the media type of the response',
    ])
    const policies = { params: {}, policies: [etag('title')] }
    expect(mistakes(t.object({ old: Book, new: Book }), policies)).toEqual([
      "policies.etag: the response shows several of Book; show one of them, or use etag('body')",
    ])
  })
})
