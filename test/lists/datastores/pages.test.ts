// Lists over HTTP, in every datastore: pagination and order, alone and together with filters and fields.
import { application, collectionOf, endpoint, route } from 'edict'
import { FieldSelector, FilteringParams, mapper } from 'edict/mapper'
import { OrderingParams, pagination } from 'edict/pagination'
import { expect, test } from 'vitest'
import { Book } from '../../support/library/design.ts'
import { at, type BookFacts, compare, reviews, sorted } from '../../support/library/facts.ts'
import { everywhere, idsOf, query, type Reader } from '../../support/library/reader.ts'
import { applicationOf } from '../../support/library/resources.ts'

const FIELDS = [
  'id',
  'title',
  'subtitle',
  'kind',
  'pages',
  'price',
  'copies',
  'lent',
  'published_on',
  'added_at',
  'opens_at',
  'author.id',
  'author.name',
  'author.born_on',
  'author.home.city',
] as const

const ORDERS = [
  'title',
  '-subtitle',
  'lent,-pages,price',
  '-kind,published_on,-opens_at',
  'author.name,-author.id,title',
  '-author.home.city,copies',
  'author.born_on,-added_at',
  '-added_at,subtitle',
  'price,-copies,-author.name',
  '-id',
]

await everywhere((reader) => {
  const { books } = reader
  const list = (params: Readonly<Record<string, string>>): string => `/books?${query({ fields: 'id', ...params })}`
  const paged = (text: string, params: Readonly<Record<string, string>> = {}) =>
    reader.ids(list({ pagination: text, ...params }))

  test('[PGN-02] [ORD-07] page=p is the p-th slice, in the order that was requested', async () => {
    for (const order of ['', 'title', '-author.name,pages']) {
      const all = idsOf(sorted(books, order))
      for (const page of [1, 2, 5]) {
        const params = order === '' ? {} : { order }
        expect(await paged(`page=${page},items=10`, params)).toEqual(all.slice((page - 1) * 10, page * 10))
      }
    }
  })

  test('[PGN-02] a page beyond the end is an empty list that leads back', async () => {
    const { status, body, links } = await reader.ask(`GET ${list({ pagination: 'page=99,items=10,total_count=true' })}`)
    expect([status, body]).toEqual([200, []])
    expect(Object.keys(links)).toEqual(['first', 'prev', 'last'])
    expect(await reader.ids(links['prev'] as string)).toEqual(idsOf(sorted(books, '').slice(40)))
    const behind = await reader.ask(`GET ${list({ pagination: 'by=id,from=1000,items=10' })}`)
    expect([behind.status, behind.body, Object.keys(behind.links)]).toEqual([200, [], ['first']])
  })

  test('[PGN-03] items=n is the size of a slice, by page and by cursor', async () => {
    for (const items of [1, 7, 46, 47, 48]) {
      expect(await paged(`items=${items}`)).toEqual(idsOf(sorted(books, '').slice(0, items)))
      expect(await paged(`by=title,items=${items}`)).toEqual(idsOf(sorted(books, 'title').slice(0, items)))
    }
  })

  test('[PGN-04] without items the configured page size holds', async () => {
    const small = applicationOf(reader.library, { defaultPageSize: 6 })
    expect(await reader.ids('/books?fields=id', small)).toEqual([1, 2, 3, 4, 5, 6])
    expect(await reader.ids('/books?fields=id&pagination=page=2', small)).toEqual([7, 8, 9, 10, 11, 12])
    expect(await reader.ids('/books?fields=id&pagination=by=id', small)).toHaveLength(6)
    expect(await reader.ids('/books?fields=id')).toHaveLength(47)
  })

  test.each(FIELDS)('[PGN-05] [PGN-08] by=%s begins at the beginning and rises, nulls last', async (field) => {
    expect(await paged(`by=${field}`)).toEqual(idsOf(sorted(books, field)))
    expect(await paged(`by=${field},items=5`)).toEqual(idsOf(sorted(books, field).slice(0, 5)))
  })

  test('[PGN-06] by accepts the declared fields, and nothing is read for others', async () => {
    const statements = await reader.statementsOf(async () => {
      for (const path of ['/books?pagination=by=notes', '/books/cards?pagination=by=pages']) {
        const { status, body } = await reader.ask(`GET ${path}`)
        expect(status).toBe(400)
        expect(body).toMatchObject({ errors: [{ code: 'pagination-field' }] })
      }
    })
    expect(statements).toEqual([])
    const cards = await reader.list('/books/cards?pagination=by=title,items=3')
    expect(cards.map(({ id }) => id)).toEqual(idsOf(sorted(books, 'title').slice(0, 3)))
  })

  test.each(FROMS)('[PGN-07] [PGN-13] by=%s,from=%s passes over all that are equal', async (field, from, value) => {
    const text = `by=${field},from=${encodeURIComponent(from)}`
    const behind = (book: BookFacts): number => compare(at(book, field), value)
    expect(await paged(text)).toEqual(idsOf(sorted(books, field).filter((book) => behind(book) > 0)))
    const order = `-${field}`
    const falling = sorted(books, order).filter((book) => behind(book) < 0)
    expect(await paged(text, { order })).toEqual(idsOf(falling))
    expect(await paged(`${text},items=3`, { order })).toEqual(idsOf(falling.slice(0, 3)))
  })

  test('[PGN-09] total_count=true tells the size of the whole list, whatever the slice', async () => {
    for (const [text, filters, total] of [
      ['items=3', undefined, 47],
      ['page=99', undefined, 47],
      ['by=title,from=x', undefined, 47],
      ['items=2', 'lent=true', 24],
      ['by=title,items=1', 'author.name=Ada', books.filter(({ author }) => author?.name === 'Ada').length],
      ['items=2', 'id=1000', 0],
    ] as const) {
      const params = { pagination: `${text},total_count=true`, ...(filters !== undefined && { filters }) }
      const { headers } = await reader.ask(`GET ${list(params)}`)
      expect([text, filters, headers['total-count']]).toEqual([text, filters, String(total)])
    }
    const { headers } = await reader.ask(`GET ${list({ pagination: 'items=3,total_count=false' })}`)
    expect(headers['total-count']).toBeUndefined()
  })

  test('[PGN-12] [PGN-15] Link has those of first, prev, next and last that exist, with the other params', async () => {
    const all = idsOf(sorted(books, '-title'))
    const relations: Record<string, string[]> = {
      'page=1,items=47': ['first'],
      'page=1,items=46': ['first', 'next'],
      'page=2,items=20': ['first', 'prev', 'next'],
      'page=3,items=20': ['first', 'prev'],
      'page=2,items=20,total_count=true': ['first', 'prev', 'next', 'last'],
      'by=title,items=47': ['first'],
      'by=title,items=46': ['first', 'next'],
      'by=title,from=Winter,items=5': ['first', 'prev', 'next'],
    }
    for (const [text, expected] of Object.entries(relations)) {
      const { links } = await reader.ask(`GET ${list({ pagination: text, order: '-title' })}`)
      expect([text, Object.keys(links)]).toEqual([text, expected])
      for (const link of Object.values(links)) expect(link).toMatch(/^\/books\?fields=id&order=-title&pagination=/)
    }
    const { links } = await reader.ask(
      `GET ${list({ pagination: 'page=2,items=20,total_count=true', order: '-title' })}`,
    )
    expect(await reader.ids(links['first'] as string)).toEqual(all.slice(0, 20))
    expect(await reader.ids(links['prev'] as string)).toEqual(all.slice(0, 20))
    expect(await reader.ids(links['next'] as string)).toEqual(all.slice(40))
    expect(await reader.ids(links['last'] as string)).toEqual(all.slice(40))
  })

  test('[PGN-12] HEAD responds with the headers of GET and no body', async () => {
    const path = list({ pagination: 'by=title,items=3,total_count=true' })
    const [get, head] = [await reader.ask(`GET ${path}`), await reader.ask(`HEAD ${path}`)]
    expect(head.status).toBe(200)
    expect(head.body).toBeUndefined()
    expect(head.headers).toEqual(get.headers)
  })

  test.each(ORDERS)('[PGN-14] who follows the links of order=%s sees every element once, both ways', async (order) => {
    const by = (order.split(',')[0] as string).replace(/^-/, '')
    const params = { fields: 'id', order, pagination: `by=${by},items=4` }
    const forwards = await walk(reader, `/books?${query(params)}`, 'next')
    expect(forwards.ids).toEqual(idsOf(sorted(books, order)))
    const backwards = await walk(reader, forwards.last, 'prev', true)
    expect(backwards.ids).toEqual(forwards.ids)
    const filters = 'lent=true|author.name=Ada|reviews.stars>2'
    const some = books.filter(
      ({ lent, author, reviews: all }) => lent || author?.name === 'Ada' || all.some(({ stars }) => stars > 2),
    )
    const filtered = await walk(reader, `/books?${query({ ...params, filters })}`, 'next')
    expect(filtered.ids).toEqual(idsOf(sorted(some, order)))
  })

  test('[PGN-14] a key of several fields leads through the list as well', async () => {
    const seen: unknown[] = []
    let path: string | undefined = '/reviews?pagination=by=stars,items=7&order=-stars&fields=book_id,number'
    while (path !== undefined) {
      const { body, links } = await reader.ask(`GET ${path}`)
      seen.push(...(body as unknown[]))
      path = links['next']
    }
    const expected = sorted(reviews, '-stars', ['book_id', 'number'])
    expect(seen).toEqual(expected.map(({ book_id, number }) => ({ book_id, number })))
  })

  test.each(ORDERS)('[ORD-01] [ORD-02] [MAP-01] order=%s', async (order) => {
    expect(await reader.ids(list({ order }))).toEqual(idsOf(sorted(books, order)))
    const opposite = order
      .split(',')
      .map((term) => (term.startsWith('-') ? `+${term.slice(1)}` : `-${term}`))
      .join()
    expect(await reader.ids(list({ order: opposite }))).toEqual(idsOf(sorted(books, opposite)))
  })

  test('[ORD-07] by and an order that begins with something else contradict each other', async () => {
    const { status, body } = await reader.ask(`GET ${list({ pagination: 'by=pages', order: 'title,pages' })}`)
    expect(status).toBe(400)
    expect(body).toMatchObject({ errors: [{ code: 'order-by', pointer: '/order' }] })
    expect(await paged('by=pages', { order: '-pages,title' })).toEqual(idsOf(sorted(books, '-pages,title')))
  })

  test('[MAP-02] [MAP-03] order, filters, fields and pagination work together', async () => {
    const found = await reader.list(
      `/books?${query({
        fields: 'title,author{name,home},tags,reviews{stars,by{name}}',
        filters: 'tags=sql&reviews.stars>=1',
        order: '-author.name,title',
        pagination: 'by=author.name,items=3',
      })}`,
    )
    const fitting = books.filter((book) => book.tags.includes('sql') && book.reviews.some(({ stars }) => stars >= 1))
    expect(fitting.length).toBeGreaterThan(3)
    expect(found).toEqual(sorted(fitting, '-author.name,title').slice(0, 3).map(shownBook))
  })

  test('[MAP-01] a list without pagination is read whole, in its order', async () => {
    const app = wholeLists(reader)
    const { status, body, headers } = await reader.ask('GET /all_books?fields=id&order=-title,pages', undefined, app)
    expect([status, headers['link'], headers['total-count']]).toEqual([200, undefined, undefined])
    expect(body).toEqual(sorted(books, '-title,pages').map(({ id }) => ({ id })))
    expect(await reader.ids('/all_books?fields=id&filters=lent=true', app)).toEqual(
      idsOf(
        sorted(
          books.filter(({ lent }) => lent),
          '',
        ),
      ),
    )
  })
})

/** Values for from: as a request has them, and as they are compared. */
const FROMS: readonly (readonly [string, string, unknown])[] = [
  ['title', 'Winter', 'Winter'],
  ['title', '', ''],
  ['title', 'Z,%&=!', 'Z,%&=!'],
  ['subtitle', '冬', '冬'],
  ['kind', 'novel', 'novel'],
  ['pages', '100', 100],
  ['pages', '-9007199254740991', -9007199254740991],
  ['pages', '9007199254740991', 9007199254740991],
  ['price', '0.25', 0.25],
  ['price', '0.1', 0.1],
  ['copies', '9007199254740981', 9007199254740981n],
  ['copies', '-9007199254740983', -9007199254740983n],
  ['copies', '99999999999999999999999999', 99999999999999999999999999n],
  ['lent', 'false', false],
  ['lent', 'true', true],
  ['published_on', '2001-01-02', '2001-01-02'],
  ['added_at', '2024-02-29T12:00:00.123Z', Date.parse('2024-02-29T12:00:00.123Z') * 1000],
  ['added_at', '2024-02-29T13:00:00+01:00', Date.parse('2024-02-29T12:00:00Z') * 1000],
  ['opens_at', '02:30:00', '02:30:00'],
  ['author.id', '4', 4],
  ['author.name', 'Ada', 'Ada'],
  ['author.born_on', '1914-04-14', '1914-04-14'],
  ['author.home.city', 'Oslo', 'Oslo'],
]

/** Follows a link until there is none; backwards, what comes is put before what was seen. */
async function walk(
  reader: Reader,
  start: string,
  relation: 'next' | 'prev',
  backwards = false,
): Promise<{ readonly ids: readonly number[]; readonly last: string }> {
  const ids: number[] = []
  let [path, last]: [string | undefined, string] = [start, start]
  for (let pages = 0; path !== undefined && pages < 60; pages++) {
    last = path
    const { status, body, links } = await reader.ask(`GET ${path}`)
    expect(status).toBe(200)
    const here = idsOf(body as { id: number }[])
    if (backwards) ids.unshift(...here)
    else ids.push(...here)
    path = links[relation]
  }
  return { ids, last }
}

/** The fields of a book that a selection shows. */
function shownBook({ title, author, tags, reviews: all }: BookFacts): unknown {
  return {
    title,
    ...(author !== null && { author: { name: author.name, ...shownHome(author.home) } }),
    tags,
    reviews: all.map(({ stars, by }) => ({ stars, ...(by !== null && { by: { name: by.name } }) })),
  }
}

function shownHome({ city, country }: { city: string | null; country: string | null }): object {
  const home = { ...(city !== null && { city }), ...(country !== null && { country }) }
  return Object.keys(home).length === 0 ? {} : { home }
}

const AllBooks = endpoint('AllBooks', {
  mediaType: Book,
  actions: {
    index: {
      routing: route.get('/'),
      params: {
        fields: FieldSelector.for(Book),
        filters: FilteringParams.for(Book, { lent: {} }),
        order: OrderingParams.for(Book, { byFields: ['title', 'pages'] }),
      },
      responses: { ok: collectionOf(Book) },
    },
  },
})

function wholeLists({ library: { books } }: Reader) {
  return application({
    plugins: [mapper(), pagination()],
    controllers: [AllBooks.implement({ index: async (_, { request, reply }) => reply.ok(await books.list(request)) })],
  })
}
