// Lists of JSON:API 1.1 in their published form: resource objects, links, sparse fieldsets, filters and errors.
import { jsonApi, jsonApiErrors } from 'edict/pagination'
import { describe, expect, it } from 'vitest'
import { ask } from '../../../support/ask.ts'
import { askBooks, Book, expectKnown, serveBooks } from './shelf.ts'

const list = jsonApi.with({ maxItems: 50 }).for(Book.view('whole'), {
  type: 'books',
  orderBy: ['title', 'year'],
  filterBy: { title: {}, year: {} },
  fields: true,
})
const app = serveBooks(list, { encodeProblem: jsonApiErrors })

/** A title with a comma, percent-encoded. */
const TITLE = 'O%27Hara%2C%20collected'

const idsOf = ({ data }: { readonly data: readonly { readonly id: string }[] }) => data.map(({ id }) => id)

describe('[FOR-08] lists of JSON:API', () => {
  it('[FOR-08] have resource objects with relationships, and links', async () => {
    const { data, links } = await askBooks(app, 'page[size]=1')
    expect(data).toEqual([
      {
        type: 'books',
        id: '1',
        attributes: { title: 'Kokoro', year: 1914 },
        relationships: {
          author: { data: { type: 'author', id: '1' } },
          reviews: {
            data: [
              { type: 'review', id: '1' },
              { type: 'review', id: '2' },
            ],
          },
        },
      },
    ])
    expect(Object.keys(links)).toEqual(['self', 'first', 'prev', 'next'])
    expect([links.prev, (await ask(app, `GET ${links.next}`)).json.data[0].id]).toEqual([null, '2'])
  })

  it('[FOR-08] read commas in values alike, whether or not they are percent-encoded', async () => {
    const sent = new URLSearchParams({ 'filter[year]': '1815,1914', sort: '-title,year' }).toString()
    expect(sent).toContain('1815%2C1914')
    for (const query of [
      sent,
      'filter[year]=1815,1914&sort=-title,year',
      'filter[year]=1815%2c1914&sort=-title%2Cyear',
      'filter%5Byear%5D=1815%2C1914&sort=-title,year',
      'filter[year][]=1815&filter[year][]=1914&sort=-title,year',
    ])
      expect([query, idsOf(await askBooks(app, query))]).toEqual([query, ['3', '1', '4']])
    expect(idsOf(await askBooks(app, `filter[title][]=${TITLE}`))).toEqual(['3'])
    expect(idsOf(await askBooks(app, `filter[title]=${TITLE}`))).toEqual([])
  })

  it('[FOR-08] have sparse fieldsets, also of relationships', async () => {
    for (const fields of ['title,author', 'title%2Cauthor']) {
      const { data } = await askBooks(app, `page[size]=1&fields[books]=${fields}`)
      expect(data).toEqual([
        {
          type: 'books',
          id: '1',
          attributes: { title: 'Kokoro' },
          relationships: { author: { data: { type: 'author', id: '1' } } },
        },
      ])
    }
  })

  it('[FOR-08] have error objects that name the param', async () => {
    for (const [query, parameter, detail] of [
      ['page[size]=0', 'page[size]', 'must be at least 1'],
      ['page[size]=51', 'page[size]', 'must request at most 50 items'],
      ['page[after]=x', 'page[after]', 'is not a cursor of this list'],
      ['filter[year]=old', 'filter[year]', 'must be an integer'],
      ['filter[shelf]=1', 'filter[shelf]', 'is not a known name'],
      ['sort=shelf', 'sort', ''],
      ['include=author', 'include', 'is not a known name'],
    ] as const) {
      const { status, json, headers } = await ask(app, `GET /books?${query}`)
      expect([query, status, headers['content-type']]).toEqual([query, 400, 'application/vnd.api+json'])
      expect([query, json]).toEqual([
        query,
        {
          errors: [
            {
              status: '400',
              title: expect.any(String),
              code: expect.any(String),
              detail: expect.stringContaining(detail),
              source: { parameter },
            },
          ],
        },
      ])
    }
    const { status, json } = await ask(app, 'GET /shelves')
    expect([status, json.errors[0].status, json.errors[0].source]).toEqual([404, '404', undefined])
  })

  it('[FOR-08] are known to clients, mocks, documents, contracts and the test kit', { timeout: 60_000 }, async () => {
    await expectKnown(list, { page: { size: 2 } })
  })
})
