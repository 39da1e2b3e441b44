// Lists of Google's API improvement proposals in their published form: AIP-132, AIP-158 and AIP-160.
import { aip } from 'edict/pagination'
import { describe, expect, it } from 'vitest'
import { askBooks, Book, expectKnown, expectRefused, serveBooks } from './shelf.ts'

const list = aip.with({ pageSize: 3, maxItems: 4 }).for(Book, {
  body: { books: 'elements', next_page_token: { '~orEmpty': 'nextToken' }, total_size: 'total' },
  orderBy: ['title', 'year'],
  filterBy: { title: { wildcards: true }, year: {} },
  fields: true,
})
const app = serveBooks(list)

const ids = async (query: string): Promise<readonly number[]> =>
  (await askBooks(app, query)).books.map(({ id }: { readonly id: number }) => id)

describe('[FOR-08] lists of AIP', () => {
  it('[FOR-08] have the elements, the next token and the total size', async () => {
    const { next_page_token: token, ...rest } = await askBooks(app, 'page_size=1')
    expect(rest).toEqual({ books: [{ id: 1, title: 'Kokoro', year: 1914 }], total_size: 5 })
    expect(token).toMatch(/^[\w-]+$/)
    expect(await askBooks(app, 'page_size=1&filter=year%3D1906')).toEqual({
      books: [{ id: 5, title: 'Botchan', year: 1906 }],
      next_page_token: '',
      total_size: 1,
    })
  })

  it('[FOR-08] go on from a token, also with another size, and begin with an empty one', async () => {
    const { next_page_token: token } = await askBooks(app, 'page_size=2&page_token=')
    const { books, next_page_token: last } = await askBooks(app, `page_size=4&page_token=${token}`)
    expect(books.map(({ id }: { readonly id: number }) => id)).toEqual([3, 4, 5])
    expect(last).toBe('')
  })

  it('[FOR-08] have the default size for 0, and the largest for more', async () => {
    expect(await ids('page_size=0')).toEqual([1, 2, 3])
    expect(await ids('')).toEqual([1, 2, 3])
    expect(await ids('page_size=1000')).toEqual([1, 2, 3, 4])
  })

  it('[FOR-08] are ordered and filtered in words', async () => {
    expect(await ids('order_by=year%20desc,title')).toEqual([2, 1, 3])
    expect(await ids('order_by=%20title%20,%20%20year%20desc%20&page_size=4')).toEqual([5, 2, 4, 1])
    expect(await ids('filter=year%20%3E%3D%201906%20AND%20NOT%20title%20%3D%20%22Kokoro%22')).toEqual([3, 5])
    expect(await ids('filter=title%20%3D%20%22Em*%22%20AND%20-year%20%3D%201815')).toEqual([2])
    expect(await ids('filter=title%3D%22Kokoro%22%20OR%20year%3A1815')).toEqual([1, 4])
  })

  it('[FOR-08] refuse negative sizes, foreign tokens and changed filters', async () => {
    const { next_page_token: token } = await askBooks(app, 'page_size=2')
    await expectRefused(app, [
      ['page_size=-1', "The parameter 'page_size' must be at least 0"],
      ['page_size=many', "The parameter 'page_size' must be an integer"],
      ['page_token=x', "The parameter 'page_token' is not a cursor of this list"],
      [`page_token=${token}&filter=year%3D1914`, "The parameter 'page_token' is not a cursor of this list"],
      [`page_token=${token}&order_by=title`, "The parameter 'page_token' is not a cursor of this list"],
      ['order_by=shelf', "The parameter 'order_by'"],
      ['filter=shelf%3D1', "The parameter 'filter'"],
    ])
  })

  it('[FOR-08] are known to clients, mocks, documents, contracts and the test kit', { timeout: 60_000 }, async () => {
    await expectKnown(list, { page_size: 2 })
  })
})
