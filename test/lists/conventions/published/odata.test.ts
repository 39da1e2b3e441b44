// Lists of OData 4 in their published form: system query options, and the JSON of collections.
import { odata } from 'edict/pagination'
import { describe, expect, it } from 'vitest'
import { ask } from '../../../support/ask.ts'
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

  it('[FOR-08] are known to clients, mocks, documents, contracts and the test kit', { timeout: 60_000 }, async () => {
    await expectKnown(list, {})
  })
})
