// Compound documents of JSON:API 1.1 in their published form: `include`, full linkage and sparse fieldsets by type.
import {
  type Application,
  application,
  type Context,
  controller,
  endpoint,
  type MediaType,
  mediaType,
  route,
  t,
} from 'edict'
import { client } from 'edict/client'
import { many, mapper, memoryDatastore, one, resource } from 'edict/mapper'
import { mock } from 'edict/mock'
import { jsonApi, jsonApiErrors, jsonApiPages, pagination } from 'edict/pagination'
import { checkApplication } from 'edict/testing'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { diffContracts } from '../../../../src/contract/diff/diff.ts'
import { ask, askFetch, mistakesOf } from '../../../support/ask.ts'
import { runs } from '../../../support/runs.ts'

const required = true
const Person = mediaType('Person', {
  attributes: {
    id: t.integer({ required }),
    name: t.string({ required }),
    articles: t.array(t.ref((): MediaType => Article)),
  },
  views: { default: ['id', 'name'] },
})
const Comment = mediaType('Comment', {
  attributes: {
    id: t.integer({ required }),
    body: t.string({ required }),
    author: t.ref(Person, { nullable: true }),
  },
  views: { default: ['id', 'body'] },
})
const Article = mediaType('Article', {
  attributes: {
    id: t.integer({ required }),
    title: t.string({ required }),
    author: t.ref(Person, { nullable: true }),
    comments: t.array(Comment),
  },
  views: { default: ['id', 'title'], linked: ['id', 'title', 'author'] },
})

const INCLUDE = ['author', 'author.articles', 'comments.author'] as const
const types = { Person: 'people', Article: 'articles', Comment: 'comments' }
const api = jsonApi.with({ types, maxItems: 100 })
const list = api.for(Article, {
  orderBy: ['title'],
  filterBy: { title: {} },
  fields: true,
  include: INCLUDE,
})
const linked = api.for(Article.view('linked'))
const numbered = jsonApiPages.with({ types }).for(Article, { include: ['author'] })
const element = api.element(Article, { fields: true, include: INCLUDE })

const Articles = endpoint('Articles', {
  mediaType: Article,
  actions: {
    index: { routing: route.get('/'), params: list.params, responses: { ok: list.body } },
    linked: { routing: route.get('/linked'), params: linked.params, responses: { ok: linked.body } },
    numbered: { routing: route.get('/numbered'), params: numbered.params, responses: { ok: numbered.body } },
    show: {
      routing: route.get('/:id', { capture: /\d+/ }),
      params: { id: t.integer(), ...element.params },
      responses: { ok: element.body, notFound: true },
    },
  },
})

interface Content {
  readonly people: readonly { readonly id: number; readonly name: string }[]
  readonly articles: readonly { readonly id: number; readonly title: string; readonly author_id: number | null }[]
  readonly comments: readonly {
    readonly id: number
    readonly body: string
    readonly article_id: number
    readonly author_id: number | null
  }[]
}

const CONTENT: Content = {
  people: [
    { id: 9, name: 'Gebhardt' },
    { id: 2, name: 'Klabnik' },
  ],
  articles: [
    { id: 1, title: 'JSON:API paints my bikeshed!', author_id: 9 },
    { id: 3, title: 'Rails is omakase', author_id: 9 },
    { id: 4, title: 'Untitled', author_id: null },
  ],
  comments: [
    { id: 5, body: 'First!', article_id: 1, author_id: 2 },
    { id: 12, body: 'I like XML better', article_id: 1, author_id: 9 },
    { id: 13, body: 'So do I', article_id: 3, author_id: 2 },
  ],
}

const [integer, text] = [{ kind: 'integer' }, { kind: 'text' }] as const
const nullable = { ...integer, nullable: true } as const

/** The methods of a resource that the actions use. */
interface Articles {
  list(request: object): Promise<unknown>
  find(key: number, request: object): Promise<unknown>
}

/** Serves a content; `selects` has the tables of the statements so far. */
function serveArticles(content: Content): { readonly app: Application; readonly selects: string[] } {
  const memory = memoryDatastore({
    people: { key: ['id'], columns: { id: integer, name: text }, rows: content.people },
    articles: { key: ['id'], columns: { id: integer, title: text, author_id: nullable }, rows: content.articles },
    comments: {
      key: ['id'],
      columns: { id: integer, body: text, article_id: integer, author_id: nullable },
      rows: content.comments,
    },
  })
  const selects: string[] = []
  const datastore = Object.assign(Object.create(memory), {
    select(query: Parameters<typeof memory.select>[0]) {
      selects.push(query.from.name)
      return memory.select(query)
    },
  }) as typeof memory
  const people = resource(datastore, Person, {
    table: 'people',
    attributes: { articles: many((): never => articles as never, { id: 'author_id' }) },
  } as never)
  const comments = resource(datastore, Comment, {
    table: 'comments',
    attributes: { author: one(people, { author_id: 'id' }) },
  } as never)
  const articles: Articles = resource(datastore, Article, {
    table: 'articles',
    attributes: { author: one(people, { author_id: 'id' }), comments: many(comments, { id: 'article_id' }) },
  } as never) as never
  const page =
    (one: { answer(request: never, page: never): unknown }) =>
    async (_: unknown, { request, reply }: Context) =>
      (reply as never as { ok(body: unknown): never }).ok(
        one.answer(request as never, (await articles.list(request)) as never),
      )
  const app = application({
    environment: 'test',
    encodeProblem: jsonApiErrors,
    plugins: [mapper({ resources: { people, comments, articles } as never }), pagination()],
    controllers: [
      controller(Articles, {
        index: page(list),
        linked: page(linked),
        numbered: page(numbered),
        async show({ id }: { readonly id: number }, { request, reply }: Context) {
          const found = await articles.find(id, request)
          const { ok, notFound } = reply as never as Record<string, (body?: unknown) => never>
          return found === undefined ? notFound?.() : ok?.(element.answer(request, found as never))
        },
      } as never),
    ],
  })
  return { app, selects }
}

const { app } = serveArticles(CONTENT)

const get = async (path: string) => {
  const { status, json, headers } = await ask(app, `GET /articles${path}`)
  expect([path, status, status === 200 ? undefined : json]).toEqual([path, 200, undefined])
  expect(headers['content-type']).toBe('application/vnd.api+json')
  return json
}

const klabnik = { type: 'people', id: '2', attributes: { name: 'Klabnik' } }
const gebhardt = { type: 'people', id: '9', attributes: { name: 'Gebhardt' } }
const linkTo = (type: string, id: string) => ({ data: { type, id } })

describe('[FOR-08] compound documents of JSON:API', () => {
  it('[FOR-08] have each included element once, and the linkage that leads to it', async () => {
    const { data, included } = await get('?include=author,comments.author&page[size]=2')
    expect(data).toEqual([
      {
        type: 'articles',
        id: '1',
        attributes: { title: 'JSON:API paints my bikeshed!' },
        relationships: {
          author: linkTo('people', '9'),
          comments: {
            data: [
              { type: 'comments', id: '5' },
              { type: 'comments', id: '12' },
            ],
          },
        },
      },
      {
        type: 'articles',
        id: '3',
        attributes: { title: 'Rails is omakase' },
        relationships: { author: linkTo('people', '9'), comments: { data: [{ type: 'comments', id: '13' }] } },
      },
    ])
    const comment = (id: string, body: string, author: string) => ({
      type: 'comments',
      id,
      attributes: { body },
      relationships: { author: linkTo('people', author) },
    })
    expect(included).toEqual([
      gebhardt,
      comment('5', 'First!', '2'),
      klabnik,
      comment('12', 'I like XML better', '9'),
      comment('13', 'So do I', '2'),
    ])
  })

  it('[FOR-08] have no included elements unless the request names some, and an empty list for an empty value', async () => {
    expect(Object.keys(await get('?page[size]=1'))).toEqual(['links', 'data'])
    expect((await get('?page[size]=1')).data[0]).not.toHaveProperty('relationships')
    expect((await get('?include=')).included).toEqual([])
    const { data, included } = await get('?filter[title]=Untitled&include=author,comments')
    expect(included).toEqual([])
    expect(data[0].relationships).toEqual({ author: { data: null }, comments: { data: [] } })
    expect((await get('/linked')).data[0].relationships).toEqual({ author: linkTo('people', '9') })
    expect((await get('/numbered?include=author')).included).toEqual([gebhardt])
  })

  it('[FOR-08] do not repeat primary data, which gets the linkage of what it includes', async () => {
    const { data, included } = await get(
      '?filter[title]=Rails is omakase&include=author.articles'.replaceAll(' ', '%20'),
    )
    expect(data).toHaveLength(1)
    expect(included.map(({ type, id }: { type: string; id: string }) => [type, id])).toEqual([
      ['people', '9'],
      ['articles', '1'],
    ])
    expect(included[0].relationships.articles.data).toEqual([
      { type: 'articles', id: '1' },
      { type: 'articles', id: '3' },
    ])
  })

  it('[FOR-08] have sparse fieldsets of each type, commas encoded or not', async () => {
    for (const comma of [',', '%2C']) {
      const query = `include=author${comma}comments&fields[articles]=title${comma}author&fields[people]=name&fields[comments]=id`
      const { data, included } = await get(`?page[size]=1&${query}`)
      expect(data[0]).toEqual({
        type: 'articles',
        id: '1',
        attributes: { title: 'JSON:API paints my bikeshed!' },
        relationships: { author: linkTo('people', '9') },
      })
      expect(included).toEqual([
        gebhardt,
        { type: 'comments', id: '5', attributes: {} },
        { type: 'comments', id: '12', attributes: {} },
      ])
    }
  })

  it('[FOR-08] of one element have the same form', async () => {
    expect(await get('/3')).toEqual({ data: { type: 'articles', id: '3', attributes: { title: 'Rails is omakase' } } })
    expect(await get('/3?include=author,comments.author&fields[comments]=author')).toEqual({
      data: {
        type: 'articles',
        id: '3',
        attributes: { title: 'Rails is omakase' },
        relationships: { author: linkTo('people', '9'), comments: { data: [{ type: 'comments', id: '13' }] } },
      },
      included: [
        gebhardt,
        { type: 'comments', id: '13', attributes: {}, relationships: { author: linkTo('people', '2') } },
        klabnik,
      ],
    })
    expect((await ask(app, 'GET /articles/7?include=author')).status).toBe(404)
  })

  it('[FOR-08] keep what a request includes in the links to other pages', async () => {
    const { links } = await get('?include=author&page[size]=1&sort=title')
    const next = await get(links.next.replace('/articles', ''))
    expect([next.data[0].id, next.included]).toEqual(['3', [gebhardt]])
    // The same cursor serves another selection.
    expect((await get(`${links.next.replace('/articles', '').replace('include=author&', '')}`)).data[0].id).toBe('3')
  })

  it('[FOR-08] refuse unknown paths by the name of the param', async () => {
    for (const path of ['', '/linked', '/numbered', '/3'])
      for (const include of ['shelf', 'title', 'comments.author.articles', 'author.', '__proto__', 'author,shelf']) {
        const { status, json } = await ask(app, `GET /articles${path}?include=${include}`)
        expect([path, include, status]).toEqual([path, include, 400])
        expect(json.errors[0].source).toEqual({ parameter: 'include' })
      }
    const many = Array.from({ length: 500 }, () => 'author').join()
    expect((await ask(app, `GET /articles?include=${many}`)).json.errors[0].source).toEqual({ parameter: 'include' })
  })

  it('[FOR-08] read each relation with one statement, however many elements there are', async () => {
    const count = async (size: number) => {
      const ids = Array.from({ length: size }, (_, i) => i + 1)
      const { app: served, selects } = serveArticles({
        people: ids.map((id) => ({ id, name: `Person ${id}` })),
        articles: ids.map((id) => ({ id, title: `Article ${id}`, author_id: id })),
        comments: ids.map((id) => ({ id, body: `Comment ${id}`, article_id: id, author_id: id })),
      })
      const { status, json } = await askFetch(
        served,
        'GET /articles?page[size]=50&include=author.articles,comments.author',
      )
      expect([status, json.data.length]).toEqual([200, Math.min(size, 50)])
      return selects.toSorted()
    }
    expect(await count(40)).toEqual(await count(1))
    expect(await count(40)).toEqual(['articles', 'articles', 'comments'])
  })

  it('[FOR-08] are full and without repetition for any content and any paths', async () => {
    const id = fc.integer({ min: 1, max: 4 })
    const rowsOf = <T extends object>(more: { [K in keyof T]: fc.Arbitrary<T[K]> }) =>
      fc.uniqueArray(fc.record({ id, ...more }), { selector: (row) => (row as { id: number }).id, maxLength: 4 })
    const author_id = fc.option(id)
    const content = fc.record({
      people: rowsOf({ name: fc.constantFrom('a', 'b') }),
      articles: rowsOf({ title: fc.constantFrom('x', 'y'), author_id }),
      comments: rowsOf({ body: fc.constantFrom('p', 'q'), article_id: id, author_id }),
    }) as never as fc.Arbitrary<Content>
    await fc.assert(
      fc.asyncProperty(content, fc.subarray([...INCLUDE, 'comments']), async (any, include) => {
        const { app: served } = serveArticles(any)
        const { status, json } = await askFetch(served, `GET /articles?include=${include.join()}`)
        expect(status).toBe(200)
        const all = new Map<string, Found>()
        for (const found of [...json.data, ...json.included] as Found[]) {
          expect(all.has(`${found.type}/${found.id}`)).toBe(false)
          all.set(`${found.type}/${found.id}`, found)
        }
        const reached = new Set<string>()
        const follow = (found: Found): void => {
          if (reached.has(`${found.type}/${found.id}`)) return
          reached.add(`${found.type}/${found.id}`)
          for (const { data } of Object.values(found.relationships ?? {}))
            for (const next of [data].flat()) if (next !== null) follow(all.get(`${next.type}/${next.id}`) as Found)
        }
        for (const found of json.data) follow(found)
        expect(reached).toEqual(new Set(all.keys()))
      }),
      { numRuns: runs(40, 1000) },
    )
  })

  it('[FOR-08] are known to clients, mocks, documents, contracts and the test kit', { timeout: 60_000 }, async () => {
    for (const served of [app, mock([Articles])]) {
      const { index, show } = client(
        { Articles },
        { baseUrl: 'http://inside.test', fetch: (request) => served.fetch(request) },
      ).Articles
      const answer = await index({ include: ['author', 'comments.author'], page: { size: 2 } })
      if (answer.name !== 'ok') throw new Error(answer.name)
      const { data, included } = answer.body
      expect(data).toHaveLength(2)
      const known = new Set(included?.map(({ type, id }) => `${type}/${id}`))
      for (const { relationships = {} } of data) {
        const { data: author } = relationships['author'] as { data: { type: string; id: string } | null }
        expect(author === null || known.has(`${author.type}/${author.id}`)).toBe(true)
      }
      const one = await show({ id: Number(data[0]?.id), include: ['author'] })
      expect(one.name === 'ok' && [one.body.data.id, one.body.data.type]).toEqual([data[0]?.id, 'articles'])
    }
    const documented = app.openapi().paths['/articles']?.['get'] as never as {
      readonly parameters: readonly { readonly name: string; readonly schema: object }[]
    }
    const { parameters } = documented
    expect(parameters.find(({ name }) => name === 'include')?.schema).toMatchObject({
      pattern: expect.stringContaining('comments\\.author'),
    })
    const fewer = jsonApi.with({ types, maxItems: 100 }).for(Article, { include: ['author'] })
    const contractOf = (params: object, body: unknown) =>
      mock([
        endpoint('Articles', {
          actions: { index: { routing: route.get('/'), params: params as never, responses: { ok: body as never } } },
        }),
      ]).contract()
    const all = api.for(Article, { include: ['author', 'comments'] })
    const differences = diffContracts(contractOf(all.params, all.body), contractOf(fewer.params, fewer.body))
    expect(differences.some(({ kind, location }) => kind === 'breaking' && location.includes('include'))).toBe(true)
    const { unreached } = await checkApplication(app, { runs: runs(5, 60) })
    expect(unreached).toEqual([])
  })

  it('[FOR-08] refuse paths that do not exist, that are too long, and types of one name when they boot', () => {
    const boot = (settings: object) => () => {
      const wrong = jsonApi.for(Article, settings as never)
      const Wrong = endpoint('Wrong', {
        actions: { index: { routing: route.get('/'), params: wrong.params, responses: { ok: wrong.body } } },
      })
      return mock([Wrong])
    }
    const problemsOf = (settings: object) =>
      mistakesOf(boot(settings))
        .map(({ problem }) => problem)
        .join()
    expect(problemsOf({ include: ['shelf'] })).toContain("'shelf', which is no relation of Article")
    expect(problemsOf({ include: ['title'] })).toContain("'title', which is no relation of Article")
    const long = 'author.articles.author.articles.author.articles'
    expect(problemsOf({ include: [long] })).toContain('name at most 5 relations in a path')
    expect(problemsOf({ include: ['author'], types: { Person: 'article' } })).toContain("have the type 'article'")
  })
})

interface Found {
  readonly type: string
  readonly id: string
  readonly relationships?: Readonly<Record<string, { readonly data: Found | null | readonly Found[] }>>
}
