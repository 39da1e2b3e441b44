// Deprecated actions, endpoints, params and attributes: headers, documents, contract, differences, and counted uses.
import { expect, it } from 'vitest'
import type { DeprecatedUse } from '../../src/extend.ts'
import {
  application,
  type Deprecation,
  diffContracts,
  endpoint,
  mediaType,
  type Plugin,
  route,
  t,
} from '../../src/index.ts'
import { ask, askFetch, mistakesOf, recorder } from '../support/ask.ts'

const going = { since: '2026-10-01', sunset: '2027-04-01' } as const
const Book = mediaType('Book', {
  attributes: {
    id: t.integer(),
    title: t.string(),
    name: t.string({ deprecated: { ...going, instead: 'title' }, description: 'The title.' }),
  },
})
const id = { id: t.integer() }

const Books = endpoint('Books', {
  mediaType: Book,
  actions: {
    index: { routing: route.get('/'), responses: { ok: 'text/plain' } },
    show: { routing: route.get('/:id'), params: id, responses: { ok: Book } },
    search: {
      routing: route.get('/search'),
      params: { q: t.string(), old: t.string({ deprecated: true }) },
      headers: { 'X-Old': t.string({ deprecated: true }) },
      deprecated: { ...going, instead: 'index', link: 'https://docs.example/search' },
      responses: { ok: 'text/plain' },
    },
    read: { routing: route.get('/:id/read'), params: id, deprecated: { instead: 'show' }, responses: { ok: Book } },
    tell: {
      routing: route.post('/tell'),
      payload: {
        title: t.string(),
        tags: t.array(t.object({ word: t.string(), text: t.string({ deprecated: true }) })),
        name: t.string({ deprecated: { instead: 'title' } }),
      },
      responses: { noContent: true },
    },
  },
})

const Old = endpoint('Old', {
  version: '1',
  deprecated: { ...going, instead: '/v2/new' },
  actions: {
    list: { routing: route.get('/'), responses: { ok: 'text/plain' } },
    kept: { routing: route.get('/kept'), deprecated: false, responses: { ok: 'text/plain' } },
  },
})

const book = { id: 1, title: 'Emma', name: 'Emma' }
const served = (plugins: readonly Plugin[] = []) =>
  application({
    basePath: '/api',
    logger: recorder(),
    plugins,
    controllers: [
      Books.implement({
        index: () => 'all',
        show: (_, { reply }) => reply.ok(book),
        search: (_, { request, reply }) =>
          reply.ok('found', request.params.q === 'own' ? { headers: { Link: '</a>; rel="next"' } } : {}),
        read: (_, { reply }) => reply.ok(book),
        tell: (_, { reply }) => reply.noContent(),
      }),
      Old.implement({ list: () => 'old', kept: () => 'kept' }),
    ],
  })

const app = served()

it('[DPR-01] responses of a deprecated action say since when, until when, and what instead', async () => {
  const { headers } = await ask(app, 'GET /api/books/search?q=a')
  expect(headers).toMatchObject({ deprecation: '@1790812800', sunset: 'Thu, 01 Apr 2027 00:00:00 GMT' })
  expect(headers['link']).toContain('<https://docs.example/search>; rel="deprecation"')
  expect(headers['link']).toContain('</api/books>; rel="successor-version"')
  const refused = await ask(app, 'GET /api/books/search?unknown=1')
  expect(refused).toMatchObject({ status: 400, headers: { deprecation: '@1790812800' } })
  expect((await ask(app, 'GET /api/books')).headers).not.toHaveProperty('deprecation')
})

it('[DPR-01] links of an action are added, and the successor has the captures of the request', async () => {
  const own = await ask(app, 'GET /api/books/search?q=own')
  expect(own.headers['link']).toContain('rel="next"')
  expect(own.headers['link']).toContain('rel="deprecation"')
  expect(own.headers['link']).toContain('rel="successor-version"')
  expect((await ask(app, 'GET /api/books/7/read')).headers).toMatchObject({
    deprecation: '@0',
    link: '</api/books/7>; rel="successor-version"',
  })
})

it('[DPR-01] a version is deprecated by its endpoint, of which an action may say otherwise', async () => {
  expect((await ask(app, 'GET /api/v1/old')).headers).toMatchObject({
    deprecation: '@1790812800',
    link: '</v2/new>; rel="successor-version"',
  })
  expect((await ask(app, 'GET /api/v1/old/kept')).headers).not.toHaveProperty('deprecation')
})

it('[DPR-01] documents say so of actions, params, headers and attributes', () => {
  const { paths, components } = app.openapi()
  const search = paths['/books/search']?.['get']
  expect(search).toMatchObject({ deprecated: true })
  expect(search?.parameters).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ name: 'old', deprecated: true }),
      expect.objectContaining({ name: 'X-Old', deprecated: true }),
    ]),
  )
  expect(search?.parameters?.find(({ name }) => name === 'q')).not.toHaveProperty('deprecated')
  expect(search?.responses['200']?.headers).toHaveProperty('Sunset')
  expect(components.schemas['Book']).toMatchObject({
    properties: {
      name: {
        deprecated: true,
        description: expect.stringContaining(
          'Deprecated since 2026-10-01. It may be gone from 2027-04-01 on. Use `title`',
        ),
      },
    },
  })
})

it('[DPR-01] differences know what has become deprecated, and nobody breaks by it', () => {
  const with_ = (deprecated: boolean | Deprecation) => {
    const Notes = endpoint('Notes', {
      actions: {
        show: {
          routing: route.get('/'),
          params: { old: t.string({ deprecated: deprecated !== false }) },
          deprecated,
          responses: { ok: 'text/plain' },
        },
      },
    })
    return application({ controllers: [Notes.implement({ show: () => 'a' })] }).contract()
  }
  const changes = diffContracts(with_(false), with_(going))
  expect(changes.filter(({ kind }) => kind === 'breaking')).toEqual([])
  expect(changes.map(({ rule }) => rule)).toEqual(expect.arrayContaining(['deprecated-changed', 'deprecated-added']))
  expect(changes.map(({ message: what }) => what).join()).not.toContain('links')
  const later = diffContracts(with_(going), with_({ ...going, sunset: '2028-01-01' }))
  expect(later.map(({ rule }) => rule)).toEqual(['deprecated-changed'])
})

it('[DPR-01] plugins count each use: of actions, params, headers and attributes', async () => {
  const uses: string[] = []
  const count: Plugin = {
    name: 'count',
    deprecated: ({ what, pointer }: DeprecatedUse, { action }) => void uses.push(`${action} ${what} ${pointer}`.trim()),
  }
  const counted = served([count])
  await askFetch(counted, 'GET /api/books/search?q=a')
  await askFetch(counted, 'GET /api/books/search?old=a', { headers: { 'x-old': '1' } })
  await askFetch(counted, 'GET /api/books')
  const tags = [{ word: 'a' }, { text: 'b' }]
  await askFetch(counted, 'POST /api/books/tell', { body: { title: 'a', name: 'b', tags } })
  expect(uses).toEqual([
    'Books.search action',
    'Books.search action',
    'Books.search param /old',
    'Books.search header /X-Old',
    'Books.tell attribute /tags/1/text',
    'Books.tell attribute /name',
  ])
})

it('[DPR-01] a plugin that fails to count costs no request its response', async () => {
  const broken: Plugin = {
    name: 'broken',
    deprecated: () => {
      throw new Error('broken')
    },
  }
  expect((await ask(served([broken]), 'GET /api/books/search?q=a')).status).toBe(200)
})

it.each([
  [{ instead: 'indx' }, /no action 'indx'/],
  [{ since: 'soon' }, /deprecated/],
  [{ since: '2027-01-01', sunset: '2026-01-01' }, /before since/],
  [{ untill: '2026-01-01' }, /deprecated/],
])('[DPR-01] refuses %j at boot', (deprecated, expected) => {
  const Odd = endpoint('Odd', {
    actions: {
      index: { routing: route.get('/'), deprecated: deprecated as Deprecation, responses: { ok: 'text/plain' } },
    },
  })
  const [mistake] = mistakesOf(() => application({ controllers: [Odd.implement({ index: () => 'a' })] }))
  expect(`${mistake?.setting} ${mistake?.problem}`).toMatch(expected)
})
