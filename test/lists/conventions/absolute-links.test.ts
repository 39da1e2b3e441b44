// Absolute links: made from the configured base URL whatever the request says of its host, and read by clients of any origin.
import {
  type Application,
  type ApplicationOptions,
  application,
  controller,
  endpoint,
  mediaType,
  route,
  t,
} from 'edict'
import { client } from 'edict/client'
import { mapper, memoryDatastore, resource } from 'edict/mapper'
import { mock } from 'edict/mock'
import {
  type Convention,
  cursors,
  jsonApiPages,
  limitOffset,
  type PaginationOptions,
  pageNumbers,
  pagination,
} from 'edict/pagination'
import { checkApplication } from 'edict/testing'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Answered, ask, askFetch, mistakesOf } from '../../support/ask.ts'
import { runs } from '../../support/runs.ts'

const Stone = mediaType('Stone', { attributes: { id: t.integer({ required: true }), weight: t.integer() } })
const rows = Array.from({ length: 7 }, (_, i) => ({ id: i + 1, weight: i % 3 }))
const datastore = memoryDatastore({
  stones: { columns: { id: { kind: 'integer' }, weight: { kind: 'integer' } }, key: ['id'], rows },
})
const stones = resource(datastore, Stone, { table: 'stones' })

const asked = { orderBy: ['weight'], filterBy: { weight: {} } } as const
const linked = { next: 'next', prev: 'prev', first: 'first', self: 'self', at: 'path', rows: 'elements' } as const
const lists = {
  numbers: pageNumbers.with({ links: 'absolute' }).for(Stone, asked),
  body: cursors.for(Stone, { ...asked, links: 'absolute', body: linked }),
  objects: jsonApiPages.with({ links: 'absolute' }).for(Stone, { orderBy: ['weight'] }),
  paths: limitOffset.for(Stone, { body: linked }),
}
const Stones = endpoint('Stones', {
  actions: {
    numbers: { routing: route.get('/numbers'), params: lists.numbers.params, responses: { ok: lists.numbers.body } },
    body: { routing: route.get('/body'), params: lists.body.params, responses: { ok: lists.body.body } },
    objects: { routing: route.get('/objects'), params: lists.objects.params, responses: { ok: lists.objects.body } },
    paths: { routing: route.get('/paths'), params: lists.paths.params, responses: { ok: lists.paths.body } },
  },
})

const serve = (options: PaginationOptions, rest: Pick<ApplicationOptions, 'basePath' | 'config'> = {}): Application =>
  application({
    environment: 'test',
    plugins: [mapper({ resources: [stones] }), pagination({ maxItems: 50, ...options })],
    controllers: [
      controller(Stones, {
        numbers: async (_, { request, reply }) => reply.ok(lists.numbers.answer(request, await stones.list(request))),
        body: async (_, { request, reply }) => reply.ok(lists.body.answer(request, await stones.list(request))),
        objects: async (_, { request, reply }) => reply.ok(lists.objects.answer(request, await stones.list(request))),
        paths: async (_, { request, reply }) => reply.ok(lists.paths.answer(request, await stones.list(request))),
      }),
    ],
    ...rest,
  })

const links = ({ headers, json }: Answered): readonly string[] => [
  ...[...(headers['link'] ?? '').matchAll(/<([^>]*)>/g)].map(([, url]) => url as string),
  ...Object.entries<string | null>({ ...json.links, ...json }).flatMap(([name, value]) =>
    typeof value === 'string' && name !== 'at' ? [value] : [],
  ),
]

const app = serve({ baseUrl: 'https://api.example.com/public' })

describe('[FOR-08] absolute links', () => {
  it('begin with the base URL in the header and in the body, and the path of the list stays a path', async () => {
    const { headers } = await ask(app, 'GET /stones/numbers?per_page=2&page=2&sort=-weight')
    const other = (page: number): string =>
      `https://api.example.com/public/stones/numbers?sort=-weight&per_page=2&page=${page}`
    expect(headers['link']).toBe(`<${other(1)}>; rel="first", <${other(1)}>; rel="prev", <${other(3)}>; rel="next"`)
    const { json } = await ask(app, 'GET /stones/body?limit=2')
    expect([json.self, json.first, json.prev, json.at]).toEqual([
      'https://api.example.com/public/stones/body?limit=2',
      'https://api.example.com/public/stones/body?limit=2',
      null,
      '/stones/body',
    ])
    expect(json.next).toMatch(/^https:\/\/api\.example\.com\/public\/stones\/body\?limit=2&cursor=/)
    const { json: document } = await ask(app, 'GET /stones/objects?page[size]=3')
    expect(document.links.last).toBe(
      'https://api.example.com/public/stones/objects?page%5Bsize%5D=3&page%5Bnumber%5D=3',
    )
    const { json: paths } = await ask(app, 'GET /stones/paths?limit=2')
    expect(paths.next).toBe('/stones/paths?limit=2&offset=2')
  })

  it('never follow what a request says of its host and scheme', async () => {
    const names = ['host', 'x-forwarded-host', 'x-forwarded-proto', 'x-forwarded-prefix', 'forwarded', 'x-original-url']
    const values = fc.constantFrom('evil.example', 'https', 'host=evil.example;proto=ftp', 'evil.example:99', '/evil')
    const others = fc.dictionary(fc.constantFrom(...names), values, { minKeys: 1 })
    const paths = fc.constantFrom('numbers?page=2&per_page=2', 'body?limit=2', 'objects?page[size]=2&page[number]=2')
    await fc.assert(
      fc.asyncProperty(others, paths, async (headers, path) => {
        const answer = await askFetch(app, `GET /stones/${path}`, { headers })
        expect(answer.status).toBe(200)
        const found = links(answer)
        expect(found.length).toBeGreaterThan(1)
        for (const link of found) expect(link).toMatch(/^https:\/\/api\.example\.com\/public\/stones\//)
      }),
      { numRuns: runs(40, 1000) },
    )
  })

  it('have the base path of the application, and the base URL of the configuration before that of the plugin', async () => {
    const configured = serve(
      { baseUrl: 'https://wrong.example' },
      { basePath: '/v7', config: { pagination: { baseUrl: 'http://[2001:db8::1]:8080/' } } },
    )
    const { headers } = await ask(configured, 'GET /v7/stones/numbers?per_page=6')
    expect(headers['link']).toContain('<http://[2001:db8::1]:8080/v7/stones/numbers?per_page=6&page=2>; rel="next"')
  })

  it.each<readonly [string, Convention<any, any>]>([
    ['in a convention with links in its header', pageNumbers.with({ links: 'absolute' })],
    ['in a convention with links in its body', jsonApiPages.with({ links: 'absolute' }) as never],
  ])('do not boot without a base URL, %s', (_, convention) => {
    const list = convention.for(Stone)
    const Alone = endpoint('Alone', {
      actions: { index: { routing: route.get('/'), params: list.params, responses: { ok: list.body } } },
    } as never)
    const boot = (options: PaginationOptions) =>
      mistakesOf(() =>
        application({
          plugins: [mapper(), pagination(options)],
          controllers: [Alone.implement({ index: () => '' } as never)],
        }),
      )
    const [mistake, ...more] = boot({})
    expect(more).toEqual([])
    expect(mistake).toMatchObject({
      endpoint: 'Alone',
      setting: expect.stringMatching(/^index\.params\./),
      problem: `${convention.description.name} has absolute links, and no base URL is set`,
      remedy: "name the public URL of the server, with pagination({ baseUrl: 'https://api.example.com' })",
    })
    expect(boot({ baseUrl: 'https://api.example.com' })).toEqual([])
  })

  it.each([
    'api.example.com',
    '/books',
    'ftp://files.example',
    'javascript:alert(1)',
    'https://api.example/?a=1',
    'https://api.example/#a',
    'https://user:word@api.example',
    ' https://api.example',
    7,
  ])('refuse %s as a base URL', (baseUrl) => {
    const [mistake] = mistakesOf(() => serve({ baseUrl: baseUrl as string }))
    expect(mistake?.remedy).toContain("an absolute URL such as 'https://api.example.com', without a query")
  })

  it('are followed by clients of the same origin, of another one and of a mock', async () => {
    for (const [served, baseUrl] of [
      [app, 'https://api.example.com/public'],
      [app, 'http://internal:8080'],
      [mock([Stones]), 'http://mock:3001'],
    ] as const) {
      const fetch = (request: Request): Promise<Response> => {
        const url = new URL(request.url)
        expect(url.origin).toBe(new URL(baseUrl).origin)
        // The proxy in front takes the prefix away.
        return served.fetch(new Request(`http://inside${url.pathname.replace('/public', '')}${url.search}`, request))
      }
      const api = client({ Stones }, { baseUrl, fetch })
      for (const all of [
        api.Stones.numbers.all({ per_page: 2 }),
        api.Stones.body.all({ limit: 2 }),
        api.Stones.objects.all({ page: { size: 2 } }),
      ]) {
        const ids: string[] = []
        for await (const { id } of all) ids.push(String(id))
        expect(new Set(ids).size).toBe(served === app ? 7 : 30)
        expect(ids.length).toBe(served === app ? 7 : 30)
      }
    }
  })

  it('are in the contract, so that their change is one', () => {
    const contract = JSON.stringify(app.contract())
    expect(contract.match(/"links":\{"means":"absolute"\}/g)?.length).toBe(3)
  })

  it('keep the laws of lists', { timeout: 60_000 }, async () => {
    const { cases, unreached } = await checkApplication(app, { runs: runs(3, 60) })
    expect([unreached, (cases['pages'] ?? 0) > 0]).toEqual([[], true])
  })
})
