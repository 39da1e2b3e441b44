// The parameter `pagination` over HTTP: pages, cursors, counts, links, and everything that is refused.
import { application, collectionOf, endpoint, mediaType, route, t } from 'edict'
import { OrderingParams, PaginationParams, pageOf, paginate, pagination } from 'edict/pagination'
import { describe, expect, it } from 'vitest'
import { type Answered, ask, askSocket } from '../support/ask.ts'

const Book = mediaType('Book', {
  attributes: {
    id: t.integer({ required: true }),
    title: t.string({ required: true }),
    year: t.integer({ nullable: true }),
    shelf: t.object({ name: t.string() }),
    tags: t.array(t.string()),
  },
})
const params = {
  pagination: PaginationParams.for(Book),
  order: OrderingParams.for(Book),
  topic: t.string(),
  a: t.array(t.string()),
  'x y&': t.string(),
}
const Books = endpoint('Books', {
  actions: { index: { routing: route.get('/'), params, responses: { ok: collectionOf(Book) } } },
})
const Narrow = endpoint('Narrow', {
  version: '1.0',
  actions: {
    index: {
      routing: route.get('/:topic'),
      params: { topic: t.string(), pagination: PaginationParams.for(Book, { byFields: ['id', 'shelf.name'] }) },
      responses: { ok: collectionOf(Book), notFound: true },
    },
    elsewhere: {
      routing: route.get('/elsewhere/of'),
      params: { pagination: PaginationParams.for(Book) },
      responses: { ok: collectionOf(Book) },
    },
  },
})
const list = Array.from({ length: 250 }, (_, i) => ({
  id: i + 1,
  title: ['a,b', 'c=d', 'é%20+', 'z'][i % 4] as string,
  year: i % 10 === 9 ? null : 1900 + (i % 7),
  shelf: { name: `s${i % 3}` },
}))
const app = application({
  basePath: '/api',
  plugins: [pagination()],
  controllers: [
    Books.implement({
      index: ({ topic }, { request, reply }) => reply.ok(paginate(request, topic === 'none' ? [] : list)),
    }),
    Narrow.implement({
      index: ({ topic }, { request, reply }) =>
        topic === 'lost' ? reply.notFound() : reply.ok(paginate(request, list.slice(0, 3))),
      elsewhere: (_, { request, reply }) =>
        reply.ok(pageOf(request, list.slice(5, 7), { next: true, prev: false, total: 9 })),
    }),
  ],
})
/** The links of an answer, read as strictly as RFC 8288 allows. */
function linksOf({ headers }: Answered): Record<string, string> {
  const text = headers['link'] ?? ''
  const one = /<(\/[!#-;=?-[\]_a-z~]*)>; rel="(first|prev|next|last)"(?:, (?=<)|$)/y
  const links: Record<string, string> = {}
  while (one.lastIndex < text.length) {
    const [, target, relation] = one.exec(text) ?? expect.fail(`not a Link: ${text}`)
    expect(links).not.toHaveProperty(relation as string)
    links[relation as string] = target as string
  }
  return links
}

/** Asks for books; every value is escaped as the query needs it, the pagination being written as it is after that. */
const books = (paging?: string, rest = ''): Promise<Answered> =>
  ask(app, `GET /api/books?${paging === undefined ? '' : `pagination=${encodeURIComponent(paging)}`}${rest}`)
const ids = ({ json }: Answered): number[] => json.map(({ id }: { id: number }) => id)
const range = (from: number, to: number): number[] => Array.from({ length: to - from + 1 }, (_, i) => from + i)
const codes = ({ status, json }: Answered): unknown => [status, json.errors?.map(({ code }: { code: string }) => code)]

describe('pages', () => {
  it('[PGN-01] one parameter, pairs with commas, values escaped within it', async () => {
    expect(ids(await books('page=3,items=2'))).toEqual([5, 6])
    expect(ids(await ask(app, 'GET /api/books?pagination=page=3,items=2'))).toEqual([5, 6])
    expect(ids(await books('items=%32,page=%33'))).toEqual([5, 6])
    expect((await ask(app, 'GET /api/books?page=3')).status).toBe(400)
  })

  it('[PGN-02] page p has the elements (p-1)*n+1 to p*n; beyond the end there are none', async () => {
    expect(ids(await books('page=2'))).toEqual(range(101, 200))
    expect(ids(await books('page=3'))).toEqual(range(201, 250))
    expect(ids(await books('page=4'))).toEqual([])
    expect(ids(await books('page=90071992547409'))).toEqual([])
  })

  it('[PGN-03] items is the size in both modes, also without a mode', async () => {
    expect(ids(await books('page=2,items=7'))).toEqual(range(8, 14))
    expect(ids(await books('by=id,items=3'))).toEqual([1, 2, 3])
    expect(ids(await books('items=4'))).toEqual([1, 2, 3, 4])
    expect(ids(await books('items=9007199254740991'))).toEqual(range(1, 250))
  })

  it('[PGN-04] the default size is 100', async () => {
    for (const paging of [undefined, 'page=1', 'by=id', 'total_count=true'])
      expect(ids(await books(paging)), paging).toEqual(range(1, 100))
  })

  it('[PGN-11] the six shapes of the syntax', async () => {
    expect(ids(await books('page=2'))[0]).toBe(101)
    expect(ids(await books('page=2,items=10'))).toEqual(range(11, 20))
    expect(ids(await books('by=id'))[0]).toBe(1)
    expect(ids(await books('by=id,from=17'))[0]).toBe(18)
    expect(ids(await books('by=id,from=17,items=2'))).toEqual([18, 19])
    expect((await books('page=2,total_count=true')).headers['total-count']).toBe('250')
  })
})

describe('cursors', () => {
  it('[PGN-05] by a field, ascending, nulls last', async () => {
    const years = (await books('by=year,items=250')).json.map(({ year }: { year?: number | null }) => year ?? 9999)
    expect(years).toEqual(years.toSorted((a: number, b: number) => a - b))
    expect(years[249]).toBe(9999)
    expect((await books('by=shelf.name,items=1')).json[0].shelf).toEqual({ name: 's0' })
  })

  it('[PGN-06] only the declared fields, and only those of the media type with an order', async () => {
    const narrow = (by: string) => ask(app, `GET /api/v1.0/narrow/x?pagination=by=${encodeURIComponent(by)}`)
    expect(ids(await narrow('id'))).toEqual([1, 2, 3])
    expect(ids(await narrow('shelf.name'))).toEqual([1, 2, 3])
    for (const by of ['title', 'year', 'shelf', 'ID', 'id.id', '__proto__', 'constructor', 'id;drop table'])
      expect(codes(await narrow(by)), by).toEqual([400, ['pagination-field']])
    for (const by of ['tags', 'tags.*', 'tags.length', 'shelf', 'shelf.', '.id', 'shelf.__proto__', 'toString', '*'])
      expect(codes(await books(`by=${by}`)), by).toEqual([400, ['pagination-field']])
  })

  it('[PGN-07] from a value on: the elements after it', async () => {
    expect(ids(await books('by=id,from=248'))).toEqual([249, 250])
    expect(ids(await books('by=id,from=-5,items=1'))).toEqual([1])
    expect(ids(await books('by=id,from=250'))).toEqual([])
  })

  it('[PGN-07] from is escaped within the parameter', async () => {
    const first = async (from: string) =>
      (await books(`by=title,from=${encodeURIComponent(from)},items=1`)).json[0]?.title
    expect(await first('a,b')).toBe('c=d')
    expect(await first('a,a')).toBe('a,b')
    expect(await first('c=d')).toBe('z')
    expect(await first('é%20*')).toBe('é%20+')
    expect(await first('é%20+')).toBeUndefined()
    expect(await first('')).toBe('a,b')
    expect((await books('by=title,from=y,items=1')).json[0].title).toBe('z')
    expect(codes(await books('by=title,from=100%'))).toEqual([400, ['encoding']])
    expect(codes(await books('by=title,from=%ff'))).toEqual([400, ['encoding']])
  })

  it('[PGN-07] from on a nullable field: nulls come after every value', async () => {
    const years = (await books('by=year,from=1906,items=100')).json.map(({ year }: { year?: null }) => year ?? null)
    expect(years).toEqual(Array(25).fill(null))
  })

  it('[PGN-08] without from, from the very first', async () => {
    expect(ids(await books('by=id,items=2'))).toEqual([1, 2])
  })

  it('[PGN-13] a typed from skips every element that has the value; links do not', async () => {
    const page = await books('by=shelf.name,items=100')
    expect(ids(await books('by=shelf.name,from=s0,items=1'))).toEqual([2])
    const next = await ask(app, `GET ${linksOf(page)['next']}`)
    expect([...ids(page), ...ids(next)].toSorted((a, b) => a - b).length).toBe(200)
    expect(new Set([...ids(page), ...ids(next)]).size).toBe(200)
  })
})

describe('counts and links', () => {
  it('[PGN-12] links that the action has itself stay', async () => {
    for (const link of ['</a>; rel="up"', ['</a>; rel="up"']]) {
      const own = application({
        plugins: [pagination()],
        controllers: [
          Books.implement({
            index: (_, { request, reply }) => reply.ok(paginate(request, list), { headers: { link } }),
          }),
        ],
      })
      const { headers } = await ask(own, 'GET /books?pagination=items=250')
      expect(headers['link']).toBe('</a>; rel="up", </books?pagination=page%3D1%2Citems%3D250>; rel="first"')
    }
  })

  it('[PGN-09] Total-Count is the number of all elements, when it is requested', async () => {
    expect((await books('page=9,total_count=true')).headers['total-count']).toBe('250')
    expect((await books('by=id,from=9,total_count=true,items=1')).headers['total-count']).toBe('250')
    expect((await books('total_count=true', '&topic=none')).headers['total-count']).toBe('0')
    for (const paging of ['page=1', 'total_count=false', undefined])
      expect((await books(paging)).headers['total-count']).toBeUndefined()
  })

  it('[PGN-12] a page links first, prev and next, and last when it is counted', async () => {
    const relations = async (paging: string, rest = '') => Object.keys(linksOf(await books(paging, rest))).join(' ')
    expect(await relations('page=1')).toBe('first next')
    expect(await relations('page=2')).toBe('first prev next')
    expect(await relations('page=3')).toBe('first prev')
    expect(await relations('page=3,items=50,total_count=true')).toBe('first prev next last')
    expect(await relations('page=1,items=250')).toBe('first')
    expect(await relations('page=1', '&topic=none')).toBe('first')
    expect(await relations('page=1,total_count=true', '&topic=none')).toBe('first last')
    expect(await relations('by=id')).toBe('first next')
    expect(await relations('by=id,from=5')).toBe('first prev next')
    expect(await relations('by=id,from=249')).toBe('first prev')
    expect(await relations('by=id,from=250')).toBe('first')
    expect(await relations('by=id', '&topic=none')).toBe('first')
  })

  it('[PGN-12] the exact header, with base path and version; also for HEAD and without pagination', async () => {
    const to = (path: string, paging: string, rel: string) => `<${path}?pagination=${paging}>; rel="${rel}"`
    const path = '/api/v1.0/narrow/x%20y'
    const answer = await ask(app, `GET ${path}?pagination=page=2,items=1,total_count=true`)
    const rest = '%2Citems%3D1%2Ctotal_count%3Dtrue'
    expect(answer.headers['link']).toBe(
      ['first', 'prev', 'next', 'last'].map((rel, i) => to(path, `page%3D${[1, 1, 3, 3][i]}${rest}`, rel)).join(', '),
    )
    const head = await ask(app, `HEAD ${path}?pagination=page=2,items=1,total_count=true`)
    expect([head.status, head.text, head.headers['link']]).toEqual([200, '', answer.headers['link']])
    const links = linksOf(await ask(app, 'GET /api/narrow/x?api_version=1.0'))
    expect(links).toEqual({ first: '/api/narrow/x?api_version=1.0&pagination=page%3D1' })
    expect((await ask(app, 'GET /api/v1.0/narrow/lost')).headers['link']).toBeUndefined()
  })

  it('[PGN-12] beyond the end, prev leads to the last page where that is known', async () => {
    const prev = async (paging: string) => linksOf(await books(paging))['prev']
    expect(await prev('page=9')).toBeUndefined()
    expect(await prev('page=9,total_count=true')).toBe('/api/books?pagination=page%3D3%2Ctotal_count%3Dtrue')
  })

  it('[PGN-12] a page that was read elsewhere knows what it is told', async () => {
    const at = (paging: string) => ask(app, `GET /api/v1.0/narrow/elsewhere/of?pagination=${paging}`)
    expect(Object.keys(linksOf(await at('by=id,from=5')))).toEqual(['first', 'next'])
    expect((await at('by=id,total_count=true')).headers['total-count']).toBe('9')
    expect((await at('by=id')).headers['total-count']).toBeUndefined()
    expect(Object.keys(linksOf(await at('page=1,items=2,total_count=true')))).toEqual(['first', 'next', 'last'])
  })

  it.each([
    'a=1&a=2',
    'topic=',
    'topic=a%26b%3Dc',
    'topic=a+b',
    'x%20y%26=1',
    'x+y%26=%F0%9F%93%9A',
    'topic=%22%3E%3Cb',
    'topic=(*)!',
  ])('[PGN-15] links keep %s as it was sent and load again', async (rest) => {
    for (const paging of ['page=2,items=2', 'by=title,items=2,from=b']) {
      for (const line of [`${rest}&pagination=${paging}&order=title`, `order=title&pagination=${paging}&${rest}`]) {
        const links = Object.values(linksOf(await ask(app, `GET /api/books?${line}`)))
        expect(links).toHaveLength(3)
        for (const link of links) {
          const kept = (link.split('?')[1] as string).split('&').filter((pair) => !pair.startsWith('pagination='))
          expect(kept).toEqual(line.split('&').filter((pair) => !pair.startsWith('pagination=')))
          expect((await ask(app, `GET ${link}`)).status, link).toBe(200)
        }
      }
    }
  })

  it('[PGN-15] the parameter itself may have been sent with an escaped name, and signs that end a link are escaped', async () => {
    const escaped = await ask(app, 'GET /api/books?p%61gination=page=2,items=2')
    expect(linksOf(escaped)['next']).toBe('/api/books?pagination=page%3D3%2Citems%3D2')
    const raw = await askSocket(app, 'GET /api/books?topic=>;rel="x"|^`{}\\<&pagination=items=1')
    expect(linksOf(raw)['next']).toBe(
      '/api/books?topic=%3E;rel=%22x%22%7C%5E%60%7B%7D%5C%3C&pagination=page%3D2%2Citems%3D1',
    )
  })
})
