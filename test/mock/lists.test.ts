// Lists of a mock over HTTP: the library, of which only declarations exist, answers as its datastores do.
import { mock } from 'edict/mock'
import { describe, expect, test } from 'vitest'
import { askFetch } from '../support/ask.ts'
import * as design from '../support/library/design.ts'
import { at, type BookFacts, compare, type ReviewFacts, sorted } from '../support/library/facts.ts'
import { idsOf, query } from '../support/library/reader.ts'

const app = mock(design, { rows: 60, environment: 'test' })

async function page(path: string) {
  const { status, headers, json } = await askFetch(app, `GET ${path}`)
  expect([path, status, json]).toEqual([path, 200, expect.any(Array)])
  const links = [...(headers['link'] ?? '').matchAll(/<([^>]*)>; rel="(\w+)"/g)]
  const targets = Object.fromEntries(links.map(([, target, relation]) => [relation as string, target as string]))
  return { elements: json as any[], links: targets, total: headers['total-count'] }
}

const WHOLE =
  'id,title,subtitle,kind,pages,price,copies,lent,published_on,added_at,opens_at,author{id,name,born_on,home},tags,reviews{book_id,number,stars,by{id,name}}'

/** The complete list, as plain values that can be compared. */
const books: readonly BookFacts[] = (await page(`/books?${query({ fields: WHOLE })}`)).elements.map((book) => ({
  ...book,
  copies: book.copies === null ? null : BigInt(book.copies),
}))

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

async function walk(start: string, relation: 'next' | 'prev') {
  const pages: number[][] = []
  let [path, last]: [string | undefined, string] = [start, start]
  while (path !== undefined && pages.length < 60) {
    last = path
    const { elements, links } = await page(path)
    pages.push(idsOf(elements))
    path = links[relation]
  }
  return { ids: (relation === 'prev' ? pages.reverse() : pages).flat(), last }
}

describe('lists of a mock', () => {
  test('rows are varied: ties, gaps, several of each', () => {
    expect(idsOf(books)).toEqual(Array.from({ length: 60 }, (_, i) => i + 1))
    for (const field of ['title', 'pages', 'price', 'kind', 'author.id', 'opens_at']) {
      const values = books.map((book) => at(book, field))
      const distinct = new Set(values).size
      expect([field, distinct > 2, distinct < 55]).toEqual([field, true, true])
    }
    for (const field of ['subtitle', 'pages', 'copies', 'author', 'author.home.city']) {
      const gaps = books.filter((book) => at(book, field) === null).length
      expect([field, gaps > 0, gaps < 40]).toEqual([field, true, true])
    }
    expect(new Set(books.flatMap(({ tags }) => tags)).size).toBeGreaterThan(2)
    expect(books.some(({ reviews }) => reviews.length > 3)).toBe(true)
    for (const { id, reviews } of books) for (const { book_id } of reviews) expect(book_id).toBe(id)
  })

  test.each(ORDERS)('order=%s, there and back', async (order) => {
    const expected = idsOf(sorted(books, order))
    expect(idsOf((await page(`/books?${query({ fields: 'id', order })}`)).elements)).toEqual(expected)
    const by = (order.split(',')[0] as string).replace('-', '')
    const start = `/books?${query({ fields: 'id', order, pagination: `by=${by},items=7` })}`
    const forwards = await walk(start, 'next')
    expect(forwards.ids).toEqual(expected)
    expect((await walk(forwards.last, 'prev')).ids).toEqual(expected)
  })

  const [some] = books as [BookFacts]
  const median = (field: string): unknown =>
    books
      .map((book) => at(book, field))
      .filter((value) => value !== null)
      .sort(compare)[20]
  const written = (value: unknown): string => encodeURIComponent(String(value))

  test.each(['id', 'title', 'pages', 'price', 'copies', 'published_on', 'added_at', 'opens_at'])(
    '%s is compared by every operator',
    async (field) => {
      const value = median(field)
      const operators: Record<string, (compared: number) => boolean> = {
        '=': (compared) => compared === 0,
        '!=': (compared) => compared !== 0,
        '<': (compared) => compared < 0,
        '<=': (compared) => compared <= 0,
        '>': (compared) => compared > 0,
        '>=': (compared) => compared >= 0,
      }
      for (const [operator, holds] of Object.entries(operators)) {
        const expected = books.filter((book) => {
          const own = at(book, field)
          return own === null ? operator === '!=' : holds(compare(own, value))
        })
        const filters = `${field}${operator}${written(value)}`
        const { elements, total } = await page(
          `/books?${query({ fields: 'id', filters, pagination: 'page=1,items=100,total_count=true' })}`,
        )
        expect([filters, idsOf(elements), total]).toEqual([filters, idsOf(expected), String(expected.length)])
        expect(expected.length).toBeGreaterThan(0)
      }
    },
  )

  const tag = books.flatMap(({ tags }) => tags)[0] as string
  const reader = books.flatMap(({ reviews }) => reviews).find(({ by }) => by)?.by?.name as string
  const starred = (book: BookFacts, holds: (review: ReviewFacts) => boolean): boolean => book.reviews.some(holds)
  const conditions: readonly (readonly [string, (book: BookFacts) => boolean])[] = [
    ['lent=true|kind=novel&pages!!', ({ lent, kind, pages }) => lent || (kind === 'novel' && pages === null)],
    [`title=${written(some.title.slice(0, 4))}*`, ({ title }) => title.startsWith(some.title.slice(0, 4))],
    [`tags=${written(tag)}`, ({ tags }) => tags.includes(tag)],
    ['tags!!', ({ tags }) => tags.length === 0],
    ['author!!', ({ author }) => (author ?? null) === null],
    [`author.id=${some.author?.id}`, ({ author }) => author?.id === some.author?.id],
    ['author.home.city!', (book) => at(book, 'author.home.city') !== null],
    ['reviews!', ({ reviews }) => reviews.length > 0],
    ['reviews.stars>50', (book) => starred(book, ({ stars }) => stars > 50)],
    [`reviews.by.name=${written(reader)}`, (book) => starred(book, ({ by }) => by?.name === reader)],
  ]
  test.each(conditions)('filters=%s', async (filters, holds) => {
    const expected = books.filter(holds)
    expect([expected.length > 0, expected.length < books.length]).toEqual([true, true])
    const { elements } = await page(`/books?${query({ fields: 'id', filters, order: '-title' })}`)
    expect(idsOf(elements)).toEqual(idsOf(sorted(expected, '-title')))
  })

  test('fields show what is selected, views what they name', async () => {
    const { elements } = await page(`/books?${query({ fields: 'title,author{name},tags', order: '-id' })}`)
    expect(elements).toEqual(
      sorted(books, '-id').map(({ title, author, tags }) => ({
        title,
        ...(author && { author: { name: author.name } }),
        tags,
      })),
    )
    const cards = await page('/books/cards?pagination=by=title,items=2')
    expect(cards.elements.map((card) => Object.keys(card).filter((name) => name !== 'author'))).toEqual([
      ['id', 'title'],
      ['id', 'title'],
    ])
  })

  test('a key of several fields leads through the list', async () => {
    const whole = (await page('/reviews')).elements
    const seen: unknown[] = []
    let path: string | undefined = '/reviews?pagination=by=stars,items=7&order=-stars'
    while (path !== undefined) {
      const { elements, links } = await page(path)
      seen.push(...elements)
      path = links['next']
    }
    expect(seen).toEqual(sorted(whole, '-stars', ['book_id', 'number']))
  })

  test('what requests must not say is refused as the application would', async () => {
    const codes = async (params: Record<string, string>) => {
      const { status, json } = await askFetch(app, `GET /books?${query(params)}`)
      return [status, ...json.errors.map(({ code }: any) => code)]
    }
    expect(await codes({ filters: 'notes=1' })).toEqual([400, 'filter-field'])
    expect(await codes({ order: 'label' })).toEqual([400, 'order-field'])
    expect(await codes({ pagination: 'page=0' })).toEqual([400, 'pagination-number'])
    expect((await askFetch(app, 'GET /books?colour=red')).status).toBe(400)
    expect((await askFetch(app, 'POST /books', { body: {} })).json.errors).toMatchObject([{ pointer: '/title' }])
  })
})
