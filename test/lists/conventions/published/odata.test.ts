// Lists of OData 4 in their published form: system query options, and the JSON of collections.
import { odata } from 'edict/pagination'
import { describe, expect, it } from 'vitest'
import { ask, mistakesOf } from '../../../support/ask.ts'
import { askBooks, Book, expectKnown, expectRefused, serveBooks } from './shelf.ts'

const list = odata.for(Book, {
  orderBy: ['title', 'year', 'author.name'],
  filterBy: {
    id: {},
    title: { wildcards: true },
    year: {},
    'author.name': {},
    reviews: { elements: ['any', 'all'] },
    'reviews.stars': {},
  },
  fields: true,
  pageSize: 2,
})
const app = serveBooks(list)
const long = serveBooks(
  odata.with({ pageSize: 100 }).for(Book, {
    orderBy: ['title', 'year', 'author.name'],
    filterBy: {
      id: {},
      title: { wildcards: true },
      year: {},
      'author.name': {},
      reviews: { elements: ['any', 'all'] },
      'reviews.stars': {},
    },
  }),
)

const expandable = odata.for(Book.view('whole'), { fields: true, include: ['author', 'reviews'], pageSize: 2 })
const expanding = serveBooks(expandable)

const idsOf = ({ value }: { readonly value: readonly { readonly id: number }[] }) => value.map(({ id }) => id)
const filtered = async (filter: string) => idsOf(await askBooks(long, `$filter=${encodeURIComponent(filter)}`))

describe('[FOR-08] lists of OData', () => {
  it('[FOR-08] have the elements as value, and a link to the rest, which the last page does not have', async () => {
    const first = await askBooks(app, '$select=title')
    expect(first).toEqual({
      value: [{ title: 'Kokoro' }, { title: 'Emma' }],
      '@odata.nextLink': '/books?$select=title&%24skip=2',
    })
    const pages = [first]
    while (pages.at(-1)['@odata.nextLink'] !== undefined)
      pages.push((await ask(app, `GET ${pages.at(-1)['@odata.nextLink']}`)).json)
    expect(pages.map(({ value }) => value.length)).toEqual([2, 2, 1])
    expect(Object.keys(pages.at(-1))).toEqual(['value'])
  })

  it('[FOR-08] are limited by $top as a whole, of which a page may be a part', async () => {
    expect(await askBooks(app, '$top=0')).toEqual({ value: [] })
    expect(await askBooks(app, '$top=0&$count=true')).toEqual({ '@odata.count': 5, value: [] })
    expect(Object.keys(await askBooks(app, '$top=2'))).toEqual(['value'])
    const three = await askBooks(app, '$top=3&$skip=1')
    expect([idsOf(three), three['@odata.nextLink']]).toEqual([[2, 3], '/books?%24top=1&%24skip=3'])
    expect(await askBooks(app, three['@odata.nextLink'].split('?')[1])).toEqual({
      value: [{ id: 4, title: 'Emma', year: 1815 }],
    })
    expect(idsOf(await askBooks(long, '$top=1000&$skip=3'))).toEqual([4, 5])
    expect(await askBooks(long, '$skip=9')).toEqual({ value: [] })
  })

  it('[FOR-08] are counted where the request wants it, whatever their pages are', async () => {
    expect((await askBooks(app, '$count=true&$top=1&$skip=1'))['@odata.count']).toBe(5)
    expect((await askBooks(app, "$count=true&$filter=title eq 'Emma'"))['@odata.count']).toBe(2)
    expect(await askBooks(long, '$count=false')).not.toHaveProperty(['@odata.count'])
    expect(await askBooks(long, '')).not.toHaveProperty(['@odata.count'])
  })

  it('[FOR-08] are ordered by several properties', async () => {
    expect(idsOf(await askBooks(long, '$orderby=year desc,title asc'))).toEqual([2, 1, 3, 5, 4])
    expect(idsOf(await askBooks(long, '$orderby=title'))).toEqual([5, 2, 4, 1, 3])
    expect(idsOf(await askBooks(long, '$orderby=author/name desc,title'))).toEqual([3, 5, 1, 2, 4])
  })

  it('[FOR-08] are filtered by comparisons, and, or, not and parentheses', async () => {
    for (const [filter, ids] of [
      ["title eq 'Emma'", [2, 4]],
      ["title ne 'Emma'", [1, 3, 5]],
      ['year gt 1906', [1, 3]],
      ['year ge 1906', [1, 3, 5]],
      ['year lt 1906', [4]],
      ['year le 1906', [4, 5]],
      ['year eq null', [2]],
      ['year ne null', [1, 3, 4, 5]],
      ["year ge 1906 and title ne 'Kokoro'", [3, 5]],
      ["title eq 'Emma' and year eq 1815 or id eq 1", [1, 4]],
      ["title eq 'Emma' and (year eq 1815 or id eq 1)", [4]],
      ['not (year ge 1906)', [2, 4]],
      ['not (year ge 1906 or id eq 2)', [4]],
      ['not(not(year ge 1906))', [1, 3, 5]],
      ["title eq 'O''Hara, collected'", [3]],
      ['year in (1815, 1906)', [4, 5]],
      ["contains(title,'a')", [2, 3, 4, 5]],
      ["startswith(title, 'Em')", [2, 4]],
      ["endswith(title,'o') and year gt 0", [1]],
      ["not startswith(title,'Em')", [1, 3, 5]],
      ["author/name eq 'Soseki'", [1, 5]],
      ['reviews/any(r:r/stars ge 4)', [1, 4]],
      ['reviews/any(r:r/stars ge 4 and r/stars lt 5)', [4]],
      ['not reviews/any(r:r/stars ge 4)', [2, 3, 5]],
      ['reviews/all(r:r/stars ge 4)', [2, 3, 4, 5]],
      ['not reviews/all(r:r/stars ge 4)', [1]],
    ] as const)
      expect([filter, await filtered(filter)]).toEqual([filter, ids])
  })

  it('[FOR-08] refuse what they do not understand, by the name of the option', async () => {
    await expectRefused(app, [
      ['$top=-1', "The parameter '$top' must be at least 0"],
      ['$skip=-1', "The parameter '$skip' must be at least 0"],
      ['$count=maybe', "The parameter '$count' must be true or false"],
      ['$orderby=shelf', "The parameter '$orderby'"],
      ['$filter=year', "The parameter '$filter' has unexpected end at character 5; expected an operator"],
      ['$filter=year eq', "The parameter '$filter'"],
      ['$filter=year eq twelve', "The parameter '$filter' has unexpected 't' at character 9; expected a value"],
      ['$filter=year eq 1 and', "The parameter '$filter'"],
      ['$filter=shelf eq 1', "The parameter '$filter'"],
      ['$filter=year gt null', "The parameter '$filter'"],
      ['$filter=not year eq 1', "The parameter '$filter'"],
      ["$filter=title eq 'open", "The parameter '$filter'"],
      ["$filter=contains(year,'1')", "The parameter '$filter'"],
      ["$filter=substringof('a',title)", "The parameter '$filter'"],
      ['$filter=year in ()', "The parameter '$filter'"],
      ['$filter=reviews/any(stars ge 4)', "The parameter '$filter'"],
      ['$filter=books/any(b:b/id eq 1)', "The parameter '$filter'"],
      [`$filter=${'('.repeat(400)}year eq 1`, "The parameter '$filter'"],
      [`$filter=${'not('.repeat(400)}year eq 1`, "The parameter '$filter'"],
      ['$filter=reviews/all(r:r/shelf eq 1)', "The parameter '$filter'"],
      ['$expand=author', "The parameter '$expand' is not a known name"],
    ])
  })

  it('[FOR-08] have the expanded relations, each with its own selection, and no others', async () => {
    const [kokoro, emma] = [
      { id: 1, title: 'Kokoro', year: 1914 },
      { id: 2, title: 'Emma', year: null },
    ]
    const get = async (query: string) => (await askBooks(expanding, query)).value
    expect(await get('$top=2')).toEqual([kokoro, emma])
    expect(await get('$top=1&$expand=author,reviews')).toEqual([
      {
        ...kokoro,
        author: { id: 1, name: 'Soseki' },
        reviews: [
          { id: 1, stars: 5 },
          { id: 2, stars: 3 },
        ],
      },
    ])
    expect(await get('$top=1&$select=title&$expand=author($select=name)')).toEqual([
      { title: 'Kokoro', author: { name: 'Soseki' } },
    ])
    expect(await get('$top=1&$select=title,author&$expand=reviews( $select = stars )')).toEqual([
      { title: 'Kokoro', reviews: [{ stars: 5 }, { stars: 3 }] },
    ])
    expect(await get('$skip=2&$top=1&$expand=author($select=id,name),reviews')).toEqual([
      { id: 3, title: "O'Hara, collected", year: 1914, reviews: [] },
    ])
    const { '@odata.nextLink': next } = await askBooks(expanding, '$expand=author($select=name)&$select=id')
    expect(await get(next.split('?')[1])).toEqual([{ id: 3 }, { id: 4, author: { name: 'Austen' } }])
    await expectRefused(expanding, [
      ['$expand=shelf', "The parameter '$expand' must not name 'shelf'; use some of author, reviews"],
      ['$expand=title', "The parameter '$expand' must not name 'title'"],
      ['$expand=author,author', "The parameter '$expand' must name 'author' once"],
      ['$expand=', "The parameter '$expand' is malformed at character 1"],
      ['$expand=author(', "The parameter '$expand' is malformed at character 8"],
      ['$expand=author()', "The parameter '$expand' is malformed at character 8"],
      ['$expand=author($select=name', "The parameter '$expand' is malformed at character 20"],
      ['$expand=author($select=age)', "The parameter '$expand' must not name 'author/age'; use some of id, name"],
      ['$expand=author($top=1)', "The parameter '$expand' must not name 'author/$top'; use some of $select, $expand"],
      ['$expand=author($expand=reviews)', "The parameter '$expand' must not name 'author/reviews'"],
      ['$expand=__proto__', "The parameter '$expand' must not name '__proto__'"],
      [`$expand=${'author('.repeat(500)}`, "The parameter '$expand'"],
    ])
  })

  it('[FOR-08] expand relations that a view shows, beside selected fields', () => {
    const boot = (settings: object) => () => serveBooks(odata.for(Book, settings as never))
    const problemsOf = (settings: object) =>
      mistakesOf(boot(settings))
        .map(({ problem }) => problem)
        .join()
    expect(problemsOf({ include: ['author'], fields: true })).toContain("'author', which the view does not show")
    expect(problemsOf({ include: ['author'] })).toContain('set fields to true')
    expect(problemsOf({ include: ['shelf'], fields: true })).toContain("'shelf', which is no relation of Book")
  })

  it('[FOR-08] with expansions are known to clients, mocks, documents and the test kit', {
    timeout: 60_000,
  }, async () => {
    await expectKnown(expandable, { $expand: 'author($select=name)' })
  })

  it('[FOR-08] are known to clients, mocks, documents, contracts and the test kit', { timeout: 60_000 }, async () => {
    await expectKnown(list, {})
  })
})
