// Sizes of pages and the default mode: options are independent, what a request names goes before them, and no page is larger
// than clients were told.
import { application, collectionOf, controller, endpoint, mediaType, route, t } from 'edict'
import {
  cursors,
  jsonApi,
  limitOffset,
  OrderingParams,
  PaginationParams,
  pageOf,
  paginate,
  pagination,
} from 'edict/pagination'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { ask } from '../support/ask.ts'
import { runs } from '../support/runs.ts'

const Book = mediaType('Book', {
  attributes: { id: t.integer({ required: true }), year: t.integer({ required: true }) },
})
const shelf = Array.from({ length: 160 }, (_, i) => ({ id: i + 1, year: 2000 - (i % 7) }))

const params = { pagination: PaginationParams.for(Book), order: OrderingParams.for(Book) }
const Books = endpoint('Books', {
  actions: { index: { routing: route.get('/'), params, responses: { ok: collectionOf(Book) } } },
})

type Options = NonNullable<Parameters<typeof pagination>[0]>

const listed = (options: Options) =>
  application({
    plugins: [pagination(options)],
    controllers: [controller(Books, { index: (_, { request, reply }) => reply.ok(paginate(request, shelf)) })],
  })

test('[PLG-01] [PLG-02] a page has the smaller of maxItems and defaultPageSize, whichever is set', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.option(fc.integer({ min: 1, max: 150 }), { nil: undefined }),
      fc.option(fc.integer({ min: 1, max: 150 }), { nil: undefined }),
      async (maxItems, defaultPageSize) => {
        // Both set, and the page too large: boot says so.
        fc.pre(maxItems === undefined || defaultPageSize === undefined || defaultPageSize <= maxItems)
        const options = { ...(maxItems && { maxItems }), ...(defaultPageSize && { defaultPageSize }) }
        const { json } = await ask(listed(options), 'GET /books')
        const size = Math.min(maxItems ?? Number.POSITIVE_INFINITY, defaultPageSize ?? 100, shelf.length)
        expect(json).toHaveLength(size)
      },
    ),
    { numRuns: runs(20, 60) },
  )
})

test('[PLG-01] [PLG-02] the settings of a param go before those of the plugin, each by itself', async () => {
  const size = fc.option(fc.integer({ min: 1, max: 150 }), { nil: undefined })
  const defined = (of: object): object => Object.fromEntries(Object.entries(of).filter(([, one]) => one !== undefined))
  await fc.assert(
    fc.asyncProperty(size, size, size, size, async (maxItems, defaultPageSize, ownMax, ownSize) => {
      const max = ownMax ?? maxItems ?? Number.POSITIVE_INFINITY
      // A size that is set and too large: boot says so.
      fc.pre((defaultPageSize ?? 0) <= (maxItems ?? Number.POSITIVE_INFINITY) && (ownSize ?? 0) <= max)
      const own = PaginationParams.for(Book, defined({ maxItems: ownMax, pageSize: ownSize }))
      const Few = endpoint('Few', {
        actions: {
          index: { routing: route.get('/'), params: { pagination: own }, responses: { ok: collectionOf(Book) } },
        },
      })
      const app = application({
        plugins: [pagination(defined({ maxItems, defaultPageSize }))],
        controllers: [Few.implement({ index: (_, { request, reply }) => reply.ok(paginate(request, shelf)) })],
      })
      const expected = Math.min(ownSize ?? Math.min(defaultPageSize ?? 100, max), shelf.length)
      expect((await ask(app, 'GET /few')).json).toHaveLength(expected)
    }),
    { numRuns: runs(30, 300) },
  )
})

describe('[PLG-05] a default mode by a field, next to ?order=', () => {
  const sorted = (order: string) => {
    const [field, sign] = [order.replace('-', '') as 'id' | 'year', order.startsWith('-') ? -1 : 1]
    return shelf.toSorted((a, b) => sign * (a[field] - b[field] || a.id - b.id)).slice(0, 5)
  }
  const rows = (['id', '-id', 'year', '-year'] as const).flatMap((order) =>
    (['id', 'year'] as const).map((by) => ({ order, by, mode: order.endsWith(by) ? 'after' : 'page' })),
  )

  test.each(rows)('order=$order, by $by by default: next has $mode', async ({ order, by, mode }) => {
    const app = listed({ pagingDefaultMode: { by }, defaultPageSize: 5 })
    const { status, json, headers } = await ask(app, `GET /books?order=${order}`)
    expect([status, json]).toEqual([200, sorted(order)])
    const next = /<([^>]*)>; rel="next"/.exec(headers['link'] ?? '')?.[1] as string
    expect(decodeURIComponent(next)).toContain(mode === 'page' ? 'page=2' : `by=${by},after=`)
    const following = await ask(app, `GET ${next}`)
    expect(following.json.some(({ id }: { id: number }) => json.some((one: { id: number }) => one.id === id))).toBe(
      false,
    )
  })

  test('where pages by number are disallowed, the order must be that of the mode', async () => {
    const app = listed({ pagingDefaultMode: { by: 'id' }, disallowPagingByDefault: true })
    const { status, json } = await ask(app, 'GET /books?order=year')
    expect([status, json.errors[0].code]).toEqual([400, 'order-by'])
  })
})

// --- more elements than there may be --------------------------------------------------------

const lists = {
  limitOffset: limitOffset.for(Book, { body: { meta: { size: 'items' }, books: 'elements' } }),
  cursors: cursors.for(Book),
  jsonApi: jsonApi.for(Book),
}
const Held = t.object({ books: t.array(Book, { required: true }), 'a/b': t.integer() })
const Over = endpoint('Over', {
  actions: {
    plain: { routing: route.get('/plain'), params, responses: { ok: collectionOf(Book) } },
    array: { routing: route.get('/array'), params, responses: { ok: collectionOf(Book) } },
    held: { routing: route.get('/held'), params, responses: { ok: Held } },
    offset: {
      routing: route.get('/offset'),
      params: lists.limitOffset.params,
      responses: { ok: lists.limitOffset.body },
    },
    cursors: { routing: route.get('/cursors'), params: lists.cursors.params, responses: { ok: lists.cursors.body } },
    json: { routing: route.get('/json'), params: lists.jsonApi.params, responses: { ok: lists.jsonApi.body } },
    free: { routing: route.get('/free'), responses: { ok: collectionOf(Book) } },
  },
})
const PLACES: Readonly<Record<string, string>> = {
  plain: 'the body',
  array: 'the body',
  held: '/books',
  offset: '/books',
  cursors: '/items',
  json: '/data',
}

function over(given: number, maxItems: number | undefined, options: object) {
  const around = { next: false, prev: false }
  const found = shelf.slice(0, given)
  const logged: string[] = []
  // A page that is larger than the request asked for, as a careless reader of another source makes one.
  const large = (request: never) => pageOf({ params: { pagination: decided(request) } }, found, around) as never
  const app = application({
    ...options,
    logger: { info() {}, warn() {}, error: (_: unknown, text?: string) => void logged.push(String(text)) },
    plugins: [pagination(maxItems === undefined ? {} : { maxItems })],
    controllers: [
      controller(Over, {
        plain: (_, { request, reply }) => reply.ok(pageOf(request, found, around)),
        array: (_, { reply }) => reply.ok(found),
        held: (_, { request, reply }) => reply.ok({ books: pageOf(request, found, around) }),
        offset: (_, { request, reply }) => reply.ok(lists.limitOffset.answer(request, large(request as never))),
        cursors: (_, { request, reply }) => reply.ok(lists.cursors.answer(request, large(request as never))),
        json: (_, { request, reply }) => reply.ok(lists.jsonApi.answer(request, large(request as never))),
        free: (_, { reply }) => reply.ok(found),
      }),
    ],
  })
  return { app, logged }
}

const decided = (request: object) => (request as { readonly list?: { pagination: never } }).list?.pagination as never

describe('[PLG-01] [RSP-05] more elements than maxItems break the declaration of the response', () => {
  const kinds = Object.keys(PLACES)

  test.each(kinds)('%s: a 500 in development and test, and exactly maxItems are sent', async (kind) => {
    for (const environment of ['development', 'test'] as const) {
      const { app, logged } = over(11, 10, { environment })
      const { status } = await ask(app, `GET /over/${kind}`)
      expect([status, logged.join()]).toEqual([
        500,
        expect.stringContaining(`${PLACES[kind]} must have at most 10 items`),
      ])
    }
    expect((await ask(over(10, 10, { environment: 'test' }).app, `GET /over/${kind}`)).status).toBe(200)
    expect((await ask(over(60, undefined, { environment: 'test' }).app, `GET /over/${kind}`)).status).toBe(200)
  })

  test.each(['plain', 'json'])('%s: in production as validateResponses says', async (kind) => {
    const asked = async (validateResponses: 'always' | 'sample' | 'off', most: number) => {
      const { app, logged } = over(60, 10, { environment: 'production', validateResponses })
      const statuses = new Set<number>()
      for (let i = 0; i < most && logged.length === 0; i++) statuses.add((await ask(app, `GET /over/${kind}`)).status)
      return [...statuses, ...logged.slice(0, 1)]
    }
    const broken = expect.stringContaining('at most 10 items')
    expect(await asked('always', 1)).toEqual([500, broken])
    expect(await asked('sample', 2000)).toEqual([200, broken])
    expect(await asked('off', 20)).toEqual([200])
  })

  test('a list without pagination has no such bound', async () => {
    expect((await ask(over(60, 10, { environment: 'test' }).app, 'GET /over/free')).status).toBe(200)
  })
})
