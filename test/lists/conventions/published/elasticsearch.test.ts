// Searches of Elasticsearch in their published form: "Paginate search results", and the response of a search.
import { elasticsearch } from 'edict/pagination'
import { describe, expect, it } from 'vitest'
import { askBooks, Book, expectKnown, expectRefused, serveBooks } from './shelf.ts'

const list = elasticsearch.for(Book, {
  orderBy: ['title', 'year'],
  filterBy: { id: {}, title: { wildcards: true }, year: {}, 'reviews.stars': {} },
  type: 'books',
})
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

  it('[FOR-08] are filtered by query strings', async () => {
    for (const [q, ids] of [
      ['title:Emma', ['2', '4']],
      ['title:"Emma"', ['2', '4']],
      ['title:"O\'Hara, collected"', ['3']],
      ["title:O'Hara,\\ collected", ['3']],
      ['title:Em*', ['2', '4']],
      ['title:*o', ['1']],
      ['title:*cha*', ['5']],
      ['title:"Em*"', []],
      ['NOT title:Emma', ['1', '3', '5']],
      ['!title:Emma && year:1914', ['1', '3']],
      ['title:(Emma OR Botchan)', ['2', '4', '5']],
      ['title:(Em* AND NOT Botchan)', ['2', '4']],
      ['year:[1815 TO 1906]', ['4', '5']],
      ['year:{1815 TO 1914}', ['5']],
      ['year:[1815 TO 1914}', ['4', '5']],
      ['year:[1906 TO *]', ['1', '3', '5']],
      ['year:[* TO *]', ['1', '3', '4', '5']],
      ['year:>=1906', ['1', '3', '5']],
      ['year:<1906', ['4']],
      ['_exists_:year', ['1', '3', '4', '5']],
      ['NOT _exists_:year', ['2']],
      ['year:*', ['1', '3', '4', '5']],
      ['title:Emma AND year:1815 OR id:1', ['1', '4']],
      ['title:Emma AND (year:1815 OR id:1)', ['4']],
      ['NOT (year:>=1906 || id:2)', ['4']],
      ['reviews.stars:>=4', ['1', '4']],
    ] as const)
      expect([q, idsOf(await askBooks(app, `q=${encodeURIComponent(q)}`))]).toEqual([q, ids])
    const page = await askBooks(app, 'q=year:>=1906&size=1&sort=year:desc')
    expect([page.hits.total.value, idsOf(page)]).toEqual([3, ['3']])
    expect((await askBooks(app, 'q=year:>=1906&size=0')).hits).toMatchObject({ total: { value: 3 }, hits: [] })
  })

  it('[FOR-08] refuse query strings that they do not understand', async () => {
    await expectRefused(app, [
      ['q=', "The parameter 'q'"],
      ['q=Emma', "The parameter 'q' has unexpected end at character 5; expected :"],
      ['q=shelf:1', "The parameter 'q'"],
      ['q=title:', "The parameter 'q'"],
      ['q=title:Emma Botchan', "The parameter 'q' has unexpected 'B' at character 12; expected AND, OR or the end"],
      ['q=year:old', "The parameter 'q'"],
      ['q=year:[1 TO', "The parameter 'q'"],
      ['q=year:[1 TO 2', "The parameter 'q'"],
      ['q=year:[1,2]', "The parameter 'q'"],
      ['q=year:19*', "The parameter 'q'"],
      ['q=title:Emma~', "The parameter 'q'"],
      ['q=title:/Em.*/', "The parameter 'q'"],
      ['q=title:E?ma', "The parameter 'q'"],
      ['q=title:E*a', "The parameter 'q'"],
      ['q=(title:Emma', "The parameter 'q'"],
      ['q=__proto__:1', "The parameter 'q'"],
      [`q=${'('.repeat(400)}title:a`, "The parameter 'q'"],
      [`q=title:${'('.repeat(400)}a`, "The parameter 'q'"],
    ])
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
