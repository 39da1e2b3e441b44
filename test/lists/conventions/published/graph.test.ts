// Lists of Microsoft Graph in their published form: paging, and its query parameters.
import { graph } from 'edict/pagination'
import { describe, expect, it } from 'vitest'
import { askBooks, BASE_URL, Book, expectKnown, expectRefused, serveBooks } from './shelf.ts'

const list = graph.with({ pageSize: 100, maxItems: 999 }).for(Book, {
  orderBy: ['title', 'year'],
  filterBy: { title: { wildcards: true }, year: {} },
  fields: true,
})
const app = serveBooks(list)

const idsOf = ({ value }: { readonly value: readonly { readonly id: number }[] }) => value.map(({ id }) => id)

describe('[FOR-08] lists of Microsoft Graph', () => {
  it('[FOR-08] have an absolute link to the next page, with a token', async () => {
    const body = await askBooks(app, '$top=2&$select=id')
    expect(body).toEqual({
      '@odata.nextLink': expect.stringContaining(`${BASE_URL}/books?$select=id&%24top=2&%24skiptoken=`),
      value: [{ id: 1 }, { id: 2 }],
    })
  })

  it('[FOR-08] are read by their links, which the last page does not have', async () => {
    const pages = [await askBooks(app, '$top=2&$orderby=year desc&$count=true')]
    while (pages.at(-1)['@odata.nextLink'] !== undefined)
      pages.push(await askBooks(app, new URL(pages.at(-1)['@odata.nextLink']).search.slice(1)))
    expect(pages.map(idsOf)).toEqual([[2, 3], [1, 5], [4]])
    expect(pages.map((one) => one['@odata.count'])).toEqual([5, 5, 5])
    expect(Object.keys(pages.at(-1))).toEqual(['@odata.count', 'value'])
  })

  it('[FOR-08] are filtered as those of OData', async () => {
    expect(idsOf(await askBooks(app, "$filter=startswith(title,'Em') and year ne null"))).toEqual([4])
    expect(idsOf(await askBooks(app, '$filter=year ge 1906&$count=false'))).toEqual([1, 3, 5])
  })

  it('[FOR-08] refuse foreign tokens and sizes', async () => {
    await expectRefused(app, [
      ['$skiptoken=X%2744537074', "The parameter '$skiptoken' is not a cursor of this list"],
      ['$top=0', "The parameter '$top' must be at least 1"],
      ['$top=1000', "The parameter '$top' must request at most 999 items"],
      ['$filter=year', "The parameter '$filter'"],
    ])
  })

  it('[FOR-08] are known to clients, mocks, documents, contracts and the test kit', { timeout: 60_000 }, async () => {
    await expectKnown(list, { $top: 2 })
  })
})
