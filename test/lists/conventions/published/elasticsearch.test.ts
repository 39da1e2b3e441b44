// Searches of Elasticsearch in their published form: "Paginate search results", and the response of a search.
import { elasticsearch } from 'edict/pagination'
import { describe, expect, it } from 'vitest'
import { askBooks, Book, expectKnown, expectRefused, serveBooks } from './shelf.ts'

const list = elasticsearch.for(Book, { orderBy: ['title', 'year'], type: 'books' })
const app = serveBooks(list)

interface Hit {
  readonly _id: string
  readonly sort: readonly unknown[]
}

const idsOf = ({ hits }: { readonly hits: { readonly hits: readonly Hit[] } }): readonly string[] =>
  hits.hits.map(({ _id }) => _id)

describe('[FOR-08] searches of Elasticsearch', () => {
  it('[FOR-08] have hits with their sort values, and the total number', async () => {
    expect(await askBooks(app, 'size=2&sort=year:desc,title')).toEqual({
      timed_out: false,
      hits: {
        total: { value: 5, relation: 'eq' },
        max_score: null,
        hits: [
          {
            _index: 'books',
            _id: '2',
            _score: null,
            _source: { id: 2, title: 'Emma', year: null },
            sort: [null, 'Emma', 2],
          },
          {
            _index: 'books',
            _id: '1',
            _score: null,
            _source: { id: 1, title: 'Kokoro', year: 1914 },
            sort: [1914, 'Kokoro', 1],
          },
        ],
      },
    })
  })

  it('[FOR-08] have no hits for a size of 0, and 10 by default', async () => {
    expect((await askBooks(app, 'size=0')).hits).toEqual({
      total: { value: 5, relation: 'eq' },
      max_score: null,
      hits: [],
    })
    expect(idsOf(await askBooks(app, ''))).toEqual(['1', '2', '3', '4', '5'])
    expect(idsOf(await askBooks(app, 'from=3&size=9'))).toEqual(['4', '5'])
    expect((await askBooks(app, 'from=1&size=1')).hits.hits[0].sort).toEqual([2])
  })

  it('[FOR-08] go on after the sort values of a hit', async () => {
    const found: string[] = []
    let values: readonly unknown[] | undefined
    do {
      const after = values === undefined ? '' : `&search_after=${encodeURIComponent(JSON.stringify(values))}&from=0`
      const page = await askBooks(app, `size=2&sort=year${after}`)
      found.push(...idsOf(page))
      values = page.hits.hits.at(-1)?.sort
    } while (values !== undefined)
    expect(found).toEqual(['4', '5', '1', '3', '2'])
  })

  it('[FOR-08] refuse values of another order, and what is no size', async () => {
    await expectRefused(app, [
      ['size=-1', "The parameter 'size' must be at least 0"],
      ['size=10001', "The parameter 'size' must request at most 10000 items"],
      ['from=-1', "The parameter 'from' must be at least 0"],
      ['search_after=[1,2,3]', "The parameter 'search_after' is not a cursor of this list"],
      ['search_after=["x"]', "The parameter 'search_after' is not a cursor of this list"],
      ['search_after=[{}]', "The parameter 'search_after'"],
      ['search_after=7', "The parameter 'search_after'"],
      ['search_after=[1]&from=2', "The parameter 'search_after' must not be sent together with 'from'"],
      ['sort=year:down', "The parameter 'sort'"],
      ['sort=shelf', "The parameter 'sort'"],
    ])
  })

  it('[FOR-08] are known to clients, mocks, documents, contracts and the test kit', { timeout: 60_000 }, async () => {
    await expectKnown(list, { size: 2 })
  })
})
