// Whole applications with contracts of others: RealWorld's articles, and JSON:API read by a client of it.
import { application, collectionOf, controller, endpoint, mediaType, route, t } from 'edict'
import { client } from 'edict/client'
import { mapper, memoryDatastore, one, resource } from 'edict/mapper'
import { mock } from 'edict/mock'
import { aip, constant, convention, jsonApi, PaginationParams, pageNumbers, pagination, stripe } from 'edict/pagination'
import { checkApplication } from 'edict/testing'
import { Jsona } from 'jsona'
import { describe, expect, it } from 'vitest'
import { ask } from '../../support/ask.ts'
import { runs } from '../../support/runs.ts'
import { Articles, app } from './realworld.ts'

const slugs = (json: { readonly articles: readonly { readonly slug: string }[] }): string[] =>
  json.articles.map(({ slug }) => slug)

describe('RealWorld', () => {
  it('[LST-02] [LST-03] has limit, offset and an envelope with the number of articles', async () => {
    const { json, headers } = await ask(app, 'GET /articles?limit=2&offset=1')
    expect(Object.keys(json)).toEqual(['articles', 'articlesCount'])
    expect([slugs(json), json.articlesCount, headers['link']]).toEqual([['a-4', 'a-3'], 5, undefined])
    expect((await ask(app, 'GET /articles')).json.articles.length).toBe(5)
  })

  it('[LST-03] shows fields that depend on the viewer', async () => {
    const shown = async (viewer: string) => {
      const { json } = await ask(app, 'GET /articles?limit=2', { headers: { 'x-viewer': viewer } })
      return json.articles.map((one: never) => {
        const { favorited, favoritesCount, author } = one as Record<string, { following: boolean }>
        return [favorited, favoritesCount, author?.following]
      })
    }
    expect(await shown('1')).toEqual([
      [true, 2, true],
      [false, 1, false],
    ])
    expect(await shown('2')).toEqual([
      [true, 2, false],
      [true, 1, false],
    ])
  })

  it('[LST-03] narrows the list by the params of the contract', async () => {
    const found = async (query: string) => {
      const { json } = await ask(app, `GET /articles?${query}`)
      return [slugs(json), json.articlesCount]
    }
    expect(await found('tag=news')).toEqual([['a-5', 'a-2'], 2])
    expect(await found('author=ann&limit=1')).toEqual([['a-4'], 2])
    expect(await found('favorited=bob')).toEqual([['a-5', 'a-4'], 2])
  })

  it('[LST-02] refuses malformed params by the names that the client sent', async () => {
    for (const [query, message] of [
      ['limit=0', "The parameter 'limit' must be at least 1"],
      ['limit=101', "The parameter 'limit' must request at most 100 items"],
      ['offset=-1', "The parameter 'offset' must be at least 0"],
      ['pagination=page=1', "The parameter 'pagination' is not a known name"],
    ] as const) {
      const { status, json } = await ask(app, `GET /articles?${query}`)
      expect([status, json.detail]).toEqual([400, message])
    }
  })

  it('[LST-03] is read to its end by all(), from the application and from its mock', async () => {
    for (const served of [app, mock([Articles])]) {
      const calls = client({ Articles }, { baseUrl: 'http://real', fetch: (request) => served.fetch(request) })
      const all: string[] = []
      for await (const { slug } of calls.Articles.index.all({ limit: 2 })) all.push(slug)
      expect(new Set(all).size).toBe(all.length)
      expect(all.length).toBe(served === app ? 5 : 30)
    }
  })
})

const id = t.integer({ required: true })
const Author = mediaType('Author', { attributes: { id, name: t.string() } })
const Book = mediaType('Book', {
  attributes: { id, title: t.string({ required: true }), year: t.integer({ nullable: true }), author: Author },
  views: { full: ['id', 'title', 'year', 'author'] },
})
const bookList = jsonApi.for(Book.view('full'), {
  type: 'books',
  orderBy: ['title', 'year'],
  filterBy: { year: {}, 'author.name': {} },
  fields: true,
})
const stripeList = stripe.for(Book, { order: ['-year'] })
// A user's own convention.
const house = convention({
  name: 'house',
  params: { top: 'items', skip: 'offset' },
  body: { ok: constant(true), result: { rows: 'elements', of: 'total' }, next: 'next' },
  headers: { link: true, total: 'X-Total' },
})
const houseList = house.for(Book)
const aipList = aip.with({ pageSize: 2 }).for(Book, { order: ['-year'] })
const pageList = pageNumbers.with({ pageSize: 2 }).for(Book, { headers: { link: true, total: 'X-Total-Count' } })
const Books = endpoint('Books', {
  actions: {
    api: { routing: route.get('/api'), params: bookList.params, responses: { ok: bookList.body } },
    stripe: { routing: route.get('/stripe'), params: stripeList.params, responses: { ok: stripeList.body } },
    house: { routing: route.get('/house'), params: houseList.params, responses: { ok: houseList.body } },
    pages: { routing: route.get('/pages'), params: pageList.params, responses: { ok: pageList.body } },
    aip: { routing: route.get('/aip'), params: aipList.params, responses: { ok: aipList.body } },
    own: {
      routing: route.get('/own'),
      params: { pagination: PaginationParams.for(Book) },
      responses: { ok: t.object({ books: t.array(Book, { required: true }), count: t.integer() }) },
    },
    plain: { routing: route.get('/plain'), responses: { ok: collectionOf(Book) } },
  },
})
const datastore = memoryDatastore({
  authors: {
    columns: { id: { kind: 'integer' }, name: { kind: 'text' } },
    key: ['id'],
    rows: [{ id: 7, name: 'Eliot' }],
  },
  books: {
    columns: {
      id: { kind: 'integer' },
      title: { kind: 'text' },
      year: { kind: 'integer', nullable: true },
      author_id: { kind: 'integer' },
    },
    key: ['id'],
    rows: [1, 2, 3, 4, 5].map((number) => ({
      id: number,
      title: `T${number}`,
      year: number === 3 ? null : 1900 + (number % 2),
      author_id: 7,
    })),
  },
})
const authors = resource(datastore, Author, { table: 'authors' })
const books = resource(datastore, Book, { table: 'books', attributes: { author: one(authors, { author_id: 'id' }) } })
const library = application({
  environment: 'test',
  plugins: [mapper({ resources: { authors, books } }), pagination({ maxItems: 100 })],
  controllers: [
    controller(Books, {
      api: async (_, { request, reply }) => reply.ok(bookList.answer(request, await books.list(request))),
      stripe: async (_, { request, reply }) => reply.ok(stripeList.answer(request, await books.list(request))),
      house: async (_, { request, reply }) => reply.ok(houseList.answer(request, await books.list(request))),
      pages: async (_, { request, reply }) => reply.ok(pageList.answer(request, await books.list(request))),
      aip: async (_, { request, reply }) => reply.ok(aipList.answer(request, await books.list(request))),
      async own(_, { request, reply }) {
        const page = await books.list(request)
        return reply.ok({ books: page, count: page.total ?? 0 })
      },
      plain: async (_, { reply }) => reply.ok(await books.list({ limit: 2 })),
    }),
  ],
})

describe('JSON:API', () => {
  it('[LST-02] is read by a client of JSON:API, along its links', async () => {
    const titles: string[] = []
    for (let path: string | null = '/books/api?page[size]=2&sort=-year,title'; path !== null; ) {
      const { json, headers } = await ask(library, `GET ${path}`, { headers: { accept: 'application/vnd.api+json' } })
      expect(headers['content-type']).toBe('application/vnd.api+json')
      for (const one of new Jsona().deserialize(json) as never as Record<string, { id: string }>[]) {
        expect([one['type'], one['author']?.id]).toEqual(['books', '7'])
        titles.push(String(one['title']))
      }
      path = json.links.next
    }
    expect(titles).toEqual(['T3', 'T1', 'T5', 'T2', 'T4'])
  })

  it('[LST-02] has filters, sparse fields, and errors by the names of its params', async () => {
    const { json } = await ask(
      library,
      'GET /books/api?filter[year]=1900&filter[author.name]=Eliot&fields[books]=title',
    )
    expect(json.data).toEqual([
      { type: 'books', id: '2', attributes: { title: 'T2' } },
      { type: 'books', id: '4', attributes: { title: 'T4' } },
    ])
    for (const [query, message] of [
      ['page[size]=0', "The parameter 'page[size]' must be at least 1"],
      ['page[after]=x', "The parameter 'page[after]' is not a cursor of this list"],
      ['sort=id', "The parameter 'sort' must not order by 'id'; use some of title, year"],
      ['filter[year]=x', "The parameter 'filter[year][0]' must be an integer"],
      ['fields[books]=isbn', "The parameter 'fields[books]' must not name 'isbn'; use some of id, title, year, author"],
    ] as const) {
      const { status, json: problem } = await ask(library, `GET /books/api?${query}`)
      expect([query, status, problem.detail]).toEqual([query, 400, message])
    }
  })
})

describe('lists in other structures', () => {
  const calls = client({ Books }, { baseUrl: 'http://books', fetch: (request) => library.fetch(request) })

  it("[LST-02] [LST-03] follow a convention of somebody's own, with links and totals in body and headers", async () => {
    const { json, headers } = await ask(library, 'GET /books/house?top=2&skip=2')
    expect([json.ok, json.result.rows.length, json.result.of]).toEqual([true, 2, 5])
    expect([json.next, headers['x-total']]).toEqual(['/books/house?top=2&skip=4', '5'])
    expect(headers['link']).toContain('rel="next"')
  })

  it("[LST-02] [LST-03] are read to their end in every convention, and edict's own within an envelope", async () => {
    const read = async (elements: AsyncIterable<{ readonly id: unknown }>): Promise<string[]> => {
      const ids: string[] = []
      for await (const { id: one } of elements) ids.push(String(one))
      return ids.sort()
    }
    const every = ['1', '2', '3', '4', '5']
    expect(await read(calls.Books.api.all({ page: { size: 2 } }))).toEqual(every)
    expect(await read(calls.Books.stripe.all({ limit: 2 }))).toEqual(every)
    expect(await read(calls.Books.pages.all({}))).toEqual(every)
    expect(await read(calls.Books.own.all({ pagination: 'by=title,items=2' }))).toEqual(every)
  })

  it('[LST-02] have pages of the default size where a client of AIP requests 0, from the first to the last', async () => {
    const walk = async (size: string): Promise<unknown[]> => {
      const pages: unknown[] = []
      for (let token = ''; pages.length === 0 || token !== ''; ) {
        const query = [size, token && `page_token=${encodeURIComponent(token)}`].filter(Boolean).join('&')
        const { status, json } = await ask(library, `GET /books/aip?${query}`)
        pages.push([status, json.items.map((one: { readonly id: number }) => one.id)])
        token = json.next_page_token ?? ''
      }
      return pages
    }
    const pages = await walk('')
    expect(pages.map((page) => (page as [number, unknown[]])[1].length)).toEqual([2, 2, 1])
    expect(await walk('page_size=0')).toEqual(pages)
    expect(await walk('page_size=2')).toEqual(pages)
    const refused = await Promise.all(
      ['aip?page_size=-1', 'pages?per_page=0', 'house?top=0'].map((path) => ask(library, `GET /books/${path}`)),
    )
    expect(refused.map(({ status }) => status)).toEqual([400, 400, 400])
  })

  it('[LST-02] name an element by its key, also where it has to be found again', async () => {
    const { json } = await ask(library, 'GET /books/stripe?limit=2&starting_after=5')
    expect([json.object, json.url, json.has_more]).toEqual(['list', '/books/stripe', true])
    expect(json.data.map((one: { readonly id: number }) => one.id)).toEqual([1, 4])
    for (const wrong of ['99', 'x']) {
      const { status, json: problem } = await ask(library, `GET /books/stripe?starting_after=${wrong}`)
      expect([status, problem.errors[0].pointer, problem.errors[0].code]).toEqual([
        400,
        '/starting_after',
        'pagination-continuation',
      ])
    }
  })
})

it.each([
  ['RealWorld', app],
  ['a library in seven conventions', library],
] as const)('[LST-02] [TKT-01] %s keeps the laws of lists', { timeout: 60_000 }, async (_, checked) => {
  const { cases, unreached } = await checkApplication(checked, { runs: runs(3, 60) })
  expect([unreached, (cases['pages'] ?? 0) > 0]).toEqual([[], true])
})
