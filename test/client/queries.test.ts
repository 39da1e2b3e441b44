// Options of TanStack Query, with its own client: keys, bodies, errors, pages and cancellation.
import { hashKey, MutationObserver, QueryClient } from '@tanstack/query-core'
import { application, collectionOf, endpoint, inherit, mediaType, route, t } from 'edict'
import { client } from 'edict/client'
import { FieldSelector, mapper } from 'edict/mapper'
import { PaginationParams, paginate, pagination } from 'edict/pagination'
import { infiniteQueryOptions, mutationOptions, queryOptions } from 'edict/tanstack-query'
import { testClient } from 'edict/testing'
import { describe, expect, expectTypeOf, it } from 'vitest'
import { urlOf } from '../support/ask.ts'

const Book = mediaType('Book', {
  attributes: { id: t.integer({ required: true }), title: t.string({ required: true }) },
})
const Books = endpoint('Books', {
  mediaType: Book,
  actions: {
    index: {
      routing: route.get('/'),
      params: { pagination: PaginationParams.for(Book) },
      responses: { ok: collectionOf(Book) },
    },
    some: {
      routing: route.get('/some/:id'),
      params: { id: t.integer(), fields: FieldSelector.for(Book), pagination: PaginationParams.for(Book) },
      responses: { ok: collectionOf(Book) },
    },
    show: {
      routing: route.get('/:id'),
      params: { id: t.bigint() },
      responses: { ok: Book, notFound: true, noContent: true },
    },
    create: { routing: route.post('/'), payload: { title: inherit }, responses: { created: Book } },
  },
})
const books = Array.from({ length: 7 }, (_, id) => ({ id, title: `Book ${id}` }))
const app = application({
  plugins: [pagination(), mapper()],
  controllers: [
    Books.implement({
      index: (_, { request, reply }) => reply.ok(paginate(request, books)),
      some: (_, { request, reply }) => reply.ok(paginate(request, books)),
      show: ({ id }, { reply }) => {
        if (id === 0n) return reply.noContent()
        const book = books[Number(id)]
        return book === undefined ? reply.notFound() : reply.ok(book)
      },
      create: (_, { request, reply }) => reply.created({ id: 9, title: request.payload.title }),
    }),
  ],
})
const apis = {
  'in process': async () => testClient(app, { Books }),
  'over a socket': async () => client({ Books }, { baseUrl: await urlOf(app) }),
}
const queries = (): QueryClient => new QueryClient({ defaultOptions: { queries: { retry: false } } })

describe.each(Object.entries(apis))('query options %s', (_, connect) => {
  it('[CLT-08] give bodies by keys that are equal for equal calls', async () => {
    const api = await connect()
    const client = queries()
    const options = queryOptions(api.Books.show, { id: 3n })
    const book = await client.fetchQuery(options)
    expectTypeOf(book).toEqualTypeOf<{ id: number; title: string } | null>()
    expect(book).toEqual({ id: 3, title: 'Book 3' })
    const kept = client.getQueryData(options.queryKey)
    expectTypeOf(kept).toEqualTypeOf<{ id: number; title: string } | null | undefined>()
    expect(kept).toBe(book)
    expect(client.getQueryData(queryOptions(api.Books.show, { id: 3n }).queryKey)).toBe(book)
    const hashes = [{ id: 3n }, { id: 4n }].map((params) => hashKey(queryOptions(api.Books.show, params).queryKey))
    expect(hashes[0]).not.toBe(hashes[1])
    await client.invalidateQueries({ queryKey: ['Books'] })
    expect(client.getQueryState(options.queryKey)?.isInvalidated).toBe(true)
    // @ts-expect-error: the path needs an id
    expect(() => queryOptions(api.Books.show, {})).not.toThrow()
  })

  it('[CLT-08] give null for a response without a body, and throw the others', async () => {
    const api = await connect()
    expect(await queries().fetchQuery(queryOptions(api.Books.show, { id: 0n }))).toBe(null)
    const error = await queries()
      .fetchQuery(queryOptions(api.Books.show, { id: 99n }))
      .catch((error: unknown) => error)
    expect(api.Books.show.threw(error) && error.response.name).toBe('notFound')
  })

  it('[CLT-08] of a list give its pages to the end', async () => {
    const api = await connect()
    const options = infiniteQueryOptions(api.Books.index, { pagination: 'by=id,items=3' })
    const data = await queries().fetchInfiniteQuery({ ...options, pages: 9 })
    expectTypeOf(data.pages[0]!.elements).toEqualTypeOf<readonly { id: number; title: string }[]>()
    expect(data.pages.map(({ elements }) => elements.map(({ id }) => id))).toEqual([[0, 1, 2], [3, 4, 5], [6]])
    expect(data.pageParams[0]).toBe('')
  })

  it('[CLT-08] [CLT-02] have the type of the fields that they select', async () => {
    const { Books: calls } = await connect()
    const one = await queries().fetchQuery(queryOptions(calls.some, { id: 1, fields: ['id'] }))
    expectTypeOf(one).toEqualTypeOf<readonly { id: number }[]>()
    expect(one[0]).toEqual({ id: 0 })
    const paged = infiniteQueryOptions(calls.some, { id: 1, fields: ['title'], pagination: 'by=id,items=3' }, {})
    const { pages } = await queries().fetchInfiniteQuery(paged)
    expectTypeOf(pages[0]!.elements).toEqualTypeOf<readonly { title: string }[]>()
    expect(pages[0]?.elements[0]).toEqual({ title: 'Book 0' })
    const whole = await queries().fetchQuery(queryOptions(calls.some, { id: 1 }, { timeout: 5000 }))
    expectTypeOf(whole).toEqualTypeOf<readonly { id: number; title: string }[]>()
    void (() => queryOptions(calls.index, undefined, { timeout: 5000 }))
    // @ts-expect-error: there is no such attribute
    void (() => queryOptions(calls.some, { id: 1, fields: ['titel'] }))
    // @ts-expect-error: there is no such param
    void (() => infiniteQueryOptions(calls.some, { id: 1, field: ['title'] }))
    // @ts-expect-error: the path needs an id
    void (() => infiniteQueryOptions(calls.some))
  })

  it('[CLT-08] of a mutation take the arguments of the call', async () => {
    const api = await connect()
    const observer = new MutationObserver(queries(), mutationOptions(api.Books.create))
    const made = await observer.mutate([undefined, { payload: { title: 'Emma' } }])
    expectTypeOf(made).toEqualTypeOf<{ id: number; title: string }>()
    expect(made).toEqual({ id: 9, title: 'Emma' })
    // @ts-expect-error: the payload is required
    expect(() => observer.mutate([{}]).catch(() => {})).not.toThrow()
  })
})

it('[CLT-08] a query that is cancelled ends its request', async () => {
  const signals: AbortSignal[] = []
  const fetch = ({ signal }: Request): Promise<Response> => {
    signals.push(signal)
    return new Promise(() => {})
  }
  const api = client({ Books }, { baseUrl: 'http://books.test', fetch })
  const cache = queries()
  const options = queryOptions(api.Books.show, { id: 1n })
  const asked = cache.fetchQuery(options).catch(() => 'cancelled')
  await expect.poll(() => signals.length).toBe(1)
  await cache.cancelQueries({ queryKey: options.queryKey })
  expect([await asked, signals[0]?.aborted]).toEqual(['cancelled', true])
})
