// GitHub's lists in their published form: "Using pagination in the REST API", and the list of a repository's issues.
import { application, controller, endpoint, mediaType, route, t } from 'edict'
import { client } from 'edict/client'
import { mapper, memoryDatastore, resource } from 'edict/mapper'
import { github, pagination } from 'edict/pagination'
import { checkApplication } from 'edict/testing'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ask } from '../../../support/ask.ts'
import { runs } from '../../../support/runs.ts'
import { Book, expectKnown } from './shelf.ts'

const Issue = mediaType('Issue', {
  attributes: {
    id: t.integer({ required: true }),
    state: t.string({ required: true, values: ['open', 'closed'] }),
    comments: t.integer({ required: true }),
    created: t.string({ required: true }),
  },
})
const rows = Array.from({ length: 7 }, (_, i) => ({
  id: i + 1,
  state: i % 2 === 0 ? 'open' : 'closed',
  comments: i % 3,
  created: `2026-01-0${i + 1}`,
}))
const datastore = memoryDatastore({
  issues: {
    key: ['id'],
    columns: {
      id: { kind: 'integer' },
      state: { kind: 'text' },
      comments: { kind: 'integer' },
      created: { kind: 'text' },
    },
    rows,
  },
})
const issues = resource(datastore, Issue, { table: 'issues' })
const list = github.for(Issue, {
  order: ['-created'],
  orderBy: ['created', 'comments'],
  filterBy: { state: { operators: ['='] } },
})
const Issues = endpoint('Issues', {
  actions: { index: { routing: route.get('/'), params: list.params, responses: { ok: list.body } } },
})
const controllers = [
  controller(Issues, {
    index: async (_, { request, reply }) => reply.ok(list.answer(request, await issues.list(request))),
  }),
]
const baseUrl = 'https://api.github.test'
const app = application({
  environment: 'test',
  plugins: [mapper({ resources: [issues] }), pagination({ baseUrl })],
  controllers,
})

const get = async (query: string) => {
  const { status, json, headers } = await ask(app, `GET /issues?${query}`)
  expect([query, status]).toEqual([query, 200])
  const found = [...(headers['link'] ?? '').matchAll(/<([^>]*)>; rel="(\w+)"/g)]
  const links = Object.fromEntries(found.map(([, url, rel]) => [rel as string, url as string]))
  return { ids: json.map(({ id }: { readonly id: number }) => id), links, json }
}

describe('[FOR-08] lists of GitHub', () => {
  it('[FOR-08] are arrays with absolute links to the pages around them', async () => {
    const { json, links } = await get('per_page=2&page=2')
    expect(json).toEqual([rows[4], rows[3]])
    expect(links).toEqual({
      first: `${baseUrl}/issues?per_page=2&page=1`,
      prev: `${baseUrl}/issues?per_page=2&page=1`,
      next: `${baseUrl}/issues?per_page=2&page=3`,
      last: `${baseUrl}/issues?per_page=2&page=4`,
    })
  })

  it('[FOR-08] leave out links that lead to the page itself', async () => {
    const base = `${baseUrl}/issues?per_page=2`
    expect((await get('per_page=2')).links).toEqual({ next: `${base}&page=2`, last: `${base}&page=4` })
    expect((await get('per_page=2&page=0')).links).toEqual({ next: `${base}&page=2`, last: `${base}&page=4` })
    expect((await get('per_page=2&page=4')).links).toEqual({ first: `${base}&page=1`, prev: `${base}&page=3` })
    expect((await ask(app, 'GET /issues?per_page=7')).headers['link']).toBeUndefined()
    expect((await ask(app, 'GET /issues?state=open&per_page=100')).headers['link']).toBeUndefined()
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 9 }), fc.integer({ min: 1, max: 10 }), async (size, page) => {
        const { links } = await get(`per_page=${size}&page=${page}`)
        const numberOf = (relation: string) =>
          links[relation] && Number(new URL(links[relation]).searchParams.get('page'))
        const count = Math.ceil(rows.length / size)
        const expected = {
          first: page === 1 ? undefined : 1,
          prev: page === 1 ? undefined : Math.min(page - 1, count),
          next: page < count ? page + 1 : undefined,
          last: page === count ? undefined : count,
        }
        for (const [relation, number] of Object.entries(expected))
          expect([size, page, relation, numberOf(relation)]).toEqual([size, page, relation, number])
      }),
      { numRuns: runs(60, 200) },
    )
  })

  it('[FOR-08] keep the other params in links', async () => {
    const { ids, links } = await get('state=open&sort=comments&direction=asc&per_page=1')
    expect(ids).toEqual([1])
    expect(links['next']).toBe(`${baseUrl}/issues?state=open&sort=comments&direction=asc&per_page=1&page=2`)
  })

  it('[FOR-08] begin with page 1, also for page 0, and have at most 100 elements, 30 by default', async () => {
    expect((await get('page=0&per_page=3')).ids).toEqual([7, 6, 5])
    expect((await get('page=1&per_page=3')).ids).toEqual([7, 6, 5])
    expect((await get('page=9&per_page=3')).ids).toEqual([])
    expect((await get('per_page=1000')).ids).toHaveLength(7)
    expect((await get('per_page=0')).ids).toHaveLength(7)
    const { parameters } = (app.openapi().paths['/issues'] as never as { readonly get: unknown }).get as {
      readonly parameters: readonly { readonly name: string; readonly description?: string }[]
    }
    expect(parameters.find(({ name }) => name === 'per_page')?.description).toContain('At most 100 elements')
    expect(parameters.find(({ name }) => name === 'per_page')?.description).toContain('Default: 30')
  })

  it('[FOR-08] have an order by one field, and its direction', async () => {
    expect((await get('')).ids).toEqual([7, 6, 5, 4, 3, 2, 1])
    expect((await get('direction=asc')).ids).toEqual([1, 2, 3, 4, 5, 6, 7])
    expect((await get('sort=created')).ids).toEqual([7, 6, 5, 4, 3, 2, 1])
    expect((await get('sort=comments')).ids).toEqual([6, 3, 5, 2, 7, 4, 1])
    expect((await get('sort=comments&direction=asc')).ids).toEqual([1, 4, 7, 2, 5, 3, 6])
  })

  it('[FOR-08] refuse what they do not know by the name of the param', async () => {
    for (const [query, message] of [
      ['direction=down', "The parameter 'direction' must be one of asc, desc"],
      ['sort=state', "The parameter 'sort' must be one of created, comments"],
      ['sort=-created', "The parameter 'sort' must be one of created, comments"],
      ['state=all', "The parameter 'state' must be one of open, closed"],
      ['page=-1', "The parameter 'page' must be at least 0"],
      ['page=x', "The parameter 'page' must be an integer"],
      ['page=9007199254740991', "The parameter 'page'"],
    ] as const) {
      const { status, json } = await ask(app, `GET /issues?${query}`)
      expect([query, status]).toEqual([query, 400])
      expect([query, json.detail]).toEqual([query, expect.stringContaining(message)])
    }
  })

  it('[FOR-08] need a base URL to boot', () => {
    const make = () => application({ plugins: [mapper({ resources: [issues] }), pagination()], controllers })
    expect(make).toThrow(/absolute links, and no base URL is set/)
  })

  it('[FOR-08] are read by the client to their end', async () => {
    const calls = client({ Issues }, { baseUrl: 'http://inside', fetch: (request) => app.fetch(request) })
    const found: number[] = []
    for await (const { id } of calls.Issues.index.all({ per_page: 2, sort: 'comments', direction: 'asc' }))
      found.push(id)
    expect(found).toEqual([1, 4, 7, 2, 5, 3, 6])
  })

  it('[FOR-08] keep the laws of lists', { timeout: 60_000 }, async () => {
    const { cases, unreached } = await checkApplication(app, { runs: runs(5, 60) })
    expect([unreached, (cases['filters'] ?? 0) > 0]).toEqual([[], true])
  })

  it('[FOR-08] are known to clients, mocks, documents, contracts and the test kit', { timeout: 60_000 }, async () => {
    const filterBy = { title: { operators: ['='] } } as const
    await expectKnown(github.for(Book, { order: ['-year'], orderBy: ['year', 'title'], filterBy }), { per_page: 2 })
  })
})
